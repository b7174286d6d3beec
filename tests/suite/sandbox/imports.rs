//! A component that wants more than the server's world has is refused when it is loaded, by the name of what it wants.

use super::{fixtures::Fixture, host::settings};
use audiobookshelf_mcp::sandbox::{Limits, Sandbox};

fn refused(fixture: Fixture, import: &str) {
    let error = match Sandbox::start_with_component(&settings(&[]), Limits::default(), &fixture.bytes()) {
        Ok(_) => panic!("a component that imports {import} was loaded"),
        Err(error) => format!("{error:#}"),
    };
    assert!(error.contains("does not fit into the sandbox") && error.contains(import), "{error}");
    // It is the import and nothing else about the component or the settings.
    Sandbox::start_with_component(&settings(&[]), Limits::default(), &Fixture::any().bytes()).expect("any other");
}

pub async fn sockets(fixture: Fixture) {
    refused(fixture, "wasi:sockets/");
}

pub async fn filesystem(fixture: Fixture) {
    refused(fixture, "wasi:filesystem/");
}

pub async fn environment(fixture: Fixture) {
    refused(fixture, "wasi:cli/environment");
}
