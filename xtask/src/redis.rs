//! The Redis that the tests of several replicas start: theirs alone, on a free port.

use anyhow::{Context, Result};

use crate::process;
use crate::toolchain::debian;

const PACKAGE: &str = "redis-server";

/// Whether it is installed; otherwise installs Debian's.
pub(crate) fn ensure() -> Result<()> {
    if process::answer(process::command("redis-server").arg("--version")).is_ok() {
        return Ok(());
    }
    debian::install_packages(&[PACKAGE]).context("the tests of several replicas need a redis-server")
}
