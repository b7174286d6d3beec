//! Listening sessions: what was played when, for how long, on what.

use super::param::{DETAIL, PAGE, limit};
use super::tool::{FieldKind::*, Tool, field};
use super::{Answer, Args, Context, Hints, Outcome};
use crate::abs::entries;
use crate::keep;
use crate::shape::time::{iso, seconds};
use crate::shape::{Keep, Record, at, text};
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[&LIST_LISTENING_SESSIONS];

static LIST_LISTENING_SESSIONS: Tool = Tool {
    name: "list_listening_sessions",
    title: "List listening sessions",
    description: "The user's listening history, newest first: what, when, how long, from and to which position, on \
                  which device.",
    params: &[PAGE, limit(10), DETAIL],
    output: &[field("total", Integer), field("page", Integer), field("sessions", Objects)],
    hints: Hints::READ,
    routes: &[&table::LIST_SESSIONS],
    narrower: "",
    run: |context, args| list_listening_sessions(context, args),
};

fn list_listening_sessions(context: &Context<'_>, args: &Args) -> Outcome {
    const COMPACT: Keep = keep! { total, sessions {
        libraryItemId, episodeId, mediaType, mediaMetadata { title }, displayTitle, displayAuthor, startedAt, updatedAt,
        timeListening, startTime, currentTime, deviceInfo { clientName, deviceName, deviceType }, mediaPlayer
    } };
    let (page, limit) = (args.integer("page"), args.integer("limit"));
    let query = [("itemsPerPage", &*limit.to_string()), ("page", &*page.to_string())];
    let keep = if args.full() { Keep::All } else { COMPACT };
    let reply = context.get(&table::LIST_SESSIONS, &[], &query, &keep)?;
    let total = at(&reply, "total").as_i64();
    let sessions = entries(&reply, "sessions")?;
    let records: Vec<Value> =
        if args.full() { sessions.to_vec() } else { sessions.iter().map(|session| compact(session).into()).collect() };
    let past_the_end = records.is_empty() && page > 0;
    Ok(Answer::untrusted(Record::new().put("total", total).put("page", page).put_list("sessions", records))
        .page_on(total, page, limit)
        .note_if(past_the_end, "There is no such page; page 0 is the newest."))
}

/// Without the device's address, and without the session's own id, which no tool takes.
fn compact(session: &Value) -> Record {
    let podcast = if at(session, "mediaType") == "podcast" { at(session, "mediaMetadata.title") } else { &Value::Null };
    let title = at(session, "displayTitle");
    let device = at(session, "deviceInfo");
    Record::new()
        .put("library_item_id", at(session, "libraryItemId").clone())
        .put("episode_id", at(session, "episodeId").clone())
        .put("title", title.clone())
        // Sessions that a client recorded by itself have the podcast's title where ABS puts the episode's.
        .put("podcast", if podcast == title { Value::Null } else { podcast.clone() })
        .put("author", at(session, "displayAuthor").clone())
        .put("started", iso(at(session, "startedAt")))
        .put("ended", iso(at(session, "updatedAt")))
        .put("listened", seconds(at(session, "timeListening")))
        .put("from", seconds(at(session, "startTime")))
        .put("to", seconds(at(session, "currentTime")))
        .put("device", text(device, "deviceName").or(text(device, "deviceType")))
        .put("client", text(device, "clientName").or(text(session, "mediaPlayer")))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use serde_json::json;

    const FIRST: &str = "GET /api/me/listening-sessions?itemsPerPage=10&page=0";

    #[test]
    fn sessions_without_addresses() {
        let result = Fake::new().recorded(FIRST, "list_listening_sessions").ok("list_listening_sessions", json!({}));
        let book = json!({
            "library_item_id": "f3f3446c-61a6-4022-b88c-9b6c8fcab5dd", "title": "Guards! Guards!", "author": "Terry Pratchett",
            "started": "2026-11-30T14:51:50Z", "ended": "2026-11-30T15:01:50Z", "listened": 600, "from": 1800, "to": 2400,
            "device": "Google iPhone", "client": "Abs Android"});
        let web = json!("seed");
        assert_eq!((&result["sessions"][1], &result["sessions"][0]["client"]), (&book, &web));
        assert_eq!((&result["total"], &result["page"]), (&json!(27), &json!(0)));
        assert_eq!(result["note"], "This is page 0 of 0 to 2; go on with page=1.");
        let text = result.to_string();
        assert!(!text.contains("127.0.0.1") && text.len() <= 8620 * 40 / 100, "{} {text}", text.len());
    }

    #[test]
    fn an_episode_and_its_podcast() {
        let session = json!({"libraryItemId": "i", "episodeId": "e", "mediaType": "podcast", "displayTitle": "One", "displayAuthor": "",
            "mediaMetadata": {"title": "Show"}, "deviceInfo": {"deviceType": "tablet"}, "mediaPlayer": "html5"});
        let fake = Fake::new().json(FIRST, json!({"total": 1, "sessions": [session]}));
        let want = json!({"library_item_id": "i", "episode_id": "e", "title": "One", "podcast": "Show", "device": "tablet", "client": "html5"});
        assert_eq!(fake.ok("list_listening_sessions", json!({})), json!({"total": 1, "page": 0, "sessions": [want]}));

        let recorded = Fake::new().recorded(FIRST, "list_listening_sessions").ok("list_listening_sessions", json!({}));
        let local = &recorded["sessions"][5];
        assert_eq!((&local["title"], local.get("podcast")), (&json!("History Café"), None));
    }

    #[test]
    fn pages() {
        let fake = Fake::new()
            .json("GET /api/me/listening-sessions?itemsPerPage=3&page=8", json!({"total": 27, "sessions": [{}]}));
        let last = fake.ok("list_listening_sessions", json!({"page": 8, "limit": 3}));
        assert_eq!(last, json!({"total": 27, "page": 8, "sessions": [{}]}));
        let fake = Fake::new()
            .json("GET /api/me/listening-sessions?itemsPerPage=3&page=99", json!({"total": 27, "sessions": []}));
        let past = fake.ok("list_listening_sessions", json!({"page": 99, "limit": 3}));
        assert_eq!(past["note"], "There is no such page; page 0 is the newest.");
        for bad in [json!({"limit": 0}), json!({"limit": 101}), json!({"page": -1})] {
            Fake::new().error("list_listening_sessions", bad);
        }
    }

    #[test]
    fn full_sessions_are_the_records() {
        let result = Fake::new()
            .recorded(FIRST, "list_listening_sessions")
            .ok("list_listening_sessions", json!({"detail": "full"}));
        assert_eq!((&result["total"], &result["page"]), (&json!(27), &json!(0)));
        assert_eq!(
            (&result["sessions"][0]["id"], &result["sessions"][0]["playMethod"]),
            (&json!("103b91d3-72e6-437a-913d-f0e4c5d15392"), &json!(0))
        );
    }

    #[test]
    fn odd_answers_do_no_harm() {
        for odd in [json!(null), json!([]), json!({"sessions": null}), json!({"total": "x"})] {
            let text = Fake::new().json(FIRST, odd).error("list_listening_sessions", json!({}));
            assert!(text.contains("did not come from Audiobookshelf"), "{text}");
        }
        let odd = json!({"total": 1, "sessions": [null, {"deviceInfo": null, "startedAt": "x", "mediaMetadata": []}]});
        assert_eq!(Fake::new().json(FIRST, odd).ok("list_listening_sessions", json!({}))["sessions"], json!([{}, {}]));
    }
}
