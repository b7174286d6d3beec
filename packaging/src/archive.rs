//! Both forms of archive, written so that the same files give the same bytes.

use anyhow::{Context, Result, bail};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use std::{
    fs,
    io::{Cursor, Read, Write},
    path::{Path, PathBuf},
};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// 1980-01-01, the first moment that zip can say. Some programs take the one of tar, 1970, for a mistake.
const TIME: u64 = 315_532_800;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// With `/`, whatever the system.
    pub path: String,
    pub mode: u32,
    pub bytes: Vec<u8>,
}

impl Entry {
    pub fn new(path: &str, bytes: Vec<u8>) -> Entry {
        Entry { path: path.to_owned(), mode: 0o644, bytes }
    }

    pub fn program(path: &str, bytes: Vec<u8>) -> Entry {
        Entry { mode: 0o755, ..Entry::new(path, bytes) }
    }
}

pub fn zip(entries: &[Entry], compression: u32) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(compression.into()))
            .last_modified_time(DateTime::default())
            .unix_permissions(entry.mode);
        archive.start_file(&entry.path, options)?;
        archive.write_all(&entry.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

pub fn tar_gz(entries: &[Entry], compression: u32) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::new(compression)));
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode);
        header.set_mtime(TIME);
        archive.append_data(&mut header, &entry.path, entry.bytes.as_slice())?;
    }
    Ok(archive.into_inner()?.finish()?)
}

pub fn read_zip(bytes: &[u8]) -> Result<Vec<Entry>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).context("it is no zip")?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        let (path, mode) = (file.name().to_owned(), file.unix_mode().unwrap_or_default() & 0o777);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        entries.push(Entry { path, mode, bytes });
    }
    Ok(entries)
}

pub fn read_tar_gz(bytes: &[u8]) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for file in tar::Archive::new(GzDecoder::new(bytes)).entries().context("it is no tar")? {
        let mut file = file?;
        let (path, mode) = (file.path()?.to_string_lossy().into_owned(), file.header().mode()?);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        entries.push(Entry { path, mode, bytes });
    }
    Ok(entries)
}

/// Writes the files of an archive below a folder.
pub fn unpack(entries: &[Entry], folder: &Path) -> Result<()> {
    for entry in entries {
        let inside = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
        if !entry.path.split('/').all(inside) {
            bail!("{} would lie outside of its folder", entry.path);
        }
        let path: PathBuf = folder.join(&entry.path);
        fs::create_dir_all(path.with_file_name(""))?;
        fs::write(&path, &entry.bytes).with_context(|| format!("cannot write {}", path.display()))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(entry.mode))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        vec![Entry::program("bin/run", b"#!/bin/sh\n".repeat(500)), Entry::new("text", Vec::new())]
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        assert_eq!(read_zip(&zip(&entries(), 9).unwrap()).unwrap(), entries());
        assert_eq!(read_tar_gz(&tar_gz(&entries(), 9).unwrap()).unwrap(), entries());
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let both = || (zip(&entries(), 9).unwrap(), tar_gz(&entries(), 9).unwrap());
        let first = both();
        // Zip counts in steps of two seconds.
        let second = std::thread::spawn(both);
        assert!(first == second.join().unwrap());
        let year = ZipArchive::new(Cursor::new(&first.0)).unwrap().by_index(0).unwrap().last_modified().unwrap().year();
        assert_eq!(year, 1980);
        assert_eq!(first.1[4..8], [0; 4], "gzip has a time of its own");
    }

    #[test]
    fn nothing_is_written_elsewhere() {
        for path in ["../up", "/root", "a//b", "a/../../b", "a\\b", ""] {
            assert!(unpack(&[Entry::new(path, Vec::new())], Path::new("/nowhere")).is_err(), "{path}");
        }
    }
}
