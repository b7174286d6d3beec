//! The conversation: the same questions in both revisions, and the same answers.

use super::client::{Client, Era};
use crate::style::Style;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::time::Instant;

/// As much of an answer as is printed, in characters.
const SHOWN: usize = 700;

pub(super) async fn converse(endpoint: &str, style: Style) -> Result<()> {
    let modern = conversation(&Client::new(endpoint, Era::Modern), style).await?;
    let legacy = conversation(&Client::new(endpoint, Era::Legacy), style).await?;
    if modern != legacy {
        bail!("the two protocol revisions gave different answers");
    }
    println!("{}\n", style.good("Both protocol revisions gave the same answers."));
    Ok(())
}

async fn conversation(client: &Client, style: Style) -> Result<Vec<Value>> {
    let revision = match client.era() {
        Era::Modern => "=== Protocol revision 2026-07-28: every request stands alone ===",
        Era::Legacy => "=== Protocol revision 2025-11-25: a handshake, then a session ===",
    };
    println!("{}\n", style.bold(revision));
    hello(client, style).await?;
    list_tools(client, style).await?;

    let mut answers = Vec::new();
    let mut ask = async |question: &str, tool: &str, arguments: Value| -> Result<Value> {
        let started = Instant::now();
        let answer = client.call(tool, &arguments).await?;
        println!("{}", style.bold(format_args!("\"{question}\"")));
        println!("  {}", style.dim(format_args!("-> {tool} {arguments}")));
        println!("  <- {}  ({} ms)\n", excerpt(&answer), started.elapsed().as_millis());
        answers.push(answer.clone());
        Ok(answer)
    };

    let libraries = ask("Which libraries are there?", "list_libraries", json!({})).await?;
    let library = first(&libraries["libraries"], "id").context("the demo library is empty")?;
    let query = json!({"library_id": library, "q": "Sherlock", "limit": 3});
    let found = ask("Do I own anything with Sherlock in the title?", "search_library", query).await?;
    let book = first(&found["books"], "id").context("the search found nothing")?;
    ask("Tell me about the first one.", "get_library_item", json!({"library_item_id": book})).await?;
    let shelves = json!({"library_id": library, "limit": 2});
    ask("What is on my home page?", "get_personalized_shelves", shelves).await?;
    ask("How much have I been listening?", "get_listening_stats", json!({})).await?;
    Ok(answers)
}

async fn hello(client: &Client, style: Style) -> Result<()> {
    let result = client.hello().await?;
    let (method, info) = match client.era() {
        Era::Modern => ("server/discover", &result["_meta"]["io.modelcontextprotocol/serverInfo"]),
        Era::Legacy => ("initialize", &result["serverInfo"]),
    };
    println!("{}", style.bold("\"Who are you?\""));
    println!("  {}", style.dim(format_args!("-> {method}")));
    let versions = match client.era() {
        Era::Modern => result["supportedVersions"].to_string(),
        Era::Legacy => result["protocolVersion"].to_string(),
    };
    println!("  <- {} {}, speaks {versions}\n", text(&info["title"]), text(&info["version"]));
    Ok(())
}

async fn list_tools(client: &Client, style: Style) -> Result<()> {
    let result = client.request("tools/list", json!({})).await?;
    let names: Vec<&str> = result["tools"].as_array().into_iter().flatten().map(|tool| text(&tool["name"])).collect();
    if names.is_empty() {
        bail!("the server offers no tools");
    }
    println!("{}", style.bold("\"What can you do?\""));
    println!("  {}", style.dim("-> tools/list"));
    println!("  <- {} tools: {}\n", names.len(), names.join(", "));
    Ok(())
}

fn first(list: &Value, member: &str) -> Option<String> {
    Some(list.get(0)?.get(member)?.as_str()?.to_owned())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn excerpt(answer: &Value) -> String {
    let json = answer.to_string();
    match json.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &json[..end], json.len()),
        None => json,
    }
}
