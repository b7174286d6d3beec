//! Clients that read TOML or YAML. Written by hand, since a person reads it too; a JSON string is a string in both.

use super::{Client, Connect, KEY, NAME, Start, TOKEN, Way};
use std::fmt::Display;

/// Codex passes variables of its own environment on by name.
pub(super) fn codex(way: &Way) -> String {
    match way {
        Way::Start(Start { program, arguments, variables, key }) => {
            let passed = if *key { format!("env_vars = {}\n", list(&[KEY])) } else { String::new() };
            let set = lines(variables, |name, value| format!("{name} = {}", quoted(value)));
            let set = if set.is_empty() { set } else { format!("\n[mcp_servers.{NAME}.env]\n{set}") };
            format!("[mcp_servers.{NAME}]\ncommand = {}\nargs = {}\n{passed}{set}", quoted(program), list(arguments))
        }
        Way::Connect(Connect { url, token }) => {
            let token = if *token { format!("bearer_token_env_var = {}\n", quoted(TOKEN)) } else { String::new() };
            format!("[mcp_servers.{NAME}]\nurl = {}\n{token}", quoted(url))
        }
    }
}

/// Longer than a call that waits for a person's answer.
const GOOSE_SECONDS: u32 = 360;

pub(super) fn goose(way: &Way) -> String {
    let specific = match way {
        Way::Start(Start { program, arguments, variables, key }) => {
            let set = lines(variables, |name, value| format!("      {name}: {}", quoted(value)));
            let set = if set.is_empty() { set } else { format!("    envs:\n{set}") };
            let passed = if *key { format!("    env_keys: {}\n", list(&[KEY])) } else { String::new() };
            format!("    type: stdio\n    cmd: {}\n    args: {}\n{set}{passed}", quoted(program), list(arguments))
        }
        Way::Connect(Connect { url, token }) => {
            let bearer = quoted(&format!("Bearer {}", Client::Goose.reference(TOKEN)));
            let token = if *token {
                format!("    headers:\n      Authorization: {bearer}\n    env_keys: {}\n", list(&[TOKEN]))
            } else {
                String::new()
            };
            format!("    type: streamable_http\n    uri: {}\n{token}", quoted(url))
        }
    };
    format!("extensions:\n  {NAME}:\n    name: {NAME}\n    enabled: true\n{specific}    timeout: {GOOSE_SECONDS}\n")
}

pub(super) fn librechat(way: &Way) -> String {
    let specific = match way {
        Way::Start(Start { program, arguments, variables, key }) => {
            let secret = key.then(|| (KEY, Client::Librechat.reference(KEY)));
            let all: Vec<(&str, String)> = variables.iter().cloned().chain(secret).collect();
            let set = lines(&all, |name, value| format!("      {name}: {}", quoted(value)));
            let set = if set.is_empty() { set } else { format!("    env:\n{set}") };
            format!("    type: stdio\n    command: {}\n    args: {}\n{set}", quoted(program), list(arguments))
        }
        Way::Connect(Connect { url, token }) => {
            let bearer = quoted(&format!("Bearer {}", Client::Librechat.reference(TOKEN)));
            let token = if *token { format!("    headers:\n      Authorization: {bearer}\n") } else { String::new() };
            format!("    type: streamable-http\n    url: {}\n    requiresOAuth: false\n{token}", quoted(url))
        }
    };
    format!("mcpServers:\n  {NAME}:\n{specific}")
}

fn lines(pairs: &[(&str, String)], line: impl Fn(&str, &str) -> String) -> String {
    pairs.iter().map(|(name, value)| line(name, value) + "\n").collect()
}

fn list(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(&item.to_string())).collect();
    format!("[{}]", items.join(", "))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
