use crate::testing::Fake;
use crate::world::SendError;
use serde_json::{Value, json};

const ITEM: &str = "GET /api/items/i?expanded=1";
const LIST: &str = "GET /api/me/bookmarks/i";
const POST: &str = "POST /api/me/item/i/bookmark";
const PATCH: &str = "PATCH /api/me/item/i/bookmark";

fn book() -> Value {
    json!({"id": "i", "mediaType": "book", "media": {"duration": 3600.25}})
}

fn bookmarks(times: &[Value]) -> Value {
    let of = |item: &str, time: &Value| json!({"libraryItemId": item, "time": time, "title": "Typed with care", "createdAt": 0});
    let mut all: Vec<Value> = times.iter().map(|time| of("i", time)).collect();
    all.push(of("other", &json!(55)));
    json!({"bookmarks": all})
}

fn made(time: Value) -> Value {
    json!({"libraryItemId": "i", "time": time, "title": "T", "createdAt": 1_785_542_400_000_u64})
}

fn call(time: impl Into<Value>) -> Value {
    json!({"library_item_id": "i", "time": time.into(), "title": "T"})
}

fn target(time: impl Into<Value>) -> Value {
    json!({"library_item_id": "i", "time": time.into()})
}

fn wrote(fake: &Fake) -> bool {
    fake.asked().iter().any(|asked| !asked.starts_with("GET "))
}

#[test]
fn a_bookmark_is_made_at_a_free_time() {
    let fake = Fake::new().json(ITEM, book()).json(LIST, bookmarks(&[json!(10)])).json(POST, made(json!(12.5)));
    let result = fake.call("create_bookmark", call("12.5"));
    let want = json!({"library_item_id": "i", "time": 12.5, "created": "2026-08-01T00:00:00Z"});
    assert_eq!(result["structuredContent"], want, "ids and numbers need no label");
    assert_eq!(fake.bodies(), [json!({"time": 12.5, "title": "T"})]);

    let fake = Fake::new().json(ITEM, book()).json(LIST, bookmarks(&[])).json(POST, made(json!(55)));
    assert_eq!(fake.ok("create_bookmark", call(55.0))["time"], 55, "free here, though taken in another item");
    assert_eq!(fake.bodies()[0].to_string(), r#"{"time":55,"title":"T"}"#);
}

/// ABS would rename it without a word. Its comparison takes "77" for 77, true for 1 and [] for 0.
#[test]
fn a_taken_time_is_refused() {
    for (stored, time) in [
        (json!(77), json!(77)),
        (json!("77"), json!(77)),
        (json!(" 12.50"), json!(12.5)),
        (json!(true), json!(1)),
        (json!([]), json!(0)),
        (json!(""), json!(-0.0)),
    ] {
        let fake = Fake::new().json(ITEM, book()).json(LIST, bookmarks(&[stored]));
        let error = fake.error("create_bookmark", call(time));
        assert!(error.starts_with("Nothing was changed") && error.contains("update_bookmark"), "{error}");
        assert!(!error.contains("Typed"), "{error}");
    }
}

#[test]
fn the_item_is_checked_first() {
    let fake = Fake::new().json(ITEM, book());
    let error = fake.error("create_bookmark", call(3600.5));
    assert!(error.contains("time: 3600.5 is beyond the end; the duration is 3600.3 seconds"), "{error}");
    let fake = Fake::new().reply(ITEM, 404, "text/plain", "Not Found");
    assert!(fake.error("create_bookmark", call(1)).contains("Nothing was changed: there is no such item"));
    let fake = Fake::new().reply(ITEM, 403, "text/plain", "Forbidden");
    assert!(fake.error("create_bookmark", call(1)).contains("permissions"));
    for no_duration in [
        json!({"mediaType": "podcast", "media": {"duration": 5}}),
        json!({"mediaType": "book", "media": {"duration": 0}}),
        json!({}),
    ] {
        let fake = Fake::new().json(ITEM, no_duration).json(LIST, bookmarks(&[])).json(POST, made(json!(99999)));
        assert_eq!(fake.ok("create_bookmark", call(99999))["time"], 99999);
    }
    let fake = Fake::new().fails(ITEM, SendError::TooLarge).json(LIST, bookmarks(&[])).json(POST, made(json!(1)));
    fake.ok("create_bookmark", call(1));
}

#[test]
fn arguments_are_checked_before_anything_is_asked() {
    for (time, title) in [
        (json!(-1), json!("T")),
        (json!(1e10), json!("T")),
        (json!("1e400"), json!("T")),
        (json!(5e-324), json!("T")),
        (json!(1), json!(" ")),
        (json!(1), json!("ü".repeat(256))),
        (json!(1), json!("a\u{0}b")),
    ] {
        let given = json!({"library_item_id": "i", "time": time, "title": title});
        for tool in ["create_bookmark", "update_bookmark"] {
            assert!(Fake::new().error(tool, given.clone()).starts_with("Nothing was sent"), "{given}");
        }
    }
}

#[test]
fn renaming_changes_the_title_only() {
    let fake = Fake::new().json(LIST, bookmarks(&[json!(10), json!(12.5)])).json(PATCH, made(json!(12.5)));
    let want = json!({"library_item_id": "i", "time": 12.5, "created": "2026-08-01T00:00:00Z"});
    assert_eq!(fake.ok("update_bookmark", call(12.5)), want);
    assert_eq!(fake.bodies(), [json!({"time": 12.5, "title": "T"})]);
}

#[test]
fn a_time_without_a_bookmark_is_an_error_with_those_there_are() {
    for tool in ["update_bookmark", "delete_bookmark"] {
        let given = if tool == "update_bookmark" { call(11) } else { target(11) };
        let stored = bookmarks(&[json!(3600.5), json!(10), json!("11.5"), json!(null), json!(0)]);
        let error = Fake::new().json(LIST, stored).error(tool, given.clone());
        let want = "Nothing was changed. time: there is no bookmark at exactly 11 seconds; there are bookmarks at 0, 10, 3600.5.";
        assert_eq!(error, want);

        let many: Vec<Value> = (100..200).map(Value::from).collect();
        let error = Fake::new().json(LIST, bookmarks(&many)).error(tool, given.clone());
        assert!(error.contains("the first of 100 are at 100, 101,") && !error.contains("130"), "{error}");

        let fake = Fake::new().recorded(LIST, "list_bookmarks_unknown").json("GET /api/me", json!({"bookmarks": []}));
        assert!(fake.error(tool, given.clone()).contains("not one of this server's"));

        let error = Fake::new().json(LIST, bookmarks(&[json!("11")])).error(tool, given);
        assert!(error.contains("not as a number"), "{error}");
    }
}

#[test]
fn deleting_asks_with_position_and_id_only() {
    let fake = Fake::new().json(LIST, bookmarks(&[json!(10), json!(12.5)]));
    let text = fake.error("delete_bookmark", target(12.5));
    assert!(text.contains("This will delete the bookmark at 12.5 seconds of library item i. The title"), "{text}");
    assert!(!text.contains("Typed") && !wrote(&fake), "{text}");

    let fake = Fake::new()
        .json(LIST, bookmarks(&[json!(10), json!(12.5)]))
        .json(LIST, bookmarks(&[json!(10), json!(12.5)]))
        .reply("DELETE /api/me/item/i/bookmark/12.5", 200, "text/plain", "OK")
        .json(LIST, bookmarks(&[json!(10)]));
    let approved = fake.approve("delete_bookmark", target(12.5));
    let want = json!({"library_item_id": "i", "time": 12.5, "deleted": true, "bookmarks_left": 1});
    assert_eq!(fake.ok("delete_bookmark", approved), want);
}

#[test]
fn an_approval_is_for_one_time_of_one_item() {
    for (name, other) in [("time", json!(10)), ("library_item_id", json!("other"))] {
        let list = if name == "time" { LIST } else { "GET /api/me/bookmarks/other" };
        let stored = bookmarks(&[json!(10), json!(55)]);
        let fake = Fake::new().json(LIST, stored.clone()).json(list, stored);
        let mut approved = fake.approve("delete_bookmark", target(55));
        approved[name] = other;
        assert!(fake.error("delete_bookmark", approved).contains("did not fit"));
        assert!(!wrote(&fake));
    }
}

/// One that went between question and answer.
#[test]
fn everything_is_checked_again_when_approved() {
    let fake = Fake::new().json(LIST, bookmarks(&[json!(10)])).json(LIST, bookmarks(&[]));
    let approved = fake.approve("delete_bookmark", target(10));
    assert!(fake.error("delete_bookmark", approved).contains("no bookmark at exactly 10"));
    assert!(!wrote(&fake));
}

#[test]
fn ok_is_not_believed() {
    let stored = bookmarks(&[json!(10)]);
    let asked = |fake: Fake| {
        fake.json(LIST, stored.clone()).json(LIST, stored.clone()).reply(
            "DELETE /api/me/item/i/bookmark/10",
            200,
            "text/plain",
            "OK",
        )
    };
    let fake = asked(Fake::new()).json(LIST, stored.clone());
    let approved = fake.approve("delete_bookmark", target(10));
    assert!(fake.error("delete_bookmark", approved).contains("still there"));
    let fake = asked(Fake::new()).fails(LIST, SendError::Timeout);
    let approved = fake.approve("delete_bookmark", target(10));
    assert!(fake.error("delete_bookmark", approved).contains("could not be read"));
}

/// Times that a sloppy conversion changes in the last digit, or writes with an exponent.
#[test]
fn times_are_exact_from_the_list_to_the_path() {
    for (text, path) in [
        ("28935.704659468298", "28935.704659468298"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("1e-7", "0.0000001"),
        ("1000000000", "1000000000"),
        ("1e9", "1000000000"),
        ("120.0", "120"),
    ] {
        let list = format!(r#"{{"bookmarks": [{{"libraryItemId": "i", "time": {text}, "title": "T"}}]}}"#);
        let fake = Fake::new().reply(LIST, 200, "application/json", list.clone());
        let time = fake.ok("list_bookmarks", json!({"library_item_id": "i"}))["bookmarks"][0]["time"].clone();
        let fake = Fake::new()
            .reply(LIST, 200, "application/json", list.clone())
            .reply(LIST, 200, "application/json", list)
            .reply(&format!("DELETE /api/me/item/i/bookmark/{path}"), 200, "text/plain", "OK")
            .json(LIST, bookmarks(&[]));
        let approved = fake.approve("delete_bookmark", target(time));
        assert_eq!(fake.ok("delete_bookmark", approved)["deleted"], true);
    }
}

#[test]
fn refusals_of_audiobookshelf() {
    let start = || Fake::new().json(ITEM, book()).json(LIST, bookmarks(&[]));
    let error = start().reply(POST, 400, "text/html", "Invalid title").error("create_bookmark", call(1));
    assert!(error.starts_with("Nothing was changed."), "{error}");
    let error = start().reply(POST, 404, "text/plain", "Not Found").error("create_bookmark", call(1));
    assert!(error.contains("no such item"), "{error}");
    let error = start().fails(POST, SendError::Timeout).error("create_bookmark", call(1));
    assert!(error.starts_with("Whether it was done is not known; list_bookmarks shows it."), "{error}");
    let fake = Fake::new().json(LIST, bookmarks(&[json!(1)])).reply(PATCH, 404, "text/plain", "Not Found");
    assert!(fake.error("update_bookmark", call(1)).contains("meanwhile"));
    let fake = Fake::new().json(LIST, bookmarks(&[json!(1)])).reply(PATCH, 403, "text/plain", "Forbidden");
    assert!(fake.error("update_bookmark", call(1)).starts_with("Nothing was changed."));
}
