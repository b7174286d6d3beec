//! Authors of books.

use super::libraries::NO_LIBRARY;
use super::param::{DETAIL, LIBRARY_ID, Param};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::entries;
use crate::keep;
use crate::shape::{Keep, Record, at, excerpt, item, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_AUTHORS, &GET_AUTHOR];

static LIST_AUTHORS: Tool = Tool {
    name: "list_authors",
    title: "List authors",
    description: "A book library's authors by name, with the number of books. To find one, use search_library.",
    params: &[LIBRARY_ID, DETAIL],
    output: &[field("total", Integer), field("authors", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_AUTHORS],
    narrower: "search_library with a part of the name",
    run: |context, args| list_authors(context, args),
};

fn list_authors(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { authors { id, name, numBooks }, results { id, name, numBooks } };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context
        .get(&table::LIST_AUTHORS, &[args.text("library_id")], &[("sort", "name")], &keep)
        .map_err(|failure| failure.or_not_found(NO_LIBRARY))?;
    // ABS names the list `results` when it pages, which it does only where limit and page are both sent.
    let authors = entries(&reply, "authors").or_else(|_| entries(&reply, "results"))?.to_vec();
    let total = authors.len();
    let authors: Vec<Value> = if args.full() {
        authors
    } else {
        let entry =
            |author| Record::new().copy(author, &["id", "name"]).put("num_books", at(author, "numBooks").clone());
        authors.iter().map(|author| entry(author).into()).collect()
    };
    Ok(Answer::untrusted(Record::new().put("total", total).put_list("authors", authors)))
}

static GET_AUTHOR: Tool = Tool {
    name: "get_author",
    title: "Get an author",
    description: "One author with description; with include_items also the books.",
    params: &[
        Param::id("author_id", ""),
        Param::flag("include_items", ""),
        Param::id("library_id", "leave out items of other libraries").optional(),
        DETAIL,
    ],
    output: &[field("author", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_AUTHOR],
    narrower: "list_library_items with filter_group=\"authors\" and a small limit",
    run: |context, args| get_author(context, args),
};

fn get_author(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { id, name, asin, description, libraryId, libraryItems: item::KEEP };
    let query: &[(&str, &str)] = if args.flag("include_items") { &[("include", "items")] } else { &[] };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let mut author = context.get(&table::GET_AUTHOR, &[args.text("author_id")], query, &keep).map_err(|failure| {
        failure.or_not_found("There is no such author. list_authors and search_library show valid ids.")
    })?;
    // ABS has a query key for this and does not look at it.
    if let (Some(library), Some(items)) =
        (args.text_if("library_id"), author.get_mut("libraryItems").and_then(Value::as_array_mut))
    {
        items.retain(|item| at(item, "libraryId") == library);
    }
    let author = if args.full() { author } else { compact(&author) };
    Ok(Answer::untrusted(Record::new().put("author", author)))
}

fn compact(author: &Value) -> Value {
    let record = Record::new()
        .copy(author, &["id", "name", "asin"])
        .put("description", text(author, "description").map(excerpt))
        .put("library_id", at(author, "libraryId").clone());
    match at(author, "libraryItems") {
        Value::Array(items) => {
            record.put("num_books", items.len()).put_list("items", items.iter().map(item::compact)).into()
        }
        _ => record.into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::json;

    const LIST: &str = "GET /api/libraries/lib/authors?sort=name";

    #[test]
    fn list_authors_compact() {
        let result = Fake::new().recorded(LIST, "list_authors").ok("list_authors", json!({"library_id": "lib"}));
        assert_eq!(result["total"], 26);
        assert_eq!(
            result["authors"][4],
            json!({"id": "c2a7a655-4142-473a-8123-54c3ac1f4a09", "name": "Ursula K. Le Guin", "num_books": 5})
        );
        assert!(result.to_string().len() < 6896 / 2);
    }

    #[test]
    fn list_authors_full() {
        let fake = Fake::new().recorded(LIST, "list_authors");
        let result = fake.ok("list_authors", json!({"library_id": "lib", "detail": "full"}));
        assert_eq!((&result["total"], &result["authors"][4]["lastFirst"]), (&json!(26), &json!("Le Guin, Ursula K.")));
    }

    #[test]
    fn either_shape_of_the_list_and_none() {
        for body in [
            json!({"authors": [{"id": "a", "name": null, "numBooks": "2"}]}),
            json!({"results": [{"id": "a", "numBooks": "2"}], "total": 9}),
        ] {
            let result = Fake::new().json(LIST, body).ok("list_authors", json!({"library_id": "lib"}));
            assert_eq!(result, json!({"total": 1, "authors": [{"id": "a", "num_books": "2"}]}));
        }
        let result = Fake::new().json(LIST, json!({"authors": []})).ok("list_authors", json!({"library_id": "lib"}));
        assert_eq!(result, json!({"total": 0, "authors": []}));
        let text = Fake::new().json(LIST, json!({"authors": 1})).error("list_authors", json!({"library_id": "lib"}));
        assert!(text.contains("lacks the list"), "{text}");
        let text = Fake::new()
            .reply(LIST, 404, "text/html", "Library not found")
            .error("list_authors", json!({"library_id": "lib"}));
        assert!(text.contains("list_libraries"), "{text}");
    }

    #[test]
    fn get_author_alone() {
        let body = json!({"id": "a", "asin": "B1", "name": "Ann", "description": "<p>Writes &amp; reads.</p>", "imagePath": "/metadata/a.jpg", "libraryId": "lib"});
        let want = json!({"author": {"id": "a", "name": "Ann", "asin": "B1", "description": "Writes & reads.", "library_id": "lib"}});
        assert_eq!(Fake::new().json("GET /api/authors/a", body).ok("get_author", json!({"author_id": "a"})), want);
        let text = Fake::new()
            .reply("GET /api/authors/a", 404, "text/plain", "Not Found")
            .error("get_author", json!({"author_id": "a"}));
        assert!(text.contains("list_authors"), "{text}");
    }

    const WITH_ITEMS: &str = "GET /api/authors/a?include=items";

    #[test]
    fn get_author_with_items() {
        let fake = Fake::new().recorded(WITH_ITEMS, "get_author");
        let result = fake.ok("get_author", json!({"author_id": "a", "include_items": true}));
        let author = &result["author"];
        assert_eq!((&author["name"], &author["num_books"]), (&json!("Terry Pratchett"), &json!(4)));
        assert_eq!(
            author["items"][1],
            json!({"id": "f3f3446c-61a6-4022-b88c-9b6c8fcab5dd", "title": "Guards! Guards!", "author": "Terry Pratchett",
                "narrator": "Nigel Planer", "series": "Discworld - City Watch #1, Discworld #8", "year": "1989",
                "duration": 4500.7, "added": "2026-11-30"})
        );
        assert!(result.to_string().len() < 4959 / 2);
    }

    #[test]
    fn items_of_another_library_are_left_out() {
        for detail in ["compact", "full"] {
            let fake = Fake::new().json(
                WITH_ITEMS,
                json!({"id": "a", "libraryItems": [{"id": "x", "libraryId": "lib"}, {"id": "y", "libraryId": "other"}, null]}),
            );
            let arguments = json!({"author_id": "a", "include_items": true, "library_id": "lib", "detail": detail});
            let text = fake.ok("get_author", arguments).to_string();
            assert!(text.contains(r#""x""#) && !text.contains(r#""y""#), "{text}");
        }
    }

    #[test]
    fn get_author_full() {
        let fake = Fake::new().recorded(WITH_ITEMS, "get_author");
        let result = fake.ok("get_author", json!({"author_id": "a", "include_items": true, "detail": "full"}));
        assert_eq!(result["author"]["libraryItems"][0]["media"]["metadata"]["publisher"], "HarperAudio");
    }
}
