//! `cargo xtask demo`: the host with its built-in demonstration.

use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::{component, process, setup, workspace};

pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    component::build(&setup::toolchain()?)?;
    process::step(
        "host",
        process::cargo("build").args(["--quiet", "--locked", "--workspace", "--bin", "audiobookshelf-mcp"]),
    )?;
    let mut host = process::command(workspace::program("audiobookshelf-mcp"));
    let status = host.arg("demo").args(arguments).stdin(Stdio::inherit()).status().context("cannot start the host")?;
    if !status.success() {
        bail!("the demonstration failed ({status})");
    }
    Ok(())
}
