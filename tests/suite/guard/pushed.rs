//! Answers to pushed questions, from whoever sends them. Each call runs in an instance of its own, and so does each
//! answer.

use super::{
    Bench,
    effects::{self, Effect},
    no, response, yes,
};
use crate::harness::{Client, Era, Http, form};
use serde_json::{Value, json};
use std::sync::Arc;

const ERAS: [Era; 2] = [Era::Legacy("2025-11-25"), Era::Legacy("2025-06-18")];

struct Table {
    bench: Arc<Bench>,
    server: Arc<Http>,
    client: Client,
    other: Client,
}

impl Table {
    async fn new(era: Era) -> Table {
        let bench = Bench::new().await;
        let server = bench.serve(&[]).await;
        let client = Client::http(&server, era, form()).await;
        let other = Client::http(&server, era, form()).await;
        assert_ne!(client.session(), other.session());
        Table { bench, server, client, other }
    }
}

/// The id of a question that is not open.
fn unknown(like: &Value) -> Value {
    let mut id = like.as_str().expect("our ids are texts").to_owned();
    let last = if id.ends_with('0') { '1' } else { '0' };
    id.pop();
    id.push(last);
    id.into()
}

/// Each row is a yes that must not count: who sends it, to which id.
#[tokio::test]
async fn an_answer_that_is_not_this_clients_to_this_question() {
    let mut tried = 0;
    for era in ERAS {
        let table = Table::new(era).await;
        let client = &table.client;
        // One that another call asked and that was answered.
        let answered = effects::of("delete_playlist").ask(client).await;
        let answered_id = answered.id().clone();
        client.answer(answered, &no()).await.refused();
        let elsewhere = Client::http(&table.bench.serve(&[]).await, era, form()).await;
        for effect in effects::all() {
            // Before the question: ids are not to be guessed, so these are of the right shape at best.
            for early in [json!(1), unknown(&answered_id)] {
                client.post(&response(&early, &yes())).await;
            }
            let question = effect.ask(client).await;
            let id = question.id().clone();
            let text = id.as_str().unwrap();
            table.other.post(&response(&id, &yes())).await;
            // The session is known to that process, the question is not.
            elsewhere.post(&response(&id, &yes())).await;
            Client::resume(&table.server, era, form(), client.session()[1..].to_owned())
                .post(&response(&id, &yes()))
                .await;
            assert_eq!(table.server.post(&[], &response(&id, &yes())).await.status, 202, "without a session");
            for id in [
                unknown(&id),
                answered_id.clone(),
                question.call().clone(),
                text.to_uppercase().into(),
                text[4..].into(),
                format!("{text} ").into(),
                text.replacen("ask-", "ask-0", 1).into(),
            ] {
                client.post(&response(&id, &yes())).await;
                tried += 1;
            }
            tried += 6;
            table.bench.untouched(&format!("{era:?} {}", effect.tool));
            // The first that counts is this one: it has been waiting all the time.
            assert!(client.answer(question, &no()).await.refused().contains("declined"));
        }
        table.bench.untouched(&format!("{era:?}"));
    }
    println!("{tried} answers that do not count");
}

#[tokio::test]
async fn only_the_first_answer_counts() {
    for era in ERAS {
        let table = Table::new(era).await;
        for effect in effects::all() {
            let question = effect.ask(&table.client).await;
            table.client.post(&response(question.id(), &no())).await;
            table.client.post(&response(question.id(), &yes())).await;
            assert!(table.client.outcome(question).await.refused().contains("declined"), "{}", effect.tool);
        }
        table.bench.untouched("a no and then a yes");
        for effect in effects::all() {
            table.bench.reset();
            let question = effect.ask(&table.client).await;
            table.client.post(&response(question.id(), &yes())).await;
            table.client.post(&response(question.id(), &yes())).await;
            table.client.post(&response(question.id(), &no())).await;
            table.client.outcome(question).await.done();
            assert_eq!(table.bench.writes(), effect.writes);
        }
    }
}

/// A modern message cannot answer a question of the older era, nor the other way round.
#[tokio::test]
async fn eras_do_not_mix() {
    let table = Table::new(ERAS[0]).await;
    let modern = Client::http(&table.server, Era::Modern, form()).await;
    let effect = effects::of("remove_books_from_collection");

    let question = effect.ask(&table.client).await;
    let headers =
        [("mcp-session-id", table.client.session().to_owned()), ("mcp-protocol-version", "2026-07-28".to_owned())];
    assert_eq!(table.server.post(&headers, &response(question.id(), &yes())).await.status, 400);
    // The id of the question is no state.
    let params = json!({"requestState": question.id(), "inputResponses": {"approval": yes()}});
    effect.is_asked_in(modern.call_with(effect.tool, &effect.arguments, params).await.asked().text());
    assert!(table.client.answer(question, &no()).await.refused().contains("declined"));

    // A state in a call of the older era is no answer: it is asked, and waits.
    let state = effect.ask(&modern).await.state().to_owned();
    let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
    let question = table.client.call_with(effect.tool, &effect.arguments, params).await.asked();
    effect.is_asked_in(question.text());
    table.bench.untouched("mixed");
    assert!(table.client.answer(question, &no()).await.refused().contains("declined"));
    table.bench.untouched("mixed");
}

/// Questions that are open at the same time: each answer reaches its own call and no other.
#[tokio::test]
async fn two_clients_at_once() {
    for era in ERAS {
        let table = Table::new(era).await;
        let (mine, theirs) = (effects::of("delete_bookmark"), effects::of("update_collection"));
        let (also, same) = (effects::of("delete_playlist"), effects::of("delete_bookmark"));
        let a = mine.ask(&table.client).await;
        let b = theirs.ask(&table.other).await;
        let c = also.ask(&table.client).await;
        let d = same.ask(&table.other).await;
        let ids = [a.id(), b.id(), c.id(), d.id()];
        assert!((1..4).all(|n| !ids[..n].contains(&ids[n])), "{ids:?}");
        // Crossed: neither is the other's to answer.
        table.client.post(&response(b.id(), &yes())).await;
        table.other.post(&response(a.id(), &yes())).await;
        table.other.post(&response(c.id(), &yes())).await;
        table.client.post(&response(d.id(), &yes())).await;
        table.bench.untouched("crossed");
        let done = |effect: &Effect| effect.writes.clone();
        assert!(table.client.answer(c, &no()).await.refused().contains("declined"));
        table.other.answer(b, &yes()).await.done();
        assert_eq!(table.bench.writes(), done(&theirs));
        assert!(table.other.answer(d, &no()).await.refused().contains("declined"));
        assert_eq!(table.bench.writes(), done(&theirs));
        table.client.answer(a, &yes()).await.done();
        assert_eq!(table.bench.writes(), [done(&theirs), done(&mine)].concat());
    }
}

/// The same question twice from one client: two questions, two answers.
#[tokio::test]
async fn one_answer_is_for_one_of_two_calls() {
    let table = Table::new(ERAS[0]).await;
    let effect = effects::of("update_playlist");
    let (first, second) = (effect.ask(&table.client).await, effect.ask(&table.client).await);
    table.client.answer(second, &yes()).await.done();
    assert_eq!(table.bench.writes(), effect.writes);
    table.bench.reset();
    assert!(table.client.answer(first, &no()).await.refused().contains("declined"));
    table.bench.untouched("the other call");
}
