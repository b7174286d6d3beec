//! The token of two calls.

use super::{
    Bench,
    effects::{self, Effect},
    no, together,
    ways::{DIALOGS, How, LEGACY_TOKEN, MODERN_TOKEN, OPERATORS_TOKEN, TOKENS, Transport},
    yes,
};
use crate::harness::{Client, Era, form};
use serde_json::{Value, json};
use standin::ids;

const NO_DIALOG: &str = "This client cannot show a dialog";
const SWITCHED_OFF: &str = "switched the dialog off with ELICITATION=false";

pub fn token_in(text: &str) -> String {
    let (_, rest) = text.split_once("confirm_token=\"").unwrap_or_else(|| panic!("no token: {text}"));
    rest.split('"').next().expect("it ends").to_owned()
}

pub fn with(arguments: &Value, token: &str) -> Value {
    let mut arguments = arguments.clone();
    arguments["confirm_token"] = token.into();
    arguments
}

/// The first call: its text has to say everything. The token.
pub async fn first_call(effect: &Effect, client: &Client, how: How) -> String {
    let text = client.call(effect.tool, &effect.arguments).await.refused();
    effect.is_asked_in(&text);
    for part in ["Nothing was changed yet.", "same arguments, and nothing more", "5 minutes", "used once"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let operator = how == How::TokenOfOperator;
    assert_eq!((text.contains(SWITCHED_OFF), text.contains(NO_DIALOG)), (operator, !operator), "{text}");
    assert!(!operator || text.contains("audiobookshelf-mcp"), "the server that did not ask is named: {text}");
    token_in(&text)
}

/// A call with a token that must not do.
async fn refused(client: &Client, effect: &Effect, token: &str, what: &str) {
    let text = client.call(effect.tool, &with(&effect.arguments, token)).await.refused();
    assert!(text.starts_with("Nothing was changed") && text.contains("did not fit"), "{what}: {text}");
    effect.is_asked_in(&text);
    assert_ne!(token_in(&text), token, "{what}: a fresh one");
}

/// Each row is a token and why it is none for this call.
#[tokio::test]
async fn a_token_that_does_not_fit() {
    // Modern and not, over stdio too where there is any, for both reasons.
    let mut ways = vec![MODERN_TOKEN, LEGACY_TOKEN, OPERATORS_TOKEN];
    ways.extend(TOKENS.iter().find(|way| way.transport == Transport::Stdio && matches!(way.era, Era::Legacy(_))));
    let counts = together(ways.into_iter().map(|way| async move {
        let bench = Bench::new().await;
        let client = way.client(&bench).await;
        let foreign = first_call(&effects::all()[0], &way.client_elsewhere(&bench).await, way.how).await;
        let state = state_of_a_dialog(&bench).await;
        let mut tried = 0;
        for (at, effect) in effects::all().iter().enumerate() {
            let other = &effects::all()[(at + 1) % 8];
            let mine = first_call(effect, &client, way.how).await;
            let changed = format!("{}{}", &mine[..mine.len() - 2], if mine.ends_with("AA") { "BB" } else { "AA" });
            for (what, token) in [
                ("made up", "9f2c4a".to_owned()),
                ("yes", "yes".to_owned()),
                ("of another call", first_call(other, &client, way.how).await),
                ("of another server", foreign.clone()),
                ("changed at the end", changed),
                ("cut", mine[..mine.len() - 1].to_owned()),
                ("twice", mine.repeat(2)),
                ("a dialog's state", state.clone()),
            ] {
                refused(&client, effect, &token, &format!("{way:?} {} {what}", effect.tool)).await;
                tried += 1;
            }
        }
        bench.untouched(&format!("{way:?}"));
        tried
    }))
    .await;
    println!("{} tokens that do not fit", counts.into_iter().sum::<usize>());
}

async fn state_of_a_dialog(bench: &Bench) -> String {
    let client = DIALOGS[0].client(bench).await;
    effects::of("delete_collection").ask(&client).await.state().to_owned()
}

#[tokio::test]
async fn a_token_is_good_once() {
    for way in [MODERN_TOKEN, LEGACY_TOKEN, OPERATORS_TOKEN] {
        let bench = Bench::new().await;
        let client = way.client(&bench).await;
        for effect in effects::all() {
            bench.reset();
            let token = first_call(&effect, &client, way.how).await;
            client.call(effect.tool, &with(&effect.arguments, &token)).await.done();
            assert_eq!(bench.writes(), effect.writes);
            // What it was about is there again.
            bench.reset();
            refused(&client, &effect, &token, "used before").await;
            bench.untouched(effect.tool);
        }
    }
}

/// The token is for exactly these targets, and a set is a set in any order.
#[tokio::test]
async fn a_token_is_for_exactly_its_targets() {
    let bench = Bench::new().await;
    let client = MODERN_TOKEN.client(&bench).await;
    let books = |books: &[&str]| json!({"collection_id": ids::SEA_AND_SHORE, "library_item_ids": books});
    let (tool, pair) = ("remove_books_from_collection", [ids::EIGHTY_DAYS, ids::MONTE_CRISTO]);
    let token = token_in(&client.call(tool, &books(&pair)).await.refused());
    for other in [
        &[ids::EIGHTY_DAYS][..],
        &[ids::MONTE_CRISTO],
        &[ids::EIGHTY_DAYS, ids::MONTE_CRISTO, ids::LOOKING_GLASS],
        &[ids::EIGHTY_DAYS, ids::LOOKING_GLASS],
    ] {
        assert!(client.call(tool, &with(&books(other), &token)).await.refused().contains("did not fit"), "{other:?}");
    }
    bench.untouched("other sets");
    client.call(tool, &with(&books(&[pair[1], pair[0]]), &token)).await.done();
    assert_eq!(bench.writes().len(), 2);
}

/// A client that can be asked is asked, whatever token it shows.
#[tokio::test]
async fn a_token_on_a_client_that_can_be_asked() {
    for way in &DIALOGS {
        let bench = Bench::new().await;
        let clients = way.clients(&bench, 8).await;
        together(effects::all().into_iter().zip(clients).map(|(effect, client)| async move {
            let mut tokens = vec!["9f2c4a".to_owned(), "yes".into()];
            // And one that would do, on the same server, for a client that cannot be asked.
            if way.transport == Transport::Http {
                tokens.push(first_call(&effect, &client.mute().await, How::TokenOfClient).await);
            }
            for token in tokens {
                let question = client.call(effect.tool, &with(&effect.arguments, &token)).await.asked();
                effect.is_asked_in(question.text());
                assert!(token.len() < 4 || !question.text().contains(&token));
                if way.how == How::Push {
                    client.answer(question, &no()).await.refused();
                }
            }
        }))
        .await;
        bench.untouched(&format!("{way:?}"));
    }
}

/// A client that says it cannot be asked cannot answer either.
#[tokio::test]
async fn an_answer_of_a_client_that_was_not_asked() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let can = Client::http(&server, Era::Modern, form()).await;
    let off = bench.serve(&[("ELICITATION", "false")]).await;
    for effect in effects::all() {
        let state = effect.ask(&can).await.state().to_owned();
        for (what, client, how) in [
            ("declares nothing", Client::http(&server, Era::Modern, json!({})).await, How::TokenOfClient),
            (
                "declares addresses",
                Client::http(&server, Era::Modern, json!({"elicitation": {"url": {}}})).await,
                How::TokenOfClient,
            ),
            ("switched off", Client::http(&off, Era::Modern, form()).await, How::TokenOfOperator),
        ] {
            let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
            let text = client.call_with(effect.tool, &effect.arguments, params.clone()).await.refused();
            assert_eq!(text.contains(SWITCHED_OFF), how == How::TokenOfOperator, "{what}: {text}");
            token_in(&text);
            let mixed = with(&effect.arguments, &state);
            let text = client.call_with(effect.tool, &mixed, params).await.refused();
            assert!(text.contains("did not fit"), "{what}: {text}");
        }
        let old = Client::http(&server, Era::Legacy("2025-11-25"), json!({})).await;
        let params = json!({"requestState": state, "inputResponses": {"approval": yes()}});
        token_in(&old.call_with(effect.tool, &effect.arguments, params).await.refused());
    }
    bench.untouched("answers of clients that were not asked");
}

/// Where each of the two is right by itself, a dialog's answer counts and the token is left as it was.
#[tokio::test]
async fn token_and_dialog_mixed() {
    let bench = Bench::new().await;
    let server = bench.serve(&[]).await;
    let can = Client::http(&server, Era::Modern, form()).await;
    let cannot = can.mute().await;
    let effect = effects::of("remove_items_from_playlist");
    let token = first_call(&effect, &cannot, How::TokenOfClient).await;

    // The token as state, and the token beside an answer without a state.
    let question = effect.ask(&can).await;
    let again = can.retry(&question, &token, &yes()).await.asked();
    effect.is_asked_in(again.text());
    let answer_only = json!({"inputResponses": {"approval": yes()}});
    can.call_with(effect.tool, &with(&effect.arguments, &token), answer_only).await.asked();
    bench.untouched("a token in a dialog");

    // A no in the dialog is a no, whatever the token.
    let question = can.call(effect.tool, &with(&effect.arguments, &token)).await.asked();
    assert!(can.answer(question, &no()).await.refused().contains("declined"));
    bench.untouched("declined");

    let question = can.call(effect.tool, &with(&effect.arguments, &token)).await.asked();
    can.answer(question, &yes()).await.done();
    assert_eq!(bench.writes(), effect.writes);
    bench.reset();
    cannot.call(effect.tool, &with(&effect.arguments, &token)).await.done();
    assert_eq!(bench.writes(), effect.writes, "the dialog did not spend it");
}

/// Models fill in every argument that they see. Nothing was shown, so nothing failed to fit.
#[tokio::test]
async fn a_blank_token_is_none() {
    let bench = Bench::new().await;
    for blank in ["", " ", "\n"] {
        for way in [TOKENS[0], DIALOGS[0]] {
            let client = way.client(&bench).await;
            let effect = effects::of("delete_collection");
            let step = client.call(effect.tool, &with(&effect.arguments, blank)).await;
            if way.how == How::Retry {
                effect.is_asked_in(step.asked().text());
            } else {
                let text = step.refused();
                assert!(!text.contains("did not fit"), "{text}");
                token_in(&text);
            }
        }
    }
    bench.untouched("blank tokens");
}
