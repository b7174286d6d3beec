//! The recipes that docs/clients.md prints.

use super::{CLIENTS, SECRET_TOKEN, follow, read, script};
use crate::{
    documentation::{self, Block},
    harness::{Abs, Http},
};
use read::Outside;
use std::collections::BTreeMap;

/// What the page has where a person has something of his own.
const PROGRAM: &str = "/usr/local/bin/audiobookshelf-mcp";
const ABS: &str = "https://abs.example.com";
const SERVE: &str = "127.0.0.1:8787";

/// The blocks of each client.
fn recipes() -> BTreeMap<String, Vec<Block>> {
    let page = documentation::page("clients.md");
    let mut recipes: BTreeMap<String, Vec<Block>> = BTreeMap::new();
    for section in page.split("\n## ").skip(1) {
        let (_, rest) = section.split_once("`config ").expect("each section says what prints it");
        let client = rest.split('`').next().unwrap_or_default();
        recipes.insert(client.to_owned(), documentation::blocks(section));
    }
    recipes
}

#[tokio::test]
async fn each_recipe_works() {
    let abs = Abs::start().await;
    let settings = abs.settings();
    let [(_, url), (_, key)] = &settings;
    let [open, closed] = servers(&settings).await;
    let mut recipes = recipes();
    let scripts = recipes.remove("curl").expect("curl has recipes");
    assert!(recipes.keys().map(String::as_str).eq({
        let mut sorted = CLIENTS;
        sorted.sort_unstable();
        sorted
    }));
    let outside = Outside { key, token: SECRET_TOKEN };
    let mut followed = 0;
    for (client, blocks) in &recipes {
        for Block { text, .. } in blocks {
            let server = if text.contains("MCP_TOKEN") || text.contains("mcp-token") { &closed } else { &open };
            let text = text.replace(PROGRAM, crate::PROGRAM).replace(ABS, url).replace(SERVE, &server.authority);
            assert!(!text.contains(key.as_str()) && !text.contains(SECRET_TOKEN));
            follow(client, read::recipe(client, &text, &outside)).await;
            followed += 1;
        }
    }
    // Three ways each; Claude Desktop has one.
    assert_eq!(followed, 3 * (CLIENTS.len() - 1) + 1);

    let [without, with] = scripts.as_slice() else { panic!("curl has two scripts") };
    for (block, server) in [(without, &open), (with, &closed)] {
        script::asks_in_both_revisions(&block.text.replace(SERVE, &server.authority), SECRET_TOKEN).await;
    }
}

/// One without a token and one with.
async fn servers(settings: &[(&'static str, String)]) -> [Http; 2] {
    let mut settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let open = Http::start(&settings).await;
    settings.push((super::TOKEN, SECRET_TOKEN));
    [open, Http::start(&settings).await]
}
