//! Approvals of 2026-07-28 that were not given for this: the client carries them, so that a client can show any of
//! them. None leads to the deed, and none to an error: there is a fresh question.

use super::{
    Bench,
    effects::{self, Effect},
    together,
    ways::How,
    yes,
};
use crate::harness::{Client, Era, Http, Question, form};
use serde_json::{Value, json};
use standin::ids;
use std::sync::Arc;

struct Table {
    bench: Arc<Bench>,
    server: Arc<Http>,
    client: Client,
}

impl Table {
    async fn new() -> Table {
        let bench = Bench::new().await;
        let server = bench.serve(&[]).await;
        let client = Client::http(&server, Era::Modern, form()).await;
        Table { bench, server, client }
    }

    /// A yes with this state, which must lead to a fresh question and to nothing else.
    async fn asks_again(&self, effect: &Effect, state: &str, what: &str) -> Question {
        let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
        let question = self.client.call_with(effect.tool, &effect.arguments, params).await.asked();
        effect.is_asked_in(question.text());
        assert_ne!(question.state(), state, "{what}");
        self.bench.untouched(&format!("{} {what}", effect.tool));
        question
    }
}

#[tokio::test]
async fn replayed() {
    let table = Table::new().await;
    for effect in effects::all() {
        table.bench.reset();
        let question = effect.ask(&table.client).await;
        let state = question.state().to_owned();
        table.client.answer(question, &yes()).await.done();
        assert_eq!(table.bench.writes(), effect.writes);
        // What it was about is there again, and the approval is not.
        table.bench.reset();
        let fresh = table.asks_again(&effect, &state, "replayed").await;
        table.asks_again(&effect, &state, "replayed again").await;
        table.client.answer(fresh, &yes()).await.done();
        assert_eq!(table.bench.writes(), effect.writes, "the fresh question is a real one");
    }
}

/// An approval for one thing, shown with another call.
#[tokio::test]
async fn for_something_else() {
    let table = Table::new().await;
    let collection = |id: &str| json!({"collection_id": id});
    let playlist = |id: &str| json!({"playlist_id": id});
    let books = |id: &str, books: &[&str]| json!({"collection_id": id, "library_item_ids": books});
    let items = |id: &str, items: &[&str]| {
        let items: Vec<Value> = items.iter().map(|item| json!({"library_item_id": item})).collect();
        json!({"playlist_id": id, "items": items})
    };
    let mark = |time: f64| json!({"library_item_id": ids::DRACULA, "time": time});
    let progress = |item: &str| json!({"media_progress_id": ids::progress("root", item)});
    let (sea, road) = (ids::SEA_AND_SHORE, ids::ROAD_TRIP);
    let (remove, take) = ("remove_books_from_collection", "remove_items_from_playlist");
    let (days, cristo, glass) = (ids::EIGHTY_DAYS, ids::MONTE_CRISTO, ids::LOOKING_GLASS);
    let mut backwards = effects::BAKER_STREET_BACKWARDS;
    let reversed = books(ids::BAKER_STREET_IN_ORDER, &backwards);
    backwards.swap(0, 1);
    let swapped = books(ids::BAKER_STREET_IN_ORDER, &backwards);
    let trip = [ids::EIGHTY_DAYS, ids::TIME_MACHINE, ids::ALICE, ids::FRANKENSTEIN];
    let order = |order: [usize; 4]| items(road, &order.map(|at| trip[at]));
    let named = |mut arguments: Value, name: &str| {
        arguments["name"] = name.into();
        arguments
    };
    let rows = [
        ("another id", "delete_collection", collection(ids::ADULTS_ONLY), "delete_collection", collection(sea)),
        ("another id", "delete_playlist", playlist(ids::EPISODE_QUEUE), "delete_playlist", playlist(road)),
        (
            "another record",
            "delete_media_progress",
            progress(ids::ALICE),
            "delete_media_progress",
            progress(ids::DRACULA),
        ),
        ("another time", "delete_bookmark", mark(120.0), "delete_bookmark", mark(4321.5)),
        ("a superset", remove, books(sea, &[days]), remove, books(sea, &[days, cristo])),
        ("a subset", remove, books(sea, &[days, cristo]), remove, books(sea, &[days])),
        ("another set", remove, books(sea, &[days, cristo]), remove, books(sea, &[days, glass])),
        ("a superset", take, items(road, &[ids::ALICE]), take, items(road, &[ids::ALICE, ids::TIME_MACHINE])),
        ("all of it", take, items(road, &trip[..3]), take, items(road, &trip)),
        ("another order", "update_collection", reversed.clone(), "update_collection", swapped),
        ("another order", "update_playlist", order([3, 2, 1, 0]), "update_playlist", order([3, 2, 0, 1])),
        ("a name on top", "update_collection", reversed.clone(), "update_collection", named(reversed.clone(), "Mine")),
        ("another name", "update_collection", named(reversed.clone(), "A"), "update_collection", named(reversed, "B")),
        ("another tool", "delete_collection", collection(sea), remove, books(sea, &[days])),
        ("another tool", remove, books(sea, &[days]), "delete_collection", collection(sea)),
        ("another tool", take, items(road, &trip[..1]), "delete_playlist", playlist(road)),
        ("another tool", "update_playlist", order([1, 0, 2, 3]), take, order([1, 0, 2, 3])),
    ];
    let count = rows.len();
    for (what, tool, arguments, other, others) in rows {
        let what = format!("approved {tool} {arguments}, called {other} {others}: {what}");
        let state = table.client.call(tool, &arguments).await.asked().state().to_owned();
        let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
        let asked = table.client.call_with(other, &others, params).await.asked();
        assert_ne!(asked.state(), state, "{what}");
        table.bench.untouched(&what);
    }
    println!("{count} approvals for something else");
}

/// The state changed anywhere, cut anywhere, and things that are no state.
#[tokio::test]
async fn damaged_and_foreign() {
    let table = Arc::new(Table::new().await);
    let state = effects::of("delete_collection").ask(&table.client).await.state().to_owned();
    let mut states: Vec<(String, String)> = Vec::new();
    for at in 0..state.len() {
        let mut bytes = state.clone().into_bytes();
        bytes[at] ^= 1;
        states.push((format!("bit 0 of byte {at} changed"), String::from_utf8(bytes).expect("it is ASCII")));
    }
    for end in (0..state.len()).step_by(5) {
        states.push((format!("cut at {end}"), state[..end].to_owned()));
    }
    let session = Client::http(&table.server, Era::Legacy("2025-11-25"), form()).await.session().to_owned();
    let mute = table.client.mute().await;
    let token = super::tokens::first_call(&effects::of("delete_collection"), &mute, How::TokenOfClient).await;
    let elsewhere = Client::http(&table.bench.elsewhere().serve(&[]).await, Era::Modern, form()).await;
    let foreign = effects::of("delete_collection").ask(&elsewhere).await.state().to_owned();
    let parts: Vec<&str> = state.split('.').collect();
    for (what, other) in [
        ("a session's seal", session),
        ("a token", token),
        ("of another server", foreign.clone()),
        ("its payload under another seal", [parts[0], parts[1], foreign.rsplit('.').next().unwrap()].join(".")),
        ("its payload without a seal", [parts[0], parts[1], ""].join(".")),
        ("another version", format!("v2{}", &state[2..])),
        ("with something behind it", format!("{state}A")),
        ("with a space behind it", format!("{state} ")),
        ("twice", format!("{state}.{state}")),
        ("very long", "v1.".to_owned() + &"A".repeat(100_000)),
        ("no seal", "yes".into()),
        ("U+0000", "\0".into()),
    ] {
        states.push((what.to_owned(), other));
    }
    let count = states.len();
    together(states.into_iter().map(|(what, other)| {
        let table = Arc::clone(&table);
        async move { drop(table.asks_again(&effects::of("delete_collection"), &other, &what).await) }
    }))
    .await;
    println!("{count} damaged and foreign states");
    // And the one that all of them were made from is good.
    let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
    let effect = effects::of("delete_collection");
    table.client.call_with(effect.tool, &effect.arguments, params).await.done();
    assert_eq!(table.bench.writes(), effect.writes);
}

/// Answers without a state, states without an answer, and members of another shape.
#[tokio::test]
async fn halves() {
    let table = Table::new().await;
    let yes = yes();
    for effect in effects::all() {
        let state = effect.ask(&table.client).await.state().to_owned();
        for params in [
            json!({"inputResponses": {"approval": yes}}),
            json!({"requestState": state}),
            json!({"requestState": null, "inputResponses": {"approval": yes}}),
            json!({"requestState": [state], "inputResponses": {"approval": yes}}),
            json!({"requestState": {"approval": state}, "inputResponses": {"approval": yes}}),
            json!({"requestState": state, "inputResponses": null}),
            json!({"requestState": state, "inputResponses": yes}),
            json!({"requestState": state, "inputResponses": [{"approval": yes}]}),
            json!({"requestState": state, "inputResponses": {"Approval": yes}}),
            json!({"requestState": state, "inputResponses": {"approval": [yes]}}),
            json!({"requestState": state, "inputResponses": {"approval": {"result": yes}}}),
            json!({"_meta": {"requestState": state}, "inputResponses": {"approval": yes}}),
        ] {
            let question = table.client.call_with(effect.tool, &effect.arguments, params).await.asked();
            effect.is_asked_in(question.text());
        }
    }
    // Nor do they count as arguments.
    let mut arguments = json!({"collection_id": ids::ADULTS_ONLY});
    for (name, value) in
        [("requestState", json!("x")), ("inputResponses", json!({"approval": yes})), ("confirm", json!(true))]
    {
        arguments[name] = value;
        table.client.call("delete_collection", &arguments).await.refused();
        arguments.as_object_mut().unwrap().remove(name);
    }
    table.bench.untouched("halves");
}
