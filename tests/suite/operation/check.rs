//! `check`: the exit code, and what a person and a program are told.

use crate::harness::{Scripted, output, settings_for};
use serde_json::{Value, json};
use standin::{Options, Standin};

async fn as_json(settings: &[(&str, &str)]) -> (Option<i32>, Value) {
    let ended = output(&["check", "--json"], settings).await;
    (ended.code, serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {}", ended.stdout)))
}

fn pairs<'a>(settings: &'a [(&'static str, String)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    settings.iter().map(|(name, value)| (*name, value.as_str())).chain(more.iter().copied()).collect()
}

#[tokio::test]
async fn what_works_is_described() {
    let abs = Standin::start().await.unwrap();
    let settings = settings_for(&abs, "root");
    let (code, report) = as_json(&pairs(&settings, &[])).await;
    assert_eq!((code, &report["works"], &report["problems"]), (Some(0), &json!(true), &json!([])));
    assert_eq!(report["audiobookshelf"], json!({"version": "2.36.0", "knows_api_keys": true, "is_set_up": true}));
    assert_eq!(report["account"]["username"], "root");
    assert_eq!(report["tools"]["reading"].as_array().unwrap().len(), 29);
    assert_eq!((report["tools"]["writing"].as_array().unwrap().len(), &report["tools"]["refused"]), (15, &json!([])));
    let sandbox = &report["sandbox"];
    assert_eq!(sandbox["origin"], abs.url());
    let all = policy::ROUTES.len();
    let count = |name: &str| sandbox[name].as_array().unwrap().len();
    assert_eq!(count("routes_reading") + count("routes_writing"), all);
    let imports = sandbox["imports"].as_array().unwrap();
    for import in ["wasi:http/outgoing-handler@0.2", "wasi:config/store@0.2.0-draft-2024-09-27"] {
        assert!(imports.iter().any(|name| name.as_str().unwrap().starts_with(import)), "{imports:?}");
    }
    assert!(!sandbox["imports"].to_string().contains("sockets"));
    assert_eq!(sandbox["limits"]["memory_bytes"], 128 * 1024 * 1024);

    let text = output(&["check"], &pairs(&settings, &[])).await;
    assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""));
    for part in
        ["It works.", "2.36.0", "of root", "29 that read, 15 that write", "PATCH /api/collections/{id}", "128 MiB"]
    {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    assert!(!text.stdout.contains(&abs.key("root")));
}

#[tokio::test]
async fn what_the_key_may_not_is_said_tool_by_tool() {
    let abs = Standin::start().await.unwrap();
    let settings = settings_for(&abs, "kid");
    // The tools that it asks with may be hidden.
    let (code, report) = as_json(&pairs(&settings, &[("AUDIOBOOKSHELF_DENY_TOOLS", "get_*,list_*")])).await;
    assert_eq!((code, &report["account"]["may_update"]), (Some(0), &json!(false)));
    let refused: Vec<&str> =
        report["tools"]["refused"].as_array().unwrap().iter().map(|r| r["tool"].as_str().unwrap()).collect();
    assert_eq!(refused, ["create_collection", "update_collection", "add_books_to_collection", "delete_collection"]);
    let (_, report) = as_json(&pairs(&settings, &[("AUDIOBOOKSHELF_READ_ONLY", "true")])).await;
    assert_eq!((&report["tools"]["refused"], &report["sandbox"]["routes_writing"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn what_does_not_work_fails_and_says_why() {
    let abs = Standin::start().await.unwrap();
    let url = abs.url();
    let old = Standin::start_with(Options { version: "2.25.1".into(), ..Options::default() }).await.unwrap();
    let (old_url, old_key) = (old.url(), old.key("root"));
    let portal = Scripted::reply("200 OK", "text/html", "<html>log in</html>").await;
    let gone = Scripted::start("").await.url.clone();
    let key = abs.key("root");
    for (settings, want) in [
        (vec![], "AUDIOBOOKSHELF_URL is not set"),
        (vec![("AUDIOBOOKSHELF_URL", url.as_str())], "AUDIOBOOKSHELF_API_KEY is not set"),
        (vec![("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", "wrong")], "does not accept the API key"),
        (vec![("AUDIOBOOKSHELF_URL", &gone), ("AUDIOBOOKSHELF_API_KEY", &key)], "could not be reached"),
        (portal.settings().to_vec(), "did not come from Audiobookshelf"),
        (vec![("AUDIOBOOKSHELF_URL", &old_url), ("AUDIOBOOKSHELF_API_KEY", &old_key)], "older than 2.26.0"),
        (vec![("AUDIOBOOKSHELF_URL", "nas:13378")], "AUDIOBOOKSHELF_URL is not the address"),
        (vec![("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_MCP_TOKEN", " ")], "AUDIOBOOKSHELF_MCP_TOKEN is empty"),
        (
            vec![("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", &key), ("AUDIOBOOKSHELF_MCP_TOKEN", &key)],
            "AUDIOBOOKSHELF_MCP_TOKEN is the API key",
        ),
        (
            vec![("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", &key), ("AUDIOBOOKSHELF_DENY_TOOLS", "*")],
            "leave no tool",
        ),
        (vec![("AUDIOBOOKSHELF_URL", &url), ("AUDIOBOOKSHELF_API_KEY", "\"quoted\"")], "quotation marks"),
    ] {
        let (code, report) = as_json(&settings).await;
        assert_eq!((code, &report["works"]), (Some(1), &json!(false)), "{want}");
        let problems = report["problems"].to_string();
        assert!(problems.contains(want) && !problems.contains("untrusted"), "{want}: {problems}");
        let text = output(&["check"], &settings).await;
        assert_eq!(text.code, Some(1), "{want}");
        assert!(format!("{}{}", text.stdout, text.stderr).contains(want), "{want}: {}", text.stdout);
    }
}

/// A name that somebody chose does not add lines to the report, and a reader that leaves early is no failure of the program.
#[tokio::test]
async fn what_is_printed_stays_in_its_lines() {
    let me = r#"{"id":"u","username":"bob\n\nIt works.\u2028\u001b[2J","type":"user","isActive":true}"#;
    let upstream = Scripted::reply("200 OK", "application/json", me).await;
    let text = output(&["check"], &upstream.settings()).await;
    assert_eq!(text.stdout.matches("\nIt works").count(), 0, "{}", text.stdout);
    assert!(!text.stdout.contains('\u{1b}'));
    for (redirection, code) in [("| true; exit 7", 7), (">/dev/full", 1)] {
        let script = format!("{} tools {redirection}", env!("CARGO_BIN_EXE_audiobookshelf-mcp"));
        let ended = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(code), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}
