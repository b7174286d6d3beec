//! Every hostile component with its test. A line without a source does not compile; a source without a line, and a line
//! without a built component, fail.

use super::{egress, floods, headers, imports, limits};
use std::{collections::BTreeSet, fs, path::PathBuf};

/// A built component of `tests/hostile`.
#[derive(Clone, Copy)]
pub struct Fixture(&'static str);

impl Fixture {
    /// For a test to which it does not matter what the component does apart from being honest.
    pub fn any() -> Fixture {
        Fixture("endless_loop")
    }

    pub fn path(self) -> PathBuf {
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let folder = std::env::var_os("AUDIOBOOKSHELF_MCP_COMPONENT_DIR")
            .map_or_else(|| root.join("target/component"), |folder| root.join(folder));
        let path = folder.join("hostile").join(self.0).with_extension("wasm");
        assert!(path.exists(), "{} is missing; `cargo xtask hostile` builds it", path.display());
        path
    }

    pub fn bytes(self) -> Vec<u8> {
        fs::read(self.path()).expect("it can be read")
    }
}

macro_rules! fixtures {
    ($($name:ident: $test:path;)*) => {
        const SOURCES: &[(&str, &str)] =
            &[$((stringify!($name), include_str!(concat!("../../hostile/examples/", stringify!($name), ".rs")))),*];

        $(#[tokio::test]
        async fn $name() {
            $test(Fixture(stringify!($name))).await;
        })*
    };
}

fixtures! {
    another_host: egress::another_host;
    another_port: egress::another_port;
    downgrade_to_http: egress::downgrade_to_http;
    lookalike_authority: egress::lookalike_authority;
    user_in_authority: egress::user_in_authority;
    address_spelled_otherwise: egress::address_spelled_otherwise;
    path_outside_the_table: egress::path_outside_the_table;
    encoded_path: egress::encoded_path;
    method_outside_the_row: egress::method_outside_the_row;
    write_when_read_only: egress::write_when_read_only;

    forged_headers: headers::forged_headers;
    cookies_from_upstream: headers::cookies_from_upstream;
    headers_to_upstream: headers::headers_to_upstream;
    headers_to_client: headers::headers_to_client;

    imports_sockets: imports::sockets;
    imports_filesystem: imports::filesystem;
    imports_environment: imports::environment;

    memory_bomb: limits::memory_bomb;
    resource_bomb: limits::resource_bomb;
    deep_recursion: limits::deep_recursion;
    endless_loop: limits::endless_loop;
    endless_wait: limits::endless_wait;
    endless_body: limits::endless_body;
    trap_in_the_middle: limits::trap_in_the_middle;

    key_value_keys: floods::key_value_keys;
    key_value_bytes: floods::key_value_bytes;
    stderr_flood: floods::stderr_flood;
}

#[test]
fn every_component_has_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/hostile/examples");
    let there: BTreeSet<String> = fs::read_dir(folder)
        .expect("the sources are there")
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let tested: BTreeSet<String> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(there, tested);
    for (name, source) in SOURCES {
        assert!(source.starts_with("//! "), "{name} says what it does");
        Fixture(name).path();
    }
}
