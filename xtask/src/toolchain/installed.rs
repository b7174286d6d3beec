//! Way 1: the active compiler has the target.

use anyhow::{Result, bail};

use super::rustc::Rustc;
use super::{TARGET, Toolchain, linker};

pub(crate) fn find() -> Result<Toolchain> {
    let rustc = Rustc::active()?;
    if !rustc.has_target(TARGET) {
        bail!("{} has no standard library for {TARGET}", rustc.version);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into();
    let linker = if rustc.own_linker().is_some() { None } else { linker::in_path() };
    if rustc.own_linker().is_none() && linker.is_none() {
        bail!("{} has {TARGET}, but there is neither rust-lld nor wasm-ld to link with", rustc.version);
    }
    Ok(Toolchain { cargo, rustc, linker, builds_std: false })
}
