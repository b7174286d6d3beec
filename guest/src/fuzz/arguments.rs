//! Arguments of every tool. The world checks each request that comes of them against the route table.

use super::calls;
use super::world::Wild;
use crate::testing::Fake;
use fuzz::json;
use serde_json::{Value, json};

#[test]
fn what_is_sent_is_in_the_route_table() {
    fuzz::run(|u| {
        let mut world = Wild::new(u, Fake::new().config("origin", "https://abs.example.com/base"))?;
        world.unruly = 16;
        let tool = calls::tool(u)?;
        let fitting = calls::arguments(u, tool)?;
        let mut arguments = fitting.clone();
        if u.ratio(7, 8)? {
            calls::change(u, &mut arguments)?;
        }
        let mut body = calls::modern(1, tool.name, arguments, json!({})).to_string().into_bytes();
        if u.ratio(1, 16)? {
            json::change_text(u, &mut body)?;
        }
        let response = world.post(&[], &body);
        let sent = world.sent();
        if response.status == 202 {
            assert!(sent.is_empty(), "a message without an answer has sent something");
            return Ok(());
        }
        let answer: Value = serde_json::from_slice(&response.body).expect("JSON");
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(
            sent.is_empty() || !text.starts_with("Nothing was sent") && answer.get("error").is_none(),
            "{} requests, and {text}",
            sent.len()
        );
        Ok(())
    });
}
