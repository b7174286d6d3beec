//! The image and the composition around it. There is no Docker here: what can be checked without one is whether the
//! build finds what it copies, and whether what it starts is the program as it is.

use super::{fits, packaged, the_program_takes};
use crate::{clients::yaml, documentation::pages::root, harness::output};
use serde_json::Value;
use std::collections::BTreeSet;

/// The instructions, each on one line, with the name of each apart.
fn instructions(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<&str>>().join("\n");
    let lines = lines.replace("\\\n", " ");
    let split = |line: &str| line.split_once(' ').map(|(name, rest)| (name.to_owned(), rest.trim().to_owned()));
    lines.lines().filter(|line| !line.is_empty()).map(|line| split(line).expect("an instruction")).collect()
}

/// The last one of a name.
fn last<'a>(instructions: &'a [(String, String)], name: &str) -> &'a str {
    let mut found = instructions.iter().rev().filter(|(other, _)| other == name);
    &found.next().unwrap_or_else(|| panic!("no {name}")).1
}

fn words(json: &str) -> Vec<String> {
    serde_json::from_str(json).expect("a command that no shell reads")
}

#[tokio::test]
async fn the_image_starts_the_program_as_somebody_who_is_not_root() {
    let instructions = instructions(&packaged("docker/Dockerfile"));
    assert_eq!(words(last(&instructions, "ENTRYPOINT")), ["/usr/local/bin/audiobookshelf-mcp"]);
    let command = words(last(&instructions, "CMD"));
    let address: std::net::SocketAddr = command[2].parse().expect("an address");
    assert_eq!(last(&instructions, "EXPOSE"), address.port().to_string());
    assert!(address.ip().is_unspecified(), "only then can its port be published");
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let refused = output(&words, &[]).await;
    assert!(refused.code == Some(1) && refused.stderr.contains("AUDIOBOOKSHELF_MCP_TOKEN"), "{}", refused.stderr);
    let user: Vec<u32> = last(&instructions, "USER").split(':').map(|id| id.parse().expect("a number")).collect();
    assert!(user.len() == 2 && user.iter().all(|id| *id > 0), "{user:?}");
}

#[test]
fn the_image_is_built_of_what_there_is() {
    let instructions = instructions(&packaged("docker/Dockerfile"));
    let stages: Vec<&str> = instructions.iter().filter(|(name, _)| name == "FROM").map(|(_, rest)| &**rest).collect();
    let [build, last] = stages[..] else { panic!("two stages: {stages:?}") };
    assert!(!last.contains(" AS "), "{last}");
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    assert!(build.starts_with(&format!("rust:{wanted}-")) && build.ends_with(" AS build"), "{build}: {wanted}");
    // Of one release of Debian, since the program wants a glibc that is not older.
    assert!(build.contains("-bookworm") && last.ends_with("/cc-debian12"), "{build} {last}");
    let mut copied = 0;
    for (_, rest) in instructions.iter().filter(|(name, _)| name == "COPY") {
        let words: Vec<&str> = rest.split_whitespace().collect();
        if let Some(stage) = words[0].strip_prefix("--from=") {
            assert_eq!((stage, words[1]), ("build", "/source/target/release/audiobookshelf-mcp"));
            continue;
        }
        for source in &words[..words.len() - 1] {
            assert!(root().join(source).exists(), "{source}");
            assert!(*source == "." || allowed().contains(&**source), ".dockerignore leaves out {source}");
            copied += 1;
        }
    }
    assert!(copied > 1);
    let run: Vec<&str> = self::last(&instructions, "RUN").split_whitespace().collect();
    assert!(run.join(" ").ends_with("cargo xtask component && cargo build --release --locked -p audiobookshelf-mcp"));
}

/// What `.dockerignore` lets into the build, at the top.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join(".dockerignore")).expect("it exists");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines[0], "*", "everything is left out at first");
    for secret in ["**/key.txt", "**/token.txt", "**/.env"] {
        assert_eq!(
            lines.iter().rev().take_while(|line| !line.starts_with('!')).filter(|line| **line == secret).count(),
            1
        );
    }
    lines.iter().filter_map(|line| line.strip_prefix('!')).map(str::to_owned).collect()
}

#[test]
fn the_build_sees_the_whole_workspace() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("it exists");
    let manifest: toml::Table = toml::from_str(&manifest).expect("TOML");
    let members = manifest["workspace"]["members"].as_array().expect("members");
    let top = |member: &toml::Value| member.as_str().and_then(|path| path.split('/').next()).map(str::to_owned);
    let allowed = allowed();
    for wanted in members.iter().filter_map(top).chain(["Cargo.toml", "Cargo.lock", ".cargo", "wit"].map(str::to_owned))
    {
        assert!(allowed.contains(&wanted), ".dockerignore leaves out {wanted}");
    }
    for name in &allowed {
        assert!(root().join(name).exists(), ".dockerignore names {name}");
    }
}

#[tokio::test]
async fn the_composition_starts_the_program_with_secrets_from_files() {
    let composition = yaml(&packaged("docker/compose.yaml"));
    let service = &composition["services"]["audiobookshelf-mcp"];
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").iter().map(text).collect::<Vec<String>>();
    let command = list(&service["command"]);
    let settings: Vec<(String, String)> = service["environment"]
        .as_object()
        .expect("pairs")
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect();
    the_program_takes("compose", &command, &settings).await;
    fits("compose", &command, 1024);
    assert_eq!(service["mem_limit"], "1g");
    for name in list(&service["secrets"]) {
        assert!(settings.iter().any(|(_, value)| *value == format!("/run/secrets/{name}")), "nothing reads {name}");
        assert!(composition["secrets"][&name]["file"].is_string(), "{name}");
    }
    let folder = root().join("packaging/docker").join(text(&service["build"]["context"]));
    assert_eq!(folder.canonicalize().expect("it exists"), root());
    assert!(folder.join(text(&service["build"]["dockerfile"])).exists());
    assert_eq!(list(&service["ports"]), ["127.0.0.1:8787:8787"], "published to this machine alone");
    assert_eq!((&service["read_only"], list(&service["cap_drop"])), (&Value::Bool(true), vec!["ALL".to_owned()]));
}
