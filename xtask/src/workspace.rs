//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The repository. Cargo tells it to a program that it runs; the path known at compile time serves one started by hand.
pub(crate) fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("xtask lies in the workspace").to_path_buf()
}

/// Cargo's output folder.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The component has an output folder to itself, since another cargo than the one that builds the rest may write there.
pub(crate) fn guest_target() -> PathBuf {
    target().join("guest")
}

/// The folder of the built component. `spin.toml` and the host's build script expect it here, wherever cargo's output goes.
pub(crate) fn component() -> PathBuf {
    env::var_os("AUDIOBOOKSHELF_MCP_COMPONENT_DIR")
        .map_or_else(|| root().join("target").join("component"), |dir| root().join(dir))
}

/// A program that the development profile built.
pub(crate) fn program(name: &str) -> PathBuf {
    target().join("debug").join(name)
}
