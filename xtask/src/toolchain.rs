//! The compiler that builds the component, which need not be the one that builds the rest.

pub(crate) mod debian;
pub(crate) mod installed;
mod linker;
mod rustc;
pub(crate) mod rustup;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{process, workspace};
use rustc::Rustc;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) struct Toolchain {
    cargo: PathBuf,
    rustc: Rustc,
    /// Named when the compiler does not bring one.
    linker: Option<PathBuf>,
    /// Compile the standard library too, since the compiler has none for the target.
    builds_std: bool,
}

impl Toolchain {
    pub(crate) fn version(&self) -> &str {
        &self.rustc.version
    }

    /// Whether the clippy of this workspace can look at the code for the target: it comes with the active compiler and needs
    /// that compiler's standard library.
    pub(crate) fn has_clippy(&self) -> bool {
        !self.builds_std
    }

    pub(crate) fn has_target(&self, target: &str) -> bool {
        self.rustc.has_target(target)
    }

    /// Cargo on a package for a target, set up so that two checkouts give the same bytes.
    pub(crate) fn cargo(&self, subcommand: &str, package: &str, target: &str) -> Command {
        self.cargo_in(&workspace::root(), &workspace::guest_target(), subcommand, package, target)
    }

    /// The same in another checkout.
    pub(crate) fn cargo_in(
        &self,
        root: &Path,
        output: &Path,
        subcommand: &str,
        package: &str,
        target: &str,
    ) -> Command {
        let mut cargo = process::command(&self.cargo);
        cargo.current_dir(root);
        cargo.args([subcommand, "--locked", "--package", package, "--target", target, "--target-dir"]);
        cargo.arg(output);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", self.remap(root, output).join("\u{1f}"));
        if self.builds_std {
            cargo.arg("-Zbuild-std=std,panic_abort");
            cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", &self.rustc.path);
            // `cargo run` puts the libraries of the other compiler in front.
            cargo.env_remove("LD_LIBRARY_PATH");
        }
        if let Some(linker) = &self.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        cargo
    }

    /// Panic messages carry the paths of sources: here, the places where they would lie on no machine at all.
    fn remap(&self, root: &Path, output: &Path) -> Vec<String> {
        // A later one wins over an earlier one, and cargo's home may lie in the workspace.
        let mut places = vec![(root.to_owned(), "/audiobookshelf-mcp".to_owned())];
        places.push((output.to_owned(), "/target".to_owned()));
        places.extend(registries().into_iter().map(|folder| (folder, "/registry".to_owned())));
        places.extend(self.rustc.sources().into_iter().map(|folder| (folder, format!("/rustc/{}", self.rustc.commit))));
        places.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect()
    }
}

/// Where cargo unpacks crates. Each registry has a folder of its own, whose name depends on the registry's address.
fn registries() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let mut folders = children(&home.join("registry").join("src"));
    folders.sort();
    folders
}

/// What a folder holds, or nothing.
fn children(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
