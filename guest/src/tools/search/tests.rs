use super::{has_literal, words};
use crate::testing::Fake;
use serde_json::{Value, json};

fn get(q: &str, limit: i64) -> String {
    format!("GET /api/libraries/l/search?q={q}&limit={limit}")
}

fn with(mut arguments: Value) -> Value {
    arguments["library_id"] = "l".into();
    arguments
}

fn book(id: &str, title: &str, author: &str) -> Value {
    json!({"libraryItem": {"id": id, "mediaType": "book", "media": {"metadata": {"title": title, "authors": [{"name": author}]}}}})
}

fn names(result: &Value, kind: &str, member: &str) -> Vec<String> {
    let hits = result[kind].as_array().map(Vec::as_slice).unwrap_or_default();
    hits.iter().map(|hit| hit[member].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn books_and_series() {
    let result =
        Fake::new().recorded(&get("dune", 12), "search_library").ok("search_library", with(json!({"q": "dune"})));
    let first = json!({"id": "752d8200-23cd-4bcd-838a-45c0635206fd", "title": "Dune", "author": "Frank Herbert",
        "narrator": "Scott Brick, Orlagh Cassidy, Euan Morton, Simon Vance, Ilyana Kadushin", "series": "Dune #1", "year": "1965",
        "duration": 21601.7, "added": "2026-11-30"});
    assert!(result["books"].as_array().unwrap().contains(&first), "{result}");
    assert_eq!(names(&result, "books", "title").len(), 2);
    assert_eq!(result["series"], json!([{"id": "00fea2af-fadf-4171-818b-c384250680ef", "name": "Dune", "books": 2}]));
    // Kinds without a hit are left out, and there is nothing to say.
    assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["books", "series"]);
}

#[test]
fn people() {
    let fake = Fake::new().recorded(&get("Ursula", 12), "search_library_names");
    let result = fake.ok("search_library", with(json!({"q": " Ursula "})));
    let want = json!({"authors": [
        {"id": "cf85f0ca-5355-4d1f-a9b6-63fea72aa465", "name": "Аркадий Стругацкий", "books": 1},
        {"id": "50ddcd29-aff0-47b0-9627-359c0500b25d", "name": "Борис Стругацкий", "books": 1}
    ]});
    assert_eq!(result, want);
    let body = json!({"narrators": [{"name": "Scott Brick", "numBooks": 2}], "tags": [{"name": "kids", "numItems": 3}],
        "genres": [{"name": "Fantasy", "numItems": 8}]});
    let result = Fake::new().json(&get("x", 12), body).ok("search_library", with(json!({"q": "x"})));
    let want = json!({"narrators": [{"name": "Scott Brick", "books": 2}], "tags": [{"name": "kids", "items": 3}],
        "genres": [{"name": "Fantasy", "items": 8}]});
    assert_eq!(result, want);
}

#[test]
fn episodes_and_podcasts() {
    let fake = Fake::new().recorded(&get("black%20holes", 12), "search_library_podcasts");
    let result = fake.ok("search_library", with(json!({"q": "black  holes"})));
    let want = json!({"episodes": [{"library_item_id": "ca51f70b-871d-4300-b690-7243c43fc0af",
        "episode_id": "a42af622-31ae-4065-a240-7ef0ed979e3c", "title": "Cosmic Queries 1: Black Holes", "season": "2", "episode": "1",
        "published": "2026-05-01", "duration": 1510.2, "podcast": "Cosmic Queries"}]});
    assert_eq!(result, want);
    // ABS says that a podcast which it found has no episodes.
    let podcast = json!({"podcast": [{"libraryItem": {"id": "p", "mediaType": "podcast", "media": {"numEpisodes": 0, "metadata": {"title": "P"}}}}]});
    let result = Fake::new().json(&get("p", 12), podcast).ok("search_library", with(json!({"q": "p"})));
    assert_eq!(result, json!({"podcasts": [{"id": "p", "title": "P"}]}));
}

#[test]
fn full_is_the_abs_record() {
    let fake = Fake::new().recorded(&get("dune", 12), "search_library");
    let result = fake.ok("search_library", with(json!({"q": "dune", "detail": "full"})));
    assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["books", "series"]);
    assert!(result["books"][0]["media"]["audioFiles"].is_array());
    assert_eq!(result["series"][0]["series"]["name"], "Dune");
    let fake = Fake::new().recorded(&get("black%20holes", 12), "search_library_podcasts");
    let result = fake.ok("search_library", with(json!({"q": "black holes", "detail": "full"})));
    assert_eq!(result["episodes"][0]["recentEpisode"]["episodeType"], "full");
    assert!(!result.to_string().contains("SECRETFEEDTOKEN"));
}

#[test]
fn a_blank_query_finds_everything_in_abs_and_is_not_sent() {
    for q in ["", "  ", "a\u{0}b"] {
        let error = Fake::new().error("search_library", with(json!({"q": q})));
        assert!(error.starts_with("Nothing was sent to Audiobookshelf. q: "), "{error}");
    }
}

#[test]
fn the_words_of_a_query_that_is_nowhere() {
    let dune = book("d", "Dune", "Frank Herbert");
    let frank = json!({"id": "a", "name": "Frank Herbert", "numBooks": 3});
    let result = Fake::new()
        .json(&get("Frank%20Herbert%2C%20Dune", 12), json!({"book": [], "authors": []}))
        .json(&get("Herbert", 12), json!({"authors": [frank]}))
        .json(&get("Frank", 12), json!({"book": [book("f", "Frankenstein", "Mary Shelley")], "authors": [frank]}))
        .json(&get("Dune", 12), json!({"book": [book("m", "Dune Messiah", "Somebody"), dune]}))
        .ok("search_library", with(json!({"q": "Frank Herbert, Dune"})));
    // Three words, then one each, in the order of ABS.
    assert_eq!(names(&result, "books", "title"), ["Dune", "Frankenstein", "Dune Messiah"]);
    assert_eq!(result["authors"], json!([{"id": "a", "name": "Frank Herbert", "books": 3}]));
    assert_eq!(result["note"], "The whole query is nowhere; its words were tried: Herbert, Frank, Dune.");
}

#[test]
fn at_most_four_words_and_no_short_ones_once_something_is_found() {
    let nothing = || json!({});
    let result = Fake::new()
        .json(&get("aaaa%20b%20cccccc%20ddddd%20eee%20ffffffff", 12), nothing())
        .json(&get("ffffffff", 12), nothing())
        .json(&get("cccccc", 12), nothing())
        .json(&get("ddddd", 12), nothing())
        .json(&get("aaaa", 12), nothing())
        .ok("search_library", with(json!({"q": "aaaa b cccccc ddddd eee ffffffff"})));
    let note = result["note"].as_str().unwrap();
    assert!(note.contains("ffffffff, cccccc, ddddd, aaaa.") && note.contains("Nothing was found"), "{note}");
    Fake::new()
        .json(&get("The%20Emperor", 12), nothing())
        .json(&get("Emperor", 12), json!({"book": [book("e", "Emperor", "A")]}))
        .ok("search_library", with(json!({"q": "The Emperor"})));
    // A single word has no words to try.
    Fake::new().json(&get("Dune", 12), nothing()).ok("search_library", with(json!({"q": "Dune"})));
}

#[test]
fn merged_hits_keep_to_the_limit() {
    let books = |name: &str| (0..3).map(|i| book(&format!("{name}{i}"), name, "A")).collect::<Vec<_>>();
    let result = Fake::new()
        .json(&get("alpha%20gamma", 3), json!({}))
        .json(&get("alpha", 3), json!({"book": books("alpha")}))
        .json(&get("gamma", 3), json!({"book": books("gamma")}))
        .ok("search_library", with(json!({"q": "alpha gamma", "limit": 3})));
    assert_eq!(result["books"].as_array().map(Vec::len), Some(3));
    assert!(result["note"].as_str().unwrap().contains("there may be more"));
}

#[test]
fn wildcards_are_literal() {
    // Of more hits than wanted: those of the wildcard come first.
    let body = json!({
        "book": [book("1", "50 Shades", "A"), book("2", "Save 50% now", "A")],
        "tags": [{"name": "500", "numItems": 1}, {"name": "50% off", "numItems": 2}],
        "authors": [{"id": "a", "name": null}]
    });
    let result = Fake::new().json(&get("50%25", 4), body).ok("search_library", with(json!({"q": "50%", "limit": 1})));
    let want = json!({"books": [{"id": "2", "title": "Save 50% now", "author": "A"}], "tags": [{"name": "50% off", "items": 2}],
        "note": "At most limit hits of each kind are shown; there may be more."});
    assert_eq!(result, want);
    Fake::new().json(&get("_", 100), json!({})).ok("search_library", with(json!({"q": "_", "limit": 90})));
}

#[test]
fn what_is_literal() {
    for (text, query) in [
        ("50% off", "50%"),
        ("Save 50% off", "50% OFF"),
        ("a_b", "A_B"),
        ("Émile_1", "emile_"),
        ("Zoe\u{301}_x", "zoé_X"),
    ] {
        assert!(has_literal(text, query), "{text} {query}");
    }
    for (text, query) in [("500 off", "50%"), ("a-b", "a_b"), ("aéb", "a_b"), ("x", "_"), ("%", "%%"), ("", "%")] {
        assert!(!has_literal(text, query), "{text} {query}");
    }
}

#[test]
fn words_without_punctuation() {
    assert_eq!(words("Dune, by \"Frank\" dune - O'Brien?"), ["Dune", "by", "Frank", "O'Brien"]);
    assert_eq!(words("村上 春樹"), ["村上", "春樹"]);
    assert!(words("?! -").is_empty());
}

#[test]
fn odd_answers_and_errors() {
    for body in [json!({}), json!([]), json!({"book": null, "tags": "x"})] {
        let result = Fake::new().json(&get("x", 12), body).ok("search_library", with(json!({"q": "x"})));
        assert!(result["note"].as_str().unwrap().starts_with("Nothing was found"), "{result}");
    }
    let body =
        json!({"book": [null, {"libraryItem": null}], "series": [{"series": null}], "genres": [7], "episodes": [{}]});
    Fake::new().json(&get("x", 12), body).ok("search_library", with(json!({"q": "x"})));
    let error = Fake::new()
        .reply(&get("x", 12), 404, "text/html", "Library not found")
        .error("search_library", with(json!({"q": "x"})));
    assert!(error.contains("list_libraries"), "{error}");
    let error = Fake::new()
        .reply(&get("x", 12), 403, "text/plain", "Forbidden")
        .error("search_library", with(json!({"q": "x"})));
    assert!(error.contains("permissions"), "{error}");
}
