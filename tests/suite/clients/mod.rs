//! The recipes for clients, followed: each is read as its client reads it, and what it says is done. The program is started with
//! the command, the arguments and the variables of the recipe, or asked at its address with its headers.
//!
//! The clients themselves are not here. What stands in for them is [`read`]: strict about the members they know, and filling in
//! secrets the way each documents it.

mod configured;
mod page;
mod read;
mod script;

use crate::harness::{Http, Stdio, initialize, modern, modern_headers};
pub use read::yaml;
use read::{Connection, Recipe, Start};
use serde_json::{Value, json};

const KEY: &str = "AUDIOBOOKSHELF_API_KEY";
const TOKEN: &str = "AUDIOBOOKSHELF_MCP_TOKEN";
const SECRET_TOKEN: &str = "a-token-of-the-suite-0123456789";

/// The clients that `config` knows, except for curl, which is none.
const CLIENTS: [&str; 9] = [
    "claude-code",
    "claude-code-project",
    "claude-desktop",
    "vscode",
    "cursor",
    "codex",
    "goose",
    "librechat",
    "mcp-hub",
];

/// A handshake and a tool call, which has to reach the library.
async fn follow(what: &str, recipe: Recipe) {
    match recipe {
        Recipe::Start(start) => started(what, start).await,
        Recipe::Connect(connection) => connected(what, connection).await,
    }
}

async fn started(what: &str, Start { program, arguments, variables }: Start) {
    assert_eq!(program, crate::PROGRAM, "{what}");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let mut server = Stdio::run(&arguments, &variables);
    let hello = server.ask(&initialize("2025-11-25")).await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{what}: {hello}");
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_libraries"}});
    has_libraries(what, &server.ask(&call).await);
    let ended = server.end().await;
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{what}");
}

async fn connected(what: &str, Connection { url, headers }: Connection) {
    let (authority, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    let server = Http::at(authority.to_owned(), Default::default());
    let message = modern(1, "tools/call", json!({"name": "list_libraries"}));
    let own = modern_headers(&message);
    let mut all = vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    all.extend(own.iter().map(|(name, value)| (*name, value.as_str())));
    all.extend(headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let reply = server.send("POST", &format!("/{path}"), &all, message.to_string()).await;
    assert_eq!(reply.status, 200, "{what}: {:?}", reply.body);
    has_libraries(what, &reply.json());
}

fn has_libraries(what: &str, answer: &Value) {
    let libraries = answer["result"]["structuredContent"]["libraries"].as_array();
    assert!(libraries.is_some_and(|libraries| !libraries.is_empty()), "{what}: {answer}");
}
