//! `cargo xtask docs`: docs/tools.md, which the tools themselves write.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

pub(crate) fn write() -> Result<()> {
    let file = file();
    let text = documentation()?;
    let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(&file, text));
    written.with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

pub(crate) fn check() -> Result<()> {
    if fs::read_to_string(file()).unwrap_or_default() != documentation()? {
        bail!("docs/tools.md is out of date: cargo xtask docs writes it anew");
    }
    Ok(())
}

fn file() -> PathBuf {
    workspace::root().join("docs").join("tools.md")
}

/// An example of the guest prints it. Were the guest a dependency of xtask, a mistake in the guest would stop every command.
fn documentation() -> Result<String> {
    process::step(
        "tool documentation",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--example", "documentation"]),
    )?;
    process::answer(&mut process::command(workspace::program("examples/documentation")))
}
