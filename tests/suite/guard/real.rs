//! All eight effects on things that the test made, on the stand-in or on the Audiobookshelf of `ABS_TEST_URL`, which is
//! left as it was.

use super::{no, yes};
use crate::harness::{Abs, Client, Direct, Era, Http, form};
use serde_json::{Value, json};
use std::{panic::resume_unwind, sync::Arc};

/// What may not change unless somebody said yes: everything, without the times at which it was written.
async fn kept(direct: &Direct) -> Value {
    let pick = |list: &Value, names: &[&str]| -> Vec<Value> {
        let entries = list.as_array().expect("a list").iter();
        entries.map(|entry| names.iter().map(|name| entry[*name].clone()).collect()).collect()
    };
    let (collections, playlists) = (direct.get("/api/collections").await, direct.get("/api/playlists").await);
    let me = direct.get("/api/me").await;
    let members = |list: &Value, members: &str, names: &[&str]| -> Vec<Value> {
        let entries = list.as_array().expect("a list").iter();
        entries.map(|one| json!([one["id"], one["name"], one["description"], pick(&one[members], names)])).collect()
    };
    let progress = ["id", "libraryItemId", "episodeId", "currentTime", "progress", "isFinished", "finishedAt"];
    let mut marks = pick(&me["bookmarks"], &["libraryItemId", "time", "title"]);
    marks.sort_by_key(Value::to_string);
    json!({
        "collections": members(&collections["collections"], "books", &["id"]),
        "playlists": members(&playlists["playlists"], "items", &["libraryItemId", "episodeId"]),
        "progress": pick(&me["mediaProgress"], &progress),
        "bookmarks": marks,
    })
}

/// What the test works on.
#[derive(Clone, Default)]
struct Made {
    collection: String,
    playlist: String,
    books: [String; 3],
}

/// A time that nobody would have chosen.
const TIME: f64 = 3.140_625;

impl Made {
    async fn new(direct: &Direct) -> Made {
        let me = direct.get("/api/me").await;
        let started: Vec<&Value> =
            me["mediaProgress"].as_array().unwrap().iter().map(|record| &record["libraryItemId"]).collect();
        let libraries = direct.get("/api/libraries").await;
        for library in libraries["libraries"].as_array().unwrap().iter().filter(|l| l["mediaType"] == "book") {
            let id = library["id"].as_str().unwrap();
            let items = direct.get(&format!("/api/libraries/{id}/items?limit=100")).await;
            let fresh = items["results"].as_array().unwrap().iter().map(|item| &item["id"]);
            let fresh: Vec<String> =
                fresh.filter(|id| !started.contains(id)).take(3).map(|id| id.as_str().unwrap().to_owned()).collect();
            let Ok(books) = <[String; 3]>::try_from(fresh) else { continue };
            let named = |what: &str| format!("suite-guard-{} {what}", std::process::id());
            let items: Vec<Value> = books.iter().map(|book| json!({"libraryItemId": book})).collect();
            let collection = json!({"libraryId": id, "name": named("collection"), "books": books});
            let playlist = json!({"libraryId": id, "name": named("playlist"), "items": items});
            let id = |made: Value| made["id"].as_str().expect("an id").to_owned();
            let made = Made {
                collection: id(direct.send("POST", "/api/collections", &collection).await),
                playlist: id(direct.send("POST", "/api/playlists", &playlist).await),
                books,
            };
            let progress = json!({"currentTime": 30, "duration": 600, "progress": 0.05});
            direct.send("PATCH", &format!("/api/me/progress/{}", made.books[0]), &progress).await;
            let mark = json!({"time": TIME, "title": named("bookmark")});
            direct.send("POST", &format!("/api/me/item/{}/bookmark", made.books[0]), &mark).await;
            return made;
        }
        panic!("the library for these tests needs a book library with three books that were not begun");
    }

    async fn progress_id(&self, direct: &Direct) -> Option<String> {
        let me = direct.get("/api/me").await;
        let records = me["mediaProgress"].as_array().unwrap();
        let record = records.iter().find(|record| record["libraryItemId"] == *self.books[0])?;
        Some(record["id"].as_str().unwrap().to_owned())
    }

    /// Whatever of it is still there goes.
    async fn clean(&self, direct: &Direct) {
        let mut left = vec![
            format!("/api/collections/{}", self.collection),
            format!("/api/playlists/{}", self.playlist),
            format!("/api/me/item/{}/bookmark/{TIME}", self.books[0]),
        ];
        left.extend(self.progress_id(direct).await.map(|id| format!("/api/me/progress/{id}")));
        for path in left {
            direct.ask("DELETE", &path, None).await;
        }
    }

    /// The eight calls, in an order in which each finds what it needs, and what the library must be like after each.
    fn calls(&self, progress: &str, before: &Value) -> Vec<(&'static str, Value, Value)> {
        let Made { collection, playlist, books: [a, b, c] } = self;
        let item = |id: &String| json!({"library_item_id": id});
        let mut now = before.clone();
        let mut then = |change: &dyn Fn(&mut Value)| {
            change(&mut now);
            now.clone()
        };
        let own = |kept: &mut Value, kind: &str, id: &str, members: Option<&[[Value; 1]]>| {
            let list = kept[kind].as_array_mut().unwrap();
            match members {
                Some(members) => {
                    let one = list.iter_mut().find(|one| one[0] == id).expect("it is there");
                    let width = one[3][0].as_array().unwrap().len();
                    let row = |[id]: &[Value; 1]| if width == 1 { json!([id]) } else { json!([id, null]) };
                    one[3] = members.iter().map(row).collect();
                }
                None => list.retain(|one| one[0] != id),
            }
        };
        let ids = |ids: &[&String]| -> Vec<[Value; 1]> { ids.iter().map(|id| [json!(id)]).collect() };
        let (backwards, fewer) = (ids(&[c, b, a]), ids(&[c, a]));
        vec![
            (
                "update_collection",
                json!({"collection_id": collection, "library_item_ids": [c, b, a]}),
                then(&|kept| own(kept, "collections", collection, Some(&backwards))),
            ),
            (
                "remove_books_from_collection",
                json!({"collection_id": collection, "library_item_ids": [b]}),
                then(&|kept| own(kept, "collections", collection, Some(&fewer))),
            ),
            (
                "delete_collection",
                json!({"collection_id": collection}),
                then(&|kept| own(kept, "collections", collection, None)),
            ),
            (
                "update_playlist",
                json!({"playlist_id": playlist, "items": [item(c), item(b), item(a)]}),
                then(&|kept| own(kept, "playlists", playlist, Some(&backwards))),
            ),
            (
                "remove_items_from_playlist",
                json!({"playlist_id": playlist, "items": [item(b)]}),
                then(&|kept| own(kept, "playlists", playlist, Some(&fewer))),
            ),
            ("delete_playlist", json!({"playlist_id": playlist}), then(&|kept| own(kept, "playlists", playlist, None))),
            (
                "delete_bookmark",
                json!({"library_item_id": a, "time": TIME}),
                then(&|kept| kept["bookmarks"].as_array_mut().unwrap().retain(|m| m[0] != **a || m[1] != TIME)),
            ),
            (
                "delete_media_progress",
                json!({"media_progress_id": progress}),
                then(&|kept| own(kept, "progress", progress, None)),
            ),
        ]
    }
}

async fn run(era: Era) {
    let abs = Abs::start().await;
    let direct = Arc::new(Direct::to(&abs));
    let server = Arc::new(Http::with(&abs.settings()).await);
    let before = kept(&direct).await;
    let made = Made::new(&direct).await;
    let test = {
        let (direct, made) = (Arc::clone(&direct), made.clone());
        async move {
            let client = Client::http(&server, era, form()).await;
            let progress = made.progress_id(&direct).await.expect("it was made");
            let mut now = kept(&direct).await;
            for (tool, arguments, then) in made.calls(&progress, &now) {
                let question = client.call(tool, &arguments).await.asked();
                assert_eq!(kept(&direct).await, now, "{tool} before an answer");
                assert!(client.answer(question, &no()).await.refused().contains("declined"));
                let question = client.call(tool, &arguments).await.asked();
                assert_eq!(kept(&direct).await, now, "{tool} after a no");
                let result = client.answer(question, &yes()).await.done();
                assert!(result.get("isError").is_none(), "{tool} {arguments}: {result}");
                now = kept(&direct).await;
                assert_eq!(now, then, "{tool} {arguments}");
            }
        }
    };
    let outcome = tokio::spawn(test).await;
    made.clean(&direct).await;
    if let Err(failed) = outcome {
        resume_unwind(failed.into_panic());
    }
    assert_eq!(kept(&direct).await, before, "it is left as it was");
}

#[tokio::test]
async fn asked_at_the_end_of_a_call() {
    run(Era::Modern).await;
}

#[tokio::test]
async fn asked_while_the_call_waits() {
    run(Era::Legacy("2025-11-25")).await;
}
