//! Books out of a collection. What is lost is their place in it.

use super::super::param::{CONFIRM_TOKEN, Param};
use super::super::tool::{FieldKind::*, Tool, field};
use super::super::{Answer, Args, Context, Hints, Outcome};
use super::tally::{OUT_OF_TIME, Tally};
use super::{BOOKS, COLLECTION_ID, books_of, named};
use crate::abs::Failure;
use crate::guard::{Binding, Question};
use policy::table;

pub(super) static REMOVE_BOOKS_FROM_COLLECTION: Tool = Tool {
    name: "remove_books_from_collection",
    title: "Remove books from a collection",
    description: "Takes books out of a collection, for all users of the library. Every id must be in it. The books \
                  stay in the library, and an emptied collection stays too. Asks a person.",
    params: &[COLLECTION_ID, Param::ids(BOOKS, ""), CONFIRM_TOKEN],
    output: &[
        field("collection_id", Text),
        field("removed", Texts),
        field("skipped", Objects),
        field("num_books", Integer),
    ],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::REMOVE_COLLECTION_BOOK, &table::GET_COLLECTION],
    narrower: "get_collection",
    run: |context, args| remove(context, args),
};

fn remove(context: &Context<'_>, args: &Args) -> Outcome {
    let id = args.text("collection_id");
    let unwanted = args.ids(BOOKS).unwrap_or_default();
    let books = books_of(context, id)?;
    let others: Vec<&String> = unwanted.iter().filter(|book| !books.contains(book)).collect();
    if !others.is_empty() {
        return Err(Failure::message(format!(
            "Nothing was changed. library_item_ids: not in collection {id}: {}. get_collection shows its books.",
            named(&others)
        )));
    }
    let empties = books.len() == unwanted.len();
    let binding = Binding::new("remove_books_from_collection").id(id).set(unwanted.iter().cloned());
    // An approval to take some out is none to empty it, should the others be gone meanwhile.
    let binding = if empties { binding.id("and-no-other-is-left") } else { binding };
    let count = unwanted.len().to_string();
    let approval = context.approve(&Question::new(binding, question(empties), &[&count, id]), args)?;

    let mut tally = Tally::new(context, id, "removed");
    for (position, book) in unwanted.iter().enumerate() {
        if tally.is_late(context) {
            tally.skip(book, OUT_OF_TIME);
            continue;
        }
        match context.send_approved_unread(&approval, &table::REMOVE_COLLECTION_BOOK, &[id, book]) {
            Ok(()) => tally.done.push(book),
            Err(failure) if is_gone(&failure) => tally.skip(book, "the library item does not exist any more"),
            Err(failure) => return Err(tally.broken_off(&unwanted[position..], failure)),
        }
    }
    Ok(match books_of(context, id) {
        Ok(books) => {
            tally.recheck(|book| !books.iter().any(|other| other == book), "is still in it");
            Answer::plain(tally.record().put("num_books", books.len())).note_if(books.is_empty(), EMPTY)
        }
        // Its other books are not this user's to see.
        Err(_) => Answer::plain(tally.record()).note("What is left in the collection could not be read."),
    })
}

const EMPTY: &str = "The collection is empty now and still there; delete_collection would delete it.";

/// Deleted from the library since it was looked at; where the collection itself is gone, ABS says something else.
fn is_gone(failure: &Failure) -> bool {
    matches!(failure, Failure::Status { status: 404, text: Some(text), .. } if text == "Not Found")
}

/// Gaps: how many books, which collection.
const fn question(empties: bool) -> &'static str {
    if empties {
        "This will remove {} book(s) from collection {}, for all users of the library. This user sees no other book in it: the \
         collection stays, empty. The curated order of the collection cannot be reconstructed from here — putting the books \
         back with add_books_to_collection appends them at the end. The items themselves are not deleted."
    } else {
        "This will remove {} book(s) from collection {}, for all users of the library. The curated order of the collection \
         cannot be reconstructed from here — putting the books back with add_books_to_collection appends them at the end. The \
         items themselves are not deleted."
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const TOOL: &str = "remove_books_from_collection";
    const GET: &str = "GET /api/collections/c";

    fn collection(books: &[&str]) -> Value {
        let books: Vec<Value> = books.iter().map(|id| json!({"id": id})).collect();
        json!({"id": "c", "name": "Injected name", "books": books})
    }

    fn books(books: &[&str]) -> Value {
        json!({"collection_id": "c", "library_item_ids": books})
    }

    fn delete(book: &str) -> String {
        format!("DELETE /api/collections/c/book/{book}")
    }

    /// Read for the question and again for the approved call.
    fn asked(members: &[&str]) -> Fake {
        Fake::new().json(GET, collection(members)).json(GET, collection(members))
    }

    #[test]
    fn the_question_has_ids_and_counts_only() {
        let text = Fake::new().json(GET, collection(&["a", "b", "d"])).error(TOOL, books(&["d", "a"]));
        let want = "This will remove 2 book(s) from collection c, for all users of the library. The curated order of the \
                    collection cannot be reconstructed from here — putting the books back with add_books_to_collection \
                    appends them at the end. The items themselves are not deleted.\n";
        assert!(text.contains(want), "{text}");
        assert!(text.contains("confirm_token") && !text.contains("Injected"), "{text}");
        let text = Fake::new().json(GET, collection(&["a", "d"])).error(TOOL, books(&["d", "a"]));
        assert!(text.contains("the collection stays, empty"), "{text}");
    }

    #[test]
    fn approved_books_go_one_by_one() {
        let fake = asked(&["a", "b", "d"])
            .json(&delete("d"), json!({}))
            .json(&delete("a"), json!({}))
            .json(GET, collection(&["b"]));
        let arguments = fake.approve(TOOL, books(&["d", "a"]));
        let result = fake.call(TOOL, arguments);
        assert_eq!(result["structuredContent"], json!({"collection_id": "c", "removed": ["d", "a"], "num_books": 1}));
        assert_eq!(fake.bodies(), [] as [Value; 0]);
    }

    #[test]
    fn an_emptied_collection_stays() {
        let fake = asked(&["a"]).json(&delete("a"), json!({})).json(GET, collection(&[]));
        let arguments = fake.approve(TOOL, books(&["a"]));
        let result = fake.ok(TOOL, arguments);
        assert_eq!(result["num_books"], 0);
        assert!(result["note"].as_str().unwrap().contains("still there"), "{result}");
    }

    #[test]
    fn an_approval_is_for_this_set() {
        let fake = (0..3).fold(Fake::new(), |fake, _| fake.json(GET, collection(&["a", "b", "d"])));
        let approved = fake.approve(TOOL, books(&["a"]));
        for other in [&["a", "b"][..], &["b"]] {
            let mut arguments = approved.clone();
            arguments["library_item_ids"] = json!(other);
            let again = fake.approve(TOOL, arguments);
            assert_ne!(again["confirm_token"], approved["confirm_token"]);
        }
        let fake = asked(&["a", "b", "d"])
            .json(&delete("b"), json!({}))
            .json(&delete("a"), json!({}))
            .json(GET, collection(&["d"]));
        let mut arguments = fake.approve(TOOL, books(&["a", "b"]));
        arguments["library_item_ids"] = json!(["b", "a"]);
        assert_eq!(fake.ok(TOOL, arguments)["removed"], json!(["b", "a"]));
    }

    #[test]
    fn what_is_not_in_it_is_named_before_anybody_is_asked() {
        let text = Fake::new().json(GET, collection(&["a"])).error(TOOL, books(&["x", "a", "y"]));
        assert!(text.contains("Nothing was changed") && text.contains("not in collection c: x, y."), "{text}");
        assert!(!text.contains("confirm_token"), "{text}");
        let text = Fake::new().reply(GET, 404, "text/html", "Collection not found").error(TOOL, books(&["a"]));
        assert!(text.contains("Nothing was changed") && text.contains("list_collections"), "{text}");
    }

    #[test]
    fn what_became_of_each_is_told() {
        let fake = asked(&["a", "b", "d"])
            .reply(&delete("a"), 404, "text/plain", "Not Found")
            .json(&delete("b"), json!({}))
            .json(&delete("d"), json!({}))
            .json(GET, collection(&["d"]));
        let arguments = fake.approve(TOOL, books(&["a", "b", "d"]));
        let want = json!({"collection_id": "c", "removed": ["b"], "num_books": 1, "skipped": [
            {"library_item_id": "a", "reason": "the library item does not exist any more"},
            {"library_item_id": "d", "reason": "is still in it"}]});
        assert_eq!(fake.ok(TOOL, arguments), want);
    }

    #[test]
    fn what_is_left_may_be_hidden() {
        let fake = asked(&["a"]).json(&delete("a"), json!({})).reply(GET, 404, "text/plain", "Not Found");
        let arguments = fake.approve(TOOL, books(&["a"]));
        let result = fake.ok(TOOL, arguments);
        assert_eq!((&result["removed"], result.get("num_books")), (&json!(["a"]), None));
        assert!(result["note"].as_str().unwrap().contains("could not be read"), "{result}");
    }

    #[test]
    fn a_broken_request_ends_it_and_tells_what_is_known() {
        let fake = asked(&["a", "b", "d"]).json(&delete("a"), json!({})).fails(&delete("b"), SendError::Closed);
        let arguments = fake.approve(TOOL, books(&["a", "b", "d"]));
        let text = fake.error(TOOL, arguments);
        for part in ["removed: a.", "Not known whether removed: b;", "Not tried: d."] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let fake = asked(&["a"]).reply(&delete("a"), 404, "text/html", "Collection not found");
        let arguments = fake.approve(TOOL, books(&["a"]));
        let text = fake.error(TOOL, arguments);
        assert!(text.contains("Nothing was changed") && text.contains("no such collection"), "{text}");
    }

    #[test]
    fn a_slow_server_gets_no_further_request_in_time() {
        let fake = asked(&["a", "b", "d"])
            .slow(16_000)
            .json(&delete("a"), json!({}))
            .json(&delete("b"), json!({}))
            .json(GET, collection(&["d"]));
        let arguments = fake.approve(TOOL, books(&["a", "b", "d"]));
        let result = fake.ok(TOOL, arguments);
        assert_eq!((&result["removed"], &result["skipped"][0]["library_item_id"]), (&json!(["a", "b"]), &json!("d")));
    }
}
