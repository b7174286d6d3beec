//! Two checkouts in two places give the same component, byte for byte: what was built here is built again from a copy.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::component::{self, Built};
use crate::toolchain::Toolchain;
use crate::workspace;

/// What the component is made of. The other members of the workspace come along since cargo wants to see them all.
const SOURCES: [&str; 5] = ["Cargo.toml", "Cargo.lock", "guest", "policy", "wit"];

/// Not a part of a checkout.
const LEFT_OUT: [&str; 4] = ["target", ".git", "key.txt", "token.txt"];

/// Takes as long as building the guest, and is done once for each state of its sources.
pub(crate) fn check(toolchain: &Toolchain, built: &Built) -> Result<()> {
    // Deeper and longer than the usual place, so that a path that got into the component would show.
    let folder = workspace::target().join("reproducible");
    let (copy, output, note) =
        (folder.join("another checkout").join("of-it"), folder.join("output"), folder.join("known"));
    let state = state(toolchain, built)?;
    if fs::read_to_string(&note).is_ok_and(|known| known == state) {
        return Ok(());
    }
    copy_folder(&workspace::root(), &copy)?;
    let bytes = component::elsewhere(toolchain, &copy, &output)?;
    let [here, there] = [&built.bytes, &bytes].map(|bytes| component::hexadecimal(&Sha256::digest(bytes)));
    if here != there {
        bail!("the component depends on where it is built: SHA-256 {here} here, {there} in {}", copy.display());
    }
    fs::write(&note, state).with_context(|| format!("cannot write {}", note.display()))
}

/// Changes with everything that could change the outcome.
fn state(toolchain: &Toolchain, built: &Built) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(toolchain.version());
    hash.update(Sha256::digest(&built.bytes));
    for source in SOURCES {
        add(&workspace::root().join(source), &mut hash)?;
    }
    Ok(component::hexadecimal(&hash.finalize()))
}

fn add(path: &Path, hash: &mut Sha256) -> Result<()> {
    if path.is_dir() {
        for name in names(path)? {
            add(&path.join(name), hash)?;
        }
        return Ok(());
    }
    hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
    hash.update(Sha256::digest(fs::read(path).with_context(|| format!("cannot read {}", path.display()))?));
    Ok(())
}

/// What is there already and the same keeps its time, so that cargo compiles only what has changed.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let wanted = names(from)?;
    for name in names(to)?.into_iter().filter(|name| !wanted.contains(name)) {
        let gone = to.join(name);
        if gone.is_dir() { fs::remove_dir_all(gone)? } else { fs::remove_file(gone)? }
    }
    for name in wanted {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            let bytes = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
            if !fs::read(&to).is_ok_and(|old| old == bytes) {
                fs::write(&to, bytes)?;
            }
        }
    }
    Ok(())
}

fn names(folder: &Path) -> Result<Vec<std::ffi::OsString>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
    // Hidden ones are a person's own, keys and databases among them; of ours only cargo's settings matter to a build.
    let hidden = |name: &std::ffi::OsString| name.as_encoded_bytes().starts_with(b".") && name != ".cargo";
    names.retain(|name| !hidden(name) && !LEFT_OUT.iter().any(|left_out| name == left_out));
    names.sort();
    Ok(names)
}
