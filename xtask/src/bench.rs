//! `cargo xtask bench`: the program as it is shipped, measured beside native ones by `tests/bench`.

use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::{component, process, setup, workspace};

pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    component::build(&setup::toolchain()?)?;
    let packages = ["--package", "audiobookshelf-mcp", "--package", "bench"];
    process::step(
        "optimised programs, which takes minutes the first time",
        process::cargo("build").args(["--quiet", "--locked", "--release", "--bins"]).args(packages),
    )?;
    let program = workspace::target().join("release").join("bench");
    let mut bench = process::command(program);
    bench.arg(workspace::component().join("audiobookshelf_mcp.wasm"));
    if !arguments.contains(&"--json") {
        bench.arg("--json").arg(workspace::target().join("bench.json"));
    }
    let status = bench.args(arguments).stdin(Stdio::null()).status().context("cannot start the bench")?;
    if !status.success() {
        bail!("the bench failed ({status})");
    }
    Ok(())
}
