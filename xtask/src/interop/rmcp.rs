//! The Rust SDK: a workspace of its own with an output folder of its own.

use std::path::PathBuf;

use anyhow::Result;

use super::{folder, sources};
use crate::process;

/// The program with it.
pub(super) fn build() -> Result<PathBuf> {
    let target = folder("rmcp");
    let mut cargo = process::cargo("build");
    cargo.args(["--quiet", "--locked", "--manifest-path"]).arg(sources("rmcp").join("Cargo.toml"));
    cargo.arg("--target-dir").arg(&target);
    process::step("rmcp", &mut cargo)?;
    Ok(target.join("debug").join("interop-rmcp"))
}
