//! Two clients at once, each with an open question: no answer reaches the other's call, in either era and between them.
//! Two clients of the older era are in `pushed`.

use super::{Bench, effects, no, response, yes};
use crate::harness::{Client, Era, form};
use serde_json::json;

const LEGACY: Era = Era::Legacy("2025-11-25");

#[tokio::test]
async fn two_modern_clients() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let (one, other) =
        (Client::http(&server, Era::Modern, form()).await, Client::http(&server, Era::Modern, form()).await);
    let (mine, theirs) = (effects::of("delete_bookmark"), effects::of("update_collection"));
    let (a, b) = (mine.ask(&one).await, theirs.ask(&other).await);
    assert_ne!(a.state(), b.state());
    // Each says yes, with the state of the other's question.
    let (state_of_a, state_of_b) = (a.state().to_owned(), b.state().to_owned());
    mine.is_asked_in(one.retry(&a, &state_of_b, &yes()).await.asked().text());
    theirs.is_asked_in(other.retry(&b, &state_of_a, &yes()).await.asked().text());
    bench.untouched("crossed");
    assert!(one.answer(a, &no()).await.refused().contains("declined"));
    bench.untouched("one said no");
    other.answer(b, &yes()).await.done();
    assert_eq!(bench.writes(), theirs.writes);
}

#[tokio::test]
async fn one_client_of_each_era() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let (old, new) = (Client::http(&server, LEGACY, form()).await, Client::http(&server, Era::Modern, form()).await);
    // The same thing, asked about by both.
    let effect = effects::of("delete_playlist");
    let (pushed, sealed) = (effect.ask(&old).await, effect.ask(&new).await);
    let state = sealed.state().to_owned();
    // The pushed question's id is no state, and the state is no id of a question.
    effect.is_asked_in(new.retry(&sealed, pushed.id().as_str().unwrap(), &yes()).await.asked().text());
    old.post(&response(&json!(state), &yes())).await;
    let headers = [("mcp-protocol-version", "2026-07-28".to_owned())];
    assert_eq!(server.post(&headers, &response(pushed.id(), &yes())).await.status, 400);
    assert_eq!(server.post(&[], &response(pushed.id(), &yes())).await.status, 202, "from nobody's session");
    bench.untouched("crossed");
    assert!(old.answer(pushed, &no()).await.refused().contains("declined"));
    bench.untouched("one said no");
    new.answer(sealed, &yes()).await.done();
    assert_eq!(bench.writes(), effect.writes);
}
