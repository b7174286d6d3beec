//! Bookmarks: named positions in items. Item and time together are what identifies one; they have no id.

use super::param::{DETAIL, LIBRARY_ITEM_ID};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::{Failure, entries};
use crate::keep;
use crate::shape::time::iso;
use crate::shape::{Keep, Record, at, sort_by, text};
use policy::table;
use serde_json::Value;
use std::cmp::Ordering;

pub const TOOLS: &[&Tool] = &[&LIST_BOOKMARKS];

/// Titles have no limit in ABS; in compact results they are cut to this many characters.
const TITLE: usize = 300;

static LIST_BOOKMARKS: Tool = Tool {
    name: "list_bookmarks",
    title: "List bookmarks",
    description: "The user's bookmarks, of one item or of all. library_item_id and time together name one: take \
                  both as they are.",
    params: &[LIBRARY_ITEM_ID.optional(), DETAIL],
    output: &[field("bookmarks", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_BOOKMARKS, &table::LIST_ITEM_BOOKMARKS, &table::GET_ME],
    narrower: "list_bookmarks with a library_item_id",
    run: |context, args| list_bookmarks(context, args),
};

fn list_bookmarks(context: &Context<'_>, args: &Args) -> Outcome {
    let item = args.text_if("library_item_id");
    let mut bookmarks = stored(context, item)?;
    sort(&mut bookmarks);
    let none = bookmarks.is_empty() && item.is_some();
    let stuck = bookmarks.iter().any(|bookmark| !at(bookmark, "time").as_f64().is_some_and(|time| time >= 0.0));
    let bookmarks: Vec<Value> =
        if args.full() { bookmarks } else { bookmarks.iter().map(|bookmark| compact(bookmark).into()).collect() };
    Ok(Answer::untrusted(Record::new().put_list("bookmarks", bookmarks))
        .note_if(none, "No bookmarks: this item has none, or the id is not one of this server's.")
        .note_if(stuck, "A bookmark whose time is not a number from 0 can be neither renamed nor deleted from here."))
}

pub(super) fn stored(context: &Context<'_>, item: Option<&str>) -> Result<Vec<Value>, Failure> {
    const KEEP: Keep = keep! { bookmarks };
    let reply = match item {
        Some(item) => context.get(&table::LIST_ITEM_BOOKMARKS, &[item], &[], &KEEP),
        None => context.get(&table::LIST_BOOKMARKS, &[], &[], &KEEP),
    };
    let reply = match reply {
        // Before 2.36 there was no such route; since then it is 404 for an item that does not exist. The user's record has
        // them all in either case.
        Err(failure) if failure.is_not_found() => context.get(&table::GET_ME, &[], &[], &KEEP)?,
        reply => reply?,
    };
    let of_item = |bookmark: &&Value| item.is_none_or(|item| at(bookmark, "libraryItemId") == item);
    Ok(entries(&reply, "bookmarks")?.iter().filter(of_item).cloned().collect())
}

/// Item by item, and by time within.
fn sort(bookmarks: &mut Vec<Value>) {
    sort_by(bookmarks, |a, b| {
        let items = text(a, "libraryItemId").cmp(&text(b, "libraryItemId"));
        items.then_with(|| by_time(at(a, "time"), at(b, "time")))
    });
}

/// ABS stores whatever a client sent as the time. What is no number comes last.
fn by_time(a: &Value, b: &Value) -> Ordering {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

fn compact(bookmark: &Value) -> Record {
    Record::new()
        .put("library_item_id", at(bookmark, "libraryItemId").clone())
        // As it is stored: rounding would make it another bookmark's.
        .put("time", at(bookmark, "time").clone())
        .put("title", text(bookmark, "title").map(shortened))
        .put("created", iso(at(bookmark, "createdAt")))
}

fn shortened(title: &str) -> String {
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::{Value, json};

    const DUNE: &str = "752d8200-23cd-4bcd-838a-45c0635206fd";

    fn times(result: &Value) -> Vec<&Value> {
        result["bookmarks"].as_array().unwrap().iter().map(|bookmark| &bookmark["time"]).collect()
    }

    #[test]
    fn all_bookmarks() {
        let result = Fake::new().recorded("GET /api/me/bookmarks", "list_bookmarks").ok("list_bookmarks", json!({}));
        let want =
            json!({"library_item_id": DUNE, "time": 3600.5, "title": "Gom jabbar", "created": "2026-11-30T16:21:53Z"});
        assert_eq!(result["bookmarks"][1], want);
        assert_eq!(times(&result), [&json!(120), &json!(3600.5), &json!(10000), &json!(59), &json!(1), &json!(10)]);
        assert_eq!(result.get("note"), None);
    }

    #[test]
    fn of_one_item() {
        let fake = Fake::new().recorded(&format!("GET /api/me/bookmarks/{DUNE}"), "list_bookmarks_item");
        let result = fake.ok("list_bookmarks", json!({"library_item_id": DUNE}));
        assert_eq!(times(&result), [&json!(120), &json!(3600.5), &json!(10000)]);
    }

    #[test]
    fn before_2_36_the_users_record_has_them() {
        let fake = Fake::new()
            .reply("GET /api/me/bookmarks", 404, "text/html", "<pre>Cannot GET</pre>")
            .recorded("GET /api/me", "get_me");
        let result = fake.ok("list_bookmarks", json!({"detail": "full"}));
        assert_eq!(result["bookmarks"].as_array().unwrap().len(), 6);
        assert!(result.get("removed").is_none(), "only bookmarks are read of the record: {result}");

        let fake = Fake::new()
            .reply(&format!("GET /api/me/bookmarks/{DUNE}"), 404, "text/html", "<pre>Cannot GET</pre>")
            .recorded("GET /api/me", "get_me");
        assert_eq!(
            times(&fake.ok("list_bookmarks", json!({"library_item_id": DUNE}))),
            [&json!(120), &json!(3600.5), &json!(10000)]
        );
    }

    #[test]
    fn an_unknown_item_has_none() {
        let fake = Fake::new()
            .recorded("GET /api/me/bookmarks/no", "list_bookmarks_unknown")
            .recorded("GET /api/me", "get_me");
        let result = fake.ok("list_bookmarks", json!({"library_item_id": "no"}));
        assert_eq!(result["bookmarks"], json!([]));
        assert!(result["note"].as_str().unwrap().contains("not one of this server's"), "{result}");
        assert_eq!(
            Fake::new().json("GET /api/me/bookmarks", json!({"bookmarks": []})).ok("list_bookmarks", json!({})),
            json!({"bookmarks": []})
        );
    }

    #[test]
    fn an_item_that_the_user_may_not_see() {
        let fake = Fake::new().reply("GET /api/me/bookmarks/i", 403, "text/plain", "Forbidden");
        assert!(fake.error("list_bookmarks", json!({"library_item_id": "i"})).contains("permissions"));
    }

    #[test]
    fn times_stay_as_they_are_stored_and_come_in_order() {
        let mark = |item: &str, time: Value| json!({"libraryItemId": item, "time": time, "title": "T"});
        let stored = json!({"bookmarks": [mark("b", json!(12.345678901)), mark("a", json!("77")), mark("b", json!(-3)), mark("a", json!(9)),
            mark("a", json!(true)), null, {"time": 5}, mark("a", json!(0))]});
        let result = Fake::new().json("GET /api/me/bookmarks", stored).ok("list_bookmarks", json!({}));
        let want = [
            &json!(5),
            &Value::Null,
            &json!(0),
            &json!(9),
            &json!("77"),
            &json!(true),
            &json!(-3),
            &json!(12.345678901),
        ];
        assert_eq!(times(&result), want);
        assert!(result["note"].as_str().unwrap().contains("neither renamed nor deleted"), "{result}");
    }

    #[test]
    fn a_long_title_is_cut_and_full_has_it_whole() {
        let stored = json!({"bookmarks": [{"libraryItemId": "a", "time": 7, "title": "ü".repeat(5000)}]});
        let title = |detail: &str| {
            let result = Fake::new()
                .json("GET /api/me/bookmarks", stored.clone())
                .ok("list_bookmarks", json!({"detail": detail}));
            result["bookmarks"][0]["title"].as_str().unwrap().to_owned()
        };
        assert_eq!(title("compact"), format!("{}…", "ü".repeat(300)));
        assert_eq!(title("full").chars().count(), 5000);
    }

    #[test]
    fn an_answer_without_the_list_is_not_an_empty_list() {
        for odd in [json!(null), json!([]), json!({"bookmarks": null}), json!({"bookmarks": "x"})] {
            let text = Fake::new().json("GET /api/me/bookmarks", odd).error("list_bookmarks", json!({}));
            assert!(text.contains("did not come from Audiobookshelf"), "{text}");
        }
    }
}
