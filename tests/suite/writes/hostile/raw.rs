//! Arguments that no JSON library would write.

use super::{Attempts, Bench};
use crate::harness::{modern, modern_headers};
use crate::writes::world::run;
use serde_json::{Value, json};

/// Stands where the raw text goes.
const HERE: &str = "@@";

#[tokio::test]
async fn broken_text_numbers_and_nesting() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let name = world.name("");
        let half = format!("\"{name}\\ud800\"");
        let swapped = format!("\"{name}\\udc00\\ud800 \\u0000\"");
        let raws = [half.as_str(), &swapped, "1e999", "-1e999", "[1e999]", &deep, "{\"a\":{\"a\":{\"a\":[null]}}}"];
        for tool in world.schemas() {
            let bench = Bench::new(&world).await;
            let good = bench.good(&world, tool);
            for argument in tool["inputSchema"]["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
                for raw in raws {
                    let mut arguments = good.clone();
                    arguments[argument] = json!(HERE);
                    let message = modern(1, "tools/call", json!({"name": tool["name"], "arguments": arguments}));
                    let text = message.to_string().replace(&format!("\"{HERE}\""), raw);
                    let own = modern_headers(&message);
                    let mut headers =
                        vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
                    headers.extend(own.iter().map(|(name, value)| (*name, value.as_str())));
                    let reply = world.server.send("POST", "/mcp", &headers, text).await;
                    let what = format!("{} {argument}={:.80}: {:?}", tool["name"], raw, reply.body);
                    assert!(matches!(reply.status, 200 | 400), "{} {what}", reply.status);
                    let answer: Value = reply.json();
                    assert!(answer["result"].is_object() || answer["error"]["message"].is_string(), "{what}");
                    attempts.survived(&what).await;
                }
            }
        }
        attempts.end(700);
    })
    .await;
}
