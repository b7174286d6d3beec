//! Settings at the start: what stops it, what is said, and what is never repeated.

use crate::harness::{Http, Stdio, modern};
use serde_json::json;

#[tokio::test]
async fn without_settings_both_revisions_list_and_each_call_says_what_to_set() {
    let server = Http::start(&[]).await;
    let tools = server.ask("tools/list", json!({})).await;
    let names: Vec<&str> =
        tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 44);
    for name in names {
        let tool = tools["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        let text = server.error(name, crate::listing::sample_arguments(tool)).await;
        assert!(text.contains("AUDIOBOOKSHELF_URL") && text.contains("AUDIOBOOKSHELF_API_KEY"), "{name}: {text}");
    }
}

#[tokio::test]
async fn settings_that_stop_the_start_with_a_sentence_and_without_the_value() {
    let key = format!("eyJhbGciOiJIUzI1NiJ9.{}", "c2VjcmV0".repeat(12));
    let cases = [
        ("AUDIOBOOKSHELF_URL", "nas:13378", "http://"),
        ("AUDIOBOOKSHELF_URL", "abs.local", "http://"),
        ("AUDIOBOOKSHELF_URL", "192.168.10.173:13378", "http://"),
        ("AUDIOBOOKSHELF_URL", "https://user:hunter2@h", "user name or password"),
        ("AUDIOBOOKSHELF_URL", "https://h/#dev-secret", "#"),
        ("AUDIOBOOKSHELF_URL", "https://h?secret-x", "?"),
        ("AUDIOBOOKSHELF_URL", &key, "AUDIOBOOKSHELF_API_KEY"),
        ("AUDIOBOOKSHELF_INSECURE_TLS", "certainly", "neither true nor false"),
        ("AUDIOBOOKSHELF_CA_FILE", "-----BEGIN CERTIFICATE-----", "should be in a file"),
        ("AUDIOBOOKSHELF_CA_FILE", &key, "not found"),
        ("AUDIOBOOKSHELF_READ_ONLY", "of-course", "true, 1 or yes"),
        ("ELICITATION", "maybe-not", "true or false"),
        ("ELICITATION", "1", "true or false"),
        ("AUDIOBOOKSHELF_ALLOW_TOOLS", "list_libraries, Hunter2!", "AUDIOBOOKSHELF_ALLOW_TOOLS"),
        ("AUDIOBOOKSHELF_DENY_TOOLS", &key, "AUDIOBOOKSHELF_DENY_TOOLS"),
    ];
    for (name, value, want) in cases {
        let ended = Stdio::start(&[(name, value)]).end().await;
        assert_eq!((ended.code, ended.lines.len()), (Some(1), 0), "{name}={value}");
        assert!(ended.stderr.contains(name) && ended.stderr.contains(want), "{name}={value}: {}", ended.stderr);
        for secret in [value, "hunter2", "Hunter2", "secret"] {
            assert!(secret.len() < 4 || !ended.stderr.contains(secret), "{name} echoes {secret}: {}", ended.stderr);
        }
    }
}

#[tokio::test]
async fn an_address_others_can_reach_needs_a_token() {
    for settings in [vec![], vec![("AUDIOBOOKSHELF_MCP_TOKEN", "")]] {
        let ended = Stdio::run(&["serve", "--listen", "0.0.0.0:0"], &settings).end().await;
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains("AUDIOBOOKSHELF_MCP_TOKEN"), "{}", ended.stderr);
    }
}

#[tokio::test]
async fn elicitation_off_is_said_once() {
    let line = "audiobookshelf-mcp: ELICITATION=false — guarded tools fall back to the two-call token";
    let ended = Stdio::start(&[("ELICITATION", "false")]).end().await;
    assert_eq!((ended.code, ended.stderr.matches(line).count()), (Some(0), 1), "{}", ended.stderr);
    let ended = Stdio::start(&[("ELICITATION", "true")]).end().await;
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}

/// That another component does run is shown by the conformance suite, which has one of its own.
#[tokio::test]
async fn another_component_that_cannot_be_run_stops_the_start() {
    let no_component = env!("CARGO_BIN_EXE_audiobookshelf-mcp");
    for (arguments, want) in [
        (["stdio", "--component", "/no/such/file.wasm"], "cannot read the component /no/such/file.wasm"),
        (["stdio", "--component", no_component], "the component does not compile"),
        (["demo", "--component", no_component], "the demo shows the built-in component"),
    ] {
        let ended = Stdio::run(&arguments, &[]).end().await;
        assert_eq!((ended.code, ended.lines.len()), (Some(1), 0), "{arguments:?}");
        assert!(ended.stderr.contains(want), "{arguments:?}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_path_that_leads_nowhere_is_shown() {
    for name in ["AUDIOBOOKSHELF_CA_FILE", "AUDIOBOOKSHELF_API_KEY_FILE"] {
        let ended = Stdio::start(&[(name, "/nowhere/file.pem")]).end().await;
        assert_eq!(ended.code, Some(1));
        let says = |text: &str| ended.stderr.contains(text);
        assert!(says(name) && says("(/nowhere/file.pem)") && says("not found"), "{}", ended.stderr);
    }
}

#[tokio::test]
async fn what_is_said_about_the_way_to_audiobookshelf() {
    let (open, unchecked) =
        ("AUDIOBOOKSHELF_URL is plain http to another machine", "certificate of Audiobookshelf is not");
    for (url, insecure, want) in [
        ("http://192.0.2.7:13378", "", Some(open)),
        ("http://127.example.com", "false", Some(open)),
        ("http://[::ffff:127.0.0.1]:1", "", None),
        ("http://localhost.:1", "", None),
        ("https://abs.example.com", "", None),
        ("https://abs.example.com", "true", Some(unchecked)),
    ] {
        let settings = [("AUDIOBOOKSHELF_URL", url), ("AUDIOBOOKSHELF_INSECURE_TLS", insecure)];
        let ended = Stdio::start(&settings).end().await;
        assert_eq!((ended.code, ended.stderr.lines().count()), (Some(0), want.iter().len()), "{url}: {}", ended.stderr);
        assert!(want.is_none_or(|want| ended.stderr.contains(want)), "{url}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_misspelt_setting_is_named() {
    let ended = Stdio::start(&[("AUDIOBOOKSHELF_READONLY", "hunter2")]).end().await;
    assert_eq!(ended.code, Some(0));
    assert!(
        ended.stderr.contains("AUDIOBOOKSHELF_READONLY is no setting") && !ended.stderr.contains("hunter2"),
        "{}",
        ended.stderr
    );
}

#[tokio::test]
async fn tools_can_be_chosen() {
    for (settings, want) in [
        (vec![("AUDIOBOOKSHELF_READ_ONLY", "true")], 29),
        (vec![("AUDIOBOOKSHELF_ALLOW_TOOLS", "list_libraries,get_me")], 2),
        (vec![("AUDIOBOOKSHELF_DENY_TOOLS", "list_*")], 44 - 12),
        (vec![("AUDIOBOOKSHELF_ALLOW_TOOLS", "essential")], 8),
        (vec![("AUDIOBOOKSHELF_ALLOW_TOOLS", "essential"), ("AUDIOBOOKSHELF_READ_ONLY", "1")], 7),
    ] {
        let mut server = Stdio::start(&settings);
        let tools = server.ask(&modern(1, "tools/list", json!({}))).await["result"]["tools"].take();
        assert_eq!(tools.as_array().unwrap().len(), want, "{settings:?}");
        assert_eq!(server.end().await.code, Some(0));
    }
}
