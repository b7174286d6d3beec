//! docs/security.md names a test for each promise, and a flag for each limit: all of them exist, and no limit is left out.

use crate::harness::output;
use std::{fs, path::Path};

const SECURITY: &str = include_str!("../../docs/security.md");

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// All of the suite, with the path of each file before its text.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of the suite") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("text")));
        }
    }
}

#[test]
fn every_test_that_a_promise_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&root.join("tests/suite"), &mut files);
    let mut named = 0;
    for name in quoted(SECURITY).filter(|name| name.contains("::")) {
        let Some((module, function)) = name.rsplit_once("::") else { continue };
        if module.starts_with("policy") {
            continue;
        }
        let folder = format!("/{}", module.replace("::", "/"));
        // The test of a hostile component is a line in the list of fixtures.
        let written = [format!("fn {function}("), format!(" {function}: ")];
        let exists = files
            .iter()
            .any(|(path, text)| path.contains(&folder) && written.iter().any(|written| text.contains(written)));
        assert!(exists, "docs/security.md names {name}, which does not exist");
        named += 1;
    }
    assert!(named > 50, "{named}");
    for path in quoted(SECURITY).filter(|path| path.contains('/') && path.ends_with(".rs") && !path.contains('<')) {
        assert!(root.join(path).exists(), "docs/security.md names {path}, which does not exist");
    }
}

#[tokio::test]
async fn every_limit_is_documented_with_its_default() {
    let help = output(&["--help"], &[]).await.stdout;
    let mut flags = 0;
    for flag in help.split_whitespace().filter(|word| word.starts_with("--max-") && word.len() > 6) {
        let flag = flag.trim_end_matches([',', '.', '`', ';']);
        assert!(SECURITY.contains(&format!("`{flag}`")), "docs/security.md does not name {flag}");
        flags += 1;
    }
    for flag in quoted(SECURITY).filter(|name| name.starts_with("--")) {
        assert!(help.contains(flag), "docs/security.md names {flag}, which does not exist");
    }
    assert!(flags >= 14, "{flags}");
}
