//! Name, description and order of a playlist.

use super::{Playlist, entries, failed, other_name, read, unchanged};
use crate::abs::Failure;
use crate::guard::{Binding, Question};
use crate::shape::Record;
use crate::tools::param::{CONFIRM_TOKEN, DESCRIPTION, ITEMS, NAME, Param};
use crate::tools::tool::{FieldKind::*, field};
use crate::tools::{Answer, Args, Context, Entry, Hints, Outcome, Tool};
use policy::table;
use serde_json::{Value, json};

pub static UPDATE_PLAYLIST: Tool = Tool {
    name: "update_playlist",
    title: "Rename or reorder a playlist",
    description: "Changes name, description (never to nothing) or order. items only reorders: exactly the present \
                  entries, or it is refused. An order asks a person.",
    params: &[Param::id("playlist_id", ""), NAME.optional(), DESCRIPTION, ITEMS.optional(), CONFIRM_TOKEN],
    output: &[field("playlist_id", Text), field("updated", Texts), field("name", Text), field("num_items", Integer)],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::UPDATE_PLAYLIST, &table::GET_PLAYLIST],
    narrower: "",
    run: |context, args| update_playlist(context, args),
};

fn update_playlist(context: &Context<'_>, args: &Args) -> Outcome {
    let id = args.text("playlist_id");
    let mut body = texts(args)?;
    let mut updated: Vec<&str> = ["name", "description"].into_iter().filter(|name| body.get(name).is_some()).collect();
    let Some(items) = args.entries("items") else {
        let reply = context.send(&table::UPDATE_PLAYLIST, &[id], &body).map_err(|failure| failed(failure, UNKNOWN))?;
        return result(args, &updated, &reply);
    };
    let playlist = read(context, id).map_err(|failure| unchanged(&failure))?;
    // Before anybody is asked, and before ABS sees it: it saves the name even when it refuses the items.
    same_entries(&playlist, items)?;
    let moved = playlist.entries.iter().zip(items).filter(|(now, then)| now != then).count();
    if moved == 0 {
        if updated.is_empty() {
            return Ok(Answer::plain(Record::new().put("playlist_id", id).put_list("updated", updated))
                .note("Nothing was changed: the entries are in this order already."));
        }
        let reply = context.send(&table::UPDATE_PLAYLIST, &[id], &body).map_err(|failure| failed(failure, UNKNOWN))?;
        return Ok(result(args, &updated, &reply)?.note("The entries are in this order already."));
    }
    let approval = context.approve(&question(id, items, &playlist.entries, moved), args)?;
    body["items"] = entries::bodies(items);
    updated.push("items");
    let reply = context
        .send_approved(&approval, &table::UPDATE_PLAYLIST, &[id], Some(&body))
        .map_err(|failure| if updated.len() == 1 { failed(failure, UNKNOWN) } else { half_done(failure) })?;
    if entries::of(&reply).as_deref() != Some(items) {
        return Err(Failure::message(
            "The playlist was changed, but its order is not the one that was asked for: somebody else changed it at the same \
             time. get_playlist shows what is there now.",
        ));
    }
    result(args, &updated, &reply)
}

const UNKNOWN: &str = "Whether the playlist was changed is not known: get_playlist shows it.";

/// The part of the body that is no list.
fn texts(args: &Args) -> Result<Value, Failure> {
    let (name, description) = (args.text_if("name"), args.text_if("description"));
    if description == Some("") {
        return Err(Failure::message(
            "Nothing was sent to Audiobookshelf. description: Audiobookshelf ignores an empty one, so it can be replaced but not \
             cleared.",
        ));
    }
    if name.is_none() && description.is_none() && args.entries("items").is_none() {
        return Err(Failure::message(
            "Nothing was sent to Audiobookshelf. Give at least one of name, description and items.",
        ));
    }
    let mut body = json!({});
    for (member, text) in [("name", name), ("description", description)] {
        if let Some(text) = text {
            body[member] = text.into();
        }
    }
    Ok(body)
}

fn same_entries(playlist: &Playlist, items: &[Entry]) -> Result<(), Failure> {
    if entries::same(&playlist.entries, items) {
        return Ok(());
    }
    let missing = playlist.entries.iter().filter(|entry| !items.contains(entry));
    let foreign = items.iter().filter(|entry| !playlist.entries.contains(entry));
    let groups = [
        ("left out", entries::names(missing)),
        ("not in the playlist", entries::names(foreign)),
        ("in the playlist more than once", entries::names(entries::repeated(&playlist.entries))),
    ];
    let differences: Vec<String> = groups
        .into_iter()
        .filter(|(_, names)| names != "none")
        .map(|(what, names)| format!("{what}: {names}"))
        .collect();
    Err(Failure::message(format!(
        "Nothing was changed. items must be exactly the {} present entries in another order, each once; get_playlist shows them. \
         To change which they are, use add_items_to_playlist and remove_items_from_playlist. {}.",
        playlist.entries.len(),
        differences.join("; ")
    )))
}

/// Bound to both orders: the one that is wanted, and the one that would be lost.
fn question(id: &str, items: &[Entry], present: &[Entry], moved: usize) -> Question {
    Question::new(
        Binding::new("update_playlist")
            .id(id)
            .order(items.iter().map(entries::key))
            .order(present.iter().map(entries::key)),
        "This will put the {} entries of playlist {} into another order; {} of them change their place. The present order cannot \
         be reconstructed from here. No entry is added or removed.",
        &[&items.len().to_string(), id, &moved.to_string()],
    )
}

/// A failure of a request that carried more than the order.
fn half_done(failure: Failure) -> Failure {
    match failure {
        Failure::Status { status: 400, .. } => Failure::message(format!(
            "The order was not changed; name and description may have been: get_playlist shows them. {failure}"
        )),
        failure => failed(failure, UNKNOWN),
    }
}

fn result(args: &Args, updated: &[&str], reply: &Value) -> Outcome {
    let Some(present) = entries::of(reply) else {
        return Err(failed(Failure::NotAbs { what: "it is no playlist" }, UNKNOWN));
    };
    let record =
        Record::new().put("playlist_id", args.text("playlist_id")).put_list("updated", updated.iter().copied());
    let stored = args.text_if("name").and_then(|name| other_name(reply, name));
    Ok(match stored {
        Some(name) => Answer::untrusted(record.put("name", name).put("num_items", present.len()))
            .note(
                "The name is not exactly the one that was given: Audiobookshelf keeps names without HTML, and ignores one that \
                 is nothing else.",
            ),
        None => Answer::plain(record.put("num_items", present.len())),
    })
}

#[cfg(test)]
mod tests {
    use super::super::entries::short::{ONE, items, of_playlist, playlist};
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const PATCH: &str = "PATCH /api/playlists/p";

    fn refused(fake: &Fake, arguments: Value) -> String {
        let text = fake.error("update_playlist", arguments);
        assert!(fake.asked().iter().all(|asked| asked.starts_with("GET ")), "{:?}", fake.asked());
        text
    }

    #[test]
    fn renaming_asks_nobody_and_reads_nothing() {
        let fake = Fake::new().json(PATCH, playlist(&["a"]));
        let result = fake.call("update_playlist", json!({"playlist_id": "p", "name": "N"}));
        assert_eq!(result["structuredContent"], json!({"playlist_id": "p", "updated": ["name"], "num_items": 1}));
        assert_eq!(fake.bodies(), [json!({"name": "N"})]);
        let fake = Fake::new().json(PATCH, playlist(&[]));
        let both = json!({"playlist_id": "p", "name": "N", "description": "a\nb"});
        assert_eq!(fake.ok("update_playlist", both)["updated"], json!(["name", "description"]));
        assert_eq!(fake.bodies(), [json!({"name": "N", "description": "a\nb"})]);
    }

    #[test]
    fn a_name_that_abs_changed_is_told() {
        let fake = Fake::new().json(PATCH, playlist(&[]));
        let result = fake.call("update_playlist", json!({"playlist_id": "p", "name": "<i>N</i>"}));
        assert_eq!(result["structuredContent"]["name"], "N");
        assert_eq!(result["structuredContent"]["untrusted"], true);
    }

    #[test]
    fn what_cannot_be_done_is_said_before_any_request() {
        let text = refused(&Fake::new(), json!({"playlist_id": "p"}));
        assert!(text.contains("at least one of name, description and items"), "{text}");
        let text = refused(&Fake::new(), json!({"playlist_id": "p", "name": "N", "description": ""}));
        assert!(text.contains("replaced but not cleared"), "{text}");
    }

    #[test]
    fn another_order_is_asked_for_and_then_sent_whole() {
        let now = || playlist(&["pod/e1", "pod/e2", "quiz/f"]);
        let then = ["quiz/f", "pod/e2", "pod/e1"];
        let fake = Fake::new().json(ONE, now()).json(ONE, now()).json(PATCH, playlist(&then));
        let approved = fake.approve("update_playlist", of_playlist(&then));
        assert_eq!(fake.asked(), [ONE]);
        assert_eq!(
            fake.ok("update_playlist", approved),
            json!({"playlist_id": "p", "updated": ["items"], "num_items": 3})
        );
        assert_eq!(
            fake.bodies(),
            [
                json!({"items": [{"libraryItemId": "quiz", "episodeId": "f"}, {"libraryItemId": "pod", "episodeId": "e2"},
                {"libraryItemId": "pod", "episodeId": "e1"}]})
            ]
        );
    }

    #[test]
    fn as_recorded() {
        let ids = [
            "0344fc92-3d81-4865-b911-cffaef4010c6",
            "752d8200-23cd-4bcd-838a-45c0635206fd",
            "c4aa8c1e-c4c1-4b08-9d1e-31c721fea4e4",
        ];
        let fake = Fake::new()
            .recorded(ONE, "create_playlist")
            .recorded(ONE, "create_playlist")
            .recorded(PATCH, "update_playlist_order");
        let mut arguments = of_playlist(&ids);
        arguments["name"] = "B".into();
        let approved = fake.approve("update_playlist", arguments);
        assert_eq!(
            fake.ok("update_playlist", approved),
            json!({"playlist_id": "p", "updated": ["name", "items"], "num_items": 3})
        );
        assert_eq!(fake.bodies()[0]["name"], "B");
    }

    #[test]
    fn the_question_has_ids_and_counts_only() {
        let text = refused(&Fake::new().json(ONE, playlist(&["a", "b", "c"])), of_playlist(&["b", "a", "c"]));
        assert!(
            text.contains(
                "This will put the 3 entries of playlist p into another order; 2 of them change their place. The present \
                 order cannot be reconstructed from here. No entry is added or removed."
            ),
            "{text}"
        );
    }

    #[test]
    fn an_approval_is_for_that_order_only() {
        let fake = Fake::new().json(ONE, playlist(&["a", "b", "c"])).json(ONE, playlist(&["a", "b", "c"]));
        let mut approved = fake.approve("update_playlist", of_playlist(&["b", "a", "c"]));
        approved["items"] = items(&["c", "a", "b"]);
        assert!(refused(&fake, approved).contains("did not fit"));
    }

    #[test]
    fn other_entries_are_refused_before_anybody_is_asked() {
        let mut arguments = of_playlist(&["b", "x"]);
        arguments["name"] = "N".into();
        let text = refused(&Fake::new().json(ONE, playlist(&["a", "b"])), arguments);
        assert!(text.starts_with("Nothing was changed. ") && !text.contains("confirm_token"), "{text}");
        assert!(text.ends_with("left out: a; not in the playlist: x."), "{text}");
        let text = refused(&Fake::new().json(ONE, playlist(&["a", "b", "a"])), of_playlist(&["b", "a"]));
        assert!(text.ends_with(" in the playlist more than once: a."), "{text}");
        // An episode is not named by its podcast alone: ABS would answer 200 and change nothing.
        let text = refused(&Fake::new().json(ONE, playlist(&["pod/e"])), of_playlist(&["pod"]));
        assert!(text.contains("left out: episode e of pod; not in the playlist: pod"), "{text}");
    }

    #[test]
    fn the_present_order_asks_nobody() {
        let fake = Fake::new().json(ONE, playlist(&["a", "b"]));
        let result = fake.ok("update_playlist", of_playlist(&["a", "b"]));
        assert_eq!(result["updated"], json!([]));
        assert!(result["note"].as_str().unwrap().contains("in this order already"), "{result}");
        assert_eq!(fake.asked(), [ONE]);
        let fake = Fake::new().json(ONE, playlist(&["a", "b"])).json(PATCH, playlist(&["a", "b"]));
        let mut arguments = of_playlist(&["a", "b"]);
        arguments["name"] = "N".into();
        assert_eq!(fake.ok("update_playlist", arguments)["updated"], json!(["name"]));
        assert_eq!(fake.bodies(), [json!({"name": "N"})]);
    }

    fn after_approval(reply: impl Fn(Fake) -> Fake, name: Option<&str>) -> String {
        let now = || playlist(&["a", "b"]);
        let fake = reply(Fake::new().json(ONE, now()).json(ONE, now()));
        let mut arguments = of_playlist(&["b", "a"]);
        arguments["name"] = name.into();
        let approved = fake.approve("update_playlist", arguments);
        fake.error("update_playlist", approved)
    }

    #[test]
    fn a_failed_write_says_what_is_known() {
        let mismatch = |fake: Fake| fake.reply(PATCH, 400, "text/html", "Invalid playlist items. Length mismatch");
        assert!(after_approval(mismatch, None).starts_with("Nothing was changed. "));
        let text = after_approval(mismatch, Some("N"));
        assert!(text.starts_with("The order was not changed; name and description may have been"), "{text}");
        let closed = |fake: Fake| fake.fails(PATCH, SendError::Closed);
        assert!(after_approval(closed, Some("N")).starts_with("Whether the playlist was changed is not known"));
        let raced = |fake: Fake| fake.json(PATCH, playlist(&["c", "b", "a"]));
        assert!(after_approval(raced, None).contains("somebody else changed it"));
    }

    #[test]
    fn somebody_elses_playlist_and_none() {
        for (status, part) in [(403, "another user's"), (404, "no such playlist")] {
            let text = Fake::new()
                .reply(PATCH, status, "text/plain", "no")
                .error("update_playlist", json!({"playlist_id": "p", "name": "N"}));
            assert!(text.starts_with("Nothing was changed. ") && text.contains(part), "{text}");
            let text = refused(&Fake::new().reply(ONE, status, "text/plain", "no"), of_playlist(&["a"]));
            assert!(text.starts_with("Nothing was changed. ") && text.contains(part), "{text}");
        }
        assert!(refused(&Fake::new().json(ONE, json!({"items": []})), of_playlist(&["a"])).contains("no playlist"));
        assert!(
            refused(&Fake::new().fails(ONE, SendError::TooLarge), of_playlist(&["a"])).contains("too large to be read")
        );
    }
}
