//! The Audiobookshelf server itself.

use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Context, Hints, Outcome};
use crate::abs::Failure;
use crate::keep;
use crate::shape::{Keep, Record, at, list, text};
use policy::table;

pub const TOOLS: &[&Tool] = &[&GET_SERVER_STATUS];

/// The first version with API keys.
const FIRST_WITH_KEYS: [u64; 3] = [2, 26, 0];

static GET_SERVER_STATUS: Tool = Tool {
    name: "get_server_status",
    title: "Get server status",
    description: "Whether Audiobookshelf is up, its version, and whether that version knows API keys. Works without \
                  a valid key, so it tells an unreachable server from a refused key.",
    params: &[],
    output: &[
        field("version", Text),
        field("supports_api_keys", Flag),
        field("is_initialized", Flag),
        field("language", Text),
        field("auth_methods", Texts),
    ],
    hints: Hints::READ,
    routes: &[&table::GET_STATUS],
    narrower: "",
    run: |context, _| get_server_status(context),
};

fn get_server_status(context: &Context<'_>) -> Outcome {
    const KEEP: Keep = keep! { serverVersion, isInit, language, authMethods };
    let status = context.get(&table::GET_STATUS, &[], &[], &KEEP)?;
    let initialized = at(&status, "isInit");
    let Some(initialized) = initialized.as_bool() else {
        return Err(Failure::NotAbs { what: "it does not say whether the server is set up" });
    };
    // Versions that do not tell theirs are older than the first with keys.
    let version = text(&status, "serverVersion");
    let supported = version.and_then(numbers).is_some_and(|version| version >= FIRST_WITH_KEYS);
    let methods: Vec<_> = list(&status, "authMethods").iter().filter(|method| method.is_string()).cloned().collect();
    let data = Record::new()
        .put("version", version)
        .put("supports_api_keys", supported)
        .put("is_initialized", initialized)
        .put("language", text(&status, "language"))
        .put("auth_methods", methods);
    Ok(Answer::untrusted(data)
        .note_if(
            !supported,
            "API keys need Audiobookshelf 2.26.0 or newer, so the other tools cannot work with this one.",
        )
        .note_if(!initialized, "Nobody has set this Audiobookshelf up yet: it has no first user."))
}

/// `2.36.0`, also with a suffix like `-beta`.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.trim_start_matches('v').splitn(3, '.').map(|part| {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part[..end].parse().ok()
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::json;

    #[test]
    fn what_the_server_says_of_itself() {
        let fake = Fake::new().recorded("GET /status", "get_server_status");
        assert_eq!(
            fake.ok("get_server_status", json!({})),
            json!({"version": "2.36.0", "supports_api_keys": true, "is_initialized": true, "language": "en-us", "auth_methods": ["local"]})
        );
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        let cases = [
            ("2.26.0", true),
            ("2.26.0-beta.1", true),
            ("v2.100.3", true),
            ("3.0.0", true),
            ("10.0.0", true),
            ("2.25.9", false),
            ("2.9.0", false),
            ("1.99.99", false),
            ("2.26", false),
            ("", false),
            ("edge", false),
        ];
        for (version, want) in cases {
            let supported = numbers(version).is_some_and(|version| version >= FIRST_WITH_KEYS);
            assert_eq!(supported, want, "{version}");
        }
    }

    #[test]
    fn an_old_or_fresh_server_is_explained() {
        let fake = Fake::new().json("GET /status", json!({"isInit": false, "authMethods": null, "language": 7}));
        let result = fake.ok("get_server_status", json!({}));
        assert_eq!((&result["supports_api_keys"], &result["is_initialized"]), (&json!(false), &json!(false)));
        assert!(
            result.get("version").is_none() && result.get("auth_methods").is_none() && result.get("language").is_none()
        );
        let note = result["note"].as_str().unwrap();
        assert!(note.contains("2.26.0") && note.contains("no first user"), "{note}");
    }

    #[test]
    fn something_else_at_that_address_is_not_taken_for_audiobookshelf() {
        let text = Fake::new().json("GET /status", json!({"status": "ok"})).error("get_server_status", json!({}));
        assert!(text.contains("did not come from Audiobookshelf"), "{text}");
        let text = Fake::new().fails("GET /status", SendError::Refused).error("get_server_status", json!({}));
        assert!(text.contains("refused the connection"), "{text}");
    }
}
