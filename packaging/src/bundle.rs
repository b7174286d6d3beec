//! The `.mcpb` bundle: the program, and a manifest that tells a desktop client what to ask its user and how to start
//! it.
//!
//! The format is that of <https://github.com/modelcontextprotocol/mcpb>. Of its versions 0.3: 0.4 adds a way to start
//! Python, and not every client reads it.

use crate::{
    DESCRIPTION, NAME, VERSION,
    archive::{self, Entry},
    explained, pretty,
    program::Program,
    read, root,
    table::{Kind, SETTINGS, Setting},
};
use anyhow::Result;
use serde_json::{Map, Value, json};

pub const MANIFEST: &str = "manifest.json";
const ENTRY_POINT: &str = "server/audiobookshelf-mcp";

/// What its user is asked. Every further field would be one more that has to be understood before anything works; and
/// clients hand a field without a value on as its placeholder, so that only those can be here that must be filled in or
/// have a default.
const ASKED: [Field; 3] = [
    Field { setting: "AUDIOBOOKSHELF_URL", key: "url", title: "Address of Audiobookshelf", required: true },
    Field { setting: "AUDIOBOOKSHELF_API_KEY", key: "api_key", title: "API key", required: true },
    Field { setting: "AUDIOBOOKSHELF_READ_ONLY", key: "read_only", title: "Read only", required: false },
];

struct Field {
    setting: &'static str,
    key: &'static str,
    title: &'static str,
    required: bool,
}

impl Field {
    fn setting(&self) -> &'static Setting {
        SETTINGS.iter().find(|setting| setting.name == self.setting).expect("a field is about a setting")
    }

    fn form(&self) -> Value {
        let setting = self.setting();
        let mut form = json!({"type": "string", "title": self.title, "description": explained(setting)});
        match setting.kind {
            Kind::Secret { .. } => form["sensitive"] = true.into(),
            Kind::Switch => {
                form["type"] = "boolean".into();
                form["default"] = (setting.default == "true").into();
            }
            _ => {}
        }
        form["required"] = self.required.into();
        form
    }
}

pub(crate) fn file(program: &Program, notices: &str, compression: u32) -> Result<Vec<u8>> {
    let entries = [
        Entry::new(MANIFEST, pretty(&manifest(&program.tools()?))),
        Entry::program(ENTRY_POINT, read(program.path())?),
        Entry::new("icon.png", read(&root().join("packaging/icon.png"))?),
        Entry::new("LICENSE-MIT", read(&root().join("LICENSE-MIT"))?),
        Entry::new("LICENSE-APACHE", read(&root().join("LICENSE-APACHE"))?),
        Entry::new("THIRD-PARTY-LICENSES.txt", notices.as_bytes().to_vec()),
    ];
    archive::zip(&entries, compression)
}

fn manifest(tools: &[(String, String)]) -> Value {
    let env: Map<String, Value> = ASKED
        .iter()
        .map(|field| (field.setting.to_owned(), format!("${{user_config.{}}}", field.key).into()))
        .collect();
    let form: Map<String, Value> = ASKED.iter().map(|field| (field.key.to_owned(), field.form())).collect();
    let tools: Vec<Value> =
        tools.iter().map(|(name, text)| json!({"name": name, "description": first_sentence(text)})).collect();
    json!({
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": "Audiobookshelf",
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": "The authors of audiobookshelf-mcp"},
        "icon": "icon.png",
        "server": {
            "type": "binary",
            "entry_point": ENTRY_POINT,
            "mcp_config": {"command": format!("${{__dirname}}/{ENTRY_POINT}"), "args": ["stdio"], "env": env},
        },
        "tools": tools,
        "keywords": ["audiobookshelf", "audiobooks", "podcasts", "library"],
        "license": "MIT OR Apache-2.0",
        "compatibility": {"platforms": [platform()]},
        "user_config": form,
    })
}

/// As Node.js calls the system that this was built on.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

/// A list in a window has no room for what only a model needs.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence() {
        for (text, want) in [("One. Two.", "One."), ("One", "One"), ("1.5 hours.\nMore.", "1.5 hours."), ("", "")] {
            assert_eq!(first_sentence(text), want);
        }
    }
}
