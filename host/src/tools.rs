//! `tools`: what the component offers under these settings, asked of the component itself.

use crate::{
    sandbox::Sandbox,
    transport::in_process::{InProcess, NoAnswer},
};
use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use std::io::{self, Write};

pub async fn run(sandbox: Sandbox) -> Result<()> {
    let lines: Vec<String> = list(&InProcess::new(sandbox)).await?.iter().map(|tool| line(tool) + "\n").collect();
    print(&lines.concat())
}

/// On standard output. Whoever closes that early, as `head` does, has read enough.
pub(crate) fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// What `tools/list` has to say.
pub(crate) async fn list(component: &InProcess) -> Result<Vec<Value>> {
    hello(component).await?;
    let mut tools = Vec::new();
    let mut page = json!({});
    loop {
        let mut result = ask(component, "tools/list", page).await?;
        if let Value::Array(some) = result["tools"].take() {
            tools.extend(some);
        }
        match result.get("nextCursor") {
            Some(cursor) => page = json!({ "cursor": cursor }),
            None => return Ok(tools),
        }
    }
}

/// Opens a session.
pub(crate) async fn hello(component: &InProcess) -> Result<()> {
    let hello = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "audiobookshelf-mcp", "version": env!("CARGO_PKG_VERSION") },
    });
    ask(component, "initialize", hello).await.map(drop)
}

/// Name, access, title.
fn line(tool: &Value) -> String {
    let annotations = &tool["annotations"];
    let access = if annotations["readOnlyHint"] == true { "read" } else { "write" };
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let title = if tool["title"].is_string() { text(&tool["title"]) } else { text(&annotations["title"]) };
    format!("{:<32} {access:<5} {title}", text(&tool["name"]))
}

/// The result of one request.
pub(crate) async fn ask(component: &InProcess, method: &str, params: Value) -> Result<Value> {
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let mut replies = component.post(request.into()).await.map_err(|failure| anyhow!("{method}: {failure}"))?;
    let odd = |_: NoAnswer| anyhow!("{method}: the component gave no answer");
    while let Some(text) = replies.next().await.map_err(odd)? {
        let mut answer: Value = serde_json::from_str(&text)?;
        if answer["id"] == 1 && answer.get("method").is_none() {
            return match answer.get_mut("result") {
                Some(result) => Ok(result.take()),
                None => Err(anyhow!("{method}: {}", answer["error"]["message"])),
            };
        }
    }
    Err(odd(NoAnswer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_tool() {
        let tool = json!({ "name": "get_me", "title": "Who am I", "annotations": { "readOnlyHint": true } });
        assert_eq!(line(&tool), format!("get_me{}read  Who am I", " ".repeat(27)));
        assert!(line(&json!({ "name": "x" })).contains("write"));
    }
}
