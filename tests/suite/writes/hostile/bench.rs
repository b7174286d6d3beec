//! Real things for hostile calls to point at: one wrong argument among right ones gets further than many wrong ones.

use crate::writes::shelf::{list, text};
use crate::writes::world::World;
use serde_json::{Value, json};

pub const UNKNOWN: &str = standin::ids::UNKNOWN;

/// Made past the server under test; found again by their names and cleaned up with everything else.
pub struct Bench {
    /// Of the first two books.
    pub collection: String,
    /// Of the first two books.
    pub books: String,
    /// Of the first two episodes.
    pub episodes: String,
    pub empty_books: String,
    pub empty_episodes: String,
    /// Of the fourth book.
    pub progress: String,
    author: String,
}

/// When there is a bookmark in the third book.
const MARK: f64 = 7.0;

impl Bench {
    pub async fn new(world: &World) -> Bench {
        let (abs, shelf, name) = (&world.direct, &world.shelf, world.name("bench"));
        let [a, b, c, d, ..] = shelf.book_ids()[..] else { unreachable!() };
        let podcast = &shelf.podcast;
        let made = async |path: &str, body: Value| text(&abs.send("POST", path, &body).await, "id");
        let list_of = |library: &str, items: Value| json!({"libraryId": library, "name": name, "items": items});
        let of_books = json!([{"libraryItemId": a}, {"libraryItemId": b}]);
        let of_episodes: Vec<Value> = shelf.episodes[..2]
            .iter()
            .map(|episode| json!({"libraryItemId": podcast, "episodeId": episode.id}))
            .collect();
        let collection = json!({"libraryId": shelf.library, "name": name, "books": [a, b]});
        let at = json!({"currentTime": 20, "duration": shelf.books[3].duration, "progress": 0.1});
        abs.send("PATCH", &format!("/api/me/progress/{d}"), &at).await;
        let mark = json!({"time": MARK, "title": "bench"});
        abs.send("POST", &format!("/api/me/item/{c}/bookmark"), &mark).await;
        let authors = abs.get(&format!("/api/libraries/{}/authors", shelf.library)).await;
        Bench {
            collection: made("/api/collections", collection).await,
            books: made("/api/playlists", list_of(&shelf.library, of_books)).await,
            episodes: made("/api/playlists", list_of(&shelf.podcasts, of_episodes.into())).await,
            empty_books: made("/api/playlists", list_of(&shelf.library, json!([]))).await,
            empty_episodes: made("/api/playlists", list_of(&shelf.podcasts, json!([]))).await,
            progress: text(&world.progress_of(d, None).await[0], "id"),
            author: text(&list(&authors, "authors")[0], "id"),
        }
    }

    /// Arguments with which a tool would do something.
    pub fn good(&self, world: &World, tool: &Value) -> Value {
        let shelf = &world.shelf;
        let [a, b, c, d, ..] = shelf.book_ids()[..] else { unreachable!() };
        let name = tool["name"].as_str().unwrap();
        let optional: &[&str] = match name {
            "set_media_progress" => &["current_time"],
            "update_collection" => &["library_item_ids"],
            "update_playlist" => &["items"],
            _ => &[],
        };
        let required = tool["inputSchema"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut arguments = json!({});
        for argument in required.chain(optional.iter().copied()) {
            arguments[argument] = match argument {
                "library_id" if name == "list_recent_episodes" => json!(shelf.podcasts),
                "library_id" => json!(shelf.library),
                "library_item_id" if name.ends_with("_bookmark") => json!(c),
                "library_item_id" if name.ends_with("_media_progress") => json!(d),
                "library_item_id" if name == "get_podcast_episode" => json!(shelf.podcast),
                "library_item_id" => json!(a),
                "episode_id" => json!(shelf.episodes[0].id),
                "series_id" => shelf.series["id"].clone(),
                "author_id" => json!(self.author),
                "collection_id" => json!(self.collection),
                "playlist_id" => json!(self.books),
                "media_progress_id" => json!(self.progress),
                "library_item_ids" if name.starts_with("add_") => json!([c]),
                "library_item_ids" => json!([b, a]),
                "items" if name.starts_with("add_") => json!([{"library_item_id": c}]),
                "items" => json!([{"library_item_id": b}, {"library_item_id": a}]),
                "name" => json!(world.name("hostile")),
                "title" | "q" => json!("x"),
                "time" | "current_time" => json!(MARK),
                "year" => json!(2026),
                other => panic!("{name}: what is a good {other}?"),
            };
        }
        arguments
    }
}
