//! Books into a collection, at its end, in the order asked for.

use super::super::param::Param;
use super::super::tool::{FieldKind::*, Tool, field};
use super::super::{Answer, Args, Context, Hints, Outcome};
use super::tally::{OUT_OF_TIME, Tally};
use super::{BOOKS, COLLECTION_ID, book_ids, books_of};
use crate::abs::Failure;
use policy::table;
use serde_json::json;

pub(super) static ADD_BOOKS_TO_COLLECTION: Tool = Tool {
    name: "add_books_to_collection",
    title: "Add books to a collection",
    description: "Appends books of the collection's own library, in the order given. What cannot be added, or is in \
                  it already, is skipped and named.",
    params: &[COLLECTION_ID, Param::ids(BOOKS, "")],
    output: &[
        field("collection_id", Text),
        field("added", Texts),
        field("skipped", Objects),
        field("num_books", Integer),
    ],
    hints: Hints { destructive: false, idempotent: true },
    routes: &[&table::ADD_COLLECTION_BOOK, &table::UPDATE_COLLECTION, &table::GET_COLLECTION],
    narrower: "get_collection",
    run: |context, args| add(context, args),
};

const MEMBER: &str = "is in the collection already";

fn add(context: &Context<'_>, args: &Args) -> Outcome {
    let id = args.text("collection_id");
    let wanted = args.ids(BOOKS).unwrap_or_default();
    let mut tally = Tally::new(context, id, "added");
    let before = books_of(context, id)?;
    for (position, book) in wanted.iter().enumerate() {
        if before.contains(book) {
            tally.skip(book, MEMBER);
        } else if tally.is_late(context) {
            tally.skip(book, OUT_OF_TIME);
        } else {
            match context.send_unread(&table::ADD_COLLECTION_BOOK, &[id], &json!({"id": book})) {
                Ok(()) => tally.done.push(book),
                Err(failure) => match refusal(&failure) {
                    Some(reason) => tally.skip(book, reason),
                    None => return Err(tally.broken_off(&wanted[position..], failure)),
                },
            }
        }
    }
    if tally.done.is_empty() && tally.skipped.iter().any(|(_, reason)| *reason != MEMBER) {
        return Err(Failure::message(format!("Nothing was changed: no book was added. {}.", tally.reasons())));
    }
    if tally.done.is_empty() {
        return Ok(Answer::plain(tally.record().put("num_books", before.len())));
    }
    let books = match books_of(context, id) {
        Ok(books) if stand_last(&books, &tally.done) => Ok(books),
        Ok(_) => put_last(context, id, &tally.done),
        Err(failure) => Err(failure),
    };
    Ok(match books {
        Ok(books) => {
            let in_order = stand_last(&books, &tally.done);
            Answer::plain(tally.record().put("num_books", books.len())).note_if(!in_order, UNORDERED)
        }
        Err(_) => Answer::plain(tally.record()).note(UNORDERED),
    })
}

const UNORDERED: &str = "They were added, but whether they stand at the end in the order asked for is not certain: get_collection \
                         shows it, and update_collection can reorder.";

/// Why ABS does not take this book, where it may still take others.
fn refusal(failure: &Failure) -> Option<&'static str> {
    let Failure::Status { status, text, .. } = failure else { return None };
    match (status, text.as_deref()) {
        // Hidden from this user, or added meanwhile.
        (400, Some("Book already in collection")) => Some(MEMBER),
        (400, Some("Book in different library")) => Some("is in another library than the collection"),
        (400, _) => Some("Audiobookshelf refused it"),
        (404, Some("Book not found")) => Some("there is no such library item"),
        _ => None,
    }
}

/// Whether these are there, behind all others and in this order. Those that this user may not see are not there.
fn stand_last(books: &[String], added: &[&str]) -> bool {
    let seen: Vec<&str> = added.iter().copied().filter(|added| books.iter().any(|book| book == added)).collect();
    books.len() >= seen.len() && books[books.len() - seen.len()..].iter().eq(seen)
}

/// ABS numbers a new book by the count of books, which puts it in front of others where deleted books left gaps. The order
/// of those others stays as it is, so this takes nothing from anybody and needs no approval.
fn put_last(context: &Context<'_>, id: &str, added: &[&str]) -> Result<Vec<String>, Failure> {
    // Changes nothing, and is answered with all books: reading shows this user's only, and left-out ones go to the front.
    let all = book_ids(&context.send(&table::UPDATE_COLLECTION, &[id], &json!({}))?);
    let (new, mut order): (Vec<String>, Vec<String>) = all.into_iter().partition(|book| added.contains(&book.as_str()));
    order.extend(added.iter().filter(|id| new.iter().any(|book| book == *id)).map(|id| (*id).to_owned()));
    Ok(book_ids(&context.send(&table::UPDATE_COLLECTION, &[id], &json!({"books": order}))?))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const GET: &str = "GET /api/collections/c";
    const POST: &str = "POST /api/collections/c/book";
    const PATCH: &str = "PATCH /api/collections/c";

    fn collection(books: &[&str]) -> Value {
        let books: Vec<Value> = books.iter().map(|id| json!({"id": id})).collect();
        json!({"id": "c", "name": "Injected name", "books": books})
    }

    fn books(books: &[&str]) -> Value {
        json!({"collection_id": "c", "library_item_ids": books})
    }

    #[test]
    fn adds_one_by_one_in_order_and_reads_the_result() {
        let fake = Fake::new()
            .json(GET, collection(&["a"]))
            .json(POST, json!({}))
            .json(POST, json!({}))
            .json(GET, collection(&["a", "z", "b"]));
        let result = fake.call("add_books_to_collection", books(&["z", "b"]));
        assert_eq!(result["structuredContent"], json!({"collection_id": "c", "added": ["z", "b"], "num_books": 3}));
        assert_eq!(fake.bodies(), [json!({"id": "z"}), json!({"id": "b"})]);
    }

    #[test]
    fn what_cannot_be_added_is_named_and_the_rest_is_added() {
        let fake = Fake::new()
            .json(GET, collection(&["a"]))
            .reply(POST, 404, "text/html", "Book not found")
            .reply(POST, 400, "text/html", "Book in different library")
            .reply(POST, 400, "text/html", "Book already in collection")
            .reply(POST, 400, "text/html", "Whatever another version says")
            .json(POST, json!({}))
            .json(GET, collection(&["a", "b"]));
        let result = fake.ok("add_books_to_collection", books(&["none", "a", "podcast", "hidden", "odd", "b"]));
        let skipped = |id: &str, reason: &str| json!({"library_item_id": id, "reason": reason});
        let want = json!({"collection_id": "c", "added": ["b"], "num_books": 2, "skipped": [
            skipped("none", "there is no such library item"),
            skipped("a", "is in the collection already"),
            skipped("podcast", "is in another library than the collection"),
            skipped("hidden", "is in the collection already"),
            skipped("odd", "Audiobookshelf refused it"),
        ]});
        assert_eq!(result, want);
    }

    #[test]
    fn members_alone_are_no_failure_and_no_write() {
        let result = Fake::new().json(GET, collection(&["a", "b"])).ok("add_books_to_collection", books(&["b"]));
        assert_eq!((&result["added"], &result["num_books"]), (&json!([]), &json!(2)));
        let fake = Fake::new().json(GET, collection(&["a"])).reply(POST, 404, "text/html", "Book not found");
        let text = fake.error("add_books_to_collection", books(&["a", "x"]));
        assert!(text.contains("Nothing was changed") && text.contains("x: there is no such"), "{text}");
    }

    #[test]
    fn books_that_landed_in_front_are_moved_to_the_end() {
        let fake = Fake::new()
            .json(GET, collection(&["a", "b"]))
            .json(POST, json!({}))
            .json(POST, json!({}))
            .json(GET, collection(&["x", "a", "y", "b"]))
            .json(PATCH, collection(&["x", "hidden", "a", "y", "b"]))
            .json(PATCH, collection(&["hidden", "a", "b", "x", "y"]));
        let result = fake.ok("add_books_to_collection", books(&["x", "y"]));
        assert_eq!(result, json!({"collection_id": "c", "added": ["x", "y"], "num_books": 5}));
        assert_eq!(fake.bodies()[2..], [json!({}), json!({"books": ["hidden", "a", "b", "x", "y"]})]);
    }

    #[test]
    fn an_order_that_is_not_certain_is_not_claimed() {
        let added = || Fake::new().json(GET, collection(&["a"])).json(POST, json!({}));
        let unread = added().fails(GET, SendError::Timeout);
        let unsorted = added().json(GET, collection(&["x", "a"])).reply(PATCH, 500, "text/plain", "x");
        let unmoved = added()
            .json(GET, collection(&["x", "a"]))
            .json(PATCH, collection(&["x", "a"]))
            .json(PATCH, collection(&["x", "a"]));
        for fake in [unread, unsorted, unmoved] {
            let result = fake.ok("add_books_to_collection", books(&["x"]));
            assert_eq!(result["added"], json!(["x"]));
            assert!(result["note"].as_str().unwrap().contains("is not certain"), "{result}");
        }
    }

    #[test]
    fn a_broken_request_ends_it_and_tells_what_is_known() {
        let begun = || Fake::new().json(GET, collection(&["a"]));
        let text = begun()
            .json(POST, json!({}))
            .fails(POST, SendError::Closed)
            .error("add_books_to_collection", books(&["a", "x", "y", "z"]));
        for part in
            ["added: x.", "Not known whether added: y;", "Not tried: z.", "Skipped: a: is in", "may have restarted"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = begun().fails(POST, SendError::Timeout).error("add_books_to_collection", books(&["x"]));
        assert!(text.contains("None is known to be added. Not known whether added: x;"), "{text}");
        let text = begun()
            .json(POST, json!({}))
            .reply(POST, 404, "text/html", "Collection not found")
            .error("add_books_to_collection", books(&["x", "y", "z"]));
        assert!(text.contains("added: x. Not added: y, z."), "{text}");
    }

    #[test]
    fn refusals_say_that_nothing_was_changed() {
        let begun = || Fake::new().json(GET, collection(&["a"]));
        let text = begun().reply(POST, 403, "text/plain", "Forbidden").error("add_books_to_collection", books(&["x"]));
        assert!(text.contains("Nothing was changed") && text.contains("permission to update"), "{text}");
        let text = begun().fails(POST, SendError::Refused).error("add_books_to_collection", books(&["x"]));
        assert!(text.starts_with("Nothing was changed."), "{text}");
        let text = Fake::new()
            .reply(GET, 404, "text/html", "Collection not found")
            .error("add_books_to_collection", books(&["x"]));
        assert!(text.contains("Nothing was changed") && text.contains("list_collections"), "{text}");
    }

    #[test]
    fn a_slow_server_gets_no_further_request_in_time() {
        let fake =
            Fake::new().slow(16_000).json(GET, collection(&[])).json(POST, json!({})).json(GET, collection(&["x"]));
        let result = fake.ok("add_books_to_collection", books(&["x", "y"]));
        assert_eq!(result["added"], json!(["x"]));
        assert!(result["skipped"][0]["reason"].as_str().unwrap().contains("call again"), "{result}");
    }
}
