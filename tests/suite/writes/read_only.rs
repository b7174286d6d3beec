//! `AUDIOBOOKSHELF_READ_ONLY`: hidden by the component, and denied by the host even if it were not.

use crate::harness::{Http, modern, modern_headers, settings_for};
use crate::listing::{reads, sample_arguments, tools};
use policy::{Access, Method, Origin, ROUTES};
use serde_json::json;
use standin::{Standin, ids};

#[tokio::test]
async fn the_fifteen_are_hidden_and_calling_them_sends_nothing() {
    let abs = Standin::start().await.unwrap();
    let all = tools(&Http::with(&settings_for(&abs, "root")).await).await;
    let settings = settings_for(&abs, "root");
    let server = Http::start(&[
        (settings[0].0, &settings[0].1),
        (settings[1].0, &settings[1].1),
        ("AUDIOBOOKSHELF_READ_ONLY", "true"),
    ])
    .await;
    let shown = tools(&server).await;
    assert!(shown.len() == 29 && shown.iter().all(reads));
    let before = abs.state();
    let mut hidden = 0;
    for tool in all.iter().filter(|tool| !reads(tool)) {
        let name = tool["name"].as_str().unwrap();
        let mut arguments = sample_arguments(tool);
        for (argument, id) in [("collection_id", ids::SEA_AND_SHORE), ("playlist_id", ids::ROAD_TRIP)] {
            if arguments.get(argument).is_some() {
                arguments[argument] = json!(id);
            }
        }
        let message = modern(1, "tools/call", json!({"name": name, "arguments": arguments}));
        let answer = server.post(&modern_headers(&message), &message).await.json();
        assert_eq!(answer["error"]["code"], -32602, "{name}: {answer}");
        hidden += 1;
    }
    assert_eq!(hidden, 15);
    assert_eq!(abs.state(), before);
    assert!(abs.requests().is_empty(), "{:?}", abs.requests());
}

/// The question that the host asks for each request, whatever component it runs.
#[test]
fn the_host_denies_every_write_route() {
    let origin = Origin::parse("http://abs.test").unwrap();
    let mut writes = 0;
    for route in ROUTES {
        let path = format!("/{}", route.to_string().split_once('/').unwrap().1);
        let path = path.replace("{id}", "a").replace("{year}", "2026").replace("{seconds}", "1.5");
        let ask =
            |read_only| policy::check(&origin, read_only, route.method.as_str(), "http", "abs.test", &path).map(drop);
        assert!(ask(false).is_ok(), "{route}: {:?}", ask(false));
        assert_eq!(ask(true).is_ok(), route.access == Access::Read, "{route}");
        assert_eq!(route.access == Access::Read, route.method == Method::Get, "{route}");
        writes += usize::from(route.access == Access::Write);
    }
    assert!(writes >= 15, "{writes}");
}
