//! What a question is about changes while it waits. A yes is for what was asked, not for what has become of it.

use super::{Bench, yes};
use crate::harness::{Client, Era, Http, Question, Step, form};
use serde_json::{Value, json};
use standin::ids;
use std::sync::Arc;

const ERAS: [Era; 3] = [Era::Modern, Era::Legacy("2025-11-25"), Era::Legacy("2025-06-18")];

/// Two questions at once, as a model asks them in one turn: each takes one of two entries, both together the playlist.
#[tokio::test]
async fn two_small_yeses_make_no_large_one() {
    for era in ERAS {
        let bench = Bench::new().await;
        let server = bench.serve(&[]).await;
        let client = Client::http(&server, era, form()).await;
        let books = [ids::EMMA, ids::DRACULA];
        let items: Vec<Value> = books.iter().map(|id| json!({"library_item_id": id})).collect();
        let list = json!({"library_id": ids::BOOKS, "name": "Two", "items": items});
        let made = client.call("create_playlist", &list).await.done();
        let playlist = made["structuredContent"]["playlist_id"].as_str().expect("an id").to_owned();
        let remove = |item: &Value| json!({"playlist_id": playlist, "items": [item]});
        let one = client.call("remove_items_from_playlist", &remove(&items[0])).await.asked();
        let other = client.call("remove_items_from_playlist", &remove(&items[1])).await.asked();
        assert!(one.text().contains("1 of the 2") && other.text().contains("1 of the 2"));
        client.answer(one, &yes()).await.done();
        not_done(&client, era, other).await;
        assert_eq!(
            bench.abs.state().playlist(&playlist).expect("the playlist is still there").items.len(),
            1,
            "{era:?}"
        );
    }
}

/// More goes into a list, or it gets another order, after somebody was asked about it.
#[tokio::test]
async fn what_was_added_meanwhile_is_not_taken_away() {
    let reversed = |books: &[String]| books.iter().rev().cloned().collect::<Vec<_>>();
    for era in ERAS {
        for tool in ["delete_collection", "update_collection"] {
            let bench = Bench::new().await;
            let server = bench.serve(&[]).await;
            let client = Client::http(&server, era, form()).await;
            let books = bench.abs.state().collection(ids::BAKER_STREET_IN_ORDER).unwrap().books.clone();
            let arguments = match tool {
                "delete_collection" => json!({"collection_id": ids::BAKER_STREET_IN_ORDER}),
                _ => json!({"collection_id": ids::BAKER_STREET_IN_ORDER, "library_item_ids": reversed(&books)}),
            };
            let question = client.call(tool, &arguments).await.asked();
            add(&server, era).await;
            let before = bench.abs.state().collection(ids::BAKER_STREET_IN_ORDER).unwrap().books.clone();
            assert_eq!(before.len(), books.len() + 1);
            not_done(&client, era, question).await;
            let after = bench.abs.state().collection(ids::BAKER_STREET_IN_ORDER).expect("still there").books.clone();
            assert_eq!(after, before, "{era:?} {tool}");
        }
    }
}

async fn add(server: &Arc<Http>, era: Era) {
    let other = Client::http(server, era, form()).await;
    let more = json!({"collection_id": ids::BAKER_STREET_IN_ORDER, "library_item_ids": [ids::EMMA]});
    other.call("add_books_to_collection", &more).await.done();
}

/// The yes leads to a fresh question where one can follow, and to a refusal where the call has to end, or, if the call
/// would not be possible any more, to an error that says so. Nothing is done in any case.
async fn not_done(client: &Client, era: Era, question: Question) {
    let step = client.answer(question, &yes()).await;
    if era == Era::Modern && matches!(step, Step::Asked(_)) {
        return;
    }
    let text = step.refused();
    assert!(text.starts_with("Nothing was changed"), "{era:?}: {text}");
}
