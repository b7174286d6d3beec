//! One approval, shown a hundred times at once: one deed.

use super::{
    Bench,
    effects::{self, Effect},
    no, response, together, tokens, yes,
};
use crate::harness::{Client, Era, Http, Scripted, Step, form};
use serde_json::{Value, json};
use std::sync::Arc;

const MANY: usize = 100;

/// The outcomes of a hundred calls: those that did it, and those that were told something else.
fn sort(steps: Vec<Step>) -> (usize, Vec<Step>) {
    let (done, rest): (Vec<Step>, Vec<Step>) =
        steps.into_iter().partition(|step| matches!(step, Step::Done(result) if result.get("isError").is_none()));
    (done.len(), rest)
}

async fn many(client: &Arc<Client>, tool: &'static str, arguments: &Value, params: &Value) -> Vec<Step> {
    together((0..MANY).map(|_| {
        let (client, arguments, params) = (Arc::clone(client), arguments.clone(), params.clone());
        async move { client.call_with(tool, &arguments, params).await }
    }))
    .await
}

fn approved(state: &str) -> Value {
    json!({"requestState": state, "inputResponses": {"approval": yes()}})
}

#[tokio::test]
async fn an_approval() {
    let bench = Bench::new().await;
    let client = Arc::new(Client::http(&bench.serve(&[]).await, Era::Modern, form()).await);
    for effect in effects::all() {
        bench.reset();
        let state = effect.ask(&client).await.state().to_owned();
        let (done, _) = sort(many(&client, effect.tool, &effect.arguments, &approved(&state)).await);
        // A call that comes after the deed finds nothing to do, and need not ask.
        assert_eq!((done > 0, bench.writes()), (true, effect.writes), "{}", effect.tool);
    }
}

/// An upstream that never changes: each of the hundred finds what it wants to delete, so that the mark of the spent
/// approval is all that stands between them and a second deed.
#[tokio::test]
async fn where_nothing_else_would_stop_the_second() {
    let id = standin::ids::ROAD_TRIP;
    let playlist =
        json!({"id": id, "libraryId": id, "items": [{"libraryItemId": standin::ids::ALICE, "episodeId": null}]})
            .to_string();
    let upstream = Scripted::reply("200 OK", "application/json", &playlist).await;
    let server = Arc::new(Http::start(&upstream.settings()).await);
    let client = Arc::new(Client::http(&server, Era::Modern, form()).await);
    let arguments = json!({"playlist_id": id});
    let deeds = || upstream.heads().iter().filter(|head| head.starts_with("DELETE ")).count();

    let state = client.call("delete_playlist", &arguments).await.asked().state().to_owned();
    let (done, rest) = sort(many(&client, "delete_playlist", &arguments, &approved(&state)).await);
    assert_eq!((done, deeds()), (1, 1));
    assert_eq!(rest.into_iter().map(Step::asked).count(), MANY - 1, "the others are asked again");

    let mute = Arc::new(client.mute().await);
    let token = tokens::token_in(&mute.call("delete_playlist", &arguments).await.refused());
    let with_token = tokens::with(&arguments, &token);
    let (done, rest) = sort(many(&mute, "delete_playlist", &with_token, &json!({})).await);
    assert_eq!((done, deeds()), (1, 2));
    assert!(rest.into_iter().all(|step| step.refused().contains("did not fit")));
}

/// A hundred answers to one pushed question.
#[tokio::test]
async fn answers_to_one_question() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let client = Arc::new(Client::http(&server, Era::Legacy("2025-11-25"), form()).await);
    for effect in effects::all() {
        bench.reset();
        let question = effect.ask(&client).await;
        let answer = response(question.id(), &yes());
        post_many(&client, &answer).await;
        client.outcome(question).await.done();
        post_many(&client, &answer).await;
        after(&client, &effect).await;
        assert_eq!(bench.writes(), effect.writes, "{}", effect.tool);
    }
}

async fn post_many(client: &Arc<Client>, message: &Value) {
    together((0..MANY / 2).map(|_| {
        let (client, message) = (Arc::clone(client), message.clone());
        async move { client.post(&message).await }
    }))
    .await;
}

/// Something else that takes as long as it takes to see an answer.
async fn after(client: &Client, done: &Effect) {
    let tool = if done.tool == "delete_bookmark" { "delete_playlist" } else { "delete_bookmark" };
    let question = effects::of(tool).ask(client).await;
    client.answer(question, &no()).await.refused();
}
