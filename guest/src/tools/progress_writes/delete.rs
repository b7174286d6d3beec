//! Forgetting progress.

use super::super::param::{CONFIRM_TOKEN, Param};
use super::super::tool::{FieldKind::*, Tool, field};
use super::super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::Failure;
use crate::guard::{Binding, Question};
use crate::keep;
use crate::shape::{Keep, Record, at, list, text};
use policy::{table, valid_id};
use serde_json::Value;

/// Records that are named in an error, at most.
const NAMED: usize = 10;

pub(super) static DELETE_MEDIA_PROGRESS: Tool = Tool {
    name: "delete_media_progress",
    title: "Delete progress",
    description: "Deletes the user's progress in one book or episode: position, finished state, dates. Asks a \
                  person. The id is that of get_media_progress, not of an item.",
    params: &[Param::id("media_progress_id", ""), CONFIRM_TOKEN],
    output: &[
        field("media_progress_id", Text),
        field("library_item_id", Text),
        field("episode_id", Text),
        field("deleted", Flag),
    ],
    hints: Hints { destructive: true, idempotent: true },
    routes: &[&table::DELETE_PROGRESS, &table::GET_ME],
    narrower: "",
    run: |context, args| delete_media_progress(context, args),
};

fn delete_media_progress(context: &Context<'_>, args: &Args) -> Outcome {
    const KEEP: Keep = keep! { mediaProgress { id, libraryItemId, episodeId } };
    let id = args.text("media_progress_id");
    // The user's own records only; and the only place where a record is found by its id.
    let me = context.get(&table::GET_ME, &[], &[], &KEEP)?;
    let records = list(&me, "mediaProgress");
    let Some(record) = records.iter().find(|record| at(record, "id") == id) else {
        return Err(Failure::message(no_record(id, records)));
    };
    let approval = context.approve(&question(id, record), args)?;
    context.send_approved(&approval, &table::DELETE_PROGRESS, &[id], None).map_err(|failure| {
        failure
            .or_not_found("Nothing was changed: the record was deleted meanwhile, by somebody else.")
            .of_write("get_media_progress")
    })?;
    let of_same =
        |other: &&Value| ["libraryItemId", "episodeId"].iter().all(|name| at(other, name) == at(record, name));
    let others: Vec<&str> =
        records.iter().filter(of_same).filter_map(|other| id_in(other, "id")).filter(|other| *other != id).collect();
    let result = Record::new()
        .put("media_progress_id", id)
        .put("library_item_id", at(record, "libraryItemId").clone())
        .put("episode_id", at(record, "episodeId").clone())
        .put("deleted", true);
    Ok(Answer::plain(result).note_if(
        !others.is_empty(),
        format!("Audiobookshelf has further records of the same item, which show now: {}.", others.join(", ")),
    ))
}

fn question(id: &str, record: &Value) -> Question {
    const LOST: &str = "The position, the finished state and the dates of starting and finishing are lost and cannot be \
                        reconstructed from here. The item itself, its bookmarks and the listening sessions are kept.";
    // Not bound to the position: it moves while somebody listens, and what is lost is the record, wherever it is.
    let binding = Binding::new("delete_media_progress").id(id);
    match (id_in(record, "libraryItemId"), id_in(record, "episodeId")) {
        (Some(item), Some(episode)) => {
            let text = format!("This will delete the progress record {{}}, of episode {{}} of podcast {{}}. {LOST}");
            Question::new(binding, &text, &[id, episode, item])
        }
        (Some(item), None) => {
            let text = format!("This will delete the progress record {{}}, of library item {{}}. {LOST}");
            Question::new(binding, &text, &[id, item])
        }
        (None, _) => Question::new(binding, &format!("This will delete the progress record {{}}. {LOST}"), &[id]),
    }
}

/// A member that is an id: clients can make ABS store anything there.
fn id_in<'a>(record: &'a Value, name: &str) -> Option<&'a str> {
    text(record, name).filter(|text| valid_id(text))
}

/// The usual mistake is the id of the item or episode: then the right ids are named.
fn no_record(id: &str, records: &[Value]) -> String {
    let is_of = |record: &&Value| at(record, "libraryItemId") == id || at(record, "episodeId") == id;
    let found: Vec<&str> = records.iter().filter(is_of).filter_map(|record| id_in(record, "id")).collect();
    match found.as_slice() {
        [] => "Nothing was changed. media_progress_id: this user has no such progress record. get_media_progress shows the id \
               of an item's record."
            .into(),
        [one] => format!(
            "Nothing was changed. media_progress_id: that is the id of an item or episode. Its progress record is {one}."
        ),
        several => format!(
            "Nothing was changed. media_progress_id: that is the id of an item with {} progress records: {}{}. \
             get_media_progress with an episode_id shows which is whose.",
            several.len(),
            several[..several.len().min(NAMED)].join(", "),
            if several.len() > NAMED { " and others" } else { "" }
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::{Value, json};

    const TOOL: &str = "delete_media_progress";
    const ID: &str = "222fd7ec-e116-4390-b0f8-b1bda269a48f";
    const DELETE: &str = "DELETE /api/me/progress/222fd7ec-e116-4390-b0f8-b1bda269a48f";

    fn call(id: &str) -> Value {
        json!({"media_progress_id": id})
    }

    fn me() -> Fake {
        Fake::new().recorded("GET /api/me", "get_me")
    }

    #[test]
    fn asks_with_ids_and_deletes_when_approved() {
        let fake = me();
        let text = fake.error(TOOL, call(ID));
        assert_eq!(fake.asked(), ["GET /api/me"], "nothing is written without a decision");
        let want = format!(
            "This will delete the progress record {ID}, of library item 752d8200-23cd-4bcd-838a-45c0635206fd. The position, the \
             finished state and the dates"
        );
        assert!(text.contains(&want) && !text.contains("Dune"), "{text}");

        let fake = me().recorded("GET /api/me", "get_me").reply(DELETE, 200, "text/plain", "OK");
        let approved = fake.approve(TOOL, call(ID));
        let want = json!({"media_progress_id": ID, "library_item_id": "752d8200-23cd-4bcd-838a-45c0635206fd", "deleted": true});
        assert_eq!(fake.ok(TOOL, approved), want);
        assert_eq!(fake.asked(), ["GET /api/me", "GET /api/me", DELETE]);
    }

    #[test]
    fn an_approval_is_for_one_record_only() {
        let records = json!({"mediaProgress": [{"id": "a", "libraryItemId": "i"}, {"id": "b", "libraryItemId": "j"}]});
        let fake = Fake::new().json("GET /api/me", records.clone()).json("GET /api/me", records);
        let mut approved = fake.approve(TOOL, call("a"));
        approved["media_progress_id"] = "b".into();
        let text = fake.error(TOOL, approved);
        assert!(text.contains("record b, of library item j") && text.contains("did not fit"), "{text}");
        assert_eq!(fake.asked(), ["GET /api/me"; 2]);
    }

    #[test]
    fn an_episode_is_named_and_duplicates_are_told() {
        let record = |id: &str| json!({"id": id, "libraryItemId": "pod", "episodeId": "ep"});
        let records =
            json!({"mediaProgress": [record("a"), record("b"), {"id": "c", "libraryItemId": "pod", "episodeId": "x"}]});
        let fake = Fake::new().json("GET /api/me", records.clone()).json("GET /api/me", records).reply(
            "DELETE /api/me/progress/a",
            200,
            "text/plain",
            "OK",
        );
        let approved = fake.approve(TOOL, call("a"));
        let result = fake.ok(TOOL, approved);
        assert_eq!((&result["library_item_id"], &result["episode_id"]), (&json!("pod"), &json!("ep")));
        assert!(result["note"].as_str().unwrap().ends_with("show now: b."), "{result}");
    }

    #[test]
    fn the_id_of_an_item_is_an_error_that_names_the_right_one() {
        let error = me().error(TOOL, call("752d8200-23cd-4bcd-838a-45c0635206fd"));
        assert!(error.starts_with("Nothing was changed") && error.contains(ID), "{error}");

        let records: Vec<Value> = (0..12)
            .map(|n| json!({"id": format!("r{n}"), "libraryItemId": "pod", "episodeId": format!("e{n}")}))
            .collect();
        let fake = || Fake::new().json("GET /api/me", json!({"mediaProgress": records}));
        let error = fake().error(TOOL, call("pod"));
        assert!(error.contains("12 progress records: r0, r1,") && error.contains("r9 and others"), "{error}");
        assert!(fake().error(TOOL, call("e3")).contains("progress record is r3"));
        let error = fake().error(TOOL, call("nobody"));
        assert!(error.contains("no such progress record") && error.contains("get_media_progress"), "{error}");
    }

    #[test]
    fn odd_records_do_no_harm() {
        for odd in [json!({}), json!({"mediaProgress": null}), json!({"mediaProgress": [null, 5, {"id": 7}]})] {
            assert!(Fake::new().json("GET /api/me", odd).error(TOOL, call("a")).contains("no such progress record"));
        }
        // A client can store any text as the id of the item: it must not get into the question.
        let odd = json!({"mediaProgress": [{"id": "a", "libraryItemId": "say yes, please", "episodeId": "e"}]});
        let text = Fake::new().json("GET /api/me", odd).error(TOOL, call("a"));
        assert!(text.contains("progress record a.") && !text.contains("please"), "{text}");
    }

    #[test]
    fn somebody_else_was_faster() {
        let fake = me().recorded("GET /api/me", "get_me").reply(DELETE, 404, "text/plain", "Not Found");
        let approved = fake.approve(TOOL, call(ID));
        let error = fake.error(TOOL, approved);
        assert!(error.starts_with("Nothing was changed") && error.contains("meanwhile"), "{error}");
    }
}
