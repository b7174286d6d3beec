//! Clients that read JSON. Nearly all of them have the same object, and their own way to name a secret in it.

use super::{Client, Connect, KEY, NAME, Start, TOKEN, Way, input};
use serde_json::{Map, Value, json};

pub(super) fn mcp_servers(client: Client, way: &Way) -> String {
    written(&json!({ "mcpServers": { NAME: server(client, way) } }))
}

/// Secrets are questions that VS Code asks, and remembers the answers of.
pub(super) fn vscode(way: &Way) -> String {
    let mut server = server(Client::Vscode, way);
    let question = |variable: &str, what: &str| json!([{ "type": "promptString", "id": input(variable), "description": what, "password": true }]);
    let (kind, inputs) = match way {
        Way::Start(start) => ("stdio", start.key.then(|| question(KEY, "API key of Audiobookshelf"))),
        Way::Connect(connect) => ("http", connect.token.then(|| question(TOKEN, "Token of audiobookshelf-mcp"))),
    };
    server.shift_insert(0, "type".to_owned(), kind.into());
    let mut whole = Map::new();
    whole.extend(inputs.map(|inputs| ("inputs".to_owned(), inputs)));
    whole.insert("servers".to_owned(), json!({ NAME: server }));
    written(&whole.into())
}

fn server(client: Client, way: &Way) -> Map<String, Value> {
    let mut server = Map::new();
    match way {
        Way::Start(Start { program, arguments, variables, key }) => {
            let mut env: Map<String, Value> =
                variables.iter().map(|(name, value)| ((*name).to_owned(), value.as_str().into())).collect();
            if *key {
                // mcp-hub fills in what has no value from its own environment.
                let value = if client == Client::McpHub { Value::Null } else { client.reference(KEY).into() };
                env.insert(KEY.to_owned(), value);
            }
            server.insert("command".to_owned(), program.as_str().into());
            server.insert("args".to_owned(), json!(arguments));
            if !env.is_empty() {
                server.insert("env".to_owned(), env.into());
            }
        }
        Way::Connect(Connect { url, token }) => {
            if client == Client::ClaudeCodeProject {
                server.insert("type".to_owned(), "http".into());
            }
            server.insert("url".to_owned(), url.as_str().into());
            if *token {
                let bearer = format!("Bearer {}", client.reference(TOKEN));
                server.insert("headers".to_owned(), json!({ "Authorization": bearer }));
            }
        }
    }
    server
}

/// As people write it: an object has its members below each other, a list of words is one line.
fn written(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, 0);
    text + "\n"
}

fn write(text: &mut String, value: &Value, depth: usize) {
    let indented = |depth: usize| format!("\n{}", "  ".repeat(depth));
    let (open, close, members): (_, _, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(object) => ('{', '}', object.iter().map(|(name, value)| (Some(name), value)).collect()),
        Value::Array(list) if list.iter().any(Value::is_object) => ('[', ']', list.iter().map(|v| (None, v)).collect()),
        Value::Array(list) => {
            let words: Vec<String> = list.iter().map(Value::to_string).collect();
            return text.push_str(&format!("[{}]", words.join(", ")));
        }
        word => return text.push_str(&word.to_string()),
    };
    text.push(open);
    for (number, (name, value)) in members.into_iter().enumerate() {
        text.push_str(if number > 0 { "," } else { "" });
        text.push_str(&indented(depth + 1));
        if let Some(name) = name {
            text.push_str(&format!("{}: ", Value::from(name.as_str())));
        }
        write(text, value, depth + 1);
    }
    text.push_str(&indented(depth));
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_was_meant() {
        let value = json!({"a": {"b": ["c", "d\"e"], "f": null}, "g": [{"h": true}, {}], "i": []});
        let text = written(&value);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value, "{text}");
        assert!(text.starts_with("{\n  \"a\": {\n    \"b\": [\"c\", \"d\\\"e\"],\n"), "{text}");
    }
}
