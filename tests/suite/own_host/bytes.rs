//! One component: what the program has in it is what Spin loads.

use crate::harness::{Stdio, spin_manifest};
use sha2::{Digest, Sha256};
use std::fs;

#[tokio::test]
async fn the_component_inside_is_the_file_that_spin_loads() {
    let manifest = spin_manifest();
    let text = fs::read_to_string(&manifest).unwrap();
    let (_, source) = text.split_once("source = \"").expect("the manifest names the component");
    let file = manifest.with_file_name(source.split('"').next().unwrap());
    let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(audiobookshelf_mcp::component_sha256(), sum);
    let said = Stdio::print(&["--version"]).await;
    assert_eq!(said, format!("audiobookshelf-mcp {}\ncomponent SHA-256 {sum}\n", env!("CARGO_PKG_VERSION")));
}
