//! The recorded answers of a real Audiobookshelf, by route.

use policy::{Route, table::*};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::{fs, sync::LazyLock};

pub(super) struct Exchange {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) body: Value,
}

static BY_ROUTE: [(&Route, &[&str]); 35] = [
    (&GET_STATUS, &["get_server_status"]),
    (&LIST_LIBRARIES, &["list_libraries"]),
    (&GET_LIBRARY, &["get_library"]),
    (&GET_LIBRARY_STATS, &["get_library_stats"]),
    (&GET_FILTER_DATA, &["get_library_filter_data"]),
    (
        &LIST_ITEMS,
        &[
            "list_library_items",
            "list_library_items_collapsed",
            "list_library_items_podcasts",
            "list_library_items_series",
            "get_series_books",
        ],
    ),
    (&SEARCH_LIBRARY, &["search_library", "search_library_names", "search_library_podcasts"]),
    (&GET_SHELVES, &["get_personalized_shelves", "get_personalized_shelves_podcasts"]),
    (&LIST_SERIES, &["list_series"]),
    (&GET_SERIES, &["get_series"]),
    (&LIST_AUTHORS, &["list_authors"]),
    (&GET_AUTHOR, &["get_author"]),
    (&LIST_RECENT_EPISODES, &["list_recent_episodes"]),
    (&LIST_TAGS, &["list_tags"]),
    (&LIST_GENRES, &["list_genres"]),
    (&GET_ITEM, &["get_library_item", "get_library_item_ebook", "get_library_item_podcast"]),
    (&GET_EPISODE, &["get_podcast_episode", "get_podcast_episode_of_a_book"]),
    (&GET_ME, &["get_me", "get_me_restricted"]),
    (&LIST_ITEMS_IN_PROGRESS, &["list_items_in_progress"]),
    (&GET_PROGRESS, &["get_media_progress", "get_media_progress_ebook", "get_media_progress_none"]),
    (&GET_PROGRESS_EPISODE, &["get_media_progress_episode", "get_media_progress_none"]),
    (&GET_LISTENING_STATS, &["get_listening_stats"]),
    (&GET_YEAR_STATS, &["get_year_stats", "get_year_stats_empty"]),
    (&LIST_SESSIONS, &["list_listening_sessions"]),
    (&LIST_BOOKMARKS, &["list_bookmarks"]),
    (&LIST_ITEM_BOOKMARKS, &["list_bookmarks_item", "list_bookmarks_unknown"]),
    (&LIST_COLLECTIONS, &["list_collections"]),
    (&GET_COLLECTION, &["get_collection"]),
    (&LIST_PLAYLISTS, &["list_playlists"]),
    (&GET_PLAYLIST, &["get_playlist", "get_playlist_of_episodes", "playlist_with_gaps"]),
    (&CREATE_COLLECTION, &["create_collection", "create_collection_invalid"]),
    (&UPDATE_COLLECTION, &["update_collection"]),
    (&CREATE_PLAYLIST, &["create_playlist"]),
    (&UPDATE_PLAYLIST, &["update_playlist_order"]),
    (&ADD_PLAYLIST_ITEM, &["playlist_with_gaps_added"]),
];

static ALL: LazyLock<BTreeMap<String, Exchange>> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/recorded");
    let files = fs::read_dir(folder).expect(folder).map(|file| file.expect(folder).path());
    files
        .map(|path| {
            let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
            let mut exchange: Value = serde_json::from_slice(&fs::read(&path).expect(&name)).expect(&name);
            let exchange = Exchange {
                status: exchange["status"].as_u64().and_then(|status| status.try_into().ok()).expect(&name),
                content_type: exchange["content_type"].as_str().expect(&name).to_owned(),
                body: exchange["body"].take(),
            };
            (name, exchange)
        })
        .collect()
});

/// Every text that could be an id, in all recordings.
pub(super) static IDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    fn collect(value: &Value, ids: &mut BTreeSet<String>) {
        match value {
            Value::String(text) if text.len() == 36 && policy::valid_id(text) => drop(ids.insert(text.clone())),
            Value::Array(list) => list.iter().for_each(|value| collect(value, ids)),
            Value::Object(object) => object.values().for_each(|value| collect(value, ids)),
            _ => {}
        }
    }
    let mut ids = BTreeSet::new();
    ALL.values().for_each(|exchange| collect(&exchange.body, &mut ids));
    ids.into_iter().collect()
});

pub(super) fn named(name: &str) -> &'static Exchange {
    ALL.get(name).expect(name)
}

/// The recorded answers to a route; none for some of those that write.
pub(super) fn answers(route: &Route) -> &'static [&'static str] {
    BY_ROUTE.iter().find(|(known, _)| *known == route).map_or(&[], |(_, names)| names)
}

/// Every recording, for answers that belong to something else.
pub(super) fn names() -> Vec<&'static str> {
    ALL.keys().map(String::as_str).collect()
}
