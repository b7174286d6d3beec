//! What a rustc says about itself.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::children;
use crate::process;

pub(crate) struct Rustc {
    pub(crate) path: PathBuf,
    /// `rustc 1.95.0 (59807616e 2026-04-14)`
    pub(crate) version: String,
    pub(crate) commit: String,
    sysroot: PathBuf,
    host: String,
}

impl Rustc {
    /// The one that cargo uses here.
    pub(crate) fn active() -> Result<Self> {
        Self::probe(std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from))
    }

    pub(crate) fn probe(path: PathBuf) -> Result<Self> {
        let ask = |question: &[&str]| {
            // Behind the name may be rustup, which would otherwise download a whole toolchain when one is missing.
            let mut rustc = process::command(&path);
            rustc.env("RUSTUP_AUTO_INSTALL", "0").env_remove("LD_LIBRARY_PATH");
            process::answer(rustc.args(question))
        };
        let verbose = ask(&["-vV"])?;
        let sysroot = ask(&["--print", "sysroot"])?.trim_end().into();
        let field = |name| verbose.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        let host = field("host: ").with_context(|| format!("{} names no host", path.display()))?;
        let commit = field("commit-hash: ").unwrap_or_else(|| "unknown".to_owned());
        let version = verbose.lines().next().unwrap_or_default().to_owned();
        Ok(Self { path, version, commit, sysroot, host })
    }

    /// Whether it brings a standard library for a target.
    pub(crate) fn has_target(&self, target: &str) -> bool {
        let libraries = self.sysroot.join("lib/rustlib").join(target).join("lib");
        children(&libraries).iter().any(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    }

    /// The linker that rustup's toolchains bring.
    pub(crate) fn own_linker(&self) -> Option<PathBuf> {
        let linker = self.sysroot.join("lib/rustlib").join(&self.host).join("bin/rust-lld");
        linker.is_file().then_some(linker)
    }

    /// Both names of the folder with the sources of the standard library: Debian's is a link.
    pub(crate) fn sources(&self) -> Vec<PathBuf> {
        let named = self.sysroot.join("lib/rustlib/src/rust");
        fs::canonicalize(&named).map(|real| vec![named, real]).unwrap_or_default()
    }

    pub(crate) fn has_sources(&self) -> bool {
        self.sources().iter().any(|folder| folder.join("library/std/Cargo.toml").is_file())
    }

    /// Whether it is at least the version that the workspace asks for.
    pub(crate) fn is_recent(&self) -> bool {
        let numbers = |text: &str| -> Vec<u32> { text.split(['.', '-']).map_while(|part| part.parse().ok()).collect() };
        let version = self.version.split(' ').nth(1).unwrap_or_default();
        numbers(version) >= numbers(env!("CARGO_PKG_RUST_VERSION"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        let rustc = |version: &str| Rustc {
            path: PathBuf::new(),
            version: format!("rustc {version} (0123456 2026-01-01)"),
            commit: String::new(),
            sysroot: PathBuf::new(),
            host: String::new(),
        };
        for (version, recent) in
            [("1.63.0", false), ("1.94.1", false), ("1.95.0", true), ("1.100.0", true), ("2.0.0-nightly", true)]
        {
            assert_eq!(rustc(version).is_recent(), recent, "{version}");
        }
    }
}
