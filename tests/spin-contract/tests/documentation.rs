//! docs/deploy: every setting exists, and every piece of configuration is one that Spin takes.

use spin_contract::{manifest::Manifest, runtime_config::RuntimeConfig};
use std::{collections::BTreeSet, fs, path::PathBuf};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Name and text of each page, and of the README.
fn pages() -> Vec<(String, String)> {
    let mut files = vec![repository().join("README.md")];
    files.extend(fs::read_dir(repository().join("docs/deploy")).unwrap().map(|entry| entry.unwrap().path()));
    assert!(files.len() >= 5, "{files:?}");
    files.into_iter().map(|file| (file.display().to_string(), fs::read_to_string(file).unwrap())).collect()
}

/// Words that begin with `prefix` and go on in capitals.
fn names(text: &str, prefix: &str) -> BTreeSet<String> {
    let end = |rest: &str| rest.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(rest.len());
    text.match_indices(prefix)
        .map(|(at, _)| &text[at..])
        .map(|rest| rest[..end(rest)].trim_end_matches('_').to_owned())
        .filter(|name| name.len() > prefix.len())
        .collect()
}

#[test]
fn settings_exist() {
    let manifest = Manifest::read(&repository().join("spin.toml")).unwrap();
    let known: BTreeSet<String> = manifest.written().variables.keys().map(|name| name.to_ascii_uppercase()).collect();
    // The table of all variables that our host looks at.
    let ours = fs::read_to_string(repository().join("host/src/settings/table.rs")).unwrap();
    let mut documented = BTreeSet::new();
    for (page, text) in pages() {
        for name in names(&text, "SPIN_VARIABLE_") {
            let variable = name.trim_start_matches("SPIN_VARIABLE_").to_owned();
            assert!(known.contains(&variable), "{page}: {name}");
            documented.insert(variable);
        }
        for name in names(&text, "AUDIOBOOKSHELF_") {
            assert!(ours.contains(&format!("\"{name}\"")), "{page}: {name}");
        }
    }
    assert_eq!(documented, known, "and all that exist are named");
}

#[test]
fn configuration_is_what_spin_takes() {
    let mut checked = 0;
    for (page, text) in pages() {
        for block in text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
            RuntimeConfig::parse(block).unwrap_or_else(|why| panic!("{page}: {why}\n{block}"));
            checked += 1;
        }
    }
    assert!(checked >= 3, "{checked}");
}
