//! The `.mcpb` bundle as a desktop client takes it: unpacked into a folder of its own, the manifest read strictly, the
//! form filled in, the program started as the manifest says, and a tool called.

use super::{
    files,
    rules::{exact, members},
};
use crate::harness::{Secret, Stdio, initialize, settings_for};
use packaging::{VERSION, archive, bundle::MANIFEST};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};
use tokio::process::Command;

/// Gone when it is dropped.
struct Installed {
    folder: PathBuf,
    manifest: Value,
}

impl Installed {
    fn new(name: &str) -> Installed {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bundle-{name}"));
        let entries = archive::read_zip(&files::bundle()).expect("a zip");
        archive::unpack(&entries, &folder).expect("room for it");
        let manifest = serde_json::from_slice(&fs::read(folder.join(MANIFEST)).expect("a manifest")).expect("JSON");
        Installed { folder, manifest }
    }

    /// What a person types, in the places that the manifest has for it.
    fn filled(&self, template: &Value, form: &[(&str, &str)]) -> String {
        let mut text = template.as_str().expect("a text").replace("${__dirname}", self.folder.to_str().expect("text"));
        for (name, field) in self.manifest["user_config"].as_object().expect("a form") {
            let typed = form.iter().find(|(known, _)| known == name).map(|(_, value)| (*value).to_owned());
            let value = typed.or_else(|| field.get("default").map(ToString::to_string));
            if let Some(value) = value {
                text = text.replace(&format!("${{user_config.{name}}}"), &value);
            }
        }
        assert!(!text.contains("${"), "nothing fills in {text}");
        text
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test]
async fn the_bundle_answers_a_question() {
    let library = standin::Standin::start().await.expect("the stand-in starts");
    let [(_, url), (_, key)] = settings_for(&library, "root");
    let installed = Installed::new("asked");
    let server = &installed.manifest["server"]["mcp_config"];
    let (all, reading) = (guest::tools::all().count(), guest::tools::all().filter(|tool| !tool.writes()).count());
    for (read_only, tools) in [(None, all), (Some("true"), reading)] {
        let mut form = vec![("url", url.as_str()), ("api_key", key.as_str())];
        form.extend(read_only.map(|value| ("read_only", value)));
        let mut command = Command::new(installed.filled(&server["command"], &form));
        command.env_clear();
        for argument in server["args"].as_array().expect("a list") {
            command.arg(installed.filled(argument, &form));
        }
        for (name, value) in server["env"].as_object().expect("pairs") {
            command.env(name, installed.filled(value, &form));
        }
        let mut client = Stdio::of(command, Secret::new(&key));
        client.ask(&initialize("2025-11-25")).await;
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        let list = client.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})).await;
        let listed = list["result"]["tools"].as_array().expect("tools");
        assert_eq!(listed.len(), tools);
        if read_only.is_none() {
            let named = installed.manifest["tools"].as_array().expect("tools");
            assert!(listed.iter().map(|tool| &tool["name"]).eq(named.iter().map(|tool| &tool["name"])));
        }
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "list_libraries", "arguments": {}}});
        let answer = client.ask(&call).await;
        assert_eq!(answer["result"]["structuredContent"]["libraries"][0]["name"], "Audiobooks", "{answer}");
        assert_eq!(client.end().await.code, Some(0));
    }
}

/// Version 0.3 of the format. It is strict about members that it does not know.
#[test]
fn the_manifest_is_valid() {
    let installed = Installed::new("read");
    let manifest = &installed.manifest;
    members(
        manifest,
        &["manifest_version", "name", "version", "description", "author", "server"],
        &["display_name", "icon", "tools", "keywords", "license", "compatibility", "user_config"],
    );
    assert_eq!((&manifest["manifest_version"], &manifest["version"]), (&"0.3".into(), &VERSION.into()));
    exact(&manifest["author"], &["name"]);
    exact(&manifest["server"], &["type", "entry_point", "mcp_config"]);
    exact(&manifest["server"]["mcp_config"], &["command", "args", "env"]);
    assert_eq!(manifest["server"]["type"], "binary");
    let entry_point = manifest["server"]["entry_point"].as_str().expect("a text");
    assert_eq!(manifest["server"]["mcp_config"]["command"], format!("${{__dirname}}/{entry_point}"));
    exact(&manifest["compatibility"], &["platforms"]);
    for platform in manifest["compatibility"]["platforms"].as_array().expect("a list") {
        assert!(["darwin", "win32", "linux"].contains(&platform.as_str().expect("a text")), "{platform}");
    }
    let tools = manifest["tools"].as_array().expect("a list");
    assert!(tools.iter().all(|tool| tool["description"].as_str().is_some_and(|text| text.len() > 10)));
    tools.iter().for_each(|tool| exact(tool, &["name", "description"]));

    let form = manifest["user_config"].as_object().expect("a form");
    for (name, field) in form {
        members(field, &["type", "title", "description", "required"], &["default", "sensitive"]);
        assert!(["string", "boolean"].contains(&field["type"].as_str().expect("a text")), "{name}");
        // A client hands a field that was left empty on as its placeholder.
        assert!(field["required"] == true || field.get("default").is_some(), "{name}");
        let description = field["description"].as_str().expect("a text");
        assert!(description.ends_with('.') && !description.contains("--") && !description.contains(" file "), "{name}");
    }
    assert_eq!(form["api_key"]["sensitive"], true);
    assert_eq!(form.values().filter(|field| field["sensitive"] == true).count(), 1);

    let icon = fs::read(installed.folder.join(manifest["icon"].as_str().expect("a text"))).expect("a picture");
    assert!(icon.starts_with(b"\x89PNG\r\n\x1a\n"));
    let side = |at: usize| u32::from_be_bytes(icon[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((side(16), side(20)), (256, 256));
}

#[cfg(unix)]
#[test]
fn only_the_program_can_be_started() {
    let entries = archive::read_zip(&files::bundle()).expect("a zip");
    let started: Vec<&str> =
        entries.iter().filter(|entry| entry.mode & 0o111 != 0).map(|entry| entry.path.as_str()).collect();
    assert_eq!(started, ["server/audiobookshelf-mcp"]);
    assert!(entries.iter().all(|entry| entry.mode & 0o022 == 0), "nobody else may change them");
}
