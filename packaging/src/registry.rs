//! `server.json`, by which the MCP registry lists the server. What is said in it of the settings is their table.
//!
//! The registry takes the address of the bundle, the hash of its bytes, and a name that begins with whose repository it
//! is in. So the file belongs to a release and is not in the repository; and where nobody said which repository that
//! is, it is a template with `${OWNER}` and `${REPOSITORY}` in these places, as `envsubst` fills in.

use crate::{
    DESCRIPTION, NAME, VERSION, explained, pretty,
    table::{Kind, SETTINGS, Scope, Setting},
};
use anyhow::{Result, bail};
use serde_json::{Value, json};

pub const FILE: &str = "server.json";
pub const TEMPLATE: &str = "server.template.json";
pub const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// Its name, and what is in it.
pub(crate) fn file(repository: Option<&str>, bundle: &str, sha256: &str) -> Result<(&'static str, Vec<u8>)> {
    let Some(url) = repository else {
        return Ok((TEMPLATE, pretty(&server("${OWNER}", "${REPOSITORY}", bundle, sha256))));
    };
    let url = url.trim_end_matches('/').trim_end_matches(".git");
    let inside: Vec<&str> = url.strip_prefix("https://github.com/").unwrap_or_default().split('/').collect();
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
    match inside[..] {
        [owner, name] if plain(owner) && plain(name) => Ok((FILE, pretty(&server(owner, url, bundle, sha256)))),
        _ => bail!(
            "{url} is not of the form https://github.com/OWNER/NAME, by which the registry knows whose server it is"
        ),
    }
}

fn server(owner: &str, repository: &str, bundle: &str, sha256: &str) -> Value {
    // Over stdio nobody sends a token and nothing has a name.
    let variables: Vec<Value> = SETTINGS.iter().filter(|setting| setting.scope == Scope::All).map(variable).collect();
    json!({
        "$schema": SCHEMA,
        "name": format!("io.github.{owner}/{NAME}"),
        "title": "Audiobookshelf",
        "description": DESCRIPTION,
        "repository": {"url": repository, "source": "github"},
        "version": VERSION,
        "packages": [{
            "registryType": "mcpb",
            "identifier": format!("{repository}/releases/download/v{VERSION}/{bundle}"),
            "fileSha256": sha256,
            "transport": {"type": "stdio"},
            "environmentVariables": variables,
        }],
    })
}

fn variable(setting: &Setting) -> Value {
    let secret = matches!(setting.kind, Kind::Secret { .. });
    let mut variable = json!({
        "name": setting.name,
        "description": explained(setting),
        "isRequired": REQUIRED.contains(&setting.name),
        "isSecret": secret,
        "format": match setting.kind {
            Kind::Switch => "boolean",
            Kind::File => "filepath",
            Kind::Text | Kind::Secret { .. } => "string",
        },
    });
    // The other defaults are words about it, and not values.
    if ["true", "false"].contains(&setting.default) {
        variable["default"] = setting.default.into();
    }
    variable
}

/// Without these it lists its tools and can do nothing.
const REQUIRED: [&str; 2] = ["AUDIOBOOKSHELF_URL", "AUDIOBOOKSHELF_API_KEY"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_repository_it_is() {
        for (url, name) in [
            ("https://github.com/someone/abs", Some("io.github.someone/audiobookshelf-mcp")),
            ("https://github.com/someone/abs.git", Some("io.github.someone/audiobookshelf-mcp")),
            ("https://github.com/some-one/a.b/", Some("io.github.some-one/audiobookshelf-mcp")),
            ("https://github.com/someone", None),
            ("https://github.com/someone/abs/tree/main", None),
            ("http://github.com/someone/abs", None),
            ("https://example.com/someone/abs", None),
            ("https://github.com/${OWNER}/abs", None),
            ("", None),
        ] {
            let made = file(Some(url), "b.mcpb", "00").ok().map(|(_, text)| text);
            let found = made.map(|text| serde_json::from_slice::<Value>(&text).unwrap()["name"].clone());
            assert_eq!(found.as_ref().and_then(Value::as_str), name, "{url}");
        }
    }
}
