//! `cargo xtask docs`: docs/tools.md, which the tools themselves write, and docs/questions.md, which the suite plays.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{process, questions, workspace};

pub(crate) fn write() -> Result<()> {
    for (file, text) in documentation()? {
        let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(&file, text));
        written.with_context(|| format!("cannot write {}", file.display()))?;
        println!("{}", file.display());
    }
    Ok(())
}

pub(crate) fn check() -> Result<()> {
    for (file, text) in documentation()? {
        if fs::read_to_string(&file).unwrap_or_default() != text {
            bail!("{} is out of date: cargo xtask docs writes it anew", file.display());
        }
    }
    Ok(())
}

/// The files and what is in them.
fn documentation() -> Result<[(PathBuf, String); 2]> {
    let docs = workspace::root().join("docs");
    Ok([(docs.join("tools.md"), tools()?), (docs.join("questions.md"), questions::documentation())])
}

/// An example of the guest prints it. Were the guest a dependency of xtask, a mistake in the guest would stop every command.
fn tools() -> Result<String> {
    process::step(
        "tool documentation",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--example", "documentation"]),
    )?;
    process::answer(&mut process::command(workspace::program("examples/documentation")))
}
