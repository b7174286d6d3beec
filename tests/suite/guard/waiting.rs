//! While a question waits for a person.

use super::{Bench, effects, no, response, ways::DIALOGS, yes};
use crate::harness::{Client, Era, Event, Step, Way as Asking, form};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Proxies close a stream on which nothing happens. In the time of this, a question whose stream was closed is long
/// over: a yes to it changed nothing either.
#[tokio::test]
async fn the_stream_is_kept_alive() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let client = Client::http(&server, Era::Legacy("2025-11-25"), form()).await;
    let (effect, dropped) = (effects::of("delete_bookmark"), effects::of("delete_collection"));
    let mut closed = dropped.ask(&client).await;
    let mut question = effect.ask(&client).await;
    let asked = Instant::now();
    let Asking::Push { events: Some(events), .. } = &mut question.way else { panic!("it is a stream") };
    assert_eq!(events.headers["cache-control"], "no-store");
    assert_eq!(events.headers["x-accel-buffering"], "no", "or a proxy keeps the question to itself");
    let Asking::Push { events: other, .. } = &mut closed.way else { panic!("it is a stream") };
    drop(other.take());
    client.post(&response(closed.id(), &yes())).await;

    let beat = events.next().await.expect("a sign of life");
    assert!(matches!(beat, Event::Comment(_)), "{beat:?}");
    let waited = asked.elapsed();
    assert!(waited > Duration::from_millis(500) && waited < Duration::from_secs(6), "{waited:?}");
    // Longer than an instance lives on whose client has left.
    events.next().await.expect("another one");
    client.post(&response(closed.id(), &yes())).await;
    bench.untouched("a closed stream");

    client.answer(question, &yes()).await.done();
    assert_eq!(bench.writes(), effect.writes);
}

/// However many questions are open, the answers to them get through; and those that nobody waits for do not count.
#[tokio::test]
async fn more_questions_than_may_wait() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let client = Client::http(&server, Era::Legacy("2025-11-25"), form()).await;
    let effect = effects::of("update_collection");
    let mut open = Vec::new();
    let refused = loop {
        match client.call(effect.tool, &effect.arguments).await {
            Step::Asked(question) => open.push(*question),
            step => break step.refused(),
        }
    };
    assert!(refused.starts_with("Nothing was changed") && refused.contains("too many questions"), "{refused}");
    assert!(open.len() >= 8, "{}", open.len());
    for question in open.drain(1..) {
        assert!(client.answer(question, &no()).await.refused().contains("declined"));
    }
    // Again, and now their streams are closed. None of them stays in the way.
    while let Step::Asked(question) = client.call(effect.tool, &effect.arguments).await {
        open.push(*question);
    }
    let full = Instant::now();
    open.clear();
    let question = loop {
        match client.call(effect.tool, &effect.arguments).await {
            Step::Asked(question) => break *question,
            step => step.refused(),
        };
        assert!(full.elapsed() < Duration::from_secs(6), "they still count");
    };
    client.answer(question, &no()).await.refused();
    bench.untouched("questions");
}

/// Nobody is asked about what cannot be done anyway.
#[tokio::test]
async fn malformed_calls_and_unknown_targets_ask_nothing() {
    let unknown = standin::ids::UNKNOWN;
    let item = json!({"library_item_id": unknown});
    for way in &DIALOGS {
        let bench = Bench::new().await;
        let client = way.client(&bench).await;
        for (tool, arguments) in [
            ("delete_collection", json!({})),
            ("delete_collection", json!({"collection_id": unknown})),
            ("delete_collection", json!({"collection_id": "../me"})),
            ("delete_collection", json!({"collection_id": standin::ids::ADULTS_ONLY, "force": true})),
            ("delete_collection", json!({"collection_id": standin::ids::ADULTS_ONLY, "confirm_token": true})),
            ("delete_playlist", json!({"playlist_id": unknown})),
            ("delete_playlist", json!({"playlist_id": standin::ids::KIDS_PLAYLIST})),
            ("delete_media_progress", json!({"media_progress_id": unknown})),
            ("delete_media_progress", json!({"media_progress_id": standin::ids::DRACULA})),
            ("delete_bookmark", json!({"library_item_id": standin::ids::DRACULA, "time": 4321})),
            ("delete_bookmark", json!({"library_item_id": standin::ids::DRACULA, "time": -1})),
            (
                "remove_books_from_collection",
                json!({"collection_id": standin::ids::SEA_AND_SHORE, "library_item_ids": [unknown]}),
            ),
            (
                "remove_books_from_collection",
                json!({"collection_id": standin::ids::SEA_AND_SHORE, "library_item_ids": []}),
            ),
            ("remove_items_from_playlist", json!({"playlist_id": standin::ids::ROAD_TRIP, "items": [item]})),
            (
                "update_collection",
                json!({"collection_id": standin::ids::BAKER_STREET_IN_ORDER, "library_item_ids": [unknown]}),
            ),
            ("update_playlist", json!({"playlist_id": standin::ids::HOSTILE_PLAYLIST, "items": [item]})),
        ] {
            let step = client.call(tool, &arguments).await;
            assert!(matches!(step, Step::Done(Value::Object(_))), "{way:?} {tool} {arguments}: {step:?}");
            step.refused();
        }
        bench.untouched(&format!("{way:?}"));
    }
}
