//! Nothing happens before the yes, and exactly the named thing after it.

use super::{
    Bench,
    effects::{self, Effect, Kept},
    no, together, tokens,
    ways::{DIALOGS, How, TOKENS, Way},
    yes,
};
use crate::harness::{Client, Era, Step};
use serde_json::{Value, json};
use standin::ids;

/// Asks about each effect, says yes, and looks at what is there then.
async fn walk(way: &Way) -> usize {
    let bench = Bench::new().await;
    let client = way.client(&bench).await;
    let effects = effects::all();
    for effect in &effects {
        let name = format!("{way:?} {}", effect.tool);
        bench.reset();
        let result = approve(way, effect, &client, &bench).await;
        assert!(result.get("isError").is_none(), "{name}: {result}");
        assert_eq!(bench.writes(), effect.writes, "{name}");
        let mut expected = bench.before.clone();
        (effect.change)(&mut expected);
        assert!(expected != bench.before, "{name} changes something");
        assert_eq!(Kept::of(&bench.abs), expected, "{name}");
    }
    effects.len()
}

async fn approve(way: &Way, effect: &Effect, client: &Client, bench: &Bench) -> Value {
    let name = format!("{way:?} {} before the yes", effect.tool);
    match way.how {
        How::Retry | How::Push => {
            let question = effect.ask(client).await;
            is_one_choice(&question.params, way.era);
            bench.untouched(&name);
            client.answer(question, &yes()).await.done()
        }
        How::TokenOfClient | How::TokenOfOperator => {
            let token = tokens::first_call(effect, client, way.how).await;
            bench.untouched(&name);
            client.call(effect.tool, &tokens::with(&effect.arguments, &token)).await.done()
        }
    }
}

/// One required choice between two texts: other forms are drawn wrong or hang some client.
#[track_caller]
fn is_one_choice(params: &Value, era: Era) {
    let schema = &params["requestedSchema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["decision"]));
    assert_eq!(schema["properties"].as_object().map(|properties| properties.len()), Some(1));
    let field = &schema["properties"]["decision"];
    assert_eq!((&field["type"], &field["enum"]), (&json!("string"), &json!(["no", "yes"])));
    assert!(field.get("default").is_none(), "nothing is chosen beforehand");
    let mode = if era == Era::Legacy("2025-06-18") { Value::Null } else { json!("form") };
    assert_eq!(params["mode"], mode, "{params}");
}

#[tokio::test]
async fn in_a_dialog() {
    let shown = together(DIALOGS.iter().map(walk)).await;
    println!("{} approvals in a dialog", shown.into_iter().sum::<usize>());
}

#[tokio::test]
async fn with_a_token() {
    let shown = together(TOKENS.iter().map(walk)).await;
    println!("{} approvals with a token", shown.into_iter().sum::<usize>());
}

/// What the argument takes away is what is asked about, and not the name of the tool.
#[tokio::test]
async fn names_and_descriptions_ask_nothing_and_lists_do() {
    together(DIALOGS.iter().chain(&TOKENS).map(|way| async move {
        let bench = Bench::new().await;
        let client = way.client(&bench).await;
        for (tool, base) in [
            ("update_collection", json!({"collection_id": ids::BAKER_STREET_IN_ORDER})),
            ("update_playlist", json!({"playlist_id": ids::HOSTILE_PLAYLIST})),
        ] {
            for texts in [
                json!({"name": "Another name"}),
                json!({"description": "Other words"}),
                json!({"name": "A third name", "description": "More words"}),
            ] {
                bench.abs.clear_requests();
                let mut arguments = base.clone();
                arguments.as_object_mut().unwrap().extend(texts.as_object().unwrap().clone());
                let result = client.call(tool, &arguments).await.done();
                assert!(result.get("isError").is_none(), "{way:?} {tool} {texts}: {result}");
                assert_eq!(bench.writes().len(), 1, "{way:?} {tool} {texts}");

                // The same call with a list.
                let (renamed, effect) = (Kept::of(&bench.abs), effects::of(tool));
                bench.abs.clear_requests();
                arguments.as_object_mut().unwrap().extend(effect.arguments.as_object().unwrap().clone());
                match client.call(tool, &arguments).await {
                    Step::Asked(question) => {
                        effect.is_asked_in(question.text());
                        if way.how == How::Push {
                            client.answer(*question, &no()).await.refused();
                        }
                    }
                    step => effect.is_asked_in(&step.refused()),
                }
                assert_eq!((bench.writes(), Kept::of(&bench.abs)), (vec![], renamed), "{way:?} {tool} {texts}");
            }
        }
    }))
    .await;
}

/// An order together with a name and a description is one approval, and all of it happens.
#[tokio::test]
async fn a_list_with_a_name_is_one_question() {
    let bench = Bench::new().await;
    let client = DIALOGS[0].client(&bench).await;
    let arguments = json!({"collection_id": ids::BAKER_STREET_IN_ORDER, "name": "Backwards", "description": "By age",
        "library_item_ids": effects::BAKER_STREET_BACKWARDS});
    let question = client.call("update_collection", &arguments).await.asked();
    bench.untouched("before the yes");
    client.answer(question, &yes()).await.done();
    let mut expected = bench.before.clone();
    let changed = expected.collection(ids::BAKER_STREET_IN_ORDER);
    changed.books.reverse();
    (changed.name, changed.description) = ("Backwards".into(), Some("By age".into()));
    assert_eq!(Kept::of(&bench.abs), expected);
    assert_eq!(bench.writes().len(), 1);
}

/// Audiobookshelf deletes a playlist with its last entry: the question says so, and so does the result.
#[tokio::test]
async fn the_last_entry_takes_the_playlist_with_it() {
    let bench = Bench::new().await;
    let client = DIALOGS[0].client(&bench).await;
    let all = json!({"playlist_id": ids::HOSTILE_PLAYLIST,
        "items": [{"library_item_id": ids::INJECTION}, {"library_item_id": ids::MARKUP}]});
    let question = client.call("remove_items_from_playlist", &all).await.asked();
    assert!(question.text().contains("deletes the playlist itself"), "{}", question.text());
    bench.untouched("before the yes");
    let result = client.answer(question, &yes()).await.done();
    assert_eq!(result["structuredContent"]["playlist_deleted"], true, "{result}");
    let mut expected = bench.before.clone();
    expected.playlists.retain(|playlist| playlist.id != ids::HOSTILE_PLAYLIST);
    assert_eq!(Kept::of(&bench.abs), expected);
}
