//! Well-formed ids that do not belong together: ABS takes many of them, and exits then or later.

use super::{Attempts, Bench, bench::UNKNOWN};
use crate::writes::world::{World, run};
use serde_json::{Value, json};

fn book(id: &str) -> Value {
    json!({"library_item_id": id})
}

fn episode(podcast: &str, id: &str) -> Value {
    json!({"library_item_id": podcast, "episode_id": id})
}

/// Lists that fit into no playlist, each with why.
fn misfits(world: &World) -> Vec<(&'static str, Value)> {
    let shelf = &world.shelf;
    let (p, q, f) = (&shelf.podcast, &shelf.other_podcast, &shelf.other_episode);
    let [.., c, _, _] = shelf.book_ids()[..] else { unreachable!() };
    let [e, g, ..] = &shelf.episodes[..] else { unreachable!() };
    vec![
        ("a podcast without an episode", json!([book(p)])),
        ("two podcasts without episodes", json!([book(p), book(q)])),
        ("an episode of another podcast", json!([episode(p, f)])),
        ("an episode of another podcast, the other way round", json!([episode(q, &e.id)])),
        ("an unknown episode", json!([episode(p, UNKNOWN)])),
        ("a podcast as its own episode", json!([episode(p, p)])),
        ("an episode of a book", json!([episode(c, &e.id)])),
        ("an unknown episode of a book", json!([episode(c, UNKNOWN)])),
        ("an episode in place of an item", json!([book(&e.id)])),
        ("a book and an episode", json!([book(c), episode(p, &g.id)])),
        ("an episode and its podcast", json!([episode(p, &g.id), book(p)])),
        ("an unknown item", json!([book(UNKNOWN)])),
        ("an unknown item behind a good one", json!([book(c), book(UNKNOWN)])),
        ("an unknown episode behind a good one", json!([episode(p, &g.id), episode(p, UNKNOWN)])),
        ("an item in capitals", json!([book(&c.to_uppercase())])),
        ("an episode in capitals", json!([episode(p, &e.id.to_uppercase())])),
        ("an episode of a podcast in capitals", json!([episode(&p.to_uppercase(), &e.id)])),
        ("a library", json!([book(&shelf.library)])),
        ("words", json!([book("constructor"), book("null")])),
    ]
}

/// Reading them all is what kills an ABS with a podcast among the entries.
async fn playlists(world: &World) -> Value {
    let mut lists = Vec::new();
    for list in world.direct.get("/api/playlists").await["playlists"].as_array().unwrap() {
        lists.push(json!([list["id"], list["name"], list["description"], world.entries_of(&list["id"]).await]));
    }
    lists.into()
}

#[tokio::test]
async fn playlists_take_nothing_that_does_not_fit() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let (bench, shelf, name) = (Bench::new(&world).await, &world.shelf, world.name("no"));
        let before = playlists(&world).await;
        let (of_books, of_episodes) = ([&bench.books, &bench.empty_books], [&bench.episodes, &bench.empty_episodes]);
        for (why, items) in misfits(&world) {
            for library in [&shelf.library, &shelf.podcasts, &UNKNOWN.to_owned()] {
                let arguments = json!({"library_id": library, "name": name, "items": items});
                attempts.refused("create_playlist", &arguments, "").await;
            }
            for playlist in of_books.into_iter().chain(of_episodes) {
                let mut arguments = json!({"playlist_id": playlist, "items": items});
                attempts.refused("add_items_to_playlist", &arguments, "").await;
                attempts.refused("remove_items_from_playlist", &arguments, "").await;
                attempts.refused("update_playlist", &arguments, "").await;
                // ABS saves the name even when it refuses the list.
                arguments["name"] = json!(name);
                attempts.refused("update_playlist", &arguments, "").await;
            }
            assert_eq!(playlists(&world).await, before, "{why}");
        }
        let foreign =
            [(of_books, episode(&shelf.podcast, &shelf.episodes[2].id)), (of_episodes, book(&shelf.books[2].id))];
        for (lists, entry) in foreign {
            for playlist in lists {
                for tool in ["add_items_to_playlist", "remove_items_from_playlist", "update_playlist"] {
                    attempts.refused(tool, &json!({"playlist_id": playlist, "items": [entry]}), "").await;
                }
            }
        }
        for wrong in [&bench.collection, &shelf.library, &shelf.podcast, &bench.progress] {
            for tool in ["add_items_to_playlist", "remove_items_from_playlist", "update_playlist", "delete_playlist"] {
                let mut arguments = json!({"playlist_id": wrong});
                if tool != "delete_playlist" {
                    arguments["items"] = json!([book(&shelf.books[0].id)]);
                }
                attempts.refused(tool, &arguments, "no such playlist").await;
            }
        }
        assert_eq!(playlists(&world).await, before);
        attempts.end(300);
    })
    .await;
}

async fn collections(world: &World) -> Value {
    let mut all = Vec::new();
    for one in world.direct.get("/api/collections").await["collections"].as_array().unwrap() {
        all.push(json!([one["id"], one["name"], one["description"], world.books_of(&one["id"]).await]));
    }
    all.into()
}

#[tokio::test]
async fn collections_take_nothing_but_books_of_their_library() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let (bench, shelf, name) = (Bench::new(&world).await, &world.shelf, world.name("no"));
        let [a, b, c, ..] = shelf.book_ids()[..] else { unreachable!() };
        let (podcast, other, episode) = (&shelf.podcast, &shelf.other_podcast, &shelf.episodes[0].id);
        let before = collections(&world).await;
        let upper = a.to_uppercase();
        for books in [
            // Removing this one kills an ABS.
            json!([podcast]),
            json!([podcast, other]),
            json!([episode]),
            json!([UNKNOWN]),
            json!([upper]),
            json!([shelf.library]),
            json!([bench.collection, bench.books]),
            json!(["constructor", "__proto__", "null"]),
        ] {
            let arguments = json!({"collection_id": bench.collection, "library_item_ids": books});
            attempts.refused("add_books_to_collection", &arguments, "").await;
            attempts.refused("remove_books_from_collection", &arguments, "").await;
            attempts.refused("update_collection", &arguments, "exactly the 2 book(s)").await;
            for library in [&shelf.library, &shelf.podcasts, &UNKNOWN.to_owned()] {
                let arguments = json!({"library_id": library, "name": name, "library_item_ids": books});
                attempts.refused("create_collection", &arguments, "").await;
            }
        }
        // Among good ones. What adds skips them, so it is not tried here.
        for stranger in [podcast.as_str(), episode, UNKNOWN, c] {
            let arguments = json!({"collection_id": bench.collection, "library_item_ids": [a, stranger, b]});
            attempts.refused("update_collection", &arguments, "exactly the 2 book(s)").await;
            attempts.refused("remove_books_from_collection", &arguments, stranger).await;
            if stranger != c {
                let arguments =
                    json!({"library_id": shelf.library, "name": name, "library_item_ids": [a, stranger, b]});
                attempts.refused("create_collection", &arguments, stranger).await;
            }
        }
        let mixed = json!({"library_id": shelf.podcasts, "name": name, "library_item_ids": [a]});
        attempts.refused("create_collection", &mixed, "podcast library").await;
        for wrong in [&bench.books, &shelf.library, &shelf.podcast, &bench.progress] {
            for tool in ["add_books_to_collection", "remove_books_from_collection", "update_collection"] {
                attempts
                    .refused(tool, &json!({"collection_id": wrong, "library_item_ids": [a]}), "no such collection")
                    .await;
            }
            attempts.refused("delete_collection", &json!({"collection_id": wrong}), "no such collection").await;
        }
        assert_eq!(collections(&world).await, before);
        attempts.end(75);
    })
    .await;
}

#[tokio::test]
async fn progress_and_bookmarks_of_what_is_none() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let (bench, shelf) = (Bench::new(&world).await, &world.shelf);
        let (a, d) = (&shelf.books[0].id, &shelf.books[3].id);
        let (p, q, f) = (&shelf.podcast, &shelf.other_podcast, &shelf.other_episode);
        let e = &shelf.episodes[0].id;
        let before = world.direct.get("/api/me").await;
        let set = |item: &str, episode: Option<&str>| {
            json!({"library_item_id": item, "episode_id": episode, "current_time": 5})
        };
        for (arguments, part) in [
            (set(p, None), "episode_id: is missing"),
            (set(a, Some(e)), "book"),
            (set(a, Some(UNKNOWN)), "book"),
            (set(p, Some(f)), "no such episode"),
            (set(q, Some(e)), "no such episode"),
            (set(p, Some(UNKNOWN)), "no such episode"),
            (set(p, Some(p)), "no such episode"),
            (set(p, Some(a)), "no such episode"),
            (set(UNKNOWN, None), "no such item"),
            (set(UNKNOWN, Some(e)), ""),
            (set(e, None), "no such item"),
            (set(&a.to_uppercase(), None), "no such item"),
            (set(p, Some(&e.to_uppercase())), "no such episode"),
            (set(&bench.progress, None), "no such item"),
            (set(&shelf.library, None), "no such item"),
        ] {
            attempts.refused("set_media_progress", &arguments, part).await;
        }
        for id in [a, d, p, e, &shelf.library, &bench.collection, UNKNOWN, &bench.progress.to_uppercase()] {
            attempts.refused("delete_media_progress", &json!({"media_progress_id": id}), "media_progress_id").await;
        }
        for item in [e.as_str(), UNKNOWN, &a.to_uppercase(), &shelf.library, &bench.books] {
            for time in [0.0, 7.0, 1e9] {
                let mark = json!({"library_item_id": item, "time": time, "title": "x"});
                attempts.refused("create_bookmark", &mark, "no such item").await;
                attempts.refused("update_bookmark", &mark, "no bookmark").await;
                let mark = json!({"library_item_id": item, "time": time});
                attempts.refused("delete_bookmark", &mark, "no bookmark").await;
            }
        }
        for (item, episode) in [(a, e), (p, f), (q, e), (p, p), (a, a)] {
            let arguments = json!({"library_item_id": item, "episode_id": episode});
            assert!(attempts.once("get_podcast_episode", &arguments).await.is_err(), "{arguments}");
        }
        assert!(attempts.once("get_item_chapters", &json!({"library_item_id": p})).await.is_err());
        assert!(attempts.once("get_media_progress", &json!({"library_item_id": a, "episode_id": e})).await.is_ok());
        let after = world.direct.get("/api/me").await;
        assert_eq!((&after["mediaProgress"], &after["bookmarks"]), (&before["mediaProgress"], &before["bookmarks"]));
        attempts.end(75);
    })
    .await;
}

/// ABS itself lets an episode into a playlist of books, and exits on the next book that is added.
#[tokio::test]
async fn what_another_client_has_mixed() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let (bench, shelf) = (Bench::new(&world).await, &world.shelf);
        let [a, b, c, ..] = shelf.book_ids()[..] else { unreachable!() };
        let (p, e) = (shelf.podcast.as_str(), shelf.episodes[0].id.as_str());
        let path = format!("/api/playlists/{}/batch/add", bench.books);
        world.direct.send("POST", &path, &json!({"items": [{"libraryItemId": p, "episodeId": e}]})).await;
        let holds = async |entries: &[Value]| {
            assert_eq!(world.entries_of(&json!(bench.books)).await.as_deref(), Some(entries));
        };
        let with = |items: Value| json!({"playlist_id": bench.books, "items": items});
        let (a, b, c, e) = (book(a), book(b), book(c), episode(p, e));
        attempts.refused("add_items_to_playlist", &with(json!([c])), "podcast episodes").await;
        let second = episode(p, &shelf.episodes[1].id);
        attempts.refused("add_items_to_playlist", &with(json!([second])), "").await;
        holds(&[a.clone(), b.clone(), e.clone()]).await;
        drop(attempts.once("get_playlist", &json!({"playlist_id": bench.books})).await.expect("it can be read"));
        drop(attempts.call("update_playlist", &with(json!([e, b, a]))).await);
        drop(attempts.call("update_playlist", &json!({"playlist_id": bench.books, "description": "mixed"})).await);
        attempts.call("remove_items_from_playlist", &with(json!([a]))).await.expect("a book can be taken out");
        attempts.call("remove_items_from_playlist", &with(json!([e]))).await.expect("and the episode");
        holds(std::slice::from_ref(&b)).await;
        attempts.call("add_items_to_playlist", &with(json!([c]))).await.expect("then it is one of books again");
        holds(&[b, c]).await;
        attempts.end(11);
    })
    .await;
}

/// ABS stores a position of any type.
#[tokio::test]
async fn what_another_client_has_stored_for_a_number() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let book = &world.shelf.books[0];
        for position in [json!("abc"), json!("120"), json!(-5), json!(1e9), json!({"a": 1}), json!(null)] {
            world.forget_progress(&book.id, None).await;
            let at = json!({"currentTime": 30, "duration": book.duration, "progress": 0.1});
            let path = format!("/api/me/progress/{}", book.id);
            world.direct.send("PATCH", &path, &at).await;
            world.direct.send("PATCH", &path, &json!({"currentTime": position, "duration": position})).await;
            let item = json!({"library_item_id": book.id});
            for (tool, arguments) in
                [("get_media_progress", &item), ("get_library_item", &item), ("list_items_in_progress", &json!({}))]
            {
                assert!(attempts.once(tool, arguments).await.is_ok(), "{tool} with {position}");
            }
            let set = json!({"library_item_id": book.id, "current_time": book.duration / 2.0, "is_finished": false});
            let outcome = attempts.call("set_media_progress", &set).await;
            assert!(outcome.is_ok(), "{position}: {outcome:?}");
            let stored = world.progress_of(&book.id, None).await;
            assert_eq!(stored.len(), 1);
            assert_eq!(
                (stored[0]["currentTime"].as_f64(), stored[0]["isFinished"].as_bool()),
                (Some(book.duration / 2.0), Some(false)),
                "{position}"
            );
            let id = json!({"media_progress_id": stored[0]["id"]});
            assert!(attempts.call("delete_media_progress", &id).await.is_ok());
        }
        attempts.end(36);
    })
    .await;
}
