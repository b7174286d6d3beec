//! What the documentation names exists: tests, settings, flags, commands. And what exists of these is documented. The modules
//! below look at all pages: links, commands, files, quoted sentences, and the set-up that they describe.

mod commands;
mod errors;
mod links;
mod numbers;
pub mod pages;
mod setup;

use crate::harness::output;
use audiobookshelf_mcp::settings::table::{self, SETTINGS};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The README and all pages in docs: path and text.
fn pages() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder of the documentation") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push((path.clone(), fs::read_to_string(path).expect("text")));
            }
        }
    }
    let readme = root().join("README.md");
    let mut found = vec![(readme.clone(), fs::read_to_string(readme).expect("a README"))];
    walk(&root().join("docs"), &mut found);
    found
}

/// The page of this name, wherever it is.
pub fn page(name: &str) -> String {
    let mut named = pages().into_iter().filter(|(path, _)| path.file_name().is_some_and(|file| file == name));
    match (named.next(), named.next()) {
        (Some((_, text)), None) => text,
        (first, _) => panic!("there is {} {name} in docs", if first.is_some() { "more than one" } else { "no" }),
    }
}

/// A block of code.
pub struct Block {
    pub language: String,
    pub text: String,
}

pub fn blocks(page: &str) -> Vec<Block> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    let block = |text: &str| {
        let (language, text) = text.split_once('\n').expect("a block has lines");
        Block { language: language.to_owned(), text: format!("{text}\n") }
    };
    fenced.map(block).collect()
}

/// All words of code: what stands in backticks, and the lines of blocks that a shell reads.
fn code(page: &str) -> Vec<String> {
    let shell = |block: &Block| ["", "sh", "bash", "console"].contains(&block.language.as_str());
    let lines = blocks(page).into_iter().filter(shell).flat_map(|block| {
        let whole = block.text.replace("\\\n", " ");
        whole.lines().map(str::to_owned).collect::<Vec<String>>()
    });
    let prose: Vec<&str> = page.split("\n```").step_by(2).collect();
    let spans = prose.iter().flat_map(|text| quoted(text)).map(str::to_owned);
    lines.chain(spans).collect()
}

#[test]
fn every_setting_that_is_named_exists_and_every_one_that_exists_is_named() {
    /// Read by the build of this repository, not by the program.
    const OF_THE_BUILD: &str = "AUDIOBOOKSHELF_MCP_COMPONENT_DIR";
    let mut named = BTreeSet::new();
    for (path, text) in pages() {
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if word.starts_with("AUDIOBOOKSHELF_") {
                let known = table::names().any(|name| name == word) || word == OF_THE_BUILD;
                // A page may speak of all of them: `AUDIOBOOKSHELF_…`.
                assert!(known || word.ends_with('_'), "{} names {word}, which does not exist", path.display());
            }
            named.insert(word.to_owned());
        }
    }
    for name in table::names() {
        assert!(named.contains(name), "no page names {name}");
    }
}

/// Of other programs that the documentation speaks of.
const OTHERS: [(&str, &str); 9] = [
    ("--config", "mcp-hub"),
    ("--header", "curl"),
    ("--max-instance-memory", "Spin"),
    ("--peer", "cargo xtask bench"),
    ("--runtime-config-file", "Spin"),
    ("--state-dir", "Spin"),
    ("--tls-cert", "Spin"),
    ("--tls-key", "Spin"),
    ("--variable", "Spin"),
];

#[tokio::test]
async fn every_flag_and_command_that_is_named_exists_and_every_one_that_exists_is_named() {
    let (flags, commands) = (flags().await, commands().await);
    let mut named = BTreeSet::new();
    for (path, text) in pages() {
        for code in code(&text) {
            let words: Vec<&str> = code.split_whitespace().map(|word| word.trim_matches(['[', ']'])).collect();
            let Some(from) = arguments_of_ours(&words, &commands) else { continue };
            let arguments = words[from..].iter().take_while(|word| !["|", ">", "&&", "#"].contains(word));
            for flag in arguments.filter_map(|word| word.split('=').next()).filter(|word| word.starts_with("--")) {
                let known = flags.contains(flag) || OTHERS.iter().any(|(other, _)| *other == flag);
                assert!(known, "{} names {flag}, which does not exist: {code}", path.display());
                named.insert(flag.to_owned());
            }
            let command = words.get(from).filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            if let Some(command) = command {
                assert!(commands.contains(*command), "{} names a command that does not exist: {code}", path.display());
            }
        }
    }
    for flag in &flags {
        assert!(named.contains(flag) || ["--help", "--version"].contains(&flag.as_str()), "no page names {flag}");
    }
    let all: Vec<String> = pages().iter().flat_map(|(_, text)| code(text)).collect();
    for command in commands.iter().filter(|command| *command != "help") {
        assert!(all.iter().any(|code| code.split(' ').any(|word| word == command)), "no page names {command}");
    }
}

/// Where the arguments begin in what is a command line of this program, or a part of one: a flag alone, or a command with flags.
fn arguments_of_ours(words: &[&str], commands: &BTreeSet<String>) -> Option<usize> {
    let is_program = |word: &str| word.rsplit('/').next() == Some("audiobookshelf-mcp");
    // Other programs take its name as well, to install it or to call something after it.
    let starts = |place: usize| {
        let before = &words[..place];
        before.last() == Some(&"--") || before.iter().all(|word| *word == "$" || word.contains('='))
    };
    let program = (0..words.len()).find(|place| is_program(words[*place]) && starts(*place)).map(|place| place + 1);
    let first = words.first()?;
    program.or((first.starts_with("--") || (words.len() > 1 && commands.contains(*first))).then_some(0))
}

/// As the help lists them.
async fn flags() -> BTreeSet<String> {
    let mut flags = BTreeSet::new();
    let of_commands = commands().await.into_iter().map(|command| vec![command, "--help".to_owned()]);
    for words in of_commands.chain([vec!["--help".to_owned()]]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let help = output(&words, &[]).await.stdout;
        for line in help.lines().filter(|line| line.starts_with("  ")) {
            // `-h, --help`, `--url <URL>`, `--read-only[=<true|false>]`
            let words = line.trim_start().split([' ', ',', '[', '=']).take(3);
            flags.extend(words.filter(|word| word.starts_with("--")).map(str::to_owned));
        }
    }
    assert!(SETTINGS.iter().all(|setting| flags.contains(&format!("--{}", setting.flag))), "{flags:?}");
    flags
}

async fn commands() -> BTreeSet<String> {
    let help = output(&["-h"], &[]).await.stdout;
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    list.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}
