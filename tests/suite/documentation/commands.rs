//! Every command and every file that a page names exists.

use super::pages;
use crate::harness::output;

const XTASK: &str = include_str!("../../../xtask/src/main.rs");

/// Those of the top that pages name. `key.txt` and the like are the reader's own.
const TOP: [&str; 9] = ["docs", "guest", "host", "packaging", "policy", "tests", "wit", "xtask", ".github"];

/// The words after a program, where one stands there.
fn after<'a>(line: &'a str, program: &str) -> Vec<&'a str> {
    let word = |rest: &'a str| rest.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or_default();
    line.match_indices(program)
        .filter_map(|(at, _)| line[at + program.len()..].strip_prefix(' '))
        .map(word)
        .filter(|word| !word.is_empty() && !word.starts_with('-'))
        .collect()
}

#[tokio::test]
async fn every_command_exists() {
    let help = output(&["--help"], &[]).await.stdout;
    let offered = |word: &str| help.lines().any(|line| line.trim_start().split(' ').next() == Some(word));
    assert!(offered("stdio") && !offered("stdin"), "the commands are found: {help}");
    let (mut chores, mut commands) = (0, 0);
    for page in pages::all() {
        for line in page.code() {
            for word in after(&line, "cargo xtask") {
                assert!(XTASK.contains(&format!("[\"{word}\"")), "{}: cargo xtask {word}", page.name);
                chores += 1;
            }
            for word in after(&line, "audiobookshelf-mcp") {
                assert!(offered(word), "{}: audiobookshelf-mcp {word}", page.name);
                commands += 1;
            }
        }
    }
    assert!(chores > 10 && commands > 10, "{chores} {commands}");
}

#[test]
fn every_file_exists() {
    let mut named = 0;
    for page in pages::all() {
        for text in page.code() {
            for path in text.split([' ', ',', '=', '(', ')', '"']).map(|word| word.trim_end_matches(['.', ':', ';'])) {
                let inside = path.split_once('/').is_some_and(|(top, rest)| TOP.contains(&top) && !rest.is_empty());
                let whole = !path.contains(['<', '*', '{', '…']);
                if inside && whole {
                    assert!(pages::root().join(path).exists(), "{}: {path}", page.name);
                    named += 1;
                }
            }
        }
    }
    assert!(named > 30, "{named}");
}
