//! Way 3: Debian's compiler, which brings the sources of the standard library instead of a build for the target.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::rustc::Rustc;
use super::{Toolchain, linker};
use crate::process;

/// The compiler that Debian keeps recent for the sake of web browsers, in stable releases too.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";

/// What is installed now. The error names the packages that are missing.
pub(crate) fn find() -> Result<Toolchain> {
    match missing().as_slice() {
        [] => {}
        packages => bail!("not installed: {}", packages.join(" ")),
    }
    let rustc = Rustc::probe(RUSTC.into())?;
    Ok(Toolchain { cargo: CARGO.into(), linker: any_linker(), rustc, builds_std: true })
}

/// Installs what is missing, where that is possible.
pub(crate) fn install() -> Result<Toolchain> {
    let packages = missing();
    if packages.is_empty() {
        return find();
    }
    install_packages(&packages)?;
    find()
}

/// As root on Debian; otherwise the error says what somebody has to do.
pub(crate) fn install_packages(packages: &[&str]) -> Result<()> {
    let advice = format!("apt-get install {}", packages.join(" "));
    if !Path::new("/etc/debian_version").exists() {
        bail!("not a Debian system; there it would be {advice}");
    }
    if process::answer(process::command("id").arg("-u"))?.trim() != "0" {
        bail!("not root; as root: {advice}");
    }
    // Packages of an outdated list may still be there, so the verdict is left to the installation.
    let _ = process::step("apt-get update", apt().arg("update"));
    process::step(&advice, apt().args(["install", "--yes", "--no-install-recommends"]).args(packages)).map(drop)
}

fn missing() -> Vec<&'static str> {
    let rustc = Rustc::probe(RUSTC.into()).ok().filter(Rustc::is_recent);
    let compiler = rustc.is_some_and(|rustc| rustc.has_sources()) && Path::new(CARGO).is_file();
    let mut packages = if compiler { vec![] } else { PACKAGES.to_vec() };
    if any_linker().is_none() {
        packages.push("lld");
    }
    packages
}

/// The active toolchain's linker, which is as recent as the compiler; otherwise LLVM's.
fn any_linker() -> Option<PathBuf> {
    Rustc::active().ok().and_then(|rustc| rustc.own_linker()).or_else(linker::in_path)
}

fn apt() -> Command {
    let mut apt = process::command("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=120"]);
    apt
}
