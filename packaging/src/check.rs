//! Reads a finished release as those who download it do: sums, archives, and whether what is in them belongs together.

use crate::{
    NAME, SUMS, VERSION,
    archive::{self, Entry},
    bundle, hexadecimal,
    program::Program,
    read, registry,
};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// Whatever is wrong with the files in this folder.
pub fn release(folder: &Path) -> Result<()> {
    let sums = sums(folder)?;
    let named = |end: &str| {
        let mut found = sums.keys().filter(|name| name.ends_with(end));
        let name = found.next().with_context(|| format!("there is no {end}"))?;
        ensure!(found.next().is_none(), "there are two {end}");
        Ok(name.as_str())
    };
    let (component, bundle) = (&sums[named(".wasm")?], named(".mcpb")?);

    let unpacked = Unpacked::new(&archive::read_tar_gz(&read(&folder.join(named(".tar.gz")?))?)?)?;
    let top = named(".tar.gz")?.trim_end_matches(".tar.gz");
    agrees(&unpacked.0.join(top).join(NAME), component).context("the program in the .tar.gz")?;

    let unpacked = Unpacked::new(&archive::read_zip(&read(&folder.join(bundle))?)?)?;
    let manifest: Value = serde_json::from_slice(&read(&unpacked.0.join(bundle::MANIFEST))?)?;
    let entry_point = manifest["server"]["entry_point"].as_str().context("the manifest names no program")?;
    agrees(&unpacked.0.join(entry_point), component).context("the program in the .mcpb")?;
    ensure!(manifest["version"] == VERSION, "the manifest is of version {}", manifest["version"]);

    let server = named(registry::FILE).or_else(|_| named(registry::TEMPLATE))?;
    let server: Value = serde_json::from_slice(&read(&folder.join(server))?)?;
    ensure!(server["packages"][0]["fileSha256"] == sums[bundle], "server.json has the hash of another bundle");
    let bill: Value = serde_json::from_slice(&read(&folder.join(named(".cdx.json")?))?)?;
    ensure!(bill["metadata"]["component"]["version"] == VERSION, "the list of packages is of another version");
    Ok(())
}

/// The program starts, and has the component that is beside it.
fn agrees(program: &Path, component: &str) -> Result<()> {
    let program = Program::new(program);
    let (version, inside) = (program.version()?, program.component_sha256()?);
    ensure!(version == VERSION, "it is of version {version}");
    ensure!(inside == *component, "it has another component than the .wasm: {inside}");
    Ok(())
}

/// Of each file but the list itself. All files are in it, and are as it says.
fn sums(folder: &Path) -> Result<BTreeMap<String, String>> {
    let text = String::from_utf8(read(&folder.join(SUMS))?)?;
    let pairs = text.lines().map(|line| line.split_once("  ").map(|(sum, name)| (name.to_owned(), sum.to_owned())));
    let sums: BTreeMap<String, String> = pairs.collect::<Option<_>>().context("SHA256SUMS has another form")?;
    for (name, sum) in &sums {
        if hexadecimal(&Sha256::digest(read(&folder.join(name))?)) != *sum {
            bail!("{name} is not as SHA256SUMS says");
        }
    }
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        ensure!(name == SUMS || sums.contains_key(&name), "{name} is not in SHA256SUMS");
    }
    Ok(sums)
}

/// A folder that is gone when it is dropped.
struct Unpacked(PathBuf);

impl Unpacked {
    fn new(entries: &[Entry]) -> Result<Unpacked> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("{NAME}-release-{}-{number}", std::process::id()));
        let unpacked = Unpacked(folder);
        archive::unpack(entries, &unpacked.0)?;
        Ok(unpacked)
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // What is left lies in a temporary folder, and is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}
