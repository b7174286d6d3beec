//! Playlists, of books and of episodes: the order that results is the order asked for.

use super::world::{World, run};
use serde_json::{Value, json};

/// Entries of a library, to be put into order.
fn kinds(world: &World) -> [(&str, Vec<Value>); 2] {
    let shelf = &world.shelf;
    let episodes =
        shelf.episodes.iter().map(|episode| json!({"library_item_id": shelf.podcast, "episode_id": episode.id}));
    let other = json!({"library_item_id": shelf.other_podcast, "episode_id": shelf.other_episode});
    let books = shelf.book_ids().into_iter().map(|book| json!({"library_item_id": book})).collect();
    [(&shelf.library, books), (&shelf.podcasts, episodes.take(3).chain([other]).collect())]
}

async fn made(world: &World, library: &str, items: &[&Value]) -> Value {
    let arguments = json!({"library_id": library, "name": world.name("playlist"), "items": items});
    world.ok("create_playlist", arguments).await["playlist_id"].take()
}

async fn holds(world: &World, playlist: &Value, items: &[&Value]) {
    assert_eq!(world.entries_of(playlist).await.unwrap().iter().collect::<Vec<_>>(), items);
}

/// As ABS wants it.
fn upstream(items: &[&Value]) -> Value {
    let entry = |item: &&Value| json!({"libraryItemId": item["library_item_id"], "episodeId": item["episode_id"]});
    json!({"items": items.iter().map(entry).collect::<Vec<_>>()})
}

#[tokio::test]
async fn each_tool_leaves_the_order_asked_for() {
    run(|world| async move {
        for (library, entries) in kinds(&world) {
            let [a, b, c, d, ..] = &entries[..] else { unreachable!() };
            let id = made(&world, library, &[d, a]).await;
            holds(&world, &id, &[d, a]).await;
            let add = async |items: &[&Value]| {
                world.ok("add_items_to_playlist", json!({"playlist_id": id, "items": items})).await
            };
            assert_eq!(add(&[c, b]).await["num_items"], 4);
            holds(&world, &id, &[d, a, c, b]).await;
            let result =
                world.approved("remove_items_from_playlist", json!({"playlist_id": id, "items": [a, d]})).await;
            assert_eq!((&result["removed"], &result["num_items"]), (&json!(2), &json!(2)));
            holds(&world, &id, &[c, b]).await;
            add(&[a, d]).await;
            holds(&world, &id, &[c, b, a, d]).await;
            // Another client's removal leaves gaps, after which ABS puts new entries before old ones.
            let path = format!("/api/playlists/{}/batch/remove", id.as_str().unwrap());
            world.direct.send("POST", &path, &upstream(&[c, b])).await;
            let result = add(&[b, c]).await;
            assert!(result["note"].as_str().is_some_and(|note| note.contains("moved to the end")), "{result}");
            holds(&world, &id, &[a, d, b, c]).await;
            let order = json!({"playlist_id": id, "items": [c, a, d, b]});
            assert_eq!(world.approved("update_playlist", order).await["updated"], json!(["items"]));
            holds(&world, &id, &[c, a, d, b]).await;
            let again = add(&[b, a]).await;
            assert_eq!((&again["added"], again["skipped"].as_array().map(Vec::len)), (&json!(0), Some(2)));
            holds(&world, &id, &[c, a, d, b]).await;
        }
    })
    .await;
}

#[tokio::test]
async fn texts_change_without_the_order_and_a_refused_order_changes_no_text() {
    run(|world| async move {
        for (library, entries) in kinds(&world) {
            let [a, b, c, ..] = &entries[..] else { unreachable!() };
            let id = made(&world, library, &[b, a]).await;
            let found = async || world.direct.get(&format!("/api/playlists/{}", id.as_str().unwrap())).await;
            let name = world.name("renamed");
            world.ok("update_playlist", json!({"playlist_id": id, "name": name, "description": "d"})).await;
            let after = found().await;
            assert_eq!((&after["name"], &after["description"]), (&json!(name), &json!("d")));
            holds(&world, &id, &[b, a]).await;
            // ABS would save the name and refuse, or answer 200 and move what was left out to the front.
            for items in [json!([a]), json!([a, b, c]), json!([a, c])] {
                let text = world
                    .server
                    .error("update_playlist", json!({"playlist_id": id, "name": world.name("no"), "items": items}))
                    .await;
                assert!(text.contains("exactly the 2 present entries"), "{text}");
            }
            let both = json!({"playlist_id": id, "description": "e", "items": [a, b]});
            world.approved("update_playlist", both).await;
            let after = found().await;
            assert_eq!((&after["name"], &after["description"]), (&json!(name), &json!("e")));
            holds(&world, &id, &[a, b]).await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_last_entry_takes_the_playlist_with_it_and_a_deleted_one_leaves_its_media() {
    run(|world| async move {
        for (library, entries) in kinds(&world) {
            let [a, b, ..] = &entries[..] else { unreachable!() };
            let empty = json!({"library_id": library, "name": world.name("empty")});
            let id = world.ok("create_playlist", empty).await["playlist_id"].take();
            holds(&world, &id, &[]).await;
            world.ok("add_items_to_playlist", json!({"playlist_id": id, "items": [b, a]})).await;
            holds(&world, &id, &[b, a]).await;
            let result =
                world.approved("remove_items_from_playlist", json!({"playlist_id": id, "items": [a, b]})).await;
            assert_eq!((&result["num_items"], &result["playlist_deleted"]), (&json!(0), &json!(true)));
            assert_eq!(world.entries_of(&id).await, None);

            let id = made(&world, library, &[a]).await;
            assert_eq!(world.approved("delete_playlist", json!({"playlist_id": id})).await["deleted"], true);
            assert_eq!(world.entries_of(&id).await, None);
            for entry in [a, b] {
                let item = entry["library_item_id"].as_str().unwrap();
                assert_eq!(world.direct.get(&format!("/api/items/{item}")).await["id"], item);
            }
        }
    })
    .await;
}
