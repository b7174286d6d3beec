//! `kill -9` in the middle of an approval, and a server that takes its place at the same address.

use crate::guard::{
    Bench,
    effects::{self, Effect},
    response,
    tokens::{token_in, with},
    yes,
};
use crate::harness::{Client, Era, Http, form};
use serde_json::json;
use std::sync::Arc;

/// Ends a server without a word to it, and starts another one where it was.
async fn replace(bench: &Bench, server: Arc<Http>) -> Arc<Http> {
    let authority = server.authority.clone();
    let server = Arc::into_inner(server).expect("nobody else holds it");
    server.signal("KILL");
    assert_eq!(server.ended().await, None, "it dies of the signal");
    let settings = bench.settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Arc::new(Http::listen(&authority, &[], &settings).await)
}

/// A client that asked, and what it needs to go on with another server.
async fn asked(server: &Arc<Http>, effect: &Effect, era: Era) -> (crate::harness::Question, String) {
    let client = Client::http(server, era, form()).await;
    let question = effect.ask(&client).await;
    let session = if era == Era::Modern { String::new() } else { client.session().to_owned() };
    (question, session)
}

#[tokio::test]
async fn no_yes_survives_its_server() {
    let legacy = Era::Legacy("2025-11-25");
    for effect in effects::all() {
        let bench = Bench::new().await;

        // The answer of a client that calls again with it: the state means nothing to the new server, so it asks afresh.
        let server = bench.serve(&[]).await;
        let (question, _) = asked(&server, &effect, Era::Modern).await;
        let server = replace(&bench, server).await;
        let client = Client::http(&server, Era::Modern, form()).await;
        let again = client.answer(question, &yes()).await.asked();
        bench.untouched(effect.tool);
        drop(client);

        // The answer of a client whose call waited: taken, since it is a response, and nothing waits for it.
        let (question, session) = asked(&server, &effect, legacy).await;
        let server = replace(&bench, server).await;
        let client = Client::resume(&server, legacy, form(), session);
        client.post(&response(question.id(), &yes())).await;
        client.ask("ping", json!({})).await;
        bench.untouched(effect.tool);

        // A token: a new one, and the old one still means nothing.
        let mute = Client::http(&server, Era::Modern, json!({})).await;
        let token = token_in(&mute.call(effect.tool, &effect.arguments).await.refused());
        drop((client, mute));
        let server = replace(&bench, server).await;
        let mute = Client::http(&server, Era::Modern, json!({})).await;
        let fresh = mute.call(effect.tool, &with(&effect.arguments, &token)).await.refused();
        assert_ne!(token_in(&fresh), token);
        bench.untouched(effect.tool);
        mute.call(effect.tool, &with(&effect.arguments, &token)).await.refused();
        bench.untouched(effect.tool);

        // What is asked of the new server itself is done, once.
        let client = Client::http(&server, Era::Modern, form()).await;
        let state = again.state().to_owned();
        client.retry(&again, &state, &yes()).await.asked();
        bench.untouched(effect.tool);
        let question = effect.ask(&client).await;
        client.answer(question, &yes()).await.done();
        assert_eq!(bench.writes(), effect.writes, "{}", effect.tool);
    }
}
