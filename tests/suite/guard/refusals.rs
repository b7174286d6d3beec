//! Every answer but the yes: nothing happens, and the result says so. Neither does a yes that comes afterwards change
//! anything, where the first answer has ended the call.

use super::{
    Bench,
    effects::{self, Effect},
    no, response, together,
    ways::{DIALOGS, How, Transport, Way},
    yes,
};
use crate::harness::{Client, Question, Step, Way as Asking};
use serde_json::{Value, json};

/// An `ElicitResult`, or what a client sends in place of one; why it is no yes.
fn answers() -> Vec<(Value, &'static str)> {
    const UNCLEAR: &str = "not the one that means yes";
    let accept = |content: Value| json!({"action": "accept", "content": content});
    vec![
        (no(), "the person declined"),
        (json!({"action": "decline", "content": {"decision": "yes"}}), "the person declined"),
        (json!({"action": "cancel"}), "without an answer"),
        (json!({"action": "accept"}), UNCLEAR),
        (accept(json!(null)), UNCLEAR),
        (accept(json!({})), UNCLEAR),
        (accept(json!({"decision": "no"})), UNCLEAR),
        (accept(json!({"decision": "maybe"})), UNCLEAR),
        (accept(json!({"decision": " yes"})), UNCLEAR),
        (accept(json!({"decision": true})), UNCLEAR),
        (accept(json!({"decision": ["yes"]})), UNCLEAR),
        (accept(json!({"confirm": "yes"})), UNCLEAR),
    ]
}

/// In place of an `ElicitResult`, and none.
fn malformed() -> Vec<Value> {
    vec![json!({}), json!({"action": "ok"}), json!("yes"), json!(true)]
}

#[track_caller]
fn says_nothing_was_changed(step: Step, why: &str, what: &str) {
    let text = step.refused();
    assert!(text.starts_with("Nothing was changed") && text.contains(why), "{what}: {text}");
}

/// Each of the eight at once, each in a client of its own.
pub async fn in_each<R>(way: &'static Way, run: fn(&'static Way, Effect, Client) -> R) -> usize
where
    R: Future<Output = usize> + Send + 'static,
{
    let bench = Bench::new().await;
    let clients = way.clients(&bench, 8).await;
    let counts =
        together(effects::all().into_iter().zip(clients).map(|(effect, client)| run(way, effect, client))).await;
    bench.untouched(&format!("{way:?}"));
    counts.into_iter().sum()
}

#[tokio::test]
async fn an_answer_that_is_no_yes() {
    let counts = together(DIALOGS.iter().map(|way| in_each(way, refuse))).await;
    println!("{} answers that are no yes", counts.into_iter().sum::<usize>());
}

async fn refuse(way: &'static Way, effect: Effect, client: Client) -> usize {
    for (answer, why) in answers() {
        let what = format!("{way:?} {} {answer}", effect.tool);
        let question = effect.ask(&client).await;
        let late = Late::of(&question);
        says_nothing_was_changed(client.answer(question, &answer).await, why, &what);
        late.yes(&client, &effect).await;
    }
    for answer in malformed() {
        let what = format!("{way:?} {} {answer}", effect.tool);
        let question = effect.ask(&client).await;
        match client.answer(question, &answer).await {
            // No answer, so that the question stands.
            Step::Asked(again) => effect.is_asked_in(again.text()),
            step => says_nothing_was_changed(step, "not the one that means yes", &what),
        }
    }
    answers().len() + malformed().len()
}

/// What is needed to answer a question once more.
enum Late {
    State(String),
    Id(Value),
}

impl Late {
    fn of(question: &Question) -> Late {
        match &question.way {
            Asking::Retry { state } => Late::State(state.clone()),
            Asking::Push { id, .. } => Late::Id(id.clone()),
        }
    }

    /// A yes to the question that was answered otherwise.
    async fn yes(self, client: &Client, effect: &Effect) {
        match self {
            Late::Id(id) => client.post(&response(&id, &yes())).await,
            Late::State(state) => {
                let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
                let again = client.call_with(effect.tool, &effect.arguments, params).await.asked();
                effect.is_asked_in(again.text());
            }
        }
    }
}

#[tokio::test]
async fn a_client_that_answers_with_an_error() {
    for way in &DIALOGS {
        in_each(way, |way, effect, client| async move {
            let what = format!("{way:?} {}", effect.tool);
            let error = json!({"code": -32601, "message": "Method not found", "data": yes()});
            let question = effect.ask(&client).await;
            if way.how == How::Retry {
                // There is no such answer in this revision. What stands in for one is no answer.
                client.answer(question, &json!({"error": error})).await.asked();
                return 1;
            }
            client.post(&json!({"jsonrpc": "2.0", "id": question.id(), "error": error})).await;
            let late = Late::of(&question);
            says_nothing_was_changed(client.outcome(question).await, "answered the question with an error", &what);
            late.yes(&client, &effect).await;
            1
        })
        .await;
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled() {
    for way in &DIALOGS {
        in_each(way, |way, effect, client| async move {
            let question = effect.ask(&client).await;
            match (way.how, way.transport) {
                // The call was over when it asked: there is nothing to cancel, and no one calls again.
                (How::Retry, _) => client.cancel(&json!(1)).await,
                (_, Transport::Http) => {
                    client.cancel(question.call()).await;
                    let late = Late::of(&question);
                    let what = format!("{way:?} {}", effect.tool);
                    says_nothing_was_changed(client.outcome(question).await, "the call was cancelled", &what);
                    late.yes(&client, &effect).await;
                }
                // A cancelled call is not answered on a line: the next message is that of the next request.
                (_, Transport::Stdio) => {
                    client.cancel(question.call()).await;
                    client.post(&response(question.id(), &yes())).await;
                    client.ask("ping", json!({})).await;
                    // As long as the cancelled one would have taken to see the yes.
                    let again = effect.ask(&client).await;
                    client.answer(again, &no()).await.refused();
                }
            }
            1
        })
        .await;
    }
}

/// A cancellation ends the call that it names, of its own client, and no other.
#[tokio::test]
async fn a_cancellation_of_something_else() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    for era in [DIALOGS[1].era, DIALOGS[2].era] {
        let (client, other) = tokio::join!(
            Client::http(&server, era, json!({"elicitation": {}})),
            Client::http(&server, era, json!({"elicitation": {}}))
        );
        let effect = effects::of("delete_bookmark");
        let question = effect.ask(&client).await;
        client.cancel(&json!(question.call().as_u64().unwrap() + 1)).await;
        client.cancel(&question.call().to_string().into()).await;
        client.cancel(question.id()).await;
        other.cancel(question.call()).await;
        // It still waits, so that this answer is the first that counts.
        says_nothing_was_changed(client.answer(question, &no()).await, "the person declined", "it still waits");
    }
    bench.untouched("cancelled");
}

/// A client that closes the stream of its call takes the question back: nobody can be told what came of it. A yes that
/// is sent on another connection afterwards is too late.
#[tokio::test]
async fn a_stream_that_is_closed() {
    for way in DIALOGS.iter().filter(|way| way.how == How::Push && way.transport == Transport::Http) {
        in_each(way, |_, effect, client| async move {
            let mut question = effect.ask(&client).await;
            let Asking::Push { events, .. } = &mut question.way else { unreachable!() };
            drop(events.take());
            client.post(&response(question.id(), &yes())).await;
            // Another call asks and is answered twice, which takes longer than it takes to see an answer.
            for _ in 0..2 {
                let again = effect.ask(&client).await;
                client.answer(again, &no()).await.refused();
            }
            1
        })
        .await;
    }
}
