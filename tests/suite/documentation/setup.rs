//! The five minutes: what the pages tell people to give their client is given to a client here, and answers a question.

use super::pages;
use crate::harness::{Stdio, initialize, settings_for};
use serde_json::{Value, json};

#[tokio::test]
async fn the_configuration_of_the_pages_answers_a_question() {
    let library = standin::Standin::start().await.expect("the stand-in starts");
    let [_, (_, key)] = settings_for(&library, "root");
    let file = std::env::temp_dir().join(format!("audiobookshelf-mcp-setup-{}.key", std::process::id()));
    std::fs::write(&file, format!("{key}\n")).expect("a file for the key");
    for name in ["README.md", "docs/getting-started.md"] {
        let page = pages::all().into_iter().find(|page| page.name == name).expect("the page exists");
        let [block] = &page.blocks("json")[..] else { panic!("{name} has one configuration") };
        let configuration: Value = serde_json::from_str(block).expect("it is JSON");
        let server = &configuration["mcpServers"]["abs"];
        assert!(server["command"].as_str().is_some_and(|command| command.ends_with("/audiobookshelf-mcp")), "{name}");
        let arguments: Vec<&str> = server["args"].as_array().expect("args").iter().filter_map(Value::as_str).collect();
        // Only the values are the reader's own.
        let own = |setting: &str| match setting {
            "AUDIOBOOKSHELF_URL" => library.url(),
            "AUDIOBOOKSHELF_API_KEY_FILE" => file.display().to_string(),
            other => panic!("{name} sets {other}"),
        };
        let settings: Vec<(&str, String)> =
            server["env"].as_object().expect("env").keys().map(|setting| (&**setting, own(setting))).collect();
        let settings: Vec<(&str, &str)> = settings.iter().map(|(setting, value)| (*setting, &**value)).collect();

        let mut client = Stdio::run(&arguments, &settings);
        client.ask(&initialize("2025-11-25")).await;
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "list_libraries", "arguments": {}}});
        let answer = client.ask(&call).await;
        assert_eq!(answer["result"]["structuredContent"]["libraries"][0]["name"], "Audiobooks", "{name}: {answer}");
        assert_eq!(client.end().await.code, Some(0), "{name}");
    }
    std::fs::remove_file(&file).expect("the file is there");
}
