//! The 15 tools that write, on the stand-in or on the Audiobookshelf of `ABS_TEST_URL`: what each does is looked up in
//! Audiobookshelf itself. Whatever these tests make, they take away again, and nothing else is different afterwards.

mod bookmarks;
mod collections;
mod hostile;
mod playlists;
mod progress;
mod read_only;
mod shelf;
mod world;

use crate::listing::{reads, tools};
use serde_json::json;
use world::run;

/// Each of them once, and the result is what its schema says.
#[tokio::test]
async fn every_writing_tool_answers_as_its_schema_says() {
    run(|world| async move {
        let shelf = &world.shelf;
        let [a, b, c, d, ..] = &shelf.books[..] else { unreachable!() };
        let (name, entry) = (world.name("story"), |id: &str| json!({"library_item_id": id}));
        let mut called = Vec::new();
        let mut ok = async |tool: &'static str, arguments| {
            called.push(tool);
            world.done(tool, arguments).await
        };
        let made = json!({"library_id": shelf.library, "name": name, "library_item_ids": [a.id, b.id]});
        let collection = ok("create_collection", made).await["collection_id"].take();
        ok("add_books_to_collection", json!({"collection_id": collection, "library_item_ids": [c.id]})).await;
        ok(
            "update_collection",
            json!({"collection_id": collection, "description": "d", "library_item_ids": [c.id, a.id, b.id]}),
        )
        .await;
        ok("remove_books_from_collection", json!({"collection_id": collection, "library_item_ids": [a.id]})).await;
        ok("delete_collection", json!({"collection_id": collection})).await;

        let made = json!({"library_id": shelf.library, "name": name, "items": [entry(&a.id), entry(&b.id)]});
        let playlist = ok("create_playlist", made).await["playlist_id"].take();
        ok("add_items_to_playlist", json!({"playlist_id": playlist, "items": [entry(&c.id)]})).await;
        let order = json!([entry(&c.id), entry(&a.id), entry(&b.id)]);
        ok("update_playlist", json!({"playlist_id": playlist, "description": "d", "items": order})).await;
        ok("remove_items_from_playlist", json!({"playlist_id": playlist, "items": [entry(&a.id)]})).await;
        ok("delete_playlist", json!({"playlist_id": playlist})).await;

        let mark = json!({"library_item_id": d.id, "time": 12.5, "title": "A"});
        ok("create_bookmark", mark).await;
        ok("update_bookmark", json!({"library_item_id": d.id, "time": 12.5, "title": "B"})).await;
        ok("delete_bookmark", json!({"library_item_id": d.id, "time": 12.5})).await;
        let set = json!({"library_item_id": d.id, "progress": 0.5});
        let progress = ok("set_media_progress", set).await["media_progress_id"].take();
        ok("delete_media_progress", json!({"media_progress_id": progress})).await;

        let all = tools(&world.server).await;
        let mut writing: Vec<&str> =
            all.iter().filter(|tool| !reads(tool)).map(|tool| tool["name"].as_str().unwrap()).collect();
        writing.sort_unstable();
        called.sort_unstable();
        assert_eq!((called.len(), called), (15, writing));
    })
    .await;
}
