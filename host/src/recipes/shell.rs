//! Recipes that a shell runs. No secret stands on a command line: other users of the machine see those.

use super::{Client, Connect, KEY, NAME, Start, TOKEN, Way};
use serde_json::{Value, json};

pub(super) fn claude(way: &Way) -> String {
    let mut words = Vec::new();
    // What a project's file has in the form ${…}, Claude Code fills in each time; the shell has to leave it alone.
    let scope = |secret| format!("--scope {}", if secret { "project" } else { "user" });
    match way {
        Way::Start(Start { program, arguments, variables, key }) => {
            words.push(scope(*key));
            let secret = key.then(|| (KEY, Client::ClaudeCode.reference(KEY)));
            for (name, value) in variables.iter().cloned().chain(secret) {
                words.push(format!("--env {}", quoted(&format!("{name}={value}"))));
            }
            // Between them and the name, which `--env` would take for one more variable.
            words.push("--transport stdio".to_owned());
            let command: Vec<String> =
                [program].into_iter().chain(arguments).map(|argument| quoted(argument).into_owned()).collect();
            words.push(format!("{NAME} -- {}", command.join(" ")));
        }
        Way::Connect(Connect { url, token }) => {
            words.push(scope(*token));
            words.push(format!("--transport http {NAME} {}", quoted(url)));
            if *token {
                let header = format!("Authorization: Bearer {}", Client::ClaudeCode.reference(TOKEN));
                words.push(format!("--header {}", quoted(&header)));
            }
        }
    }
    format!("claude mcp add {}\n", words.join(" \\\n  "))
}

pub(super) fn curl(connect: &Connect) -> String {
    let Connect { url, token } = connect;
    let call = json!({ "name": "list_libraries", "arguments": {} });
    let who = json!({ "name": "curl", "version": "1" });
    let mut stateless = call.clone();
    stateless["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": who,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who });
    let request = |id: u8, method: &str, params: &Value| {
        quoted(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()).into_owned()
    };
    let ready = quoted(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string()).into_owned();
    let secret =
        if *token { format!("printf 'Authorization: Bearer %s\\n' \"${TOKEN}\" |\n    ") } else { String::new() };
    let from_input = if *token { " -H @-" } else { "" };
    format!(
        "ask() {{\n  \
           {secret}curl -sS {url}{from_input} -H 'Content-Type: application/json' \\\n      \
             -H 'Accept: application/json, text/event-stream' \"$@\"\n\
         }}\n\
         \n\
         # Revision 2026-07-28: every request stands alone.\n\
         ask -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: list_libraries' \\\n  \
           --data {stateless}\n\
         echo\n\
         \n\
         # Revision 2025-11-25: a handshake, then a session.\n\
         session=$(ask -D - -o /dev/null --data {hello} |\n  \
           tr -d '\\r' | awk 'tolower($1) == \"mcp-session-id:\" {{ print $2 }}')\n\
         ask -H \"Mcp-Session-Id: $session\" -H 'MCP-Protocol-Version: 2025-11-25' --data {ready}\n\
         ask -H \"Mcp-Session-Id: $session\" -H 'MCP-Protocol-Version: 2025-11-25' \\\n  \
           --data {call}\n\
         echo\n",
        url = quoted(url),
        stateless = request(1, "tools/call", &stateless),
        hello = request(1, "initialize", &hello),
        call = request(2, "tools/call", &call),
    )
}

/// A word of a shell.
fn quoted(text: &str) -> std::borrow::Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=,@%+".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.into();
    }
    format!("'{}'", text.replace('\'', r"'\''")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        for (text, want) in [
            ("/usr/bin/x", "/usr/bin/x"),
            ("a b", "'a b'"),
            ("${X}", "'${X}'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("~/x", "'~/x'"),
        ] {
            assert_eq!(quoted(text), want);
        }
    }
}
