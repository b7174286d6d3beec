//! A new collection. ABS refuses the whole of it for a single wrong book and does not say for which one.

use super::super::param::{DESCRIPTION, LIBRARY_ID, NAME, Param};
use super::super::tool::{FieldKind::*, Tool, field};
use super::super::{Args, Context, Hints, Outcome};
use super::{BOOKS, TIME_MS, book_ids, name, told};
use crate::abs::Failure;
use crate::keep;
use crate::shape::{Keep, Record, at};
use policy::table;
use serde_json::json;

pub(super) static CREATE_COLLECTION: Tool = Tool {
    name: "create_collection",
    title: "Create a collection",
    description: "Makes a collection, shared by all users of the library, of at least one book, in the order given. \
                  One id that is no book of that library, and nothing is created.",
    params: &[LIBRARY_ID, NAME, DESCRIPTION, Param::ids(BOOKS, "")],
    output: &[
        field("collection_id", Text),
        field("name", Text),
        field("num_books", Integer),
        field("library_item_ids", Texts),
    ],
    hints: Hints { destructive: false, idempotent: false },
    routes: &[&table::CREATE_COLLECTION, &table::UPDATE_COLLECTION, &table::GET_LIBRARY, &table::GET_ITEM],
    narrower: "get_collection",
    run: |context, args| create(context, args),
};

fn create(context: &Context<'_>, args: &Args) -> Outcome {
    let (library, name) = (args.text("library_id"), args.text("name"));
    let wanted = args.ids(BOOKS).unwrap_or_default();
    let mut body = json!({"libraryId": library, "name": name, "books": wanted});
    if let Some(description) = args.text_if("description").filter(|text| !text.is_empty()) {
        body["description"] = description.into();
    }
    let reply = match context.send(&table::CREATE_COLLECTION, &[], &body) {
        Ok(reply) => reply,
        Err(failure) => return Err(explained(context, library, wanted, failure)),
    };
    let id = at(&reply, "id").as_str().unwrap_or_default();
    let mut books = book_ids(&reply);
    if books != wanted && policy::valid_id(id) {
        // Of a collection that is a moment old, nobody's order is lost.
        if let Ok(sorted) = context.send(&table::UPDATE_COLLECTION, &[id], &json!({"books": wanted})) {
            books = book_ids(&sorted);
        }
    }
    let record = Record::new().put("collection_id", id).put("num_books", books.len());
    let as_wanted = books == wanted;
    let record = if as_wanted { record } else { record.put("library_item_ids", books) };
    Ok(name::answer(record, &reply, Some(name)).note_if(
        !as_wanted,
        "It was created, but Audiobookshelf shows it with other books or in another order than asked: see library_item_ids.",
    ))
}

fn explained(context: &Context<'_>, library: &str, wanted: &[String], failure: Failure) -> Failure {
    match failure {
        Failure::Status { status: 403, .. } => Failure::message(
            "Nothing was changed: the user whose API key this is lacks Audiobookshelf's permission to update, which creating \
             a collection needs, or may not see that library. An administrator can change both.",
        ),
        Failure::Status { status: 400, text: Some(text), .. } if text == "Invalid collection data" => {
            Failure::message(name::NOTHING_LEFT)
        }
        Failure::Status { status: 400, .. } => match wrong(context, library, wanted) {
            Some(wrong) => Failure::message(format!("Nothing was changed: {wrong}")),
            None => told(failure, "list_collections"),
        },
        failure => told(failure, "list_collections"),
    }
}

/// What about the library or the books made ABS refuse, if that can be found out in time.
fn wrong(context: &Context<'_>, library: &str, wanted: &[String]) -> Option<String> {
    const LIBRARY: Keep = keep! { mediaType };
    const ITEM: Keep = keep! { libraryId, mediaType };
    let started = context.world.now_ms();
    match context.get(&table::GET_LIBRARY, &[library], &[], &LIBRARY) {
        Ok(library) if at(&library, "mediaType") == "podcast" => {
            return Some("it is a podcast library, and collections are of books.".into());
        }
        Err(failure) if failure.is_not_found() => {
            return Some("there is no such library. list_libraries shows valid ids.".into());
        }
        _ => {}
    }
    let (mut wrong, mut unread) = (Vec::new(), 0);
    for id in wanted {
        if context.world.now_ms().saturating_sub(started) > TIME_MS {
            unread += 1;
            continue;
        }
        match context.get(&table::GET_ITEM, &[id], &[], &ITEM) {
            Ok(item) if at(&item, "mediaType") == "podcast" => wrong.push(format!("{id}: is a podcast")),
            Ok(item) if at(&item, "libraryId") != library => wrong.push(format!("{id}: is in another library")),
            Ok(_) => {}
            Err(failure) if failure.is_not_found() => wrong.push(format!("{id}: there is no such library item")),
            // One that this user may not see is no reason for ABS to refuse it.
            Err(failure) if failure.is_forbidden() => {}
            Err(_) => unread += 1,
        }
    }
    let unread = if unread == 0 { String::new() } else { format!(" {unread} could not be checked.") };
    (!wrong.is_empty()).then(|| {
        format!(
            "a collection takes books of its own library only. {}.{unread} Leave them out, or find valid ids with \
             search_library.",
            wrong.join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const POST: &str = "POST /api/collections";
    const DUNE: &str = "752d8200-23cd-4bcd-838a-45c0635206fd";

    fn collection(name: &str, books: &[&str]) -> Value {
        let books: Vec<Value> = books.iter().map(|id| json!({"id": id})).collect();
        json!({"id": "c", "libraryId": "l", "name": name, "description": null, "books": books})
    }

    fn arguments() -> Value {
        json!({"library_id": "l", "name": "N", "description": "", "library_item_ids": ["a", "b"]})
    }

    fn refused() -> Fake {
        Fake::new().recorded(POST, "create_collection_invalid")
    }

    #[test]
    fn creates_with_one_request() {
        let fake = Fake::new().json(POST, collection("N", &["a", "b"]));
        let result = fake.call("create_collection", arguments());
        assert_eq!(result["structuredContent"], json!({"collection_id": "c", "num_books": 2}));
        assert_eq!(fake.bodies(), [json!({"libraryId": "l", "name": "N", "books": ["a", "b"]})]);
    }

    #[test]
    fn a_name_that_is_stored_otherwise_is_shown_as_untrusted() {
        let fake = Fake::new().recorded(POST, "create_collection");
        let name = "<b>Bold</b> & <script>x</script>AT&amp;T";
        let arguments = json!({"library_id": "l", "name": name, "description": "d", "library_item_ids": [DUNE]});
        let result = fake.call("create_collection", arguments);
        let mut structured = result["structuredContent"].clone();
        assert!(structured["note"].take().as_str().unwrap().contains("HTML tags"));
        let want = json!({"collection_id": "24061fec-4520-43a7-bff0-616bbdb9e1d1", "num_books": 1, "name": "Bold & AT&T",
            "note": null, "untrusted": true, "source": "audiobookshelf"});
        assert_eq!(structured, want);
        assert_eq!(fake.bodies()[0]["description"], "d");
    }

    #[test]
    fn another_order_than_asked_is_repaired_or_said() {
        let create = || Fake::new().json(POST, collection("N", &["b", "a"]));
        let fake = create().json("PATCH /api/collections/c", collection("N", &["a", "b"]));
        assert_eq!(fake.ok("create_collection", arguments()), json!({"collection_id": "c", "num_books": 2}));
        assert_eq!(fake.bodies()[1], json!({"books": ["a", "b"]}));
        let fake = create().fails("PATCH /api/collections/c", SendError::Timeout);
        let result = fake.ok("create_collection", arguments());
        assert_eq!(result["library_item_ids"], json!(["b", "a"]));
        assert!(result["note"].as_str().unwrap().contains("another order"), "{result}");
    }

    #[test]
    fn the_books_that_made_it_fail_are_named() {
        let five = json!({"library_id": "l", "name": "N", "library_item_ids": ["good", "podcast", "elsewhere", "none", "hidden"]});
        let fake = refused()
            .json("GET /api/libraries/l", json!({"id": "l", "mediaType": "book"}))
            .json("GET /api/items/good", json!({"libraryId": "l", "mediaType": "book"}))
            .json("GET /api/items/podcast", json!({"libraryId": "p", "mediaType": "podcast"}))
            .json("GET /api/items/elsewhere", json!({"libraryId": "m", "mediaType": "book"}))
            .reply("GET /api/items/none", 404, "text/plain", "Not Found")
            .reply("GET /api/items/hidden", 403, "text/plain", "Forbidden");
        let text = fake.error("create_collection", five);
        for part in
            ["Nothing was changed", "podcast: is a podcast", "elsewhere: is in another", "none: there is no such"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("good") && !text.contains("hidden"), "{text}");
    }

    #[test]
    fn the_search_for_wrong_books_ends_in_time() {
        let fake = refused().slow(20_000).json("GET /api/libraries/l", json!({"mediaType": "book"})).reply(
            "GET /api/items/a",
            404,
            "text/plain",
            "Not Found",
        );
        let text = fake.error("create_collection", arguments());
        assert!(text.contains("a: there is no such") && text.contains("1 could not be checked"), "{text}");
    }

    #[test]
    fn a_library_that_takes_none() {
        let fake = refused().json("GET /api/libraries/l", json!({"mediaType": "podcast"}));
        assert!(fake.error("create_collection", arguments()).contains("podcast library"));
        let fake = refused().reply("GET /api/libraries/l", 404, "text/html", "Library not found");
        assert!(fake.error("create_collection", arguments()).contains("list_libraries"));
        let fake = refused()
            .json("GET /api/libraries/l", json!(null))
            .json("GET /api/items/a", json!({"libraryId": "l"}))
            .json("GET /api/items/b", json!({"libraryId": "l"}));
        let text = fake.error("create_collection", arguments());
        assert!(text.contains("Nothing was changed") && text.contains("Invalid books"), "{text}");
    }

    #[test]
    fn refusals_say_why() {
        let error = |status, text: &str| {
            Fake::new().reply(POST, status, "text/html", text).error("create_collection", arguments())
        };
        let text = error(400, "Invalid collection data");
        assert!(text.contains("Nothing was changed. name: nothing is left"), "{text}");
        let text = error(403, "Forbidden");
        assert!(text.contains("permission to update") && text.contains("Nothing was changed"), "{text}");
        let text = error(500, "Failed to create collection");
        assert!(text.contains("not known whether") && text.contains("list_collections"), "{text}");
        let text = Fake::new().fails(POST, SendError::Refused).error("create_collection", arguments());
        assert!(text.starts_with("Nothing was changed."), "{text}");
        let mut none = arguments();
        none["library_item_ids"] = json!([]);
        assert!(Fake::new().error("create_collection", none).contains("library_item_ids"));
    }
}
