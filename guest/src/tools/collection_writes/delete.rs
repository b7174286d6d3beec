//! The end of a collection.

use super::super::param::CONFIRM_TOKEN;
use super::super::tool::{FieldKind::*, Tool, field};
use super::super::{Answer, Args, Context, Hints, Outcome};
use super::{COLLECTION_ID, NOTHING_THERE, books_of, rights, told};
use crate::abs::Failure;
use crate::guard::{Binding, Question};
use crate::shape::Record;
use crate::world::SendError;
use policy::table;

pub(super) static DELETE_COLLECTION: Tool = Tool {
    name: "delete_collection",
    title: "Delete a collection",
    description: "Deletes a collection and its order, for all users of the library. The books stay. Asks a person.",
    params: &[COLLECTION_ID, CONFIRM_TOKEN],
    output: &[field("collection_id", Text), field("deleted", Flag), field("num_books", Integer)],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::DELETE_COLLECTION, &table::GET_COLLECTION, &table::GET_ME],
    narrower: "",
    run: |context, args| delete(context, args),
};

const MAY_NOT: &str = "Nothing was changed: the user whose API key this is lacks Audiobookshelf's permission to delete, which \
                       deleting a collection needs (by default administrators lack it too). An administrator can grant it.";

fn delete(context: &Context<'_>, args: &Args) -> Outcome {
    let id = args.text("collection_id");
    let books = match books_of(context, id) {
        Ok(books) => Some(books),
        // It is not read to be deleted.
        Err(Failure::Unreachable(SendError::TooLarge)) => None,
        Err(failure) => return Err(failure),
    };
    let rights = rights(context)?;
    if !rights.delete {
        return Err(Failure::message(MAY_NOT));
    }
    // With what is in it: a yes to the end of this list is none to the end of a longer one.
    let binding = Binding::new("delete_collection").id(id).order(books.clone().unwrap_or_default());
    let count = books.map(|books| books.len());
    let question = match count {
        Some(count) => Question::new(binding, question(rights.sees_all), &[id, &count.to_string()]),
        None => Question::new(binding, UNCOUNTED, &[id]),
    };
    let approval = context.approve(&question, args)?;
    context.send_approved(&approval, &table::DELETE_COLLECTION, &[id], None).map_err(|failure| {
        if failure.is_forbidden() {
            return Failure::message(MAY_NOT);
        }
        told(failure.or_not_found(NOTHING_THERE), "list_collections")
    })?;
    Ok(Answer::plain(Record::new().put("collection_id", id).put("deleted", true).put("num_books", count)))
}

/// Gaps: which collection, how many books.
const fn question(sees_all: bool) -> &'static str {
    if sees_all {
        "This will delete collection {} for all users of the library. The curated list of its {} book(s) and their order are \
         lost and cannot be reconstructed from here; an RSS feed of it is closed. The books themselves are not deleted."
    } else {
        "This will delete collection {} for all users of the library. The curated list of its {} book(s), not counting those \
         that this user may not see, and their order are lost and cannot be reconstructed from here; an RSS feed of it is \
         closed. The books themselves are not deleted."
    }
}

const UNCOUNTED: &str = "This will delete collection {} for all users of the library. It is too large to be read here. The \
                         curated list of all of its books and their order are lost and cannot be reconstructed from here; an \
                         RSS feed of it is closed. The books themselves are not deleted.";

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const TOOL: &str = "delete_collection";
    const GET: &str = "GET /api/collections/c";
    const DELETE: &str = "DELETE /api/collections/c";

    fn arguments() -> Value {
        json!({"collection_id": "c"})
    }

    fn read(fake: Fake, delete: bool, explicit: bool) -> Fake {
        let permissions = json!({"delete": delete, "accessAllTags": true, "accessExplicitContent": explicit});
        fake.json(GET, json!({"id": "c", "name": "Injected name", "books": [{"id": "a"}, {"id": "b"}]}))
            .json("GET /api/me", json!({"token": "SECRET", "permissions": permissions}))
    }

    fn asked() -> Fake {
        read(read(Fake::new(), true, true), true, true)
    }

    #[test]
    fn the_question_has_ids_and_counts_only() {
        let text = read(Fake::new(), true, true).error(TOOL, arguments());
        let want = "This will delete collection c for all users of the library. The curated list of its 2 book(s) and their \
                    order are lost and cannot be reconstructed from here; an RSS feed of it is closed. The books themselves \
                    are not deleted.\n";
        assert!(text.contains(want), "{text}");
        assert!(text.contains("confirm_token") && !text.contains("Injected") && !text.contains("SECRET"), "{text}");
        let text = read(Fake::new(), true, false).error(TOOL, arguments());
        assert!(text.contains("not counting those that this user may not see"), "{text}");
    }

    #[test]
    fn an_approved_one_is_deleted() {
        let fake = asked().reply(DELETE, 200, "text/plain", "OK");
        let approved = fake.approve(TOOL, arguments());
        let result = fake.call(TOOL, approved);
        assert_eq!(result["structuredContent"], json!({"collection_id": "c", "deleted": true, "num_books": 2}));
    }

    #[test]
    fn an_approval_is_for_this_collection() {
        let fake = read(Fake::new(), true, true)
            .json("GET /api/collections/e", json!({"books": []}))
            .json("GET /api/me", json!({}));
        let mut approved = fake.approve(TOOL, arguments());
        approved["collection_id"] = "e".into();
        let text = fake.error(TOOL, approved);
        assert!(text.contains("did not fit") && text.contains("collection e"), "{text}");
    }

    #[test]
    fn one_that_is_too_large_to_be_read_can_be_deleted() {
        let read = |fake: Fake| fake.fails(GET, SendError::TooLarge).json("GET /api/me", json!({}));
        let fake = read(read(Fake::new())).reply(DELETE, 200, "text/plain", "OK");
        let approved = fake.approve(TOOL, arguments());
        assert_eq!(fake.ok(TOOL, approved), json!({"collection_id": "c", "deleted": true}));
    }

    #[test]
    fn nobody_is_asked_for_what_cannot_be_done() {
        let text = read(Fake::new(), false, true).error(TOOL, arguments());
        assert!(text.contains("Nothing was changed") && text.contains("permission to delete"), "{text}");
        let text = Fake::new().reply(GET, 404, "text/html", "Collection not found").error(TOOL, arguments());
        assert!(text.contains("Nothing was changed") && text.contains("list_collections"), "{text}");
    }

    #[test]
    fn refusals_say_whether_anything_was_changed() {
        let error = |fake: Fake| {
            let approved = fake.approve(TOOL, arguments());
            fake.error(TOOL, approved)
        };
        assert!(error(asked().reply(DELETE, 403, "text/plain", "Forbidden")).contains("permission to delete"));
        assert!(
            error(asked().reply(DELETE, 404, "text/html", "Collection not found")).starts_with("Nothing was changed")
        );
        assert!(error(asked().fails(DELETE, SendError::Closed)).contains("not known whether"));
    }
}
