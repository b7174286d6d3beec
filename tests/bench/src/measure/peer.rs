//! Another MCP server over stdio, on the same Audiobookshelf: start, memory, and the bytes of the same answers.

use super::{Bench, memory, startup};
use crate::{
    Figure, Goal, messages,
    program::{Program, Stdio},
    sample::milliseconds,
};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::env;

/// Of the peer's bytes, as much may an answer of ours take.
const SMALLER: f64 = 0.55;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let Some(words) = &bench.peer else { return Ok(Vec::new()) };
    let environment = environment(bench);
    let ours = Program { environment: environment.clone(), ..bench.ours(&["stdio"])? };
    let peer = Program { name: "the peer".to_owned(), words: words.clone(), environment };

    let (mine, theirs) = startup::turns(&ours, &peer, bench.plan.starts.div_ceil(4))?;
    let mut figures = vec![
        Figure::new("spawn to initialize, median", milliseconds(mine.median()), "ms")
            .beside(milliseconds(theirs.median())),
    ];
    let [mine, theirs] =
        [&ours, &peer].map(|program| memory::on_stdio(program, bench.plan.calls, "list_libraries", &json!({})));
    for (stage, (mine, theirs)) in
        ["idle", "after tools/list", "after calls"].iter().zip(mine?.into_iter().zip(theirs?))
    {
        figures.push(Figure::new(format!("resident, {stage}"), mine.resident, "MB").beside(theirs.resident));
    }
    figures.extend(bytes(&ours, &peer)?);
    Ok(figures)
}

/// The Audiobookshelf of this program's own settings, or the stand-in.
fn environment(bench: &Bench) -> Vec<(&'static str, String)> {
    let set = |name: &'static str| Some((name, env::var(name).ok()?));
    match (set("AUDIOBOOKSHELF_URL"), set("AUDIOBOOKSHELF_API_KEY")) {
        (Some(url), Some(key)) => vec![url, key],
        _ => bench.settings(),
    }
}

fn bytes(ours: &Program, peer: &Program) -> Result<Vec<Figure>> {
    let [mut ours, mut peer] = [Stdio::ready(ours)?, Stdio::ready(peer)?];
    let list = messages::request("tools/list", json!({}));
    let tools = peer.result(&list)?;
    let size = |value: &Value| value.to_string().len() as f64;
    let mut figures = vec![Figure::new("tools/list", size(&ours.result(&list)?), "B").beside(size(&tools))];
    let has = |name: &str| tools["tools"].as_array().into_iter().flatten().any(|tool| tool["name"] == name);
    for (tool, arguments) in questions(&mut ours)? {
        if !has(tool) {
            continue;
        }
        let message = messages::call(tool, &arguments);
        let mine = text_bytes(&ours.result(&message).context(tool)?);
        match peer.result(&message) {
            Ok(theirs) => {
                figures.push(Figure::new(tool, mine, "B").beside(text_bytes(&theirs)).goal(Goal::RatioAtMost(SMALLER)))
            }
            Err(why) => eprintln!("  {tool}: the peer answers with {why:#}"),
        }
    }
    Ok(figures)
}

/// What everybody asks, about the first library and the first book in it.
fn questions(ours: &mut Stdio) -> Result<Vec<(&'static str, Value)>> {
    let libraries = ours.result(&messages::call("list_libraries", &json!({})))?;
    let library = libraries["structuredContent"]["libraries"][0]["id"].clone();
    let of_library = json!({"library_id": library});
    let items = ours.result(&messages::call("list_library_items", &of_library))?;
    let item = json!({"library_item_id": items["structuredContent"]["items"][0]["id"]});
    let nothing = json!({});
    Ok(vec![
        ("list_libraries", nothing.clone()),
        ("list_library_items", of_library.clone()),
        ("search_library", json!({"library_id": library, "q": "a"})),
        ("get_personalized_shelves", of_library.clone()),
        ("get_library_filter_data", of_library.clone()),
        ("list_series", of_library.clone()),
        ("list_authors", of_library.clone()),
        ("list_collections", of_library),
        ("get_library_item", item),
        ("list_items_in_progress", nothing.clone()),
        ("list_playlists", nothing.clone()),
        ("get_me", nothing.clone()),
        ("get_listening_stats", nothing.clone()),
        ("list_listening_sessions", nothing),
    ])
}

/// What a model reads of a result.
fn text_bytes(result: &Value) -> f64 {
    let blocks = result["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).map(str::len).sum::<usize>() as f64
}
