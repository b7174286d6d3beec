//! Reading calls whose arguments end up in a query: filters, sort keys, search texts, pages.

use super::{Attempts, bench::UNKNOWN};
use crate::writes::world::{World, run};
use serde_json::json;

const TEXTS: [&str; 30] = [
    // Exits of ABS, when they reach it as they are.
    "a\0b",
    "\0",
    "%",
    "%zz",
    "%00",
    "%E0%A4%A",
    "50% off",
    "a&filter[]=b",
    "a&include=x&include=y",
    // For publishedDecades.
    "abc",
    "nineties",
    "196x",
    "-1",
    "1e400",
    "NaN",
    "99999999999999999999",
    " ",
    // For what looks into queries.
    ":libraryId",
    "':x ? $1",
    "'",
    "\"",
    "\\",
    "_",
    "a&limit=0",
    "a.b",
    "no-series",
    UNKNOWN,
    "null",
    "[]",
    "💥\u{202e}",
];

fn choices(world: &World, argument: &str) -> Vec<String> {
    let tool = world.schemas().iter().find(|tool| tool["name"] == "list_library_items").unwrap();
    let choices = tool["inputSchema"]["properties"][argument]["enum"].as_array().unwrap();
    choices.iter().map(|choice| choice.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_filter_with_every_odd_value() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        for group in choices(&world, "filter_group") {
            for value in TEXTS.iter().copied().map(Some).chain([None]) {
                let library = &world.shelf.library;
                let arguments =
                    json!({"library_id": library, "limit": 1, "filter_group": group, "filter_value": value});
                let outcome = attempts.once("list_library_items", &arguments).await;
                // ABS would answer with the whole library, or not at all.
                let senseless = match (group.as_str(), value) {
                    ("publishedDecades", Some(value)) => value != "196x" || outcome.is_err(),
                    ("progress" | "missing" | "tracks" | "ebooks", _) => true,
                    _ => value.is_some_and(|value| value.contains('\0')),
                };
                assert!(outcome.is_err() || !senseless, "{arguments}: {outcome:?}");
            }
        }
        for value in TEXTS {
            let arguments = json!({"library_id": world.shelf.podcasts, "filter_group": "tags", "filter_value": value});
            drop(attempts.once("list_library_items", &arguments).await);
        }
        attempts.end(500);
    })
    .await;
}

#[tokio::test]
async fn every_sort_key_within_series_and_collapsed() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let series = &world.shelf.series;
        let values = [series["id"].clone(), series["name"].clone(), json!("no-series"), json!(UNKNOWN)];
        for sort in choices(&world, "sort").into_iter().map(Some).chain([None]) {
            for collapse in [true, false] {
                for descending in [true, false] {
                    for library in [&world.shelf.library, &world.shelf.podcasts] {
                        let asked = json!({"library_id": library, "limit": 2, "sort": sort, "descending": descending,
                            "collapse_series": collapse});
                        drop(attempts.once("list_library_items", &asked).await);
                        for value in &values {
                            let mut asked = asked.clone();
                            (asked["filter_group"], asked["filter_value"]) = (json!("series"), value.clone());
                            let outcome = attempts.once("list_library_items", &asked).await;
                            let in_books = library == &world.shelf.library;
                            let for_podcasts = ["media.metadata.author", "media.numTracks"];
                            let fits = !sort.as_deref().is_some_and(|sort| for_podcasts.contains(&sort));
                            if in_books && fits && value == &series["id"] {
                                assert!(
                                    outcome.as_ref().is_ok_and(|found| found["items"][1].is_object()),
                                    "{asked}: {outcome:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
        attempts.end(680);
    })
    .await;
}

#[tokio::test]
async fn search_texts_and_the_ends_of_what_pages() {
    run(|world| async move {
        let mut attempts = Attempts::new(&world);
        let long = "a".repeat(7000);
        for library in [&world.shelf.library, &world.shelf.podcasts] {
            for q in TEXTS.into_iter().chain([long.as_str()]) {
                let outcome =
                    attempts.once("search_library", &json!({"library_id": library, "q": q, "limit": 1})).await;
                let senseless = q.contains('\0') || q.trim().is_empty() || q.len() == 7000;
                assert_eq!(outcome.is_err(), senseless, "{q:?}: {outcome:?}");
            }
        }
        for tool in world.schemas() {
            let (name, properties) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]["properties"]);
            if properties.get("limit").is_none() && properties.get("page").is_none() {
                continue;
            }
            let is_of_podcasts = name == "list_recent_episodes";
            let library = if is_of_podcasts { &world.shelf.podcasts } else { &world.shelf.library };
            for (limit, page) in [("minimum", "maximum"), ("maximum", "maximum"), ("maximum", "minimum")] {
                let mut arguments = json!({"library_id": library, "q": "a"});
                for (argument, end) in [("limit", limit), ("page", page)] {
                    arguments[argument] = properties[argument][end].clone();
                }
                arguments.as_object_mut().unwrap().retain(|argument, _| properties.get(argument).is_some());
                let outcome = attempts.once(name, &arguments).await;
                assert!(outcome.is_ok(), "{name} {arguments}: {outcome:?}");
            }
        }
        for year in [2000, 2100] {
            let outcome = attempts.once("get_year_stats", &json!({"year": year})).await;
            assert!(outcome.is_ok(), "{outcome:?}");
        }
        attempts.end(80);
    })
    .await;
}
