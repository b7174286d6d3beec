//! The licenses of other people's code in the program, which want to be passed on with it.

use crate::packages::Packages;
use anyhow::{Context, Result};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

const HEAD: &str = "\
This program contains the packages below, which others wrote. Each stands with its license as it describes it, and
above the text of that license; those with the same text stand together.
";

/// Of everything that is shipped and is not ours.
pub(crate) fn notices(packages: &Packages) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages.values().filter(|package| package.shipped && package.sha256.is_some()) {
        let license = package.license.as_deref().unwrap_or("see below");
        let line = format!("{} {} ({license})", package.name, package.version);
        let files = files(&package.folder).with_context(|| format!("the licenses of {line}"))?;
        if files.is_empty() {
            texts.entry(String::new()).or_default().push(line.clone());
        }
        for file in files {
            // Not all of them are UTF-8, and none is worth to fail for that.
            let text = String::from_utf8_lossy(&fs::read(&file)?).replace("\r\n", "\n").trim().to_owned();
            texts.entry(text).or_default().push(line.clone());
        }
    }
    let mut out = HEAD.to_owned();
    for (text, lines) in &texts {
        let text = if text.is_empty() { "These bring no text along." } else { text };
        let _ = write!(out, "\n{}\n\n{}\n\n{text}\n", "-".repeat(80), lines.join("\n"));
    }
    Ok(out)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_license = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        if is_license && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
