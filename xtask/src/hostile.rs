//! The hostile components of `tests/hostile`, which the suite runs in the sandbox. Built as the server's own component is,
//! and checked for nothing: what they may import is for the sandbox to say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use wit_component::{StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::component::{encode, write_if_changed};
use crate::toolchain::{TARGET, Toolchain};
use crate::{process, workspace};

/// Cargo on the package, with the profile and the feature that its components need.
pub(crate) fn cargo(toolchain: &Toolchain, subcommand: &str) -> Command {
    let mut cargo = toolchain.cargo(subcommand, "hostile", TARGET);
    cargo.args(["--quiet", "--profile", "hostile", "--features", "components"]);
    cargo
}

/// Leaves exactly the components whose sources are there: one that is gone must not be tested any longer.
pub(crate) fn build(toolchain: &Toolchain) -> Result<()> {
    process::step("hostile components", cargo(toolchain, "build").arg("--examples"))?;
    let built = workspace::guest_target().join(TARGET).join("hostile").join("examples");
    let folder = workspace::component().join("hostile");
    let names = sources()?;
    for name in &names {
        let component = component(&built.join(name).with_extension("wasm"))?;
        write_if_changed(&folder.join(name).with_extension("wasm"), &component)?;
    }
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let known = path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| names.contains(stem));
        if !known {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Some call the key-value store without bindings that would say what it is. The others import nothing of `wit/`, and
/// what is said about it does not count.
fn component(module: &Path) -> Result<Vec<u8>> {
    let mut bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let mut wit = Resolve::default();
    let (package, _) = wit.push_dir(workspace::root().join("wit"))?;
    let world = wit.select_world(&[package], Some("server"))?;
    embed_component_metadata(&mut bytes, &wit, world, StringEncoding::UTF8)?;
    encode(&bytes).with_context(|| format!("{} cannot become a component", module.display()))
}

fn sources() -> Result<BTreeSet<String>> {
    let folder = workspace::root().join("tests").join("hostile").join("examples");
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    if names.is_empty() {
        bail!("{} has no components", folder.display());
    }
    Ok(names)
}
