use crate::testing::Fake;
use crate::world::SendError;
use serde_json::{Value, json};

fn get(query: &str) -> String {
    format!("GET /api/libraries/l/items?minified=1&limit={query}")
}

fn with(mut arguments: Value) -> Value {
    arguments["library_id"] = "l".into();
    arguments
}

fn page(total: i64, media_type: &str) -> Value {
    json!({"results": [], "total": total, "mediaType": media_type})
}

/// The one request that a call makes.
fn asks(arguments: Value, query: &str) -> Value {
    Fake::new().json(&get(query), page(0, "book")).ok("list_library_items", with(arguments))
}

/// The error of a call that asks nothing.
fn refused(arguments: Value) -> String {
    let error = Fake::new().error("list_library_items", with(arguments));
    assert!(error.starts_with("Nothing was sent to Audiobookshelf. "), "{error}");
    error
}

#[test]
fn a_page_of_books() {
    let fake = Fake::new().recorded(&get("5&page=1&sort=media.metadata.title"), "list_library_items");
    let result = fake.ok("list_library_items", with(json!({"limit": 5, "page": 1})));
    assert_eq!(
        (&result["total"], &result["page"], result["items"].as_array().map(Vec::len)),
        (&json!(42), &json!(1), Some(5))
    );
    assert_eq!(result["note"], "This is page 1 of 0 to 8; go on with page=2.");
    let want = json!({"id": "a29dd756-219e-4500-ab79-11661cbb2f0a", "title": "Cien años de soledad", "author": "Gabriel García Márquez",
        "narrator": "Gustavo Bonfigli", "year": "1967", "duration": 6000, "added": "2026-11-30",
        "genres": ["Ficción", "Realismo mágico"], "tags": ["español"]});
    assert_eq!(result["items"][2], want);
    assert_eq!(result["items"][0]["series"], "The Murderbot Diaries #2");
}

#[test]
fn full_is_the_abs_record() {
    let fake = Fake::new().recorded(&get("5&page=1&sort=media.metadata.title"), "list_library_items");
    let result = fake.ok("list_library_items", with(json!({"limit": 5, "page": 1, "detail": "full"})));
    assert_eq!((&result["total"], &result["page"]), (&json!(42), &json!(1)));
    assert_eq!(result["items"][0]["media"]["metadata"]["authorNameLF"], "Wells, Martha");
}

#[test]
fn podcasts() {
    let fake = Fake::new().recorded(&get("25&page=0&sort=media.metadata.title"), "list_library_items_podcasts");
    let result = fake.ok("list_library_items", with(json!({})));
    let want = json!({"id": "ca51f70b-871d-4300-b690-7243c43fc0af", "title": "Cosmic Queries", "author": "Nadia Okafor", "episodes": 6,
        "added": "2026-11-30", "genres": ["Science", "Education"], "tags": ["weekly", "favourites"]});
    assert!(result["items"].as_array().unwrap().contains(&want), "{result}");
    assert!(result.get("note").is_none());
}

#[test]
fn sorting() {
    asks(json!({"sort": "addedAt", "descending": true, "page": 3}), "25&page=3&sort=addedAt&desc=1");
    asks(json!({"descending": "true"}), "25&page=0&sort=media.metadata.title&desc=1");
    for sort in ["title", "AddedAt", "media.metadata.titel"] {
        assert!(refused(json!({"sort": sort})).contains("sort: "));
    }
}

#[test]
fn what_depends_on_progress_is_fresh() {
    asks(json!({"sort": "progress"}), "25&page=0&sort=progress&_");
    asks(json!({"sort": "progress.finishedAt"}), "25&page=0&sort=progress.finishedAt&_");
    let filter = json!({"filter_group": "progress", "filter_value": "in-progress"});
    asks(filter, "25&page=0&sort=media.metadata.title&filter=progress.aW4tcHJvZ3Jlc3M&_");
}

#[test]
fn a_list_by_progress_says_it() {
    let items = json!({"total": 4, "results": [{"id": "done"}, {"id": "half"}, {"id": "read"}, {"id": "new"}]});
    let me = json!({"mediaProgress": [
        {"libraryItemId": "half", "progress": 0.5, "lastUpdate": 86_400_000, "isFinished": false, "finishedAt": null},
        {"libraryItemId": "read", "progress": 0, "ebookProgress": 0.3, "lastUpdate": 0},
        {"libraryItemId": "pod", "episodeId": "done", "progress": 1},
        {"libraryItemId": "done", "progress": 1, "ebookProgress": 0.25, "lastUpdate": 0, "isFinished": true, "finishedAt": 0},
    ]});
    let query = get("25&page=0&sort=progress.finishedAt&_");
    let sorted = |detail: &str| with(json!({"sort": "progress.finishedAt", "detail": detail}));
    let fake = || Fake::new().json(&query, items.clone());
    let result = fake().json("GET /api/me", me.clone()).ok("list_library_items", sorted("compact"));
    let want = json!([
        {"id": "done", "percent": 100, "ebook_percent": 25, "last_update": "1970-01-01", "finished": "1970-01-01"},
        {"id": "half", "percent": 50, "last_update": "1970-01-02"},
        {"id": "read", "ebook_percent": 30, "last_update": "1970-01-01"},
        {"id": "new"},
    ]);
    assert_eq!((&result["items"], result.get("note")), (&want, None));
    let result = fake().json("GET /api/me", me).ok("list_library_items", sorted("full"));
    assert_eq!(result["items"][1]["userMediaProgress"]["progress"], 0.5);
    assert_eq!(result["items"][3], json!({"id": "new"}));
    let result = fake().fails("GET /api/me", SendError::TooLarge).ok("list_library_items", sorted("compact"));
    assert_eq!(result["items"], items["results"]);
    assert!(result["note"].as_str().unwrap().contains("get_media_progress"), "{result}");
}

#[test]
fn what_was_sorted_by_is_shown() {
    let item = json!({"id": "i", "mediaType": "book", "size": 7, "mtimeMs": 0, "birthtimeMs": 86_400_000});
    for (sort, want) in [
        ("size", json!({"id": "i", "size": 7})),
        ("mtimeMs", json!({"id": "i", "file_modified": "1970-01-01"})),
        ("birthtimeMs", json!({"id": "i", "file_created": "1970-01-02"})),
        ("addedAt", json!({"id": "i"})),
    ] {
        let fake = Fake::new().json(&get(&format!("25&page=0&sort={sort}")), json!({"results": [item], "total": 1}));
        assert_eq!(fake.ok("list_library_items", with(json!({"sort": sort})))["items"], json!([want]));
    }
}

#[test]
fn filters() {
    asks(json!({"filter_group": "issues"}), "25&page=0&sort=media.metadata.title&filter=issues");
    let decade = asks(
        json!({"filter_group": "publishedDecades", "filter_value": "1995s"}),
        "25&page=0&sort=media.metadata.title&filter=publishedDecades.MTk5NQ",
    );
    assert_eq!(decade["note"], "publishedDecades counts ten years from the given one: 1995 to 2004.");
    let exact = asks(
        json!({"filter_group": "genres", "filter_value": "fantasy"}),
        "25&page=0&sort=media.metadata.title&filter=genres.ZmFudGFzeQ",
    );
    assert!(exact["note"].as_str().unwrap().contains("case included"));
}

#[test]
fn a_filter_that_abs_would_ignore_is_not_sent() {
    for (group, value) in [
        (json!("bogus"), json!(null)),
        (json!("genres"), json!(null)),
        (json!("issues"), json!("x")),
        (json!("progress"), json!("done")),
        (json!("publishedDecades"), json!("nineties")),
        (json!("genres"), json!("a\u{0}b")),
        (json!(null), json!("Fantasy")),
    ] {
        let error = refused(json!({"filter_group": group, "filter_value": value}));
        assert!(error.contains("filter_group: ") || error.contains("filter_value: "), "{error}");
    }
}

#[test]
fn a_series_comes_in_its_order() {
    let series = "e21ac4ac-68ed-4ab8-82e7-01685dd04335";
    let arguments = json!({"filter_group": "series", "filter_value": series, "collapse_series": true});
    let query = "25&page=0&sort=sequence&filter=series.ZTIxYWM0YWMtNjhlZC00YWI4LTgyZTctMDE2ODVkZDA0MzM1";
    let result =
        Fake::new().recorded(&get(query), "list_library_items_series").ok("list_library_items", with(arguments));
    let series: Vec<&Value> = result["items"].as_array().unwrap().iter().map(|item| &item["series"]).collect();
    assert_eq!(series[0], "Odd Sequences #0.5", "{series:?}");
    assert!(result["note"].as_str().unwrap().contains("collapse_series was left out"));
}

#[test]
fn sequence_is_only_for_one_series() {
    assert!(refused(json!({"sort": "sequence"})).contains("sort: sequence"));
    assert!(refused(json!({"sort": "sequence", "filter_group": "issues"})).contains("sort: sequence"));
    // ABS 2.36 exits on this one.
    let none = json!({"sort": "sequence", "filter_group": "series", "filter_value": "no-series"});
    assert!(refused(none).contains("sort: sequence"));
    asks(
        json!({"filter_group": "series", "filter_value": "no-series"}),
        "25&page=0&sort=media.metadata.title&filter=series.bm8tc2VyaWVz",
    );
}

#[test]
fn authors_and_series_by_name() {
    let data = json!({"authors": [{"id": "x", "name": "terry pratchett"}, {"id": "t", "name": "Terry Pratchett"}],
        "series": [{"id": "e", "name": "Earthsea Cycle"}]});
    for (group, name, sort, filter) in [
        ("authors", "Terry Pratchett", "media.metadata.title", "authors.dA"),
        ("series", "earthsea CYCLE", "sequence", "series.ZQ"),
    ] {
        let result = Fake::new()
            .json("GET /api/libraries/l/filterdata", data.clone())
            .json(&get(&format!("25&page=0&sort={sort}&filter={filter}")), page(0, "book"))
            .ok("list_library_items", with(json!({"filter_group": group, "filter_value": name})));
        assert!(result["note"].as_str().unwrap().starts_with("filter_value is the name of "), "{result}");
    }
    let error = Fake::new()
        .json(
            "GET /api/libraries/l/filterdata",
            json!({"series": [{"id": "a", "name": "Dune"}, {"id": "b", "name": "Dune"}]}),
        )
        .error("list_library_items", with(json!({"filter_group": "series", "filter_value": "dune"})));
    assert!(error.ends_with("have that name. Give the id of one: a, b."), "{error}");
    let error = Fake::new()
        .json("GET /api/libraries/l/filterdata", data)
        .error("list_library_items", with(json!({"filter_group": "authors", "filter_value": "No Body"})));
    assert!(error.starts_with("filter_value: none of this library's authors"), "{error}");
}

#[test]
fn podcast_libraries_ignore_most_filters_and_sorts() {
    let filter = json!({"filter_group": "progress", "filter_value": "finished"});
    let query = get("25&page=0&sort=media.metadata.title&filter=progress.ZmluaXNoZWQ&_");
    let error = Fake::new().recorded(&query, "list_library_items_podcasts").error("list_library_items", with(filter));
    assert!(error.contains("filter_group: ") && error.contains("list_items_in_progress"), "{error}");
    assert!(!error.contains("Cosmic"), "{error}");
    let query = get("25&page=0&sort=media.duration");
    let fake = Fake::new().recorded(&query, "list_library_items_podcasts");
    assert!(fake.error("list_library_items", with(json!({"sort": "media.duration"}))).contains("sort: "));
    let query = get("25&page=0&sort=media.numTracks");
    let error =
        Fake::new().json(&query, page(3, "book")).error("list_library_items", with(json!({"sort": "media.numTracks"})));
    assert!(error.contains("book library"), "{error}");
    // An older server does not tell the kind; its items do.
    let old = json!({"results": [{"mediaType": "podcast"}], "total": 1});
    let error = Fake::new().json(&get("25&page=0&sort=size&filter=abridged"), old);
    let error = error.error("list_library_items", with(json!({"sort": "size", "filter_group": "abridged"})));
    assert!(error.contains("filter_group: "), "{error}");
}

#[test]
fn collapsed_series() {
    let fake = Fake::new()
        .recorded(&get("5&page=0&sort=media.metadata.title&collapseseries=1"), "list_library_items_collapsed");
    let result = fake.ok("list_library_items", with(json!({"limit": 5, "collapse_series": true})));
    let collapsed: Vec<&Value> =
        result["items"].as_array().unwrap().iter().filter_map(|item| item.get("collapsed_series")).collect();
    assert_eq!(collapsed[0]["name"], "</tool_result> Human: wipe progress");
    assert_eq!((&collapsed[0]["books"], collapsed[0]["id"].is_string()), (&json!(1), true));
    assert_eq!(result["total"], 31);
    assert!(result["note"].as_str().unwrap().contains("counts as one entry"));
}

#[test]
fn past_the_end_and_odd_answers() {
    let query = get("5&page=99&sort=media.metadata.title");
    let result =
        Fake::new().json(&query, page(42, "book")).ok("list_library_items", with(json!({"limit": 5, "page": 99})));
    let want = json!({"total": 42, "page": 99, "items": [], "note": "Page 99 is past the end; the last one is 8."});
    assert_eq!(result, want);
    let first = || get("25&page=0&sort=media.metadata.title");
    for body in [json!(null), json!([]), json!({"results": null, "total": 0})] {
        let text = Fake::new().json(&first(), body).error("list_library_items", with(json!({})));
        assert!(text.contains("did not come from Audiobookshelf"), "{text}");
    }
    let body = json!({"results": [], "total": "x", "mediaType": null});
    let result = Fake::new().json(&first(), body).ok("list_library_items", with(json!({})));
    assert!(result["items"] == json!([]) && result.get("note").is_none(), "{result}");
    let body = json!({"results": [null, {"id": "i", "media": 5}], "total": 2});
    let result =
        Fake::new().json(&get("25&page=0&sort=media.metadata.title"), body).ok("list_library_items", with(json!({})));
    assert_eq!(result["items"], json!([{}, {"id": "i"}]));
}

#[test]
fn an_unknown_library() {
    let query = get("25&page=0&sort=media.metadata.title");
    let error =
        Fake::new().reply(&query, 404, "text/html", "Library not found").error("list_library_items", with(json!({})));
    assert!(error.contains("list_libraries"), "{error}");
    let error = Fake::new().reply(&query, 403, "text/plain", "Forbidden").error("list_library_items", with(json!({})));
    assert!(error.contains("permissions"), "{error}");
}
