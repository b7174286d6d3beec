//! A linker for WebAssembly outside a Rust toolchain.

use std::env;
use std::path::PathBuf;

use super::children;

/// LLVM's linker from the search path, the newest when Debian's versioned names are all there is.
pub(crate) fn in_path() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let plain = folders.iter().map(|folder| folder.join("wasm-ld")).find(|file| file.is_file());
    let versioned = || {
        let files = folders.iter().flat_map(|folder| children(folder));
        files.filter_map(|file| Some((version(file.file_name()?.to_str()?)?, file))).max().map(|(_, file)| file)
    };
    versioned().or(plain)
}

/// The number in `wasm-ld-19`.
fn version(name: &str) -> Option<u32> {
    name.strip_prefix("wasm-ld-")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versioned_linkers_have_a_version() {
        for (name, number) in [
            ("wasm-ld-14", Some(14)),
            ("wasm-ld-19", Some(19)),
            ("wasm-ld", None),
            ("wasm-ld-19.bak", None),
            ("ld-2", None),
        ] {
            assert_eq!(version(name), number, "{name}");
        }
    }
}
