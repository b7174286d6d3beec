//! Series of books.

use super::libraries::NO_LIBRARY;
use super::param::{DETAIL, Kind, LIBRARY_ID, PAGE, Param, limit};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::{Failure, entries, filter};
use crate::keep;
use crate::shape::time::{self, date};
use crate::shape::{Keep, Record, at, excerpt, item, list, text};
use policy::table;
use serde_json::Value;
use std::collections::BTreeSet;

pub const TOOLS: &[&Tool] = &[&LIST_SERIES, &GET_SERIES];

/// ABS leaves the list unsorted for any other key.
const SORT: Param = Param {
    name: "sort",
    kind: Kind::Choice {
        of: &["name", "numBooks", "totalDuration", "addedAt", "lastBookAdded", "lastBookUpdated", "random"],
        default: Some("name"),
    },
    about: "",
    required: false,
};

static LIST_SERIES: Tool = Tool {
    name: "list_series",
    title: "List series",
    description: "A book library's series with author, number of books and duration. get_series has the books.",
    params: &[LIBRARY_ID, PAGE, limit(25), SORT, Param::flag("descending", ""), DETAIL],
    output: &[field("total", Integer), field("page", Integer), field("series", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_SERIES],
    narrower: "",
    run: |context, args| list_series(context, args),
};

fn list_series(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! {
        total,
        results { id, name, addedAt, books { media { metadata { authorName }, duration } } }
    };
    let (page, limit) = (args.integer("page"), args.integer("limit"));
    let (page_text, limit_text) = (page.to_string(), limit.to_string());
    // Without a limit ABS answers with a right total and no series at all.
    let mut query = vec![("limit", limit_text.as_str()), ("page", &page_text), ("sort", args.text("sort"))];
    if args.flag("descending") {
        query.push(("desc", "1"));
    }
    // ABS would repeat its cached answer.
    let (is_random, fresh) = (args.text("sort") == "random", context.fresh());
    if is_random {
        query.push(("_", &fresh));
    }
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context
        .get(&table::LIST_SERIES, &[args.text("library_id")], &query, &keep)
        .map_err(|failure| failure.or_not_found(NO_LIBRARY))?;
    let series = entries(&reply, "results")?.iter();
    let series: Vec<Value> =
        if args.full() { series.cloned().collect() } else { series.map(|series| entry(series).into()).collect() };
    let total = at(&reply, "total").as_i64();
    let data = Record::new().put("total", total).put("page", page).put_list("series", series);
    let answer = Answer::untrusted(data);
    // A second page of another random order continues nothing.
    Ok(if is_random { answer } else { answer.page_on(total, page, limit) })
}

fn entry(series: &Value) -> Record {
    let books = list(series, "books");
    let mut authors: Vec<&str> = books.iter().filter_map(|book| text(book, "media.metadata.authorName")).collect();
    let mut seen = BTreeSet::new();
    authors.retain(|author| seen.insert(*author));
    let author = match authors.as_slice() {
        [] | [_] | [_, _] => authors.join("; "),
        [first, second, ..] => format!("{first}; {second}; …"),
    };
    Record::new()
        .copy(series, &["id", "name"])
        .put("author", author)
        .put("num_books", books.len())
        .put("duration", time::total(books.iter().map(|book| at(book, "media.duration"))))
        .put("added", date(at(series, "addedAt")))
}

static GET_SERIES: Tool = Tool {
    name: "get_series",
    title: "Get a series",
    description: "One series with its books in reading order (the first 100), each marked when it is finished: the \
                  first that is not comes next.",
    params: &[Param::id("series_id", ""), DETAIL],
    output: &[field("series", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_SERIES, &table::LIST_ITEMS],
    narrower: "list_library_items with filter_group=\"series\" and a small limit",
    run: |context, args| get_series(context, args),
};

const MOST_BOOKS: usize = 100;

fn get_series(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { total, results: item::KEEP };
    let id = args.text("series_id");
    let mut series =
        context.get(&table::GET_SERIES, &[id], &[("include", "progress")], &Keep::All).map_err(|failure| {
            failure.or_not_found(
                "There is no such series, or none of its books is this user's to see. list_series and search_library \
                 show valid ids.",
            )
        })?;
    // The record has no books. They are the library's items under this filter, and only there in reading order.
    let Some(library) = text(&series, "libraryId") else {
        return Err(Failure::NotAbs { what: "a series without a library" });
    };
    let filter = filter::encode("series", id);
    let limit = MOST_BOOKS.to_string();
    let query =
        [("minified", "1"), ("limit", limit.as_str()), ("page", "0"), ("sort", "sequence"), ("filter", &filter)];
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context.get(&table::LIST_ITEMS, &[library], &query, &keep)?;
    let books = entries(&reply, "results")?;
    let total = at(&reply, "total").as_u64().unwrap_or_default().max(books.len() as u64);
    let series: Value = if args.full() {
        if let Some(record) = series.as_object_mut() {
            record.insert("books".into(), books.into());
        }
        series
    } else {
        compact(&series, books, total)
    };
    let left_out = format!(
        "Only the first {MOST_BOOKS} of {total} books; list_library_items with filter_group=\"series\" and filter_value=\"{id}\" has all."
    );
    Ok(Answer::untrusted(Record::new().put("series", series)).note_if(total > MOST_BOOKS as u64, left_out))
}

fn compact(series: &Value, books: &[Value], total: u64) -> Value {
    let finished = list(series, "progress.libraryItemIdsFinished");
    let entries = books.iter().map(|book| {
        let is_finished = finished.contains(at(book, "id"));
        item::compact(book).flag("finished", &is_finished.into())
    });
    Record::new()
        .copy(series, &["id", "name"])
        .put("description", text(series, "description").map(excerpt))
        .put("library_id", at(series, "libraryId").clone())
        .put("num_books", total)
        .put("num_finished", finished.len())
        .put("duration", time::total(books.iter().map(|book| at(book, "media.duration"))))
        .put_list("books", entries)
        .into()
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::{Value, json};

    #[test]
    fn list_series_compact() {
        let fake = Fake::new().recorded("GET /api/libraries/lib/series?limit=5&page=0&sort=name", "list_series");
        let result = fake.ok("list_series", json!({"library_id": "lib", "limit": 5}));
        assert_eq!((&result["total"], &result["page"]), (&json!(19), &json!(0)));
        assert_eq!(
            result["series"][1],
            json!({"id": "74c1accc-1dbd-47fa-95b3-92fa10bf1b2d", "name": "Discworld", "author": "Terry Pratchett",
                "num_books": 3, "duration": 12600.7, "added": "2026-11-30"})
        );
        assert_eq!(result["note"], "This is page 0 of 0 to 3; go on with page=1.");
        assert!(result.to_string().len() < 9916 / 5);
    }

    #[test]
    fn list_series_full() {
        let fake = Fake::new().recorded("GET /api/libraries/lib/series?limit=25&page=0&sort=name", "list_series");
        let result = fake.ok("list_series", json!({"library_id": "lib", "detail": "full"}));
        assert_eq!(result["series"][1]["books"][0]["media"]["metadata"]["title"], "The Colour of Magic");
        assert_eq!((&result["total"], result.get("note")), (&json!(19), None));
    }

    #[test]
    fn order_is_asked_for_and_a_random_one_is_fresh_and_not_paged() {
        let page = json!({"results": [], "total": 60});
        let fake = Fake::new().json("GET /api/libraries/lib/series?limit=25&page=1&sort=numBooks&desc=1", page.clone());
        let arguments = json!({"library_id": "lib", "page": 1, "sort": "numBooks", "descending": true});
        assert_eq!(fake.ok("list_series", arguments)["note"], "This is page 1 of 0 to 2; go on with page=2.");
        let fake = Fake::new().json("GET /api/libraries/lib/series?limit=25&page=0&sort=random&_", page);
        let result = fake.ok("list_series", json!({"library_id": "lib", "sort": "random"}));
        assert_eq!(result, json!({"total": 60, "page": 0, "series": []}));
        let text = Fake::new().error("list_series", json!({"library_id": "lib", "sort": "title"}));
        assert!(text.contains("sort") && text.contains("lastBookAdded"), "{text}");
    }

    #[test]
    fn list_series_of_many_authors_and_odd_ones() {
        let by = |author: Value| json!({"media": {"metadata": {"authorName": author}, "duration": 1}});
        let body = json!({"total": null, "results": [
            {"id": "a", "name": "A", "books": [by(json!("X, Y")), by(json!("X")), by(json!("X, Y")), by(json!("Z"))]},
            {"id": "b", "name": null, "books": [by(json!(null)), null]},
            {"id": "c", "books": null},
            null
        ]});
        let fake = Fake::new().json("GET /api/libraries/lib/series?limit=25&page=0&sort=name", body);
        assert_eq!(
            fake.ok("list_series", json!({"library_id": "lib"}))["series"],
            json!([
                {"id": "a", "name": "A", "author": "X, Y; X; …", "num_books": 4, "duration": 4},
                {"id": "b", "num_books": 2, "duration": 1},
                {"id": "c", "num_books": 0, "duration": 0},
                {"num_books": 0, "duration": 0}
            ])
        );
        let fake = Fake::new().reply(
            "GET /api/libraries/lib/series?limit=25&page=0&sort=name",
            404,
            "text/html",
            "Library not found",
        );
        assert!(fake.error("list_series", json!({"library_id": "lib"})).contains("list_libraries"));
    }

    const ID: &str = "74c1accc-1dbd-47fa-95b3-92fa10bf1b2d";

    fn get_series(detail: &str) -> Value {
        // `series.` and the id in base64, as ABS wants it.
        let books = "GET /api/libraries/2bae7cc4-1220-44b7-b732-17d6ad955206/items?minified=1&limit=100&page=0&sort=sequence\
                     &filter=series.NzRjMWFjY2MtMWRiZC00N2ZhLTk1YjMtOTJmYTEwYmYxYjJk";
        Fake::new()
            .recorded(&format!("GET /api/series/{ID}?include=progress"), "get_series")
            .recorded(books, "get_series_books")
            .ok("get_series", json!({"series_id": ID, "detail": detail}))
    }

    #[test]
    fn get_series_has_its_books_in_order_and_says_which_are_finished() {
        let result = get_series("compact");
        let mut series = result["series"].clone();
        let books = series["books"].take();
        assert_eq!(
            series,
            json!({"id": ID, "name": "Discworld", "library_id": "2bae7cc4-1220-44b7-b732-17d6ad955206", "num_books": 3,
                "num_finished": 1, "duration": 12600.7, "books": null})
        );
        assert_eq!(
            books[0],
            json!({"id": "03b78a05-a279-4feb-9169-1d9b25e177ed", "title": "The Colour of Magic", "author": "Terry Pratchett",
                "narrator": "Nigel Planer", "series": "Discworld #1", "year": "1983", "duration": 4200, "added": "2026-11-30",
                "finished": true})
        );
        assert_eq!((&books[1]["title"], books[1].get("finished")), (&json!("Mort"), None));
        assert_eq!(result.get("note"), None);
        assert!(result.to_string().len() < (449 + 3950) / 2);
    }

    #[test]
    fn get_series_full() {
        let result = get_series("full");
        assert_eq!(result["series"]["progress"]["isFinished"], false);
        assert_eq!(result["series"]["books"][0]["media"]["metadata"]["series"]["sequence"], "1");
    }

    #[test]
    fn a_long_series_says_where_the_rest_is() {
        let books: Vec<Value> = (0..100).map(|i| json!({"id": format!("b{i}")})).collect();
        let fake = Fake::new()
            .json("GET /api/series/s?include=progress", json!({"id": "s", "libraryId": "lib", "progress": null}))
            .json(
                "GET /api/libraries/lib/items?minified=1&limit=100&page=0&sort=sequence&filter=series.cw",
                json!({"results": books, "total": 130}),
            );
        let result = fake.ok("get_series", json!({"series_id": "s"}));
        assert_eq!((&result["series"]["num_books"], &result["series"]["num_finished"]), (&json!(130), &json!(0)));
        let note = result["note"].as_str().unwrap();
        assert!(note.contains("first 100 of 130") && note.contains("filter_value=\"s\""), "{note}");
    }

    #[test]
    fn get_series_errors() {
        let asked = "GET /api/series/s?include=progress";
        let text =
            Fake::new().reply(asked, 404, "text/plain", "Not Found").error("get_series", json!({"series_id": "s"}));
        assert!(text.contains("list_series"), "{text}");
        let text = Fake::new().json(asked, json!({"id": "s"})).error("get_series", json!({"series_id": "s"}));
        assert!(text.contains("without a library"), "{text}");
    }
}
