//! All combinations of arguments on all kinds of records, against the model: whatever is stored in the end agrees.

use super::model::{Abs, Row};
use serde_json::{Map, Value, json};

const DURATION: f64 = 10800.0;
const SENT: [&str; 5] = ["currentTime", "duration", "progress", "isFinished", "hideFromContinueListening"];

fn row(time: f64, share: f64, finished: bool, hidden: bool) -> Option<Row> {
    Some(Row { time, duration: DURATION, share, finished, hidden })
}

/// What there may be before.
fn records() -> Vec<Option<Row>> {
    let half = 0.5;
    vec![
        None,
        row(0.0, 0.0, false, false),
        row(1080.0, 0.1, false, false),
        row(5400.0, half, false, true),
        row(5400.0, 1.0, true, false),
        row(5400.0, 1.0, true, true),
        row(10800.0, 1.0, true, false),
        row(10795.0, 1.0, true, false),
        row(0.0, 1.0, true, false),
        // Made so by creating; nothing has changed it yet.
        row(10795.0, 10795.0 / DURATION, false, false),
        // By other clients, which send what they like.
        row(5400.0, 0.1, false, false),
        row(0.0, half, false, false),
        row(10800.0, half, true, false),
        row(5400.0, half, true, false),
        Some(Row { time: 100.0, duration: 0.0, share: 0.0, finished: false, hidden: false }),
        Some(Row { time: 5400.0, duration: 5400.0, share: 0.2, finished: true, hidden: false }),
    ]
}

fn calls() -> Vec<Map<String, Value>> {
    let mut calls = Vec::new();
    for time in [None, Some(0.0), Some(1080.0), Some(5400.0), Some(2000.125), Some(10795.0), Some(10800.0)] {
        for progress in [None, Some(0.0), Some(0.1), Some(0.5), Some(1.0)] {
            for finished in [None, Some(true), Some(false)] {
                for hidden in [None, Some(true), Some(false)] {
                    let given = json!({"library_item_id": "book", "current_time": time, "progress": progress,
                        "is_finished": finished, "hide_from_continue_listening": hidden});
                    calls.push(given.as_object().unwrap().clone());
                }
            }
        }
    }
    calls
}

#[test]
fn what_is_stored_agrees() {
    let mut done = 0;
    for before in records() {
        for call in calls() {
            let what = format!("{} on {before:?}", Value::from(call.clone()));
            let mut abs = Abs::new(DURATION, before.clone());
            let result = abs.at_once(&[call.clone().into()]).remove(0);
            let bodies = abs.bodies.borrow().clone();
            if result.get("isError").is_some() {
                assert!(bodies.is_empty(), "{what} was refused after {bodies:?}");
                assert_eq!(abs.rows.borrow().first(), before.as_ref(), "{what}");
                continue;
            }
            let sent = bodies.iter().flat_map(|body| body.as_object().unwrap().keys());
            assert!(sent.into_iter().all(|name| SENT.contains(&name.as_str())), "{what} sent {bodies:?}");
            check(&what, &call, before.as_ref(), &abs.row(), &bodies);
            let shown = &result["structuredContent"];
            assert_eq!(shown["progress"]["current_time"].as_f64(), Some(abs.row().time), "{what}");
            assert_eq!(shown["progress"]["is_finished"], abs.row().finished, "{what}");
            assert_eq!(shown["progress"]["hide_from_continue_listening"], abs.row().hidden, "{what}");
            assert!(!shown["note"].as_str().unwrap_or_default().contains("not what was asked"), "{what}: {result}");
            done += 1;
        }
    }
    assert!(done > 1000, "{done}");
}

fn check(what: &str, call: &Map<String, Value>, before: Option<&Row>, after: &Row, bodies: &[Value]) {
    let what = format!("{what} became {after:?} by {bodies:?}");
    let asked_time = call["current_time"].as_f64().or_else(|| Some(call["progress"].as_f64()? * DURATION));
    let near_the_end = DURATION - after.time < 10.0;
    let unchanged = before.is_some_and(|before| Row { hidden: after.hidden, ..before.clone() } == *after);
    if let Some(hidden) = call["hide_from_continue_listening"].as_bool() {
        assert_eq!(after.hidden, hidden, "{what}");
    }
    let already = before.is_some_and(|before| call["is_finished"] == before.finished && call["is_finished"] == false);
    if asked_time.is_none() && (call["is_finished"].is_null() || already) {
        // Hidden alone changes nothing else, however that is; except that ABS may finish.
        if let Some(before) = before {
            let by_itself = near_the_end && after.finished && after.time == before.time;
            assert!(unchanged || by_itself, "{what}");
            return;
        }
    }
    let share = if after.finished { 1.0 } else { after.time / DURATION };
    assert_eq!((after.duration, after.share), (DURATION, share), "{what}");
    if let Some(time) = asked_time {
        assert_eq!(after.time, time, "{what}");
    }
    match call["is_finished"].as_bool() {
        Some(finished) => assert_eq!(after.finished, finished, "{what}"),
        None if asked_time.is_some_and(|time| before.is_some_and(|before| before.time != time)) => {
            assert_eq!(after.finished, near_the_end, "{what}");
        }
        None => {}
    }
    let reset = call["is_finished"] == false && asked_time.is_none();
    if reset || (before.is_none() && asked_time.is_none()) {
        assert_eq!(after.time, 0.0, "{what}");
    } else if asked_time.is_none() {
        assert_eq!(Some(after.time), before.map(|before| before.time), "finishing keeps the position: {what}");
    }
}

#[test]
fn repeating_a_call_changes_nothing() {
    for before in records() {
        for call in calls() {
            let mut abs = Abs::new(DURATION, before.clone());
            if abs.at_once(&[call.clone().into()])[0].get("isError").is_some() {
                continue;
            }
            let (row, sent) = (abs.row(), abs.bodies.borrow().len());
            abs.at_once(&[call.clone().into()]);
            assert_eq!((abs.row(), abs.bodies.borrow().len()), (row, sent), "{} on {before:?}", Value::from(call));
        }
    }
}

#[test]
fn what_is_shorter_than_ten_seconds_is_always_finished() {
    let before = Row { time: 8.0, duration: 8.0, share: 1.0, finished: true, hidden: false };
    let mut abs = Abs::new(8.0, Some(before));
    let result = abs.at_once(&[json!({"library_item_id": "book", "is_finished": false})]).remove(0);
    assert_eq!(abs.row(), Row { time: 0.0, duration: 8.0, share: 1.0, finished: true, hidden: false });
    let note = result["structuredContent"]["note"].as_str().unwrap();
    assert!(note.contains("finished"), "{note}");
}

#[test]
fn ten_at_once_make_one_record() {
    let call = json!({"library_item_id": "book", "current_time": 600});
    let mut abs = Abs::new(DURATION, None);
    let results = abs.at_once(&vec![call.clone(); 10]);
    assert_eq!(*abs.rows.borrow(), [row(600.0, 600.0 / DURATION, false, false).unwrap()]);
    assert_eq!(abs.bodies.borrow().len(), 1, "the others find it done");
    let told = |result: &Value| result["structuredContent"]["progress"]["current_time"].as_f64();
    assert!(results.iter().all(|result| told(result) == Some(600.0)), "{results:?}");
    assert_eq!(abs.inner.stored(), [""; 0], "the turn was given back");

    let calls: Vec<Value> = (1..=10).map(|n| json!({"library_item_id": "book", "current_time": n * 100})).collect();
    let mut abs = Abs::new(DURATION, None);
    abs.at_once(&calls);
    assert_eq!(abs.rows.borrow().len(), 1);
    assert_eq!(abs.row().share, abs.row().time / DURATION);

    let mut abs = Abs::new(DURATION, None);
    abs.inner.break_store();
    abs.at_once(&vec![call; 10]);
    assert!(abs.rows.borrow().len() > 1, "the model makes duplicates, as ABS does: {:?}", abs.rows);
}

#[test]
fn a_player_that_writes_too_is_not_fought_with() {
    let mut abs = Abs::new(DURATION, row(1080.0, 0.1, false, false));
    abs.player.set(15.0);
    let result = abs.at_once(&[json!({"library_item_id": "book", "current_time": 500})]).remove(0);
    let shown = &result["structuredContent"];
    assert_eq!((shown["progress"]["current_time"].as_f64(), abs.bodies.borrow().len()), (Some(515.0), 1));
    assert!(shown["note"].as_str().unwrap().contains("not what was asked"), "{shown}");
}
