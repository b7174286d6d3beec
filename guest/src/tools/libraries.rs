//! Libraries: the entry point, their statistics, and the values that filters take.

use super::param::{DETAIL, LIBRARY_ID};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::entries;
use crate::keep;
use crate::shape::time::{iso, seconds};
use crate::shape::{Keep, Record, at, list, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_LIBRARIES, &GET_LIBRARY, &GET_LIBRARY_STATS, &GET_LIBRARY_FILTER_DATA];

pub(super) const NO_LIBRARY: &str =
    "There is no such library, or this user may not see it. list_libraries shows the valid ids.";

static LIST_LIBRARIES: Tool = Tool {
    name: "list_libraries",
    title: "List libraries",
    description: "The libraries: id, name, mediaType (book or podcast). Start here: most tools take a library_id.",
    params: &[DETAIL],
    output: &[field("libraries", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_LIBRARIES],
    narrower: "get_library for one library",
    run: |context, args| list_libraries(context, args),
};

fn list_libraries(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { libraries { id, name, mediaType } };
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context.get(&table::LIST_LIBRARIES, &[], &[], &keep)?;
    let libraries = entries(&reply, "libraries")?.iter();
    let libraries: Vec<Value> = if args.full() {
        libraries.cloned().collect()
    } else {
        libraries.map(|library| Record::new().copy(library, &["id", "name", "mediaType"]).into()).collect()
    };
    Ok(Answer::untrusted(Record::new().put_list("libraries", libraries)))
}

static GET_LIBRARY: Tool = Tool {
    name: "get_library",
    title: "Get a library",
    description: "One library: settings, folders, last scan.",
    params: &[LIBRARY_ID, DETAIL],
    output: &[field("library", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_LIBRARY],
    narrower: "",
    run: |context, args| get_library(context, args),
};

fn get_library(context: &Context<'_>, args: &Args) -> Outcome {
    let reply = context
        .get(&table::GET_LIBRARY, &[args.text("library_id")], &[], &Keep::All)
        .map_err(|failure| failure.or_not_found(NO_LIBRARY))?;
    let library: Value = if args.full() {
        reply
    } else {
        let folders = list(&reply, "folders").iter().map(|folder| at(folder, "id").clone());
        Record::new()
            .copy(&reply, &["id", "name", "mediaType", "provider", "icon"])
            .put("folder_ids", folders.collect::<Vec<_>>())
            .put("settings", at(&reply, "settings").clone())
            .put("last_scan", iso(at(&reply, "lastScan")))
            .put("created", iso(at(&reply, "createdAt")))
            .into()
    };
    Ok(Answer::untrusted(Record::new().put("library", library)))
}

/// Of the ten that ABS sends. Lists sorted by the same tell any number.
const TOP_ITEMS: usize = 5;

static GET_LIBRARY_STATS: Tool = Tool {
    name: "get_library_stats",
    title: "Get a library's statistics",
    description: "How much a library holds: items, duration, bytes, audio files, items by genre, the ten authors \
                  with most books, the five longest and largest items (more: list_library_items by media.duration \
                  or size).",
    params: &[LIBRARY_ID],
    output: &[
        field("items", Integer),
        field("duration", Number),
        field("size", Integer),
        field("audio_files", Integer),
        field("author_count", Integer),
        field("genre_count", Integer),
        field("authors", Objects),
        field("genres", Object),
        field("longest", Objects),
        field("largest", Objects),
    ],
    hints: Hints::READ,
    routes: &[&table::GET_LIBRARY_STATS],
    narrower: "list_library_items with sort=size or sort=media.duration",
    run: |context, args| get_library_stats(context, args),
};

fn get_library_stats(context: &Context<'_>, args: &Args) -> Outcome {
    let stats = context
        .get(&table::GET_LIBRARY_STATS, &[args.text("library_id")], &[], &Keep::All)
        .map_err(|failure| failure.or_not_found(NO_LIBRARY))?;
    let item = |item: &Value| Record::new().copy(item, &["id", "title"]);
    let longest = list(&stats, "longestItems")
        .iter()
        .take(TOP_ITEMS)
        .map(|i| item(i).put("duration", seconds(at(i, "duration"))));
    let largest = list(&stats, "largestItems").iter().take(TOP_ITEMS).map(|i| item(i).copy(i, &["size"]));
    let authors = list(&stats, "authorsWithCount")
        .iter()
        .map(|author| Record::new().copy(author, &["id", "name"]).put("books", at(author, "count").clone()));
    let genres = list(&stats, "genresWithCount")
        .iter()
        .filter_map(|genre| Some((text(genre, "genre")?, at(genre, "count"))))
        .fold(Record::new(), |genres, (name, count)| genres.put(name, count.clone()));
    let record = Record::new()
        .put("items", at(&stats, "totalItems").clone())
        .put("duration", seconds(at(&stats, "totalDuration")))
        .put("size", at(&stats, "totalSize").clone())
        .put("audio_files", at(&stats, "numAudioTracks").clone())
        .put("author_count", at(&stats, "totalAuthors").clone())
        .put("genre_count", at(&stats, "totalGenres").clone())
        .put("authors", authors.map(Value::from).collect::<Vec<_>>())
        .put("genres", genres)
        .put("longest", longest.map(Value::from).collect::<Vec<_>>())
        .put("largest", largest.map(Value::from).collect::<Vec<_>>());
    Ok(Answer::untrusted(record))
}

static GET_LIBRARY_FILTER_DATA: Tool = Tool {
    name: "get_library_filter_data",
    title: "Get a library's filter values",
    description: "The names of a library's authors, series, genres, tags, narrators, languages, publishers and \
                  decades: what list_library_items takes as filter_value. Can lag half an hour. Ids are in \
                  list_authors and list_series.",
    params: &[LIBRARY_ID],
    output: &[
        field("authors", Texts),
        field("series", Texts),
        field("genres", Texts),
        field("tags", Texts),
        field("narrators", Texts),
        field("languages", Texts),
        field("publishers", Texts),
        field("published_decades", Texts),
        field("issues", Integer),
    ],
    hints: Hints::READ,
    routes: &[&table::GET_FILTER_DATA],
    narrower: "list_authors and list_series page by page, or search_library",
    run: |context, args| get_library_filter_data(context, args),
};

fn get_library_filter_data(context: &Context<'_>, args: &Args) -> Outcome {
    let data = context
        .get(&table::GET_FILTER_DATA, &[args.text("library_id")], &[], &Keep::All)
        .map_err(|failure| failure.or_not_found(NO_LIBRARY))?;
    // Without the ids, which are most of the bytes: the filter takes names as well.
    let names = |of: &str| list(&data, of).iter().map(|entry| at(entry, "name").clone()).collect::<Vec<_>>();
    let record = Record::new()
        .put("authors", names("authors"))
        .put("series", names("series"))
        .copy(&data, &["genres", "tags", "narrators", "languages", "publishers"])
        .put("published_decades", at(&data, "publishedDecades").clone())
        .put("issues", at(&data, "numIssues").clone());
    Ok(Answer::untrusted(record))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::json;

    const BOOKS: &str = "2bae7cc4-1220-44b7-b732-17d6ad955206";

    fn get(path: &str) -> String {
        format!("GET /api/libraries/{BOOKS}{path}")
    }

    #[test]
    fn list_libraries_compact() {
        let result = Fake::new().recorded("GET /api/libraries", "list_libraries").ok("list_libraries", json!({}));
        let library = |id: &str, name: &str, media_type: &str| json!({"id": id, "name": name, "mediaType": media_type});
        let want = json!({"libraries": [
            library(BOOKS, "Audiobooks", "book"),
            library("40d56e54-294e-4af8-bbe3-e7e0e7e69e2f", "Podcasts", "podcast"),
            library("8088c714-92b2-47ea-90af-b2e8cd9f8887", "Empty Library", "book"),
        ]});
        assert_eq!(result, want);
    }

    #[test]
    fn list_libraries_full_is_the_abs_record() {
        let fake = Fake::new().recorded("GET /api/libraries", "list_libraries");
        let result = fake.ok("list_libraries", json!({"detail": "full"}));
        assert_eq!(result["libraries"][0]["settings"]["audiobooksOnly"], false);
    }

    #[test]
    fn none_is_an_answer() {
        let result = Fake::new().json("GET /api/libraries", json!({"libraries": []})).ok("list_libraries", json!({}));
        assert_eq!(result, json!({"libraries": []}));
        for body in [json!({"libraries": null}), json!({}), json!([1]), json!(1), json!("libraries"), json!(null)] {
            let text = Fake::new().json("GET /api/libraries", body).error("list_libraries", json!({}));
            assert!(text.contains("did not come from Audiobookshelf"), "{text}");
        }
    }

    #[test]
    fn get_library_compact_has_no_server_path() {
        let result = Fake::new().recorded(&get(""), "get_library").ok("get_library", json!({"library_id": BOOKS}));
        let want = json!({"library": {
            "id": BOOKS, "name": "Audiobooks", "mediaType": "book", "provider": "audible", "icon": "audiobookshelf",
            "folder_ids": ["664ef65c-322c-4db8-b364-3c8c5d807d80"],
            "settings": {
                "coverAspectRatio": 1, "disableWatcher": true, "autoScanCronExpression": null, "skipMatchingMediaWithAsin": false,
                "skipMatchingMediaWithIsbn": false, "audiobooksOnly": false, "epubsAllowScriptedContent": false,
                "hideSingleBookSeries": false, "onlyShowLaterBooksInContinueSeries": false,
                "metadataPrecedence": ["folderStructure", "audioMetatags", "nfoFile", "txtFiles", "opfFile", "absMetadata"],
                "markAsFinishedPercentComplete": null, "markAsFinishedTimeRemaining": 10
            },
            "last_scan": "2026-11-30T16:21:47Z", "created": "2026-11-30T16:21:24Z"
        }});
        assert_eq!(result, want);
        let full = Fake::new()
            .recorded(&get(""), "get_library")
            .ok("get_library", json!({"library_id": BOOKS, "detail": "full"}));
        assert_eq!(full["library"]["folders"][0]["fullPath"], "/media/books");
    }

    #[test]
    fn an_unknown_library_and_a_forbidden_one() {
        for (tool, path) in
            [("get_library", ""), ("get_library_stats", "/stats"), ("get_library_filter_data", "/filterdata")]
        {
            let error = Fake::new()
                .reply(&get(path), 404, "text/html", "Library not found")
                .error(tool, json!({"library_id": BOOKS}));
            assert!(error.contains("list_libraries"), "{error}");
            let error =
                Fake::new().reply(&get(path), 403, "text/plain", "Forbidden").error(tool, json!({"library_id": BOOKS}));
            assert!(error.contains("permissions"), "{error}");
            let error = Fake::new().fails(&get(path), SendError::Closed).error(tool, json!({"library_id": BOOKS}));
            assert!(error.contains("do not repeat"), "{error}");
        }
    }

    #[test]
    fn stats_of_books() {
        let result = Fake::new()
            .recorded(&get("/stats"), "get_library_stats")
            .ok("get_library_stats", json!({"library_id": BOOKS}));
        assert_eq!(result["authors"].as_array().map(Vec::len), Some(10));
        assert_eq!(result["longest"].as_array().map(Vec::len), Some(5));
        assert_eq!(result["genres"].as_object().map(|genres| genres.len()), Some(42));
        assert_eq!(result["genres"]["Mystery, Thriller & Suspense"], 2);
        let mut first = result;
        for name in ["authors", "longest", "largest"] {
            first[name] = json!([first[name][0]]);
        }
        first["genres"] = json!({"Fantasy": first["genres"]["Fantasy"]});
        let want = json!({
            "items": 42, "duration": 133_552.5, "size": 56_715_803, "audio_files": 62, "author_count": 26, "genre_count": 42,
            "authors": [{"id": "38a9533d-af22-4d12-8eae-2fc6e61ec08e", "name": "Odd Sequence", "books": 5}],
            "genres": {"Fantasy": 12},
            "longest": [{"id": "752d8200-23cd-4bcd-838a-45c0635206fd", "title": "Dune", "duration": 21601.7}],
            "largest": [{"id": "752d8200-23cd-4bcd-838a-45c0635206fd", "title": "Dune", "size": 21_606_273}]
        });
        assert_eq!(first, want);
    }

    #[test]
    fn stats_of_podcasts_have_no_authors_and_of_nothing_only_zeros() {
        let podcasts = json!({"largestItems": [], "totalGenres": 1, "genresWithCount": [{"genre": "Science", "count": 1}],
            "totalItems": 3, "longestItems": null, "totalSize": 14_427_879, "totalDuration": 14420.304, "numAudioTracks": 13});
        let result = Fake::new().json(&get("/stats"), podcasts).ok("get_library_stats", json!({"library_id": BOOKS}));
        let want = json!({"items": 3, "duration": 14420.3, "size": 14_427_879, "audio_files": 13, "genre_count": 1,
            "genres": {"Science": 1}});
        assert_eq!(result, want);
        let empty = json!({"totalItems": 0, "totalDuration": null, "totalSize": 0, "genresWithCount": [null]});
        let result = Fake::new().json(&get("/stats"), empty).ok("get_library_stats", json!({"library_id": BOOKS}));
        assert_eq!(result, json!({"items": 0, "size": 0}));
    }

    #[test]
    fn filter_data() {
        let fake = Fake::new().recorded(&get("/filterdata"), "get_library_filter_data");
        let result = fake.ok("get_library_filter_data", json!({"library_id": BOOKS}));
        let members: Vec<&String> = result.as_object().unwrap().keys().collect();
        let want = [
            "authors",
            "series",
            "genres",
            "tags",
            "narrators",
            "languages",
            "publishers",
            "published_decades",
            "issues",
        ];
        assert_eq!(members, want);
        assert_eq!(result["authors"][0], "Agatha Christie");
        assert_eq!(result["series"][1], "Discworld");
        assert_eq!(result["published_decades"][0], "1810");
        assert_eq!(result["issues"], 1);
        let count = |name: &str| result[name].as_array().map(Vec::len);
        assert_eq!(["authors", "series", "genres", "tags", "narrators"].map(count), [26, 19, 42, 55, 55].map(Some));
    }

    #[test]
    fn filter_data_of_an_empty_library() {
        let body = json!({"authors": [], "genres": [], "tags": null, "numIssues": 0, "loadedAt": 1});
        let result =
            Fake::new().json(&get("/filterdata"), body).ok("get_library_filter_data", json!({"library_id": BOOKS}));
        assert_eq!(result, json!({"issues": 0}));
        assert_eq!(
            Fake::new()
                .json(&get("/filterdata"), json!({}))
                .ok("get_library_filter_data", json!({"library_id": BOOKS})),
            json!({})
        );
    }
}
