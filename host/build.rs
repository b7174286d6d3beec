//! Points the crate at the built component, which `cargo xtask component` leaves in target/component.
//!
//! Without one the crate still compiles (a first `cargo check` needs no WebAssembly toolchain); the program then says at
//! its start what is missing.

use sha2::{Digest, Sha256};
use std::{env, fs, path::PathBuf};

const FOLDER: &str = "AUDIOBOOKSHELF_MCP_COMPONENT_DIR";

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let folder = env::var(FOLDER).map_or_else(|_| here.join("../target/component"), PathBuf::from);
    println!("cargo:rerun-if-env-changed={FOLDER}");
    for (variable, name) in
        [("COMPONENT_WASM", "audiobookshelf_mcp.wasm"), ("COMPONENT_CWASM", "audiobookshelf_mcp.cwasm")]
    {
        let mut file = folder.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        if !file.exists() {
            println!("cargo:warning=there is no {name} to embed; `cargo xtask component` builds it");
            file = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join(name);
            fs::write(&file, b"").expect("the build folder can be written");
        }
        let file = fs::canonicalize(&file).expect("the file was just seen");
        println!("cargo:rustc-env={variable}={}", file.display());
        if variable == "COMPONENT_WASM" {
            // Here and not in the program, which would do it at each start.
            let hash = Sha256::digest(fs::read(&file).expect("the file was just seen"));
            let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            println!("cargo:rustc-env=COMPONENT_SHA256={hash}");
        }
    }
}
