//! Collections: the order that results is the order asked for.

use super::world::{World, run};
use serde_json::{Value, json};

/// A collection of these books, made by the tool.
async fn made(world: &World, books: &[&str]) -> Value {
    let arguments =
        json!({"library_id": world.shelf.library, "name": world.name("collection"), "library_item_ids": books});
    world.ok("create_collection", arguments).await["collection_id"].take()
}

async fn holds(world: &World, collection: &Value, books: &[&str]) {
    assert_eq!(world.books_of(collection).await.as_deref().unwrap(), books);
}

#[tokio::test]
async fn each_tool_leaves_the_order_asked_for() {
    run(|world| async move {
        let [a, b, c, d, e, f] = world.shelf.book_ids()[..] else { unreachable!() };
        // Neither the order of the database nor its reverse.
        let id = made(&world, &[d, a, c]).await;
        holds(&world, &id, &[d, a, c]).await;
        let add = async |books: &[&str]| {
            world.ok("add_books_to_collection", json!({"collection_id": id, "library_item_ids": books})).await
        };
        assert_eq!(add(&[f, b]).await["num_books"], 5);
        holds(&world, &id, &[d, a, c, f, b]).await;
        let gone = json!({"collection_id": id, "library_item_ids": [a, d]});
        let result = world.approved("remove_books_from_collection", gone).await;
        assert_eq!((&result["num_books"], result["removed"].as_array().map(Vec::len)), (&json!(3), Some(2)));
        holds(&world, &id, &[c, f, b]).await;
        add(&[e, a]).await;
        holds(&world, &id, &[c, f, b, e, a]).await;
        // Another client's removal, by a route that this server does not use.
        let path = format!("/api/collections/{}/batch/remove", id.as_str().unwrap());
        world.direct.send("POST", &path, &json!({"books": [c, f, b]})).await;
        add(&[d, c]).await;
        holds(&world, &id, &[e, a, d, c]).await;
        let order = json!({"collection_id": id, "library_item_ids": [c, a, d, e]});
        assert_eq!(world.approved("update_collection", order).await["changed"], json!(["order"]));
        holds(&world, &id, &[c, a, d, e]).await;
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_added_is_named_and_the_rest_is_in_order() {
    run(|world| async move {
        let shelf = &world.shelf;
        let [a, b, c, ..] = shelf.book_ids()[..] else { unreachable!() };
        let id = made(&world, &[b]).await;
        let wanted = [c, b, &shelf.podcast, standin::ids::UNKNOWN, a];
        let result =
            world.ok("add_books_to_collection", json!({"collection_id": id, "library_item_ids": wanted})).await;
        assert_eq!((&result["added"], &result["num_books"]), (&json!([c, a]), &json!(3)));
        let skipped: Vec<&Value> =
            result["skipped"].as_array().unwrap().iter().map(|one| &one["library_item_id"]).collect();
        assert_eq!(skipped, [b, &shelf.podcast, standin::ids::UNKNOWN]);
        holds(&world, &id, &[b, c, a]).await;
    })
    .await;
}

#[tokio::test]
async fn texts_change_without_the_order_and_the_order_without_the_texts() {
    run(|world| async move {
        let [a, b, ..] = world.shelf.book_ids()[..] else { unreachable!() };
        let id = made(&world, &[b, a]).await;
        let found = async || world.direct.get(&format!("/api/collections/{}", id.as_str().unwrap())).await;
        let name = world.name("renamed");
        let texts = json!({"collection_id": id, "name": name, "description": "two\nlines"});
        world.ok("update_collection", texts).await;
        let after = found().await;
        assert_eq!((&after["name"], &after["description"]), (&json!(name), &json!("two\nlines")));
        holds(&world, &id, &[b, a]).await;
        world.approved("update_collection", json!({"collection_id": id, "library_item_ids": [a, b]})).await;
        assert_eq!(found().await["name"], name);
        world.ok("update_collection", json!({"collection_id": id, "description": ""})).await;
        assert!(found().await["description"].as_str().is_none_or(str::is_empty));
        // Another set of books is no order, and ABS would answer 200 to it.
        for books in [json!([a]), json!([a, b, world.shelf.books[2].id]), json!([a, world.shelf.podcast])] {
            let text = world
                .server
                .error("update_collection", json!({"collection_id": id, "name": "x", "library_item_ids": books}))
                .await;
            assert!(text.contains("exactly the 2 book(s)"), "{text}");
        }
        assert_eq!(found().await["name"], name);
        holds(&world, &id, &[a, b]).await;
    })
    .await;
}

#[tokio::test]
async fn an_emptied_collection_stays_and_a_deleted_one_leaves_its_books() {
    run(|world| async move {
        let [a, b, ..] = world.shelf.book_ids()[..] else { unreachable!() };
        let id = made(&world, &[a, b]).await;
        let all = json!({"collection_id": id, "library_item_ids": [a, b]});
        assert_eq!(world.approved("remove_books_from_collection", all.clone()).await["num_books"], 0);
        holds(&world, &id, &[]).await;
        world.ok("add_books_to_collection", json!({"collection_id": id, "library_item_ids": [b, a]})).await;
        holds(&world, &id, &[b, a]).await;
        assert_eq!(world.approved("delete_collection", json!({"collection_id": id})).await["deleted"], true);
        assert_eq!(world.books_of(&id).await, None);
        for book in [a, b] {
            assert_eq!(world.direct.get(&format!("/api/items/{book}")).await["id"], book);
        }
    })
    .await;
}
