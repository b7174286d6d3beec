//! Entries added to a playlist.

use super::check::{check, one_kind};
use super::{Playlist, SERIES_MS, broke_off, entries, read, unchanged};
use crate::abs::Failure;
use crate::shape::Record;
use crate::tools::param::{ITEMS, Param};
use crate::tools::tool::{FieldKind::*, field};
use crate::tools::{Answer, Args, Context, Entry, Hints, Outcome, Tool};
use policy::table;
use serde_json::json;

pub static ADD_ITEMS_TO_PLAYLIST: Tool = Tool {
    name: "add_items_to_playlist",
    title: "Add to a playlist",
    description: "Appends books, or podcast episodes, to one of the user's playlists, in the order given. Those in \
                  it already are skipped and named.",
    params: &[Param::id("playlist_id", ""), ITEMS],
    output: &[
        field("playlist_id", Text),
        field("added", Integer),
        field("num_items", Integer),
        field("skipped", Objects),
        field("not_added", Objects),
    ],
    hints: Hints { destructive: false, idempotent: true },
    routes: &[
        &table::ADD_PLAYLIST_ITEM,
        &table::UPDATE_PLAYLIST,
        &table::GET_PLAYLIST,
        &table::GET_ITEM,
        &table::LIST_ITEMS,
        &table::GET_EPISODE,
    ],
    narrower: "",
    run: |context, args| add_items_to_playlist(context, args),
};

fn add_items_to_playlist(context: &Context<'_>, args: &Args) -> Outcome {
    let start = context.world.now_ms();
    let id = args.text("playlist_id");
    let items = args.entries("items").unwrap_or_default();
    one_kind(items)?;
    let playlist = read(context, id).map_err(|failure| unchanged(&failure))?;
    kind_of(&playlist, items)?;
    let (there, new): (Vec<Entry>, Vec<Entry>) =
        items.iter().cloned().partition(|entry| playlist.entries.contains(entry));
    check(context, &playlist.library, &new)?;

    let mut added = new.len();
    for (position, entry) in new.iter().enumerate() {
        // The first one is always tried: a call that can do nothing would be repeated for ever.
        if position > 0 && context.world.now_ms() - start > SERIES_MS {
            added = position;
            break;
        }
        if let Err(failure) = context.send_unread(&table::ADD_PLAYLIST_ITEM, &[id], &entries::body(entry)) {
            return Err(broke_off("added", &new[..position], entry, &new[position + 1..], &failure));
        }
    }
    let (added, left) = new.split_at(added);
    let wanted = [&playlist.entries, added].concat();
    let outcome = if added.is_empty() { Order::AsWanted(wanted.len()) } else { in_order(context, id, &wanted) };

    let record = Record::new()
        .put("playlist_id", id)
        .put("added", added.len())
        .put("num_items", outcome.len())
        .put("skipped", entries::records(&there, Some("already in the playlist")))
        .put("not_added", entries::records(left, None));
    let late_note =
        format!("Stopped after {} seconds. To go on, call again with the entries of not_added.", SERIES_MS / 1000);
    let answer = Answer::plain(record).note_if(!left.is_empty(), late_note);
    Ok(match outcome.note() {
        Some(note) => answer.note(note),
        None => answer,
    })
}

/// Where entries of the other kind are, ABS exits on adding to the list.
fn kind_of(playlist: &Playlist, items: &[Entry]) -> Result<(), Failure> {
    let episodes = items.iter().any(entries::is_episode);
    if playlist.entries.iter().all(|entry| entries::is_episode(entry) == episodes) {
        return Ok(());
    }
    Err(Failure::message(format!(
        "Nothing was changed. items: these are {}, and the playlist has {}. The two cannot be in one playlist.",
        if episodes { "episodes" } else { "books (they have no episode_id)" },
        if episodes { "books" } else { "podcast episodes" },
    )))
}

/// What became of the order. Where it is known, with the number of entries.
enum Order {
    AsWanted(usize),
    Repaired(usize),
    /// Somebody else changed the playlist at the same time.
    Other(usize),
    Unrepaired(usize),
    Unknown,
}

impl Order {
    fn len(&self) -> Option<usize> {
        match self {
            Order::AsWanted(len) | Order::Repaired(len) | Order::Other(len) | Order::Unrepaired(len) => Some(*len),
            Order::Unknown => None,
        }
    }

    fn note(&self) -> Option<&'static str> {
        match self {
            Order::AsWanted(_) => None,
            Order::Repaired(_) => Some(
                "Audiobookshelf had put new entries before old ones, which it does after earlier removals; they were moved to the \
                 end, and the old ones kept their order.",
            ),
            Order::Other(_) => {
                Some("Somebody else changed the playlist at the same time: get_playlist shows its order.")
            }
            Order::Unrepaired(_) => Some(
                "Audiobookshelf has put new entries before old ones, and they could not be moved to the end: get_playlist shows \
                 the order.",
            ),
            Order::Unknown => Some(
                "Audiobookshelf accepted every entry, but the playlist could not be read afterwards, so their order was not \
                 checked: get_playlist shows it.",
            ),
        }
    }
}

/// ABS numbers a new entry by how many there are. After removals that left gaps it lands before others, though the answer
/// shows it last. A whole list that is sent is a sort key: it repairs the order and changes nothing else.
fn in_order(context: &Context<'_>, id: &str, wanted: &[Entry]) -> Order {
    let Ok(Playlist { entries: now, .. }) = read(context, id) else {
        return Order::Unknown;
    };
    if now == wanted {
        return Order::AsWanted(now.len());
    }
    if !entries::same(&now, wanted) {
        return Order::Other(now.len());
    }
    // Of duplicates ABS sorts all to where the first one is.
    if !entries::repeated(wanted).is_empty() {
        return Order::Unrepaired(now.len());
    }
    let body = json!({"items": entries::bodies(wanted)});
    match context.send(&table::UPDATE_PLAYLIST, &[id], &body) {
        Ok(reply) if entries::of(&reply).as_deref() == Some(wanted) => Order::Repaired(wanted.len()),
        _ => Order::Unrepaired(now.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::short::{ONE, of_playlist, playlist};
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const ADD: &str = "POST /api/playlists/p/item";
    const PATCH: &str = "PATCH /api/playlists/p";
    const TOOL: &str = "add_items_to_playlist";

    /// A playlist of books, and books that are about to be added.
    fn books(there: &[&str], new: &[&str]) -> Fake {
        new.iter().fold(Fake::new().json(ONE, playlist(there)), |fake, id| {
            fake.json(&format!("GET /api/items/{id}"), json!({"libraryId": "lib", "mediaType": "book"}))
        })
    }

    fn refused(fake: &Fake, arguments: Value) -> String {
        let text = fake.error(TOOL, arguments);
        assert!(fake.asked().iter().all(|asked| asked.starts_with("GET ")), "{:?}", fake.asked());
        assert!(text.starts_with("Nothing was "), "{text}");
        text
    }

    #[test]
    fn one_by_one_in_the_order_given() {
        let fake =
            books(&["a"], &["c", "b"]).json(ADD, json!({})).json(ADD, json!({})).json(ONE, playlist(&["a", "c", "b"]));
        assert_eq!(
            fake.call(TOOL, of_playlist(&["c", "b"]))["structuredContent"],
            json!({"playlist_id": "p", "added": 2, "num_items": 3})
        );
        assert_eq!(fake.bodies(), [json!({"libraryItemId": "c"}), json!({"libraryItemId": "b"})]);
    }

    #[test]
    fn episodes_of_their_podcast_only() {
        let podcast =
            json!({"libraryId": "lib", "mediaType": "podcast", "media": {"episodes": [{"id": "e"}, {"id": "f"}]}});
        let fake = Fake::new()
            .json(ONE, playlist(&["pod/e"]))
            .json("GET /api/items/pod", podcast.clone())
            .json(ADD, json!({}))
            .json(ONE, playlist(&["pod/e", "pod/f"]));
        assert_eq!(fake.ok(TOOL, of_playlist(&["pod/f"]))["added"], 1);
        assert_eq!(fake.bodies(), [json!({"libraryItemId": "pod", "episodeId": "f"})]);
        let fake = Fake::new().json(ONE, playlist(&[])).json("GET /api/items/pod", podcast);
        assert!(refused(&fake, of_playlist(&["pod/other"])).contains("no such episode"));
        // Known by its episode under another podcast: not the entry that is there.
        let fake = Fake::new().json(ONE, playlist(&["pod/e"])).json(
            "GET /api/items/quiz",
            json!({"libraryId": "lib", "mediaType": "podcast", "media": {"episodes": []}}),
        );
        assert!(refused(&fake, of_playlist(&["quiz/e"])).contains("no such episode"));
    }

    #[test]
    fn entries_that_are_there_are_skipped_and_named() {
        let fake = books(&["a", "b"], &["c"]).json(ADD, json!({})).json(ONE, playlist(&["a", "b", "c"]));
        assert_eq!(
            fake.ok(TOOL, of_playlist(&["b", "c"])),
            json!({"playlist_id": "p", "added": 1, "num_items": 3,
                "skipped": [{"library_item_id": "b", "reason": "already in the playlist"}]})
        );
        let fake = books(&["a", "b"], &[]);
        let result = fake.ok(TOOL, of_playlist(&["a"]));
        assert_eq!((&result["added"], &result["num_items"]), (&json!(0), &json!(2)));
        assert_eq!(fake.asked(), [ONE]);
    }

    #[test]
    fn kinds_do_not_mix() {
        refused(&Fake::new(), of_playlist(&["a", "pod/e"]));
        let text = refused(&books(&["a"], &[]), of_playlist(&["pod/e"]));
        assert!(text.contains("these are episodes, and the playlist has books"), "{text}");
        // ABS exits on this one.
        let text = refused(&books(&["a", "pod/e"], &[]), of_playlist(&["b"]));
        assert!(text.contains("the playlist has podcast episodes"), "{text}");
    }

    const GAPS: [&str; 2] = ["0344fc92-3d81-4865-b911-cffaef4010c6", "c099df63-0792-45d9-a610-9191283205af"];
    const MOBY_DICK: &str = "fb5495ce-264c-4189-9108-c48bae430314";

    /// As recorded: after a batch removal the new entry is the first one.
    fn with_gaps() -> Fake {
        let book = json!({"libraryId": "2bae7cc4-1220-44b7-b732-17d6ad955206", "mediaType": "book"});
        Fake::new()
            .recorded(ONE, "playlist_with_gaps")
            .json(&format!("GET /api/items/{MOBY_DICK}"), book)
            .recorded(ADD, "playlist_with_gaps_added")
            .recorded(ONE, "playlist_with_gaps_added")
    }

    #[test]
    fn the_order_is_repaired() {
        let wanted = [GAPS[0], GAPS[1], MOBY_DICK];
        let fake = with_gaps().json(PATCH, playlist(&wanted));
        let result = fake.ok(TOOL, of_playlist(&[MOBY_DICK]));
        assert_eq!((&result["added"], &result["num_items"]), (&json!(1), &json!(3)));
        assert!(result["note"].as_str().unwrap().contains("moved to the end"), "{result}");
        let ids: Vec<Value> = wanted.iter().map(|id| json!({"libraryItemId": id})).collect();
        assert_eq!(fake.bodies()[1], json!({"items": ids}));
    }

    #[test]
    fn an_order_that_cannot_be_repaired_is_told() {
        let note = |fake: Fake, items: &[&str]| {
            let result = fake.ok(TOOL, of_playlist(items));
            assert_eq!(result["added"], 1);
            result["note"].as_str().unwrap().to_owned()
        };
        let text = note(with_gaps().fails(PATCH, SendError::Closed), &[MOBY_DICK]);
        assert!(text.contains("could not be moved"), "{text}");
        let text = note(with_gaps().json(PATCH, playlist(&[MOBY_DICK, GAPS[0], GAPS[1]])), &[MOBY_DICK]);
        assert!(text.contains("could not be moved"), "{text}");
        let added = |there: &[&str], then: &[&str]| books(there, &["b"]).json(ADD, json!({})).json(ONE, playlist(then));
        // To ABS, whole lists are sort keys, and duplicates sort together.
        assert!(note(added(&["a", "c", "a"], &["b", "a", "c", "a"]), &["b"]).contains("could not be moved"));
        assert!(note(added(&["a"], &["b", "a", "x"]), &["b"]).contains("Somebody else"));
        let unread = books(&["a"], &["b"]).json(ADD, json!({})).fails(ONE, SendError::Timeout);
        assert!(note(unread, &["b"]).contains("could not be read"));
    }

    #[test]
    fn a_series_that_breaks_off_says_how_far_it_came() {
        let three = || books(&["a"], &["b", "c", "d"]).json(ADD, json!({}));
        let text = three().fails(ADD, SendError::Closed).error(TOOL, of_playlist(&["b", "c", "d"]));
        assert!(
            text.starts_with("1 added: b. Whether c was added is not known. Not tried: d. get_playlist shows"),
            "{text}"
        );
        let text =
            three().reply(ADD, 400, "text/html", "Library item not found").error(TOOL, of_playlist(&["b", "c", "d"]));
        assert!(text.starts_with("1 added: b. Not added: c. Not tried: d. get_playlist "), "{text}");
        assert!(text.ends_with("Library item not found"), "{text}");
        let text = books(&["a"], &["b"]).reply(ADD, 404, "", "Playlist not found").error(TOOL, of_playlist(&["b"]));
        assert!(text.starts_with("Nothing was changed. There is no such playlist"), "{text}");
        let text = books(&["a"], &["b"]).fails(ADD, SendError::Timeout).error(TOOL, of_playlist(&["b"]));
        assert!(text.starts_with("Whether b was added is not known. get_playlist "), "{text}");
    }

    #[test]
    fn a_slow_server_gets_a_part_of_them() {
        let fake = books(&["a"], &["b", "c", "d"]).slow(7_000).json(ADD, json!({})).json(ONE, playlist(&["a", "b"]));
        let result = fake.ok(TOOL, of_playlist(&["b", "c", "d"]));
        assert_eq!((&result["added"], &result["num_items"]), (&json!(1), &json!(2)));
        assert_eq!(result["not_added"], json!([{"library_item_id": "c"}, {"library_item_id": "d"}]));
        assert!(result["note"].as_str().unwrap().contains("Stopped after 30 seconds"), "{result}");
    }

    #[test]
    fn somebody_elses_playlist_and_none() {
        for (status, part) in [(403, "another user's"), (404, "no such playlist")] {
            let text = refused(&Fake::new().reply(ONE, status, "text/plain", "no"), of_playlist(&["a"]));
            assert!(text.contains(part), "{text}");
        }
    }
}
