//! Bookmarks, which item and time together identify.

use super::world::run;
use serde_json::json;

/// ABS renames a bookmark that is made a second time, so of calls at the same moment only one may get through.
#[tokio::test]
async fn made_once_by_many_at_once() {
    run(|world| async move {
        let book = &world.shelf.books[0];
        for time in [3, 5, 7] {
            let make = async |title: &str| {
                let arguments = json!({"library_item_id": book.id, "time": time, "title": title});
                let failed = world.server.call("create_bookmark", arguments).await["isError"] == true;
                (!failed).then(|| title.to_owned())
            };
            let (a, b, c, d) = tokio::join!(make("a"), make("b"), make("c"), make("d"));
            let made: Vec<String> = [a, b, c, d].into_iter().flatten().collect();
            let [title] = made.as_slice() else { panic!("at {time}: {made:?}") };
            assert!(world.bookmarks_of(&book.id).await.contains(&(f64::from(time), title.clone())), "{title}");
        }
    })
    .await;
}

#[tokio::test]
async fn made_renamed_and_deleted_at_exactly_that_time() {
    run(|world| async move {
        let book = &world.shelf.books[0];
        let at = |time: f64, title: &str| json!({"library_item_id": book.id, "time": time, "title": title});
        let mut wanted = Vec::new();
        let odd = "«½» 📖 \"quoted\" <b>";
        for (time, title) in [(0.0, "start"), (12.5, odd), (12.0, "near"), (book.duration, "end")] {
            assert_eq!(world.ok("create_bookmark", at(time, title)).await["time"], time);
            wanted.push((time, title.to_owned()));
            assert_eq!(world.bookmarks_of(&book.id).await, wanted);
        }
        // ABS would replace the title.
        let text = world.server.error("create_bookmark", at(12.5, "other")).await;
        assert!(text.contains("there is a bookmark at 12.5 seconds already"), "{text}");
        world.ok("update_bookmark", at(12.5, "new")).await;
        wanted[1].1 = "new".into();
        assert_eq!(world.bookmarks_of(&book.id).await, wanted);
        for none in [at(12.4, "x"), at(13.0, "x")] {
            let text = world.server.error("update_bookmark", none).await;
            assert!(text.contains("there are bookmarks at 0, 12, 12.5"), "{text}");
        }
        for left in [3, 2, 1, 0] {
            let (time, _) = wanted.remove(0);
            let one = json!({"library_item_id": book.id, "time": time});
            assert_eq!(world.approved("delete_bookmark", one).await["bookmarks_left"], left);
            assert_eq!(world.bookmarks_of(&book.id).await, wanted);
        }
        let text = world.server.error("delete_bookmark", json!({"library_item_id": book.id, "time": 12.5})).await;
        assert!(text.starts_with("Nothing was changed") && !text.contains("confirm_token"), "{text}");
        let text = world.server.error("create_bookmark", at(book.duration + 1.0, "x")).await;
        assert!(text.contains("beyond the end"), "{text}");
        assert_eq!(world.bookmarks_of(&book.id).await, []);
    })
    .await;
}
