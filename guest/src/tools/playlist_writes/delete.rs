//! A playlist deleted.

use super::{entries, failed, read, unchanged};
use crate::abs::Failure;
use crate::guard::{Binding, Question};
use crate::shape::Record;
use crate::tools::param::{CONFIRM_TOKEN, Param};
use crate::tools::tool::{FieldKind::*, field};
use crate::tools::{Answer, Args, Context, Entry, Hints, Outcome, Tool};
use crate::world::SendError;
use policy::table;

pub static DELETE_PLAYLIST: Tool = Tool {
    name: "delete_playlist",
    title: "Delete a playlist",
    description: "Deletes one of the user's playlists and its order. Books and episodes stay. Asks a person.",
    params: &[Param::id("playlist_id", ""), CONFIRM_TOKEN],
    output: &[field("playlist_id", Text), field("deleted", Flag)],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::DELETE_PLAYLIST, &table::GET_PLAYLIST],
    narrower: "",
    run: |context, args| delete_playlist(context, args),
};

fn delete_playlist(context: &Context<'_>, args: &Args) -> Outcome {
    let id = args.text("playlist_id");
    let entries = match read(context, id) {
        Ok(playlist) => Some(playlist.entries),
        // It can be deleted all the same.
        Err(Failure::Unreachable(SendError::TooLarge)) => None,
        Err(failure) => return Err(unchanged(&failure)),
    };
    let approval = context.approve(&question(id, entries.as_deref()), args)?;
    context.send_approved(&approval, &table::DELETE_PLAYLIST, &[id], None).map_err(|failure| {
        failed(failure, "Whether the playlist was deleted is not known: list_playlists shows it.")
    })?;
    Ok(Answer::plain(Record::new().put("playlist_id", id).put("deleted", true)))
}

/// Bound to what is in it: a yes to the end of this list is none to the end of a longer one.
fn question(id: &str, entries: Option<&[Entry]>) -> Question {
    let binding = Binding::new("delete_playlist").id(id).order(entries.unwrap_or_default().iter().map(entries::key));
    match entries {
        Some(entries) => Question::new(
            binding,
            "This will delete playlist {} with its {} entries. The list, its order, its name and its description cannot be \
             reconstructed from here. The books and episodes themselves are not deleted.",
            &[id, &entries.len().to_string()],
        ),
        None => Question::new(
            binding,
            "This will delete playlist {} with all its entries; they are too many to be counted here. The list, its order, its name \
             and its description cannot be reconstructed from here. The books and episodes themselves are not deleted.",
            &[id],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::short::{ONE, playlist};
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const DELETE: &str = "DELETE /api/playlists/p";
    const TOOL: &str = "delete_playlist";

    fn it() -> Value {
        json!({"playlist_id": "p"})
    }

    fn asked_twice() -> Fake {
        Fake::new().json(ONE, playlist(&["a", "b"])).json(ONE, playlist(&["a", "b"]))
    }

    #[test]
    fn after_a_yes() {
        let fake = asked_twice().reply(DELETE, 200, "text/plain", "OK");
        let approved = fake.approve(TOOL, it());
        assert_eq!(fake.asked(), [ONE]);
        assert_eq!(fake.call(TOOL, approved)["structuredContent"], json!({"playlist_id": "p", "deleted": true}));
    }

    #[test]
    fn the_question_has_ids_and_counts_only() {
        let text = Fake::new().json(ONE, playlist(&["a", "b"])).error(TOOL, it());
        assert!(
            text.contains(
                "This will delete playlist p with its 2 entries. The list, its order, its name and its description cannot be \
                 reconstructed from here. The books and episodes themselves are not deleted."
            ),
            "{text}"
        );
        let text = Fake::new().fails(ONE, SendError::TooLarge).error(TOOL, it());
        assert!(text.contains("This will delete playlist p with all its entries"), "{text}");
    }

    #[test]
    fn an_approval_is_for_one_playlist() {
        let fake = Fake::new().json(ONE, playlist(&["a"])).json("GET /api/playlists/q", playlist(&["a"]));
        let mut approved = fake.approve(TOOL, it());
        approved["playlist_id"] = "q".into();
        assert!(fake.error(TOOL, approved).contains("did not fit"));
    }

    #[test]
    fn nobody_is_asked_about_what_cannot_be_deleted() {
        for (status, part) in [(403, "another user's"), (404, "no such playlist")] {
            let text = Fake::new().reply(ONE, status, "text/plain", "no").error(TOOL, it());
            assert!(text.starts_with("Nothing was changed. ") && text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_failed_write_says_what_is_known() {
        let fake = asked_twice().fails(DELETE, SendError::Closed);
        let approved = fake.approve(TOOL, it());
        let text = fake.error(TOOL, approved);
        assert!(text.starts_with("Whether the playlist was deleted is not known"), "{text}");
        let fake = asked_twice().reply(DELETE, 404, "text/html", "Playlist not found");
        let approved = fake.approve(TOOL, it());
        assert!(fake.error(TOOL, approved).starts_with("Nothing was changed. "));
    }
}
