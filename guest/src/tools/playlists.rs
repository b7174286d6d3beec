//! Playlists: each user's own lists of books or episodes.

use super::curated::{self, Kind};
use super::param::{DETAIL, LIBRARY_ID, Param};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::Failure;
use crate::keep;
use crate::shape::time::{self, date};
use crate::shape::{Keep, Record, at, episode, excerpt, item, list, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_PLAYLISTS, &GET_PLAYLIST];

static LIST_PLAYLISTS: Tool = Tool {
    name: "list_playlists",
    title: "List playlists",
    description: "The user's own playlists of one library or of all, with up to 25 entries each in order.",
    params: &[LIBRARY_ID.optional(), DETAIL],
    output: &[field("total", Integer), field("playlists", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_PLAYLISTS, &table::LIST_LIBRARY_PLAYLISTS],
    narrower: "list_playlists with a library_id, or get_playlist for one",
    run: |context, args| curated::lists(context, &PLAYLISTS, args.text_if("library_id"), args.full()),
};

static PLAYLISTS: Kind = Kind {
    lists: "playlists",
    members: "items",
    count: "num_items",
    all: &table::LIST_PLAYLISTS,
    of_library: &table::LIST_LIBRARY_PLAYLISTS,
    keep: keep! { total, results: WITH_ITEMS, playlists: WITH_ITEMS },
    head: |playlist| head(playlist).put("duration", duration(playlist)),
    member: |entry| ids(entry).put("title", title(entry).clone()),
    one: "get_playlist",
};

const WITH_ITEMS: Keep = keep! {
    id, name, description, libraryId, createdAt,
    items {
        libraryItemId, episodeId,
        libraryItem { media { metadata { title, author, authorName, seriesName }, duration } },
        episode: episode::KEEP
    }
};

fn head(playlist: &Value) -> Record {
    Record::new().copy(playlist, &["id", "name"]).put("library_id", at(playlist, "libraryId").clone())
}

/// What names an entry: an item, or an item and one of its episodes. The tools that change playlists take both.
fn ids(entry: &Value) -> Record {
    Record::new()
        .put("library_item_id", at(entry, "libraryItemId").clone())
        .put("episode_id", at(entry, "episodeId").clone())
}

fn is_episode(entry: &Value) -> bool {
    text(entry, "episodeId").is_some()
}

fn title(entry: &Value) -> &Value {
    at(entry, if is_episode(entry) { "episode.title" } else { "libraryItem.media.metadata.title" })
}

fn entry_duration(entry: &Value) -> &Value {
    if is_episode(entry) { episode::duration(at(entry, "episode")) } else { at(entry, "libraryItem.media.duration") }
}

fn duration(playlist: &Value) -> Value {
    time::total(list(playlist, "items").iter().map(entry_duration))
}

static GET_PLAYLIST: Tool = Tool {
    name: "get_playlist",
    title: "Get a playlist",
    description: "One of the user's playlists with all its entries in order.",
    params: &[Param::id("playlist_id", ""), DETAIL],
    output: &[field("playlist", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_PLAYLIST],
    narrower: "list_playlists, or get_library_item for one of the entries",
    run: |context, args| get_playlist(context, args),
};

fn get_playlist(context: &Context<'_>, args: &Args) -> Outcome {
    let keep = if args.full() { Keep::All } else { WITH_ITEMS };
    let reply = match context.get(&table::GET_PLAYLIST, &[args.text("playlist_id")], &[], &keep) {
        Ok(reply) => reply,
        Err(failure) if failure.is_forbidden() => {
            return Err(Failure::message(
                "That playlist is another user's, and playlists are private. list_playlists shows this user's own.",
            ));
        }
        Err(failure) => return Err(failure.or_not_found("There is no such playlist. list_playlists shows valid ids.")),
    };
    let playlist = if args.full() { reply } else { compact(&reply) };
    Ok(Answer::untrusted(Record::new().put("playlist", playlist)))
}

fn compact(playlist: &Value) -> Value {
    let items = list(playlist, "items");
    head(playlist)
        .put("description", text(playlist, "description").map(excerpt))
        .put("created", date(at(playlist, "createdAt")))
        .put("num_items", items.len())
        .put("duration", duration(playlist))
        .put_list("items", items.iter().map(entry))
        .into()
}

fn entry(entry: &Value) -> Record {
    let metadata = at(entry, "libraryItem.media.metadata");
    if is_episode(entry) {
        let podcast = at(metadata, "title").clone();
        // The entry's own ids go over the episode's: they name it when it is removed or moved.
        episode::compact(at(entry, "episode")).put("podcast", podcast).and(ids(entry))
    } else {
        ids(entry)
            .put("title", at(metadata, "title").clone())
            .put("author", item::author(metadata))
            .put("series", item::series(metadata))
            .put("duration", time::seconds(entry_duration(entry)))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::json;

    #[test]
    fn list_playlists_compact() {
        let fake = Fake::new().recorded("GET /api/playlists", "list_playlists");
        let result = fake.ok("list_playlists", json!({}));
        assert_eq!(result["total"], 4);
        assert_eq!(
            result["playlists"][0],
            json!({"id": "b2fb4c2f-ec28-4b7b-ba92-1048d7ddbb18", "name": "Empty playlist",
                "library_id": "2bae7cc4-1220-44b7-b732-17d6ad955206", "duration": 0, "num_items": 0, "items": []})
        );
        let queue = result["playlists"].as_array().unwrap().iter().find(|one| one["name"] == "Podcast queue").unwrap();
        assert_eq!(
            queue["items"],
            json!([{"library_item_id": "ca51f70b-871d-4300-b690-7243c43fc0af", "episode_id": "c065c5fe-85d7-4858-9781-32b092048641",
                "title": "Cosmic Queries 3: Neutrinos"}])
        );
        assert_eq!(queue["duration"], 1530.1);
    }

    #[test]
    fn list_playlists_of_a_library_and_full() {
        let body = json!({"total": 1, "results": [{"id": "p", "name": "N", "libraryId": "lib", "userId": "u",
            "items": [{"libraryItemId": "i", "libraryItem": {"media": {"metadata": {"title": "T"}, "duration": 61.04}}}]}]});
        let asked = "GET /api/libraries/lib/playlists?limit=100&page=0";
        let result = Fake::new().json(asked, body.clone()).ok("list_playlists", json!({"library_id": "lib"}));
        assert_eq!(
            result,
            json!({"total": 1, "playlists": [{"id": "p", "name": "N", "library_id": "lib", "duration": 61, "num_items": 1,
                "items": [{"library_item_id": "i", "title": "T"}]}]})
        );
        let result = Fake::new().json(asked, body).ok("list_playlists", json!({"library_id": "lib", "detail": "full"}));
        let playlist = &result["playlists"][0];
        assert_eq!((&playlist["userId"], &playlist["num_items"]), (&json!("u"), &json!(1)));
    }

    const ONE: &str = "GET /api/playlists/p";

    #[test]
    fn get_playlist_of_books() {
        let fake = Fake::new().recorded(ONE, "get_playlist");
        let result = fake.ok("get_playlist", json!({"playlist_id": "p"}));
        let mut playlist = result["playlist"].clone();
        let items = playlist["items"].take();
        assert_eq!(
            playlist,
            json!({"id": "08114e81-861d-4a90-a464-6086bfeeadc8", "name": "Road trip",
                "library_id": "2bae7cc4-1220-44b7-b732-17d6ad955206", "description": "Long drives", "created": "2026-11-30",
                "num_items": 2, "duration": 8400.2, "items": null})
        );
        assert_eq!(
            items,
            json!([
                {"library_item_id": "0af164de-515b-41ef-b116-d74c9c6c3d63", "title": "All Systems Red", "author": "Martha Wells",
                    "series": "The Murderbot Diaries #1", "duration": 1200.2},
                {"library_item_id": "c099df63-0792-45d9-a610-9191283205af", "title": "Good Omens",
                    "author": "Terry Pratchett, Neil Gaiman", "duration": 7200}
            ])
        );
        assert!(result.to_string().len() < 1000, "{}", result.to_string().len());
    }

    #[test]
    fn get_playlist_of_episodes() {
        let fake = Fake::new().recorded(ONE, "get_playlist_of_episodes");
        let result = fake.ok("get_playlist", json!({"playlist_id": "p"}));
        assert_eq!(
            result["playlist"]["items"][0],
            json!({"library_item_id": "ca51f70b-871d-4300-b690-7243c43fc0af", "episode_id": "c065c5fe-85d7-4858-9781-32b092048641",
                "title": "Cosmic Queries 3: Neutrinos", "season": "2", "episode": "3", "published": "2026-07-01",
                "duration": 1530.1, "podcast": "Cosmic Queries"})
        );
        assert_eq!((&result["playlist"]["num_items"], &result["playlist"]["duration"]), (&json!(2), &json!(2444.3)));
    }

    #[test]
    fn get_playlist_full_keeps_no_feed_credentials() {
        let fake = Fake::new().recorded(ONE, "get_playlist_of_episodes");
        let result = fake.ok("get_playlist", json!({"playlist_id": "p", "detail": "full"}));
        assert_eq!(result["playlist"]["items"][0]["episode"]["audioFile"]["codec"], "mp3");
        assert!(!result.to_string().contains("SECRETFEEDTOKEN"));
    }

    #[test]
    fn entries_without_what_they_stand_for_are_named() {
        let body = json!({"id": "p", "items": [
            {"libraryItemId": "i", "episodeId": "e", "episode": {"id": "other", "libraryItemId": "other"}, "libraryItem": null},
            {"libraryItemId": "j", "episodeId": "f", "episode": null},
            {"libraryItemId": "k", "episodeId": null},
            null
        ]});
        let result = Fake::new().json(ONE, body).ok("get_playlist", json!({"playlist_id": "p"}));
        assert_eq!(
            result["playlist"]["items"],
            json!([
                {"library_item_id": "i", "episode_id": "e"},
                {"library_item_id": "j", "episode_id": "f"},
                {"library_item_id": "k"},
                {}
            ])
        );
        assert_eq!(result["playlist"]["num_items"], 4);
    }

    #[test]
    fn somebody_elses_playlist_and_none() {
        let text =
            Fake::new().reply(ONE, 403, "text/plain", "Forbidden").error("get_playlist", json!({"playlist_id": "p"}));
        assert!(text.contains("another user's") && text.contains("list_playlists"), "{text}");
        let text = Fake::new()
            .reply(ONE, 404, "text/html", "Playlist not found")
            .error("get_playlist", json!({"playlist_id": "p"}));
        assert!(text.contains("no such playlist"), "{text}");
    }
}
