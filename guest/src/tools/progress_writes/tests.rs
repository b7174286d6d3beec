//! Requests and answers of set_media_progress, one by one; [`table`] has the combinations.

mod model;
mod table;

use crate::testing::Fake;
use crate::world::SendError;
use serde_json::{Value, json};

const ITEM: &str = "GET /api/items/i?expanded=1";
const READ: &str = "GET /api/me/progress/i";
const WRITE: &str = "PATCH /api/me/progress/i";
const TOOL: &str = "set_media_progress";

fn book(duration: f64) -> Fake {
    Fake::new().json(ITEM, json!({"id": "i", "mediaType": "book", "media": {"duration": duration, "tracks": []}}))
}

fn record(time: f64, share: f64, finished: bool) -> Value {
    json!({"id": "p", "userId": "u", "libraryItemId": "i", "episodeId": null, "duration": 10800, "progress": share,
        "currentTime": time, "isFinished": finished, "hideFromContinueListening": false, "ebookLocation": "cfi",
        "lastUpdate": 0, "startedAt": 0, "finishedAt": if finished { json!(0) } else { Value::Null }})
}

trait Abs {
    fn none(self) -> Fake;
    fn has(self, time: f64, share: f64, finished: bool) -> Fake;
    fn takes(self) -> Fake;
}

impl Abs for Fake {
    fn none(self) -> Fake {
        self.recorded(READ, "get_media_progress_none")
    }

    fn has(self, time: f64, share: f64, finished: bool) -> Fake {
        self.json(READ, record(time, share, finished))
    }

    fn takes(self) -> Fake {
        self.reply(WRITE, 200, "text/plain", "OK")
    }
}

fn with(arguments: Value) -> Value {
    let mut all = json!({"library_item_id": "i"});
    all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
    all
}

fn wrote(fake: &Fake) -> bool {
    fake.asked().iter().any(|asked| !asked.starts_with("GET "))
}

#[test]
fn a_first_position_is_made_in_one_request() {
    let fake = book(10800.0).none().none().takes().has(2700.0, 0.25, false);
    let result = fake.ok(TOOL, with(json!({"current_time": "2700"})));
    assert_eq!(fake.bodies(), [json!({"currentTime": 2700, "progress": 0.25, "duration": 10800})]);
    let want = json!({"library_item_id": "i", "media_progress_id": "p", "progress": {
        "current_time": 2700.0, "duration": 10800, "remaining": 8100, "percent": 25, "is_finished": false,
        "last_update": "1970-01-01T00:00:00Z", "started": "1970-01-01T00:00:00Z", "hide_from_continue_listening": false}});
    assert_eq!(result, want);
    assert_eq!(fake.stored(), [""; 0]);
}

#[test]
fn a_result_of_numbers_needs_no_label() {
    let fake = book(10800.0).has(0.0, 0.0, false).takes().has(2700.0, 0.25, false);
    let result = fake.call(TOOL, with(json!({"progress": 0.25})));
    assert_eq!(result["structuredContent"].get("untrusted"), None);
    assert_eq!(fake.bodies(), [json!({"currentTime": 2700, "progress": 0.25, "duration": 10800})]);
}

#[test]
fn finishing_keeps_the_position() {
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().has(2700.0, 1.0, true);
    let result = fake.ok(TOOL, with(json!({"is_finished": true})));
    assert_eq!(fake.bodies(), [json!({"isFinished": true, "duration": 10800})]);
    assert_eq!((&result["progress"]["percent"], result.get("note")), (&json!(100), None));
}

/// In one body, the position that changes would end «finished» at once.
#[test]
fn finishing_at_another_position_takes_two_requests() {
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().has(5400.0, 0.5, false).takes().has(5400.0, 1.0, true);
    fake.ok(TOOL, with(json!({"is_finished": true, "current_time": 5400})));
    let want = [
        json!({"currentTime": 5400, "progress": 0.5, "duration": 10800}),
        json!({"isFinished": true, "duration": 10800}),
    ];
    assert_eq!(fake.bodies(), want);
}

#[test]
fn not_finished_alone_goes_back_to_the_start_and_says_so() {
    let fake = book(10800.0).has(5400.0, 1.0, true).takes().has(0.0, 0.0, false);
    let result = fake.ok(TOOL, with(json!({"is_finished": false})));
    assert_eq!(fake.bodies(), [json!({"isFinished": false, "duration": 10800})]);
    assert!(result["note"].as_str().unwrap().contains("back to 0"), "{result}");
}

#[test]
fn not_finished_with_a_position_keeps_it() {
    let fake = book(10800.0).has(10800.0, 1.0, true).takes().has(5400.0, 0.5, false);
    fake.ok(TOOL, with(json!({"is_finished": false, "current_time": 5400})));
    assert_eq!(fake.bodies(), [json!({"currentTime": 5400, "progress": 0.5, "duration": 10800})]);

    let fake = book(10800.0)
        .has(5400.0, 1.0, true)
        .takes()
        .has(5399.0, 5399.0 / 10800.0, false)
        .takes()
        .has(5400.0, 0.5, false);
    let result = fake.ok(TOOL, with(json!({"is_finished": false, "current_time": 5400})));
    let want = [
        json!({"currentTime": 5399, "progress": 5399.0 / 10800.0, "duration": 10800}),
        json!({"currentTime": 5400, "progress": 0.5, "duration": 10800}),
    ];
    assert_eq!(fake.bodies(), want, "the same position would change nothing");
    assert_eq!(result.get("note"), None, "{result}");
}

#[test]
fn hidden_alone_sends_nothing_else() {
    let mut hidden = record(2700.0, 0.25, false);
    hidden["hideFromContinueListening"] = true.into();
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().json(READ, hidden.clone());
    let result = fake.ok(TOOL, with(json!({"hide_from_continue_listening": true})));
    assert_eq!(fake.bodies(), [json!({"hideFromContinueListening": true})]);
    assert_eq!(result["progress"]["hide_from_continue_listening"], true);

    let fake = book(10800.0).json(READ, hidden.clone()).takes().has(5400.0, 0.5, false);
    let result = fake.ok(TOOL, with(json!({"current_time": 5400})));
    assert!(result["note"].as_str().unwrap().contains("Continue Listening again"), "{result}");

    hidden["currentTime"] = 5400.into();
    hidden["progress"] = 0.5.into();
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().json(READ, hidden);
    fake.ok(TOOL, with(json!({"current_time": 5400, "hide_from_continue_listening": true})));
    let want = json!({"currentTime": 5400, "progress": 0.5, "duration": 10800, "hideFromContinueListening": true});
    assert_eq!(fake.bodies(), [want]);
}

#[test]
fn what_audiobookshelf_does_by_itself_is_said() {
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().has(10795.0, 1.0, true);
    let result = fake.ok(TOOL, with(json!({"current_time": 10795})));
    assert!(result["note"].as_str().unwrap().contains("finished by itself"), "{result}");

    let fake = book(10800.0).has(10800.0, 1.0, true).takes().has(2700.0, 0.25, false);
    let result = fake.ok(TOOL, with(json!({"current_time": 2700})));
    assert!(result["note"].as_str().unwrap().contains("no longer finished"), "{result}");

    let fake = book(10800.0).none().none().takes().has(10795.0, 10795.0 / 10800.0, false);
    let result = fake.ok(TOOL, with(json!({"current_time": 10795})));
    assert!(result["note"].as_str().unwrap().contains("not finished, though"), "{result}");
}

#[test]
fn what_is_stored_already_is_not_sent() {
    let fake = book(10800.0).has(2700.0, 0.25, false);
    let result = fake.ok(TOOL, with(json!({"current_time": 2700, "is_finished": false})));
    assert!(result["note"].as_str().unwrap().contains("already"), "{result}");
    assert!(!wrote(&fake));
}

#[test]
fn an_ebook_can_be_finished_and_has_no_position() {
    let ebook = |share: f64, finished: bool| {
        json!({"id": "p", "libraryItemId": "i", "episodeId": null, "duration": 0, "progress": share, "currentTime": 0,
            "isFinished": finished, "hideFromContinueListening": false, "ebookProgress": 0.42})
    };
    let fake = book(0.0).json(READ, ebook(0.0, false)).takes().json(READ, ebook(1.0, true));
    let result = fake.ok(TOOL, with(json!({"is_finished": true})));
    assert_eq!(fake.bodies(), [json!({"isFinished": true})]);
    assert_eq!((&result["progress"]["is_finished"], &result["progress"]["ebook_percent"]), (&json!(true), &json!(42)));

    let fake = book(0.0);
    let error = fake.error(TOOL, with(json!({"progress": 0.5})));
    assert!(error.starts_with("Nothing was changed") && error.contains("no audio"), "{error}");
}

#[test]
fn an_episode_is_asked_for_by_both_ids() {
    let position = json!({"id": "p", "libraryItemId": "i", "episodeId": "e", "duration": 1000, "progress": 0.5,
        "currentTime": 500, "isFinished": false, "hideFromContinueListening": false});
    let fake = Fake::new()
        .json("GET /api/podcasts/i/episode/e", json!({"id": "e", "audioFile": {"duration": 1000}}))
        .recorded("GET /api/me/progress/i/e", "get_media_progress_none")
        .recorded("GET /api/me/progress/i/e", "get_media_progress_none")
        .reply("PATCH /api/me/progress/i/e", 200, "text/plain", "OK")
        .json("GET /api/me/progress/i/e", position);
    let result = fake.ok(TOOL, with(json!({"episode_id": "e", "current_time": 500})));
    assert_eq!((&result["episode_id"], &result["progress"]["percent"]), (&json!("e"), &json!(50)));
}

#[test]
fn kind_and_ids_are_checked_before_anything_is_written() {
    let call = with(json!({"is_finished": true}));
    let fake = Fake::new().json(ITEM, json!({"mediaType": "podcast", "media": {}}));
    assert!(fake.error(TOOL, call.clone()).contains("episode_id: is missing"));
    let fake = Fake::new().reply(ITEM, 404, "text/plain", "Not Found");
    assert!(fake.error(TOOL, call.clone()).contains("Nothing was changed: there is no such item"));
    let fake = Fake::new().reply(ITEM, 403, "text/plain", "Forbidden");
    assert!(fake.error(TOOL, call).contains("permissions"));

    let call = with(json!({"is_finished": true, "episode_id": "e"}));
    let fake = Fake::new().reply("GET /api/podcasts/i/episode/e", 404, "text/html", "Episode not found");
    let error = fake.error(TOOL, call.clone());
    assert!(error.starts_with("Nothing was changed") && error.contains("no such episode"), "{error}");
    let fake = Fake::new()
        .recorded("GET /api/podcasts/i/episode/e", "get_podcast_episode_of_a_book")
        .json("GET /api/items/i", json!({"mediaType": "book"}));
    assert!(fake.error(TOOL, call).contains("it is a book"));
}

#[test]
fn contradictions_are_errors_that_name_both() {
    let cases = [
        (json!({}), "at least one of"),
        (json!({"is_finished": true, "progress": 0.5}), "is_finished: true contradicts progress 0.5"),
    ];
    for (arguments, want) in cases {
        let error = Fake::new().error(TOOL, with(arguments));
        assert!(error.starts_with("Nothing was sent to Audiobookshelf.") && error.contains(want), "{error}");
    }
    let cases = [
        (json!({"current_time": 10801}), "current_time: 10801 is beyond the end; the duration is 10800 seconds"),
        (json!({"current_time": 100, "progress": 0.5}), "current_time and progress contradict each other"),
        (json!({"current_time": 10795, "is_finished": false}), "is_finished: false contradicts"),
        (json!({"progress": 1, "is_finished": false}), "is_finished: false contradicts"),
    ];
    for (arguments, want) in cases {
        let error = book(10800.0).error(TOOL, with(arguments));
        assert!(error.starts_with("Nothing was changed.") && error.contains(want), "{error}");
    }
}

#[test]
fn the_end_as_it_is_shown_is_not_beyond_the_end() {
    let mut stored = record(10800.26, 1.0, false);
    stored["duration"] = 10800.26.into();
    let fake = book(10800.26).none().none().takes().json(READ, stored);
    fake.ok(TOOL, with(json!({"current_time": 10800.3, "progress": 1})));
    assert_eq!(fake.bodies()[0], json!({"currentTime": 10800.26, "progress": 1, "duration": 10800.26}));
}

/// Some clients store an episode's progress under the id of a book; ABS then shows that for the book.
#[test]
fn the_record_of_another_is_not_taken_for_this_one() {
    let mut other = record(33.0, 0.0, false);
    other["episodeId"] = "e".into();
    let me = |own: Value| json!({"token": "jwt", "mediaProgress": [other, {"libraryItemId": "x"}, own]});
    let fake = book(10800.0)
        .json(READ, other.clone())
        .json("GET /api/me", me(record(2700.0, 0.25, false)))
        .takes()
        .json(READ, other.clone())
        .json("GET /api/me", me(record(5400.0, 0.5, false)));
    assert_eq!(fake.ok(TOOL, with(json!({"progress": 0.5})))["progress"]["percent"], 50);
}

#[test]
fn failures_say_what_was_done() {
    let call = with(json!({"current_time": 5400, "is_finished": true}));
    let fake = book(10800.0).has(2700.0, 0.25, false).reply(WRITE, 400, "text/plain", "Bad");
    assert!(fake.error(TOOL, call.clone()).starts_with("Nothing was changed."));
    let fake = book(10800.0).has(2700.0, 0.25, false).fails(WRITE, SendError::Closed);
    assert!(fake.error(TOOL, call.clone()).starts_with("Whether it was done is not known"));
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().fails(READ, SendError::Timeout);
    assert!(fake.error(TOOL, call.clone()).starts_with("Audiobookshelf accepted the change, but"));
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().has(5400.0, 0.5, false).fails(WRITE, SendError::Timeout);
    assert!(fake.error(TOOL, call.clone()).starts_with("Only a part was done"));
    let fake = book(10800.0).has(2700.0, 0.25, false).takes().none();
    assert!(fake.error(TOOL, call).contains("deleted it"));
}

#[test]
fn odd_records_do_no_harm() {
    for odd in [json!({}), json!([]), json!({"currentTime": "x", "duration": null, "progress": {}})] {
        let fake = book(10800.0).json(READ, odd).takes().has(2700.0, 0.25, false);
        assert_eq!(fake.ok(TOOL, with(json!({"current_time": 2700})))["progress"]["percent"], 25);
    }
    let text = json!({"id": "p", "episodeId": null, "currentTime": "2700", "duration": 10800, "progress": 0.25});
    let fake = book(10800.0).json(READ, text.clone());
    assert_eq!(fake.ok(TOOL, with(json!({"current_time": 2700})))["progress"]["current_time"], "2700");
}
