//! Progress: what is being listened to or read, and how far.

use super::param::{DETAIL, LIBRARY_ITEM_ID, Param, limit};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::{Failure, entries};
use crate::keep;
use crate::shape::{Keep, Record, at, episode, item, list, progress};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_ITEMS_IN_PROGRESS, &GET_MEDIA_PROGRESS];

static LIST_ITEMS_IN_PROGRESS: Tool = Tool {
    name: "list_items_in_progress",
    title: "List items in progress",
    description: "What the user has begun and not finished, latest first: books, ebooks and episodes, with \
                  position, remaining time and percent. Hidden ones are marked.",
    params: &[limit(25), DETAIL],
    output: &[field("items", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_ITEMS_IN_PROGRESS, &table::GET_ME],
    narrower: "",
    run: |context, args| list_items_in_progress(context, args),
};

fn list_items_in_progress(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { libraryItems {
        id, media { metadata { title, author, authorName, seriesName }, duration, ebookFormat },
        recentEpisode: episode::KEEP, progressLastUpdate
    } };
    let limit = args.integer("limit");
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context.get(&table::LIST_ITEMS_IN_PROGRESS, &[], &[("limit", &limit.to_string())], &keep)?;
    let items = entries(&reply, "libraryItems")?;
    let records = Records::read(context, args, items);
    let entries = items.iter().map(|item| {
        let progress = records.of(item);
        if args.full() { with(item, progress) } else { entry(item, progress).into() }
    });
    let newest = format!("These are the {limit} most recent ones; a larger limit shows more.");
    Ok(Answer::untrusted(Record::new().put_list("items", entries))
        .note_if(limit < 100 && items.len() as i64 >= limit, newest)
        .note_if(records.unread(), UNREAD))
}

/// The user's progress in the items of a list. ABS has no list that says it; the user's record has it all, and nothing else is
/// kept of that record.
pub(super) struct Records(Option<Value>);

pub(super) const UNREAD: &str = "The positions could not be read; get_media_progress has them one by one.";

impl Records {
    pub(super) const NONE: Records = Records(Some(Value::Null));

    pub(super) fn read(context: &Context<'_>, args: &Args, items: &[Value]) -> Records {
        const COMPACT: Keep = keep! { mediaProgress: progress::KEEP };
        const FULL: Keep = keep! { mediaProgress };
        if items.is_empty() {
            return Records::NONE;
        }
        Records(context.get(&table::GET_ME, &[], &[], if args.full() { &FULL } else { &COMPACT }).ok())
    }

    pub(super) fn unread(&self) -> bool {
        self.0.is_none()
    }

    /// The record that belongs to an entry. There may be duplicates, which parallel writes leave behind: they differ in time.
    pub(super) fn of(&self, item: &Value) -> Option<&Value> {
        let records = self.0.as_ref().map_or(&[][..], |records| list(records, "mediaProgress"));
        let of_item = |record: &&Value| {
            at(record, "libraryItemId") == at(item, "id") && at(record, "episodeId") == at(item, "recentEpisode.id")
        };
        let same_time = |record: &&Value| at(record, "lastUpdate") == at(item, "progressLastUpdate");
        records.iter().filter(of_item).find(same_time).or_else(|| records.iter().find(of_item))
    }
}

fn entry(item: &Value, progress: Option<&Value>) -> Record {
    let metadata = at(item, "media.metadata");
    let record = Record::new().put("library_item_id", at(item, "id").clone());
    let (record, duration) = match at(item, "recentEpisode") {
        episode @ Value::Object(_) => (
            record
                .put("episode_id", at(episode, "id").clone())
                .put("title", at(episode, "title").clone())
                .put("podcast", at(metadata, "title").clone()),
            episode::duration(episode),
        ),
        _ => (
            record
                .put("title", at(metadata, "title").clone())
                .put("author", item::author(metadata))
                .put("series", item::series(metadata))
                .put("ebook", at(item, "media.ebookFormat").clone()),
            at(item, "media.duration"),
        ),
    };
    match progress {
        Some(progress) => progress::add(record, progress, duration),
        None => record.put("last_update", crate::shape::time::iso(at(item, "progressLastUpdate"))),
    }
}

/// As ABS itself puts progress into a whole item.
pub(super) fn with(item: &Value, progress: Option<&Value>) -> Value {
    let mut item = item.clone();
    if let (Value::Object(members), Some(progress)) = (&mut item, progress) {
        members.insert("userMediaProgress".to_owned(), progress.clone());
    }
    item
}

pub(super) const EPISODE_ID: Param = Param::id("episode_id", "").optional();

static GET_MEDIA_PROGRESS: Tool = Tool {
    name: "get_media_progress",
    title: "Get progress",
    description: "How far the user is in one book or episode (a podcast takes episode_id as well), since when, finished or not.",
    params: &[LIBRARY_ITEM_ID, EPISODE_ID, DETAIL],
    output: &[
        field("library_item_id", Text),
        field("episode_id", Text),
        field("started", Flag),
        field("media_progress_id", Text),
        field("progress", Object),
    ],
    hints: Hints::READ,
    routes: &[&table::GET_PROGRESS, &table::GET_PROGRESS_EPISODE],
    narrower: "",
    run: |context, args| get_media_progress(context, args),
};

fn get_media_progress(context: &Context<'_>, args: &Args) -> Outcome {
    let (item, episode) = (args.text("library_item_id"), args.text_if("episode_id"));
    let keep = if args.full() { Keep::All } else { progress::KEEP };
    let reply = match episode {
        Some(episode) => context.get(&table::GET_PROGRESS_EPISODE, &[item, episode], &[], &keep),
        None => context.get(&table::GET_PROGRESS, &[item], &[], &keep),
    };
    let which = Record::new().put("library_item_id", item).put("episode_id", episode);
    let reply = match reply {
        Ok(reply) => reply,
        // In ABS's own words: a page would be that of something in front of it, which knows nothing of progress.
        Err(Failure::Status { status: 404, text: Some(_), .. }) => {
            return Ok(Answer::plain(which.put("started", false)).note(never_started(episode.is_some())));
        }
        Err(failure) => return Err(failure),
    };
    // Without an episode, ABS answers for a podcast with the record of whichever episode it finds first.
    if episode.is_none() && !at(&reply, "episodeId").is_null() {
        return Err(Failure::message(
            "episode_id: is missing. This item is a podcast, and progress belongs to its episodes. list_items_in_progress shows \
             the episodes in progress, get_library_item all of them.",
        ));
    }
    let id = at(&reply, "id").clone();
    let progress = if args.full() { reply } else { progress::compact(&reply).into() };
    Ok(Answer::untrusted(which.put("started", true).put("media_progress_id", id).put("progress", progress)))
}

/// ABS answers 404 to all of these alike.
fn never_started(episode: bool) -> &'static str {
    if episode {
        "No progress is recorded: the episode was never started, or the two ids are not a podcast and an episode of it here. \
         For a book, leave episode_id out."
    } else {
        "No progress is recorded: the book was never started, or the id is not one of this server's. For a podcast, give episode_id."
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use crate::world::SendError;
    use serde_json::{Value, json};

    const IN_PROGRESS: &str = "GET /api/me/items-in-progress?limit=25";

    fn in_progress() -> Fake {
        Fake::new().recorded(IN_PROGRESS, "list_items_in_progress").recorded("GET /api/me", "get_me")
    }

    #[test]
    fn items_in_progress_say_how_far() {
        let result = in_progress().ok("list_items_in_progress", json!({}));
        let want = json!({
            "library_item_id": "752d8200-23cd-4bcd-838a-45c0635206fd", "title": "Dune", "author": "Frank Herbert", "series": "Dune #1",
            "current_time": 10500, "duration": 21601.7, "remaining": 11101.7, "percent": 48.6, "is_finished": false,
            "last_update": "2026-11-30T16:21:52Z"});
        assert_eq!(result["items"][3], want);
        assert_eq!(result["items"].as_array().unwrap().len(), 6);
        assert_eq!(result.as_object().unwrap().len(), 1, "no note: {result}");
    }

    #[test]
    fn ebooks_episodes_and_hidden_items_say_what_they_are() {
        let result = in_progress().ok("list_items_in_progress", json!({}));
        let ebook = json!({
            "library_item_id": "78d7b281-01bd-4c15-91b9-ae564e177493", "title": "Frankenstein", "author": "Mary Shelley", "ebook": "epub",
            "ebook_percent": 42, "is_finished": false, "last_update": "2026-11-30T16:21:53Z"});
        assert_eq!(result["items"][0], ebook);
        let episode = json!({
            "library_item_id": "ca51f70b-871d-4300-b690-7243c43fc0af", "episode_id": "949f7d7f-31f4-4541-b333-dd98f1dc19c9",
            "title": "Cosmic Queries 2: The Big Rip", "podcast": "Cosmic Queries",
            "current_time": 700, "duration": 1520.2, "remaining": 820.2, "percent": 46, "is_finished": false,
            "last_update": "2026-11-30T16:21:52Z"});
        assert_eq!(result["items"][5], episode);
        assert_eq!(result["items"][2]["hide_from_continue_listening"], true);
        assert_eq!(result["items"][3].get("hide_from_continue_listening"), None);
    }

    /// 8949 bytes is what another server answers for the ten items of which six are recorded.
    #[test]
    fn the_default_list_is_small() {
        let size = in_progress().ok("list_items_in_progress", json!({})).to_string().len();
        assert!(size <= 8949 * 55 / 100 * 6 / 10, "{size}");
    }

    #[test]
    fn full_items_carry_their_progress() {
        let result = in_progress().ok("list_items_in_progress", json!({"detail": "full"}));
        let dune = &result["items"][3];
        assert_eq!(
            (&dune["media"]["numTracks"], &dune["userMediaProgress"]["currentTime"]),
            (&json!(12), &json!(10500))
        );
        assert_eq!(dune["userMediaProgress"]["mediaItemType"], "book");
        let text = result.to_string();
        assert!(!text.contains("jwt") && !text.contains("SECRETFEEDTOKEN"), "{text}");
    }

    #[test]
    fn a_reached_limit_is_said() {
        let items = json!({"libraryItems": [{"id": "a"}, {"id": "b"}]});
        let fake = Fake::new()
            .json("GET /api/me/items-in-progress?limit=2", items)
            .json("GET /api/me", json!({"mediaProgress": null}));
        let result = fake.ok("list_items_in_progress", json!({"limit": "2"}));
        assert_eq!(result["items"], json!([{"library_item_id": "a"}, {"library_item_id": "b"}]));
        assert_eq!(result["note"], "These are the 2 most recent ones; a larger limit shows more.");
        for limit in [0, 101] {
            assert!(Fake::new().error("list_items_in_progress", json!({"limit": limit})).contains("limit: "));
        }
    }

    #[test]
    fn nothing_in_progress_needs_no_second_request() {
        let nothing = json!({"libraryItems": []});
        let result = Fake::new().json(IN_PROGRESS, nothing).ok("list_items_in_progress", json!({}));
        assert_eq!(result, json!({"items": []}));
        for odd in [json!({"libraryItems": null}), json!({}), json!([])] {
            let text = Fake::new().json(IN_PROGRESS, odd).error("list_items_in_progress", json!({}));
            assert!(text.contains("lacks the list"), "{text}");
        }
    }

    #[test]
    fn without_positions_the_list_is_still_an_answer() {
        let fake =
            Fake::new().recorded(IN_PROGRESS, "list_items_in_progress").fails("GET /api/me", SendError::TooLarge);
        let result = fake.ok("list_items_in_progress", json!({}));
        assert_eq!(result["items"][3]["title"], "Dune");
        assert_eq!(result["items"][3]["last_update"], "2026-11-30T16:21:52Z");
        assert!(result["note"].as_str().unwrap().contains("get_media_progress"));
    }

    #[test]
    fn of_duplicate_records_the_one_of_that_time_counts() {
        let items = json!({"libraryItems": [
            {"id": "a", "progressLastUpdate": 2000, "recentEpisode": null}, null, {"id": "a", "progressLastUpdate": 7}, "odd"]});
        let record =
            |time: u64| json!({"libraryItemId": "a", "episodeId": null, "currentTime": time, "lastUpdate": time});
        let other = json!({"libraryItemId": "a", "episodeId": "e", "currentTime": 5, "lastUpdate": 2000});
        let fake = Fake::new()
            .json(IN_PROGRESS, items)
            .json("GET /api/me", json!({"mediaProgress": [other, record(1000), record(2000), null]}));
        let result = fake.ok("list_items_in_progress", json!({}));
        let positions: Vec<&Value> = [0, 2].iter().map(|i: &usize| &result["items"][*i]["current_time"]).collect();
        assert_eq!(positions, [2000, 1000]);
    }

    #[test]
    fn progress_of_a_book() {
        let book = "752d8200-23cd-4bcd-838a-45c0635206fd";
        let fake = Fake::new().recorded(&format!("GET /api/me/progress/{book}"), "get_media_progress");
        let want = json!({
            "library_item_id": book, "started": true, "media_progress_id": "222fd7ec-e116-4390-b0f8-b1bda269a48f",
            "progress": {"current_time": 10500, "duration": 21601.7, "remaining": 11101.7, "percent": 48.6, "is_finished": false,
                "last_update": "2026-11-30T16:21:52Z", "started": "2026-11-30T16:21:51Z"}});
        assert_eq!(fake.ok("get_media_progress", json!({"library_item_id": book})), want);
    }

    #[test]
    fn progress_of_an_episode() {
        let (podcast, episode) = ("ca51f70b-871d-4300-b690-7243c43fc0af", "a42af622-31ae-4065-a240-7ef0ed979e3c");
        let fake =
            Fake::new().recorded(&format!("GET /api/me/progress/{podcast}/{episode}"), "get_media_progress_episode");
        let want = json!({
            "library_item_id": podcast, "episode_id": episode, "started": true,
            "media_progress_id": "931d0f2b-785d-48f6-99df-5ae5c707105c",
            "progress": {"current_time": 1505, "duration": 1510.2, "percent": 100, "is_finished": true,
                "last_update": "2026-11-30T16:21:53Z", "started": "2026-11-30T16:21:52Z", "finished": "2026-11-30T16:21:53Z"}});
        assert_eq!(fake.ok("get_media_progress", json!({"library_item_id": podcast, "episode_id": episode})), want);
    }

    #[test]
    fn progress_of_an_ebook() {
        let fake = Fake::new().recorded("GET /api/me/progress/i", "get_media_progress_ebook");
        let result = fake.ok("get_media_progress", json!({"library_item_id": "i"}));
        let want = json!({"ebook_percent": 42, "is_finished": false, "last_update": "2026-11-30T16:21:53Z",
            "started": "2026-11-30T16:21:53Z", "ebook_location": "epubcfi(/6/4!/4/2/1:0)"});
        assert_eq!(result["progress"], want);
    }

    #[test]
    fn full_progress_is_the_record() {
        let fake = Fake::new().recorded("GET /api/me/progress/i", "get_media_progress");
        let result = fake.ok("get_media_progress", json!({"library_item_id": "i", "detail": "full"}));
        assert_eq!(
            (&result["progress"]["currentTime"], &result["progress"]["ebookLocation"]),
            (&json!(10500), &Value::Null)
        );
        assert_eq!((&result["media_progress_id"], &result["started"]), (&result["progress"]["id"], &json!(true)));
    }

    #[test]
    fn never_started_is_an_answer() {
        let fake = Fake::new().recorded("GET /api/me/progress/i", "get_media_progress_none");
        let result = fake.ok("get_media_progress", json!({"library_item_id": "i"}));
        assert_eq!((&result["library_item_id"], &result["started"]), (&json!("i"), &json!(false)));
        let note = result["note"].as_str().unwrap();
        assert!(note.contains("never started") && note.contains("give episode_id"), "{note}");

        let fake = Fake::new().recorded("GET /api/me/progress/i/e", "get_media_progress_none");
        let result = fake.ok("get_media_progress", json!({"library_item_id": "i", "episode_id": "e"}));
        assert_eq!(result["started"], false);
        assert!(result["note"].as_str().unwrap().contains("leave episode_id out"), "{result}");
    }

    #[test]
    fn a_podcast_needs_an_episode() {
        let fake = Fake::new().recorded("GET /api/me/progress/i", "get_media_progress_episode");
        let error = fake.error("get_media_progress", json!({"library_item_id": "i"}));
        assert!(error.contains("episode_id: is missing") && error.contains("get_library_item"), "{error}");
    }

    #[test]
    fn other_failures_stay_failures() {
        let fake = Fake::new().reply("GET /api/me/progress/i", 401, "", "Unauthorized");
        assert!(fake.error("get_media_progress", json!({"library_item_id": "i"})).contains("AUDIOBOOKSHELF_API_KEY"));
        let fake = Fake::new().reply("GET /api/me/progress/i", 404, "text/html", "<html>nginx</html>");
        assert!(fake.error("get_media_progress", json!({"library_item_id": "i"})).contains("404"));
        let fake = Fake::new().json("GET /api/me/progress/i", json!({}));
        assert_eq!(
            fake.ok("get_media_progress", json!({"library_item_id": "i"}))["progress"],
            json!({"is_finished": false})
        );
    }
}
