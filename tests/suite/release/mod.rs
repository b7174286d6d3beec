//! What people install: the files that `cargo xtask dist` makes, here around the program just built, and the files of
//! packaging/ that run it as a service. Each is read as whoever uses it reads it, and what it says is done as far as
//! one process can.
//!
//! No container, cluster or service manager runs here. That these files say what is true of the program, its flags, its
//! settings and its limits, is what is tested.

mod bundle;
mod container;
mod files;
mod kubernetes;
mod rules;
mod service;

use crate::documentation::pages::root;
use crate::harness::output;
use audiobookshelf_mcp::settings::table;
use std::fs;

/// A file of packaging/.
fn packaged(path: &str) -> String {
    let path = root().join("packaging").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The program takes this command line and these settings. It must name its settings by files, as secrets are mounted.
async fn the_program_takes(what: &str, arguments: &[String], settings: &[(String, String)]) {
    assert_eq!(arguments[..2], ["serve", "--listen"], "{what}");
    for (name, _) in settings {
        assert!(table::names().any(|known| known == name), "{what} sets {name}, which does not exist");
    }
    let names: Vec<&str> = settings.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["AUDIOBOOKSHELF_URL", "AUDIOBOOKSHELF_API_KEY_FILE", "AUDIOBOOKSHELF_MCP_TOKEN_FILE"] {
        assert!(names.contains(&name), "{what} does not set {name}");
    }
    for name in ["AUDIOBOOKSHELF_API_KEY", "AUDIOBOOKSHELF_MCP_TOKEN"] {
        assert!(!names.contains(&name), "{what} has a secret where everybody reads it: {name}");
    }
    // Flags are refused before settings are looked at, so that none has to exist for this.
    let words: Vec<&str> = arguments.iter().map(String::as_str).chain(["--help"]).collect();
    let help = output(&words, &[]).await;
    assert_eq!(help.code, Some(0), "{what}: {}", help.stderr);
    let without: Vec<&str> = words[..words.len() - 1].to_vec();
    let refused = output(&without, &[("AUDIOBOOKSHELF_URL", "none")]).await;
    assert_eq!(refused.code, Some(1), "{what}: {}", refused.stderr);
    assert!(refused.stderr.contains("AUDIOBOOKSHELF_URL"), "{what}: {}", refused.stderr);
}

/// What all requests at a time may need fits, with room for the program itself.
fn fits(what: &str, arguments: &[String], mib: usize) {
    let at = arguments.iter().position(|word| word == "--max-running").expect("it bounds what runs at a time");
    let running: usize = arguments[at + 1].parse().expect("a number");
    let each = audiobookshelf_mcp::sandbox::Limits::default().memory / (1024 * 1024);
    assert!(running * each + 128 <= mib, "{what}: {running} times {each} MiB in {mib}");
}
