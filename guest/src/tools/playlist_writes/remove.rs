//! Entries taken out of a playlist.

use super::{Playlist, SERIES_MS, broke_off, entries, read, unchanged};
use crate::abs::Failure;
use crate::guard::{Approval, Binding, Question};
use crate::shape::Record;
use crate::tools::param::{CONFIRM_TOKEN, ITEMS, Param};
use crate::tools::tool::{FieldKind::*, field};
use crate::tools::{Answer, Args, Context, Entry, Hints, Outcome, Tool};
use policy::table;

pub static REMOVE_ITEMS_FROM_PLAYLIST: Tool = Tool {
    name: "remove_items_from_playlist",
    title: "Remove from a playlist",
    description: "Takes entries out of one of the user's playlists, which Audiobookshelf deletes with its last one. \
                  Books and episodes stay. Asks a person.",
    params: &[Param::id("playlist_id", ""), ITEMS, CONFIRM_TOKEN],
    output: &[
        field("playlist_id", Text),
        field("removed", Integer),
        field("num_items", Integer),
        field("playlist_deleted", Flag),
        field("skipped", Objects),
        field("not_removed", Objects),
    ],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::REMOVE_PLAYLIST_ITEM, &table::REMOVE_PLAYLIST_EPISODE, &table::GET_PLAYLIST],
    narrower: "",
    run: |context, args| remove_items_from_playlist(context, args),
};

fn remove_items_from_playlist(context: &Context<'_>, args: &Args) -> Outcome {
    let id = args.text("playlist_id");
    let items = args.entries("items").unwrap_or_default();
    let playlist = read(context, id).map_err(|failure| unchanged(&failure))?;
    all_there(&playlist, items)?;
    // One request takes out one entry: as many as there are of it, in the rare playlist that has one twice.
    let (going, staying): (Vec<Entry>, Vec<Entry>) =
        playlist.entries.iter().cloned().partition(|entry| items.contains(entry));
    let approval = context.approve(&question(id, items, going.len(), staying.len()), args)?;

    let start = context.world.now_ms();
    let (mut removed, mut skipped, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for (position, entry) in going.iter().enumerate() {
        if position > 0 && context.world.now_ms() - start > SERIES_MS {
            left = going[position..].to_vec();
            break;
        }
        match remove(context, &approval, id, entry) {
            Ok(()) => removed.push(entry.clone()),
            Err(failure) if failure.is_not_found() => skipped.push(entry),
            Err(failure) => return Err(broke_off("removed", &removed, entry, &going[position + 1..], &failure)),
        }
    }
    let wanted = [staying, left.clone()].concat();
    let (now, deleted) = match read(context, id) {
        Ok(playlist) => (Some(playlist.entries), false),
        Err(failure) => (None, failure.is_not_found()),
    };
    let other = now.as_ref().is_some_and(|now| !entries::same(now, &wanted));
    let record = Record::new()
        .put("playlist_id", id)
        .put("removed", removed.len())
        .put("num_items", now.as_ref().map(Vec::len).or(deleted.then_some(0)))
        .flag("playlist_deleted", &deleted.into())
        .put("skipped", entries::records(skipped, Some("no longer in the playlist")))
        .put("not_removed", entries::records(&left, None));
    let late_note =
        format!("Stopped after {} seconds. To go on, call again with the entries of not_removed.", SERIES_MS / 1000);
    Ok(Answer::plain(record)
        .note_if(!left.is_empty(), late_note)
        .note_if(deleted, "The playlist does not exist any more: Audiobookshelf deletes one together with its last entry.")
        .note_if(now.is_none() && !deleted, "The playlist could not be read afterwards; get_playlist shows what is left.")
        .note_if(
            other,
            "What is left is not what was expected: somebody else changed the playlist at the same time. See get_playlist.",
        ))
}

fn remove(context: &Context<'_>, approval: &Approval, id: &str, entry: &Entry) -> Result<(), Failure> {
    let item = entry.library_item_id.as_str();
    match &entry.episode_id {
        // Of the two, ABS looks at the episode alone; that it belongs to the item is known from the playlist.
        Some(episode) => context.send_approved_unread(approval, &table::REMOVE_PLAYLIST_EPISODE, &[id, item, episode]),
        None => context.send_approved_unread(approval, &table::REMOVE_PLAYLIST_ITEM, &[id, item]),
    }
}

fn all_there(playlist: &Playlist, items: &[Entry]) -> Result<(), Failure> {
    let foreign: Vec<&Entry> = items.iter().filter(|entry| !playlist.entries.contains(entry)).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let episodes = foreign.iter().any(|entry| {
        entry.episode_id.is_none()
            && playlist.entries.iter().any(|known| known.library_item_id == entry.library_item_id)
    });
    let hint = if episodes { " Entries of podcasts are named by library_item_id and episode_id." } else { "" };
    Err(Failure::message(format!(
        "Nothing was changed. items: not in the playlist: {}. get_playlist shows its entries.{hint}",
        entries::names(foreign)
    )))
}

/// An approval to take some out is none to delete the playlist, should the others be gone meanwhile.
fn question(id: &str, items: &[Entry], going: usize, staying: usize) -> Question {
    let binding = Binding::new("remove_items_from_playlist").id(id).set(items.iter().map(entries::key));
    let count = going.to_string();
    if staying == 0 {
        return Question::new(
            binding.id("and-the-playlist"),
            "This will remove all {} entries of playlist {}, and Audiobookshelf then deletes the playlist itself, with its name and \
             description. Neither it nor its order can be reconstructed from here. The books and episodes themselves are not \
             deleted.",
            &[&count, id],
        );
    }
    Question::new(
        binding,
        "This will remove {} of the {} entries of playlist {}. Their places in it cannot be reconstructed from here: \
         add_items_to_playlist puts entries back at the end. The books and episodes themselves are not deleted.",
        &[&count, &(going + staying).to_string(), id],
    )
}

#[cfg(test)]
mod tests {
    use super::super::entries::short::{ONE, items, of_playlist, playlist};
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const TOOL: &str = "remove_items_from_playlist";

    fn removal(entry: &str) -> String {
        format!("DELETE /api/playlists/p/item/{entry}")
    }

    fn refused(fake: &Fake, arguments: Value) -> String {
        let text = fake.error(TOOL, arguments);
        assert!(fake.asked().iter().all(|asked| asked.starts_with("GET ")), "{:?}", fake.asked());
        assert!(text.starts_with("Nothing was changed"), "{text}");
        text
    }

    /// Reads the playlist for the question and again for the approved call.
    fn asked_twice(there: &[&str]) -> Fake {
        Fake::new().json(ONE, playlist(there)).json(ONE, playlist(there))
    }

    #[test]
    fn one_by_one_after_a_yes() {
        let fake = asked_twice(&["pod/e1", "pod/e2", "quiz/f"])
            .json(&removal("pod/e1"), json!({}))
            .json(&removal("quiz/f"), json!({}))
            .json(ONE, playlist(&["pod/e2"]));
        let approved = fake.approve(TOOL, of_playlist(&["quiz/f", "pod/e1"]));
        assert_eq!(fake.asked(), [ONE]);
        let result = fake.call(TOOL, approved);
        assert_eq!(result["structuredContent"], json!({"playlist_id": "p", "removed": 2, "num_items": 1}));
        assert!(fake.bodies().is_empty());
    }

    #[test]
    fn the_question_has_ids_and_counts_only() {
        let text = refused(&Fake::new().json(ONE, playlist(&["a", "b", "c"])), of_playlist(&["b"]));
        assert!(
            text.contains(
                "This will remove 1 of the 3 entries of playlist p. Their places in it cannot be reconstructed from here: \
                 add_items_to_playlist puts entries back at the end. The books and episodes themselves are not deleted."
            ),
            "{text}"
        );
        let text = refused(&Fake::new().json(ONE, playlist(&["a", "b"])), of_playlist(&["b", "a"]));
        assert!(
            text.contains(
                "This will remove all 2 entries of playlist p, and Audiobookshelf then deletes the playlist itself"
            ),
            "{text}"
        );
    }

    #[test]
    fn the_last_entry_takes_the_playlist_along() {
        let fake = asked_twice(&["a"]).json(&removal("a"), json!({"id": "p", "items": []})).reply(
            ONE,
            404,
            "text/html",
            "Playlist not found",
        );
        let approved = fake.approve(TOOL, of_playlist(&["a"]));
        let result = fake.ok(TOOL, approved);
        assert_eq!((&result["removed"], &result["num_items"]), (&json!(1), &json!(0)));
        assert_eq!(result["playlist_deleted"], true);
        assert!(result["note"].as_str().unwrap().contains("does not exist any more"), "{result}");
    }

    #[test]
    fn an_approval_is_for_those_entries_and_not_for_the_playlist() {
        let fake = asked_twice(&["a", "b", "c"]);
        let mut approved = fake.approve(TOOL, of_playlist(&["a"]));
        approved["items"] = items(&["a", "b"]);
        assert!(refused(&fake, approved).contains("did not fit"));
        // The others have gone meanwhile, so that the playlist itself would go.
        let fake = Fake::new().json(ONE, playlist(&["a", "b"])).json(ONE, playlist(&["a"]));
        let approved = fake.approve(TOOL, of_playlist(&["a"]));
        assert!(refused(&fake, approved).contains("deletes the playlist itself"));
    }

    #[test]
    fn what_is_not_there_is_said_before_anybody_is_asked() {
        let text = refused(&Fake::new().json(ONE, playlist(&["a"])), of_playlist(&["a", "b"]));
        assert!(text.contains("not in the playlist: b.") && !text.contains("confirm_token"), "{text}");
        assert!(!text.contains("episode_id"), "{text}");
        let text = refused(&Fake::new().json(ONE, playlist(&["pod/e"])), of_playlist(&["pod"]));
        assert!(text.contains("named by library_item_id and episode_id"), "{text}");
        // ABS looks at the episode alone: another podcast's id before it would take out the wrong thing's name.
        let text = refused(&Fake::new().json(ONE, playlist(&["pod/e"])), of_playlist(&["quiz/e"]));
        assert!(text.contains("not in the playlist: episode e of quiz"), "{text}");
        for (status, part) in [(403, "another user's"), (404, "no such playlist")] {
            let text = refused(&Fake::new().reply(ONE, status, "text/plain", "no"), of_playlist(&["a"]));
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn an_entry_that_is_there_twice_goes_twice() {
        let fake = asked_twice(&["a", "b", "a"])
            .json(&removal("a"), json!({}))
            .json(&removal("a"), json!({}))
            .json(ONE, playlist(&["b"]));
        let approved = fake.approve(TOOL, of_playlist(&["a"]));
        assert_eq!(fake.ok(TOOL, approved), json!({"playlist_id": "p", "removed": 2, "num_items": 1}));
    }

    #[test]
    fn an_entry_that_went_meanwhile_is_named() {
        let fake = asked_twice(&["a", "b", "c"])
            .reply(&removal("a"), 404, "text/html", "Media item not found in playlist")
            .json(&removal("b"), json!({}))
            .json(ONE, playlist(&["c"]));
        let approved = fake.approve(TOOL, of_playlist(&["a", "b"]));
        assert_eq!(
            fake.ok(TOOL, approved),
            json!({"playlist_id": "p", "removed": 1, "num_items": 1,
                "skipped": [{"library_item_id": "a", "reason": "no longer in the playlist"}]})
        );
    }

    #[test]
    fn what_is_left_is_read_and_not_believed() {
        let done = || asked_twice(&["a", "b"]).json(&removal("a"), json!({}));
        let fake = done().json(ONE, playlist(&["b", "x"]));
        let approved = fake.approve(TOOL, of_playlist(&["a"]));
        assert!(fake.ok(TOOL, approved)["note"].as_str().unwrap().contains("somebody else"));
        let fake = done().fails(ONE, SendError::Timeout);
        let approved = fake.approve(TOOL, of_playlist(&["a"]));
        let result = fake.ok(TOOL, approved);
        assert_eq!((&result["removed"], result.get("num_items")), (&json!(1), None));
        assert!(result["note"].as_str().unwrap().contains("could not be read"), "{result}");
    }

    #[test]
    fn a_series_that_breaks_off_says_how_far_it_came() {
        let fake =
            asked_twice(&["a", "b", "c", "d"]).json(&removal("a"), json!({})).fails(&removal("b"), SendError::Closed);
        let approved = fake.approve(TOOL, of_playlist(&["c", "b", "a"]));
        let text = fake.error(TOOL, approved);
        assert!(text.starts_with("1 removed: a. Whether b was removed is not known. Not tried: c. "), "{text}");

        let fake = asked_twice(&["a", "b", "c"])
            .slow(16_000)
            .json(&removal("a"), json!({}))
            .json(&removal("b"), json!({}))
            .json(ONE, playlist(&["c"]));
        let approved = fake.approve(TOOL, of_playlist(&["a", "b", "c"]));
        let result = fake.ok(TOOL, approved);
        assert_eq!(result["not_removed"], json!([{"library_item_id": "c"}]));
        assert!(result["note"].as_str().unwrap().contains("Stopped after 30 seconds"), "{result}");
    }
}
