//! Way 2: rustup adds the target to the active toolchain.

use std::time::Duration;

use anyhow::{Context, Result};

use super::{TARGET, Toolchain, installed};
use crate::process;

/// Without a network rustup may wait for a very long time.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn install() -> Result<Toolchain> {
    let mut rustup = process::command("rustup");
    rustup.args(["target", "add", TARGET]).env("RUSTUP_AUTO_INSTALL", "0");
    process::bounded(&mut rustup, PATIENCE).with_context(|| format!("rustup target add {TARGET}"))?;
    installed::find()
}
