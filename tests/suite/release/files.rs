//! The files of a release, made around the program just built.

use super::rules::{exact, members};
use crate::documentation;
use packaging::{NAME, Release, SUMS, VERSION, archive, check, registry};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

const TARGET: &str = "x86_64-unknown-linux-gnu";
const REPOSITORY: &str = "https://github.com/someone/abs";

/// Made once for all tests.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = empty("release");
    made(Some(REPOSITORY)).write(&folder).unwrap_or_else(|error| panic!("{error:#}"));
    folder
});

fn made(repository: Option<&str>) -> Release<'_> {
    let (program, component) = (Path::new(crate::PROGRAM), Path::new(env!("COMPONENT_WASM")));
    Release { program, component, target: TARGET, repository, compression: 1 }
}

/// A folder in cargo's, without what an earlier run has left.
fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("a folder of ours");
    }
    folder
}

pub fn bundle() -> Vec<u8> {
    fs::read(FOLDER.join(format!("{NAME}-{VERSION}-{TARGET}.mcpb"))).expect("it was made")
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&fs::read(FOLDER.join(name)).expect("it was made")).expect("JSON")
}

#[test]
fn a_release_is_whole() {
    check::release(&FOLDER).unwrap_or_else(|error| panic!("{error:#}"));
    let names: BTreeSet<String> = fs::read_dir(&*FOLDER)
        .expect("it was made")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let named = |end: &str| format!("{NAME}-{VERSION}-{TARGET}.{end}");
    let want = [named("tar.gz"), named("mcpb"), named("cdx.json"), format!("{NAME}-{VERSION}.wasm")];
    assert_eq!(names, want.iter().cloned().chain([SUMS.to_owned(), "server.json".to_owned()]).collect());
    let page = documentation::page("install.md");
    for name in want.iter().map(String::as_str).chain([SUMS, "server.json", "server.template.json"]) {
        let name = name.replace(VERSION, "VERSION").replace(TARGET, "TARGET");
        assert!(page.contains(&format!("`{name}`")), "docs/install.md does not name {name}");
    }
    let again = made(None).write(&FOLDER);
    assert!(again.is_err_and(|error| error.to_string().contains("not empty")));
}

#[test]
fn what_is_wrong_with_a_release_is_found() {
    // Whatever comes first in a check costs the least.
    for (name, damage, want) in [
        ("server.json", Some("{}"), "server.json is not as SHA256SUMS says"),
        ("server.json", None, "cannot read"),
        ("another.txt", Some("x"), "another.txt is not in SHA256SUMS"),
        (SUMS, Some("nothing"), "SHA256SUMS has another form"),
    ] {
        let folder = copy("damaged");
        let file = folder.join(name);
        let _ = fs::remove_file(&file);
        if let Some(text) = damage {
            fs::write(&file, text).expect("a file");
        }
        let error = check::release(&folder).expect_err(name);
        assert!(format!("{error:#}").contains(want), "{name}: {error:#}");
    }
}

/// Of the release.
fn copy(name: &str) -> PathBuf {
    let folder = empty(name);
    fs::create_dir_all(&folder).expect("a folder");
    for entry in fs::read_dir(&*FOLDER).expect("it was made") {
        let path = entry.expect("an entry").path();
        fs::hard_link(&path, folder.join(path.file_name().expect("a name"))).expect("the same file system");
    }
    folder
}

#[test]
fn another_component_is_found() {
    let folder = copy("another");
    let (component, sums) = (folder.join(format!("{NAME}-{VERSION}.wasm")), folder.join(SUMS));
    let sum = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let list = fs::read_to_string(&sums)
        .expect("text")
        .replace(&sum(&fs::read(&component).expect("it is there")), &sum(b"another"));
    for (file, text) in [(&component, "another"), (&sums, list.as_str())] {
        fs::remove_file(file).expect("a link");
        fs::write(file, text).expect("a file");
    }
    let error = format!("{:#}", check::release(&folder).expect_err("it is another"));
    assert!(error.starts_with("the program in the .tar.gz: it has another component than the .wasm"), "{error}");
}

#[test]
fn the_archive_has_what_an_installation_wants() {
    let bytes = fs::read(FOLDER.join(format!("{NAME}-{VERSION}-{TARGET}.tar.gz"))).expect("it was made");
    let entries = archive::read_tar_gz(&bytes).expect("an archive");
    let top = format!("{NAME}-{VERSION}-{TARGET}/");
    let text = |name: &str| {
        let entry = entries.iter().find(|entry| entry.path.strip_prefix(&top) == Some(name));
        let entry = entry.unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(entry.mode, if name == NAME { 0o755 } else { 0o644 }, "{name}");
        String::from_utf8_lossy(&entry.bytes).into_owned()
    };
    for (name, want) in [
        (NAME, ""),
        ("man/audiobookshelf-mcp.1", ".TH audiobookshelf"),
        ("completions/audiobookshelf-mcp.bash", "complete -F"),
        ("completions/_audiobookshelf-mcp", "#compdef audiobookshelf-mcp"),
        ("completions/audiobookshelf-mcp.fish", "complete -c audiobookshelf-mcp"),
        ("completions/audiobookshelf-mcp.elv", "edit:completion"),
        ("completions/_audiobookshelf-mcp.ps1", "Register-ArgumentCompleter"),
        ("systemd/audiobookshelf-mcp.service", "DynamicUser=yes"),
        ("kubernetes/audiobookshelf-mcp.yaml", "kind: Deployment"),
        ("LICENSE-MIT", "MIT License"),
        ("LICENSE-APACHE", "Apache License"),
        ("THIRD-PARTY-LICENSES.txt", "\nwasmtime 48"),
        ("CHANGELOG.md", "# Changelog"),
    ] {
        assert!(text(name).contains(want), "{name} has no {want}");
    }
    assert!(!text("THIRD-PARTY-LICENSES.txt").contains("\nrcgen "), "only the tests have it");
}

/// The schema that the file names, as far as it says something about what is in it.
#[test]
fn the_entry_for_the_registry_is_valid() {
    let server = json(registry::FILE);
    exact(&server, &["$schema", "name", "title", "description", "repository", "version", "packages"]);
    assert_eq!(server["$schema"], registry::SCHEMA);
    let (owner, name) = server["name"].as_str().and_then(|name| name.split_once('/')).expect("two parts");
    assert_eq!(owner, "io.github.someone");
    assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{name}");
    let length = server["description"].as_str().expect("a text").chars().count();
    assert!((1..=100).contains(&length), "{length}");
    assert_eq!((&server["repository"]["url"], &server["repository"]["source"]), (&REPOSITORY.into(), &"github".into()));
    assert_eq!(server["version"], VERSION);
    let [package] = &server["packages"].as_array().expect("a list")[..] else { panic!("one package") };
    exact(package, &["registryType", "identifier", "fileSha256", "transport", "environmentVariables"]);
    assert_eq!((&package["registryType"], &package["transport"]["type"]), (&"mcpb".into(), &"stdio".into()));
    let file = format!("{REPOSITORY}/releases/download/v{VERSION}/{NAME}-{VERSION}-{TARGET}.mcpb");
    assert_eq!(package["identifier"], file);
    let sum = package["fileSha256"].as_str().expect("a text");
    assert!(sum.len() == 64 && sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{sum}");
    let mut secrets = Vec::new();
    for variable in package["environmentVariables"].as_array().expect("a list") {
        members(variable, &["name", "description", "isRequired", "isSecret", "format"], &["default"]);
        assert!(["string", "number", "boolean", "filepath"].contains(&variable["format"].as_str().expect("a text")));
        assert!(variable["default"].is_null() || variable["default"].is_string(), "{variable}");
        let name = variable["name"].as_str().expect("a text");
        assert!(audiobookshelf_mcp::settings::table::names().any(|known| known == name), "{name}");
        if variable["isSecret"] == true {
            secrets.push(name);
        }
    }
    assert_eq!(secrets, ["AUDIOBOOKSHELF_API_KEY"]);
}

/// CycloneDX 1.6, as far as it says something about what is in it.
#[test]
fn the_list_of_packages_is_valid() {
    let bill = json(&format!("{NAME}-{VERSION}-{TARGET}.cdx.json"));
    exact(&bill, &["bomFormat", "specVersion", "version", "metadata", "components", "dependencies"]);
    assert_eq!(
        (&bill["bomFormat"], &bill["specVersion"], &bill["version"]),
        (&"CycloneDX".into(), &"1.6".into(), &1.into())
    );
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut references = BTreeSet::from([text(&bill["metadata"]["component"]["bom-ref"])]);
    let components = bill["components"].as_array().expect("a list");
    for component in components {
        members(component, &["type", "bom-ref", "name", "version", "scope"], &["licenses", "purl", "hashes"]);
        assert!(references.insert(text(&component["bom-ref"])), "{component} is there twice");
        let published = !component["purl"].is_null();
        assert_eq!(published, !component["hashes"].is_null(), "{component}");
        if published {
            let version = text(&component["version"]).replace('+', "%2B");
            assert_eq!(component["purl"], format!("pkg:cargo/{}@{version}", text(&component["name"])));
            assert_eq!(text(&component["hashes"][0]["content"]).len(), 64);
        }
        assert!(component["licenses"][0]["expression"].is_string(), "{component}");
    }
    for dependency in bill["dependencies"].as_array().expect("a list") {
        let needs = dependency["dependsOn"].as_array().expect("a list").iter().chain([&dependency["ref"]]);
        needs.for_each(|reference| assert!(references.contains(&text(reference)), "{reference} is missing"));
    }
    assert_eq!(references.len(), bill["dependencies"].as_array().expect("a list").len());
    assert!(components.len() > 100, "{}", components.len());
}
