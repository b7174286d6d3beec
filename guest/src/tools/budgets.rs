//! What a result may cost: a model reads every byte of it. Each row is a tool's default answer to a recorded question, and a
//! little more than it takes today. Where a row has to grow, a question that people ask must be answered by what is added.

use crate::testing::Fake;
use serde_json::{Value, json};

struct Row {
    tool: &'static str,
    /// The arguments.
    given: Value,
    /// What it asks, and the recorded answers (`guest/recorded`).
    asks: &'static [(&'static str, &'static str)],
    bytes: usize,
}

fn row(tool: &'static str, given: Value, asks: &'static [(&'static str, &'static str)], bytes: usize) -> Row {
    Row { tool, given, asks, bytes }
}

const SERIES: &str = "GET /api/libraries/2bae7cc4-1220-44b7-b732-17d6ad955206/items?minified=1&limit=100&page=0&sort=sequence&filter=series.cw";

fn rows() -> [Row; 35] {
    let library = || json!({"library_id": "l"});
    let item = || json!({"library_item_id": "i"});
    let episode = || json!({"library_item_id": "i", "episode_id": "e"});
    const ITEM: &str = "GET /api/items/i?expanded=1&include=progress";
    [
        row("list_libraries", json!({}), &[("GET /api/libraries", "list_libraries")], 400),
        row("get_library", library(), &[("GET /api/libraries/l", "get_library")], 880),
        row("get_library_stats", library(), &[("GET /api/libraries/l/stats", "get_library_stats")], 2750),
        row(
            "get_library_filter_data",
            library(),
            &[("GET /api/libraries/l/filterdata", "get_library_filter_data")],
            3820,
        ),
        row(
            "search_library",
            json!({"library_id": "l", "q": "dune"}),
            &[("GET /api/libraries/l/search?q=dune&limit=12", "search_library")],
            670,
        ),
        row(
            "search_library",
            json!({"library_id": "l", "q": "black holes"}),
            &[("GET /api/libraries/l/search?q=black%20holes&limit=12", "search_library_podcasts")],
            390,
        ),
        row(
            "list_library_items",
            json!({"library_id": "l", "limit": 5}),
            &[("GET /api/libraries/l/items?minified=1&limit=5&page=0&sort=media.metadata.title", "list_library_items")],
            1430,
        ),
        row(
            "list_library_items",
            json!({"library_id": "l", "limit": 5, "sort": "progress"}),
            &[
                ("GET /api/libraries/l/items?minified=1&limit=5&page=0&sort=progress&_", "list_library_items"),
                ("GET /api/me", "get_me"),
            ],
            1470,
        ),
        row("get_library_item", item(), &[(ITEM, "get_library_item")], 1160),
        row("get_library_item", item(), &[(ITEM, "get_library_item_podcast")], 1090),
        row("get_item_chapters", item(), &[("GET /api/items/i?expanded=1", "get_library_item")], 410),
        row(
            "get_personalized_shelves",
            json!({"library_id": "l", "limit": 2}),
            &[("GET /api/libraries/l/personalized?limit=2", "get_personalized_shelves")],
            2610,
        ),
        row(
            "get_personalized_shelves",
            library(),
            &[("GET /api/libraries/l/personalized?limit=10", "get_personalized_shelves_podcasts")],
            1470,
        ),
        row(
            "list_series",
            json!({"library_id": "l", "limit": 5}),
            &[("GET /api/libraries/l/series?limit=5&page=0&sort=name", "list_series")],
            1050,
        ),
        row(
            "get_series",
            json!({"series_id": "s"}),
            &[("GET /api/series/s?include=progress", "get_series"), (SERIES, "get_series_books")],
            970,
        ),
        row("list_authors", library(), &[("GET /api/libraries/l/authors?sort=name", "list_authors")], 2540),
        row(
            "get_author",
            json!({"author_id": "a", "include_items": true}),
            &[("GET /api/authors/a?include=items", "get_author")],
            1310,
        ),
        row("list_tags", json!({}), &[("GET /api/tags", "list_tags")], 740),
        row("list_genres", json!({}), &[("GET /api/genres", "list_genres")], 740),
        row(
            "get_podcast_episode",
            episode(),
            &[
                ("GET /api/podcasts/i/episode/e", "get_podcast_episode"),
                ("GET /api/me/progress/i/e", "get_media_progress_episode"),
            ],
            600,
        ),
        row(
            "list_recent_episodes",
            library(),
            &[("GET /api/libraries/l/recent-episodes?limit=25&page=0", "list_recent_episodes")],
            970,
        ),
        row(
            "list_items_in_progress",
            json!({}),
            &[("GET /api/me/items-in-progress?limit=25", "list_items_in_progress"), ("GET /api/me", "get_me")],
            1920,
        ),
        row("get_media_progress", item(), &[("GET /api/me/progress/i", "get_media_progress")], 410),
        row("get_media_progress", item(), &[("GET /api/me/progress/i", "get_media_progress_none")], 190),
        row("get_me", json!({}), &[("GET /api/me", "get_me")], 460),
        row("get_listening_stats", json!({}), &[("GET /api/me/listening-stats", "get_listening_stats")], 1720),
        row("get_year_stats", json!({"year": 2025}), &[("GET /api/me/stats/year/2025", "get_year_stats")], 700),
        row(
            "list_listening_sessions",
            json!({}),
            &[("GET /api/me/listening-sessions?itemsPerPage=10&page=0", "list_listening_sessions")],
            1880,
        ),
        row("list_bookmarks", json!({}), &[("GET /api/me/bookmarks", "list_bookmarks")], 990),
        row("list_collections", json!({}), &[("GET /api/collections", "list_collections")], 720),
        row("get_collection", json!({"collection_id": "c"}), &[("GET /api/collections/c", "get_collection")], 1290),
        row("list_playlists", json!({}), &[("GET /api/playlists", "list_playlists")], 1250),
        row("get_playlist", json!({"playlist_id": "p"}), &[("GET /api/playlists/p", "get_playlist")], 670),
        row("get_playlist", json!({"playlist_id": "p"}), &[("GET /api/playlists/p", "get_playlist_of_episodes")], 880),
        row("get_server_status", json!({}), &[("GET /status", "get_server_status")], 230),
    ]
}

#[test]
fn default_results_stay_small() {
    let rows = rows();
    for tool in super::all().filter(|tool| !tool.writes()) {
        assert!(rows.iter().any(|row| row.tool == tool.name), "{} has no budget", tool.name);
    }
    let mut over = Vec::new();
    for Row { tool, given, asks, bytes } in rows {
        let fake = asks.iter().fold(Fake::new(), |fake, (asked, file)| fake.recorded(asked, file));
        let result = fake.call(tool, given);
        assert!(result.get("isError").is_none(), "{tool}: {result}");
        let size = result["content"][0]["text"].as_str().expect("a text").len();
        println!("{size:6} of {bytes:6} {tool} ({})", asks[0].1);
        // A budget that is far too large holds nothing.
        if size > bytes || size * 10 < bytes * 8 {
            over.push(format!("{tool} ({}): {size} bytes, budget {bytes}", asks[0].1));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}
