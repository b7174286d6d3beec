//! Episodes of podcasts.

use super::param::{DETAIL, LIBRARY_ID, LIBRARY_ITEM_ID, PAGE, Param, limit};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::{Failure, entries};
use crate::keep;
use crate::shape::{Keep, Record, at, episode, excerpt, list, progress, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&GET_PODCAST_EPISODE, &LIST_RECENT_EPISODES];

static GET_PODCAST_EPISODE: Tool = Tool {
    name: "get_podcast_episode",
    title: "Get a podcast episode",
    description: "One episode with its show notes and the user's progress (none: never started). Chapters: \
                  detail=full.",
    params: &[LIBRARY_ITEM_ID, Param::id("episode_id", ""), DETAIL],
    output: &[field("episode", Object), field("progress", Object)],
    hints: Hints::READ,
    routes: &[&table::GET_EPISODE, &table::GET_PROGRESS_EPISODE, &table::GET_ITEM],
    narrower: "",
    run: |context, args| get_podcast_episode(context, args),
};

fn get_podcast_episode(context: &Context<'_>, args: &Args) -> Outcome {
    let ids = [args.text("library_item_id"), args.text("episode_id")];
    let record = match context.get(&table::GET_EPISODE, &ids, &[], &Keep::All) {
        Ok(record) => record,
        Err(failure) => return Err(explained(context, ids[0], failure)),
    };
    let keep = if args.full() { Keep::All } else { progress::KEEP };
    let position = match context.get(&table::GET_PROGRESS_EPISODE, &ids, &[], &keep) {
        Ok(position) => position,
        Err(failure) if failure.is_not_found() => Value::Null,
        Err(failure) => return Err(failure),
    };
    let data = if args.full() {
        Record::new().put("episode", record).put("progress", position)
    } else {
        let started = position.is_object();
        let position = progress::add(Record::new(), &position, episode::duration(&record));
        Record::new().put("episode", compact(&record)).put("progress", if started { position } else { Record::new() })
    };
    Ok(Answer::untrusted(data))
}

fn compact(record: &Value) -> Record {
    episode::compact(record)
        .put("subtitle", at(record, "subtitle").clone())
        .put("description", text(record, "description").map(excerpt))
        .put("num_chapters", list(record, "chapters").len())
}

/// ABS answers 500 for a book. Asking for the kind of item only then keeps the usual call at one request, since a podcast's
/// item carries all of its episodes.
pub(super) fn explained(context: &Context<'_>, item: &str, failure: Failure) -> Failure {
    const KIND: Keep = keep! { mediaType };
    if failure.is_not_found() {
        return Failure::message(
            "There is no such podcast, or it has no such episode. list_recent_episodes, search_library and get_library_item \
             show valid pairs of library_item_id and episode_id.",
        );
    }
    if !matches!(failure, Failure::Status { status: 500, .. }) {
        return failure;
    }
    match context.get(&table::GET_ITEM, &[item], &[], &KIND) {
        Ok(item) if at(&item, "mediaType") == "book" => Failure::message(
            "library_item_id: it is a book, and only podcasts have episodes. get_library_item shows the book, \
             get_item_chapters its chapters.",
        ),
        _ => failure,
    }
}

static LIST_RECENT_EPISODES: Tool = Tool {
    name: "list_recent_episodes",
    title: "List recent episodes",
    description: "A podcast library's episodes, newest first, without those the user has finished.",
    params: &[LIBRARY_ID, PAGE, limit(25), DETAIL],
    output: &[field("page", Integer), field("episodes", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_RECENT_EPISODES],
    narrower: "",
    run: |context, args| list_recent_episodes(context, args),
};

fn list_recent_episodes(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { episodes: episode::KEEP };
    let (page, limit) = (args.integer("page"), args.integer("limit"));
    // Without a limit ABS answers with no episodes.
    let query = [("limit", &*limit.to_string()), ("page", &*page.to_string())];
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply =
        context.get(&table::LIST_RECENT_EPISODES, &[args.text("library_id")], &query, &keep).map_err(|failure| {
            failure.or_not_found(
                "library_id: that is a book library, or there is no such library. Only podcast libraries have episodes; \
                 list_libraries shows ids and media types.",
            )
        })?;
    let episodes = entries(&reply, "episodes")?.iter();
    let episodes: Vec<Value> = if args.full() {
        episodes.cloned().collect()
    } else {
        episodes.map(|episode| episode::compact(episode).into()).collect()
    };
    // There is no total: a full page is all that tells of another one.
    let is_full = episodes.len() as i64 >= limit;
    Ok(Answer::untrusted(Record::new().put("page", page).put_list("episodes", episodes))
        .note_if(is_full, format!("There may be more; go on with page={}.", page + 1)))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::{Value, json};

    const EPISODE: &str = "GET /api/podcasts/p/episode/e";
    const PROGRESS: &str = "GET /api/me/progress/p/e";

    fn ids() -> Value {
        json!({"library_item_id": "p", "episode_id": "e"})
    }

    #[test]
    fn get_podcast_episode_compact() {
        let fake = Fake::new().recorded(EPISODE, "get_podcast_episode").json(
            PROGRESS,
            json!({"id": "m", "currentTime": 300.25, "duration": 1510.2, "progress": 0.2, "isFinished": false, "lastUpdate": 0}),
        );
        let result = fake.ok("get_podcast_episode", ids());
        assert_eq!(
            result["episode"],
            json!({"library_item_id": "ca51f70b-871d-4300-b690-7243c43fc0af", "episode_id": "a42af622-31ae-4065-a240-7ef0ed979e3c",
                "title": "Cosmic Queries 1: Black Holes", "season": "2", "episode": "1", "published": "2026-05-01",
                "duration": 1510.2, "subtitle": "Subtitle 1", "description": "Show notes for episode 1 with a link.\none\ntwo",
                "num_chapters": 0})
        );
        assert_eq!(
            (&result["progress"]["current_time"], &result["progress"]["is_finished"]),
            (&json!(300.25), &json!(false))
        );
        assert!(result["episode"].to_string().len() < 1610 / 2);
    }

    #[test]
    fn an_episode_never_started_has_no_progress() {
        for detail in ["compact", "full"] {
            let fake =
                Fake::new().recorded(EPISODE, "get_podcast_episode").reply(PROGRESS, 404, "text/plain", "Not Found");
            let mut arguments = ids();
            arguments["detail"] = detail.into();
            let result = fake.ok("get_podcast_episode", arguments);
            assert_eq!((result["episode"].is_object(), result.get("progress")), (true, None));
        }
    }

    #[test]
    fn get_podcast_episode_full() {
        let fake =
            Fake::new().recorded(EPISODE, "get_podcast_episode").json(PROGRESS, json!({"id": "m", "currentTime": 1}));
        let result =
            fake.ok("get_podcast_episode", json!({"library_item_id": "p", "episode_id": "e", "detail": "full"}));
        assert_eq!(result["episode"]["audioFile"]["codec"], "mp3");
        assert_eq!(result["progress"], json!({"id": "m", "currentTime": 1}));
    }

    #[test]
    fn a_book_has_no_episodes() {
        let fake = Fake::new()
            .recorded(EPISODE, "get_podcast_episode_of_a_book")
            .json("GET /api/items/p", json!({"id": "p", "mediaType": "book"}));
        let text = fake.error("get_podcast_episode", ids());
        assert!(
            text.contains("library_item_id") && text.contains("get_item_chapters") && !text.contains("500"),
            "{text}"
        );
    }

    #[test]
    fn a_real_failure_stays_one() {
        let fake = || Fake::new().recorded(EPISODE, "get_podcast_episode_of_a_book");
        let podcast = fake().json("GET /api/items/p", json!({"mediaType": "podcast"}));
        assert!(podcast.error("get_podcast_episode", ids()).contains("answered 500"));
        let gone = fake().reply("GET /api/items/p", 404, "text/plain", "Not Found");
        assert!(gone.error("get_podcast_episode", ids()).contains("answered 500"));
        let forbidden = Fake::new().reply(EPISODE, 403, "text/plain", "Forbidden");
        assert!(forbidden.error("get_podcast_episode", ids()).contains("answered 403"));
        let unknown = Fake::new().reply(EPISODE, 404, "text/plain", "Not Found");
        assert!(unknown.error("get_podcast_episode", ids()).contains("list_recent_episodes"));
    }

    #[test]
    fn list_recent_episodes_compact() {
        let fake =
            Fake::new().recorded("GET /api/libraries/lib/recent-episodes?limit=3&page=0", "list_recent_episodes");
        let result = fake.ok("list_recent_episodes", json!({"library_id": "lib", "limit": 3}));
        assert_eq!(
            result["episodes"][0],
            json!({"library_item_id": "57c43509-57fb-420f-83e7-1d3035f97ad6", "episode_id": "926e9dd2-23b7-4289-8c75-a060cfc1c10c",
                "title": "Σωκράτης στο καφενείο", "podcast": "History Café", "season": "1", "episode": "5", "type": "bonus",
                "published": "2026-10-01", "duration": 935.2})
        );
        assert_eq!((&result["page"], &result["note"]), (&json!(0), &json!("There may be more; go on with page=1.")));
        assert!(result.to_string().len() < 9986 / 8);
    }

    #[test]
    fn list_recent_episodes_full_keeps_no_feed_credentials() {
        let fake =
            Fake::new().recorded("GET /api/libraries/lib/recent-episodes?limit=25&page=0", "list_recent_episodes");
        let result = fake.ok("list_recent_episodes", json!({"library_id": "lib", "detail": "full"}));
        assert_eq!(result["episodes"][1]["podcast"]["metadata"]["title"], "Cosmic Queries");
        assert!(!result.to_string().contains("SECRETFEEDTOKEN"));
        // Three of at most 25: this was the last page.
        assert_eq!(result.get("note"), None);
    }

    #[test]
    fn list_recent_episodes_of_a_book_library_and_of_an_empty_one() {
        let asked = "GET /api/libraries/lib/recent-episodes?limit=25&page=7";
        let arguments = json!({"library_id": "lib", "page": 7});
        let text =
            Fake::new().reply(asked, 404, "text/plain", "Not Found").error("list_recent_episodes", arguments.clone());
        assert!(text.contains("book library") && text.contains("list_libraries"), "{text}");
        let result = Fake::new().json(asked, json!({"episodes": []})).ok("list_recent_episodes", arguments.clone());
        assert_eq!(result, json!({"page": 7, "episodes": []}));
        let text = Fake::new().json(asked, json!({"episodes": null})).error("list_recent_episodes", arguments);
        assert!(text.contains("lacks the list"), "{text}");
    }
}
