use serde_json::json;

use super::*;

/// A record and what a body makes of it: `duration, progress, currentTime, isFinished, hidden, finishedAt`.
fn patched(bodies: &[Value]) -> Value {
    let mut list = Vec::new();
    for (n, body) in bodies.iter().enumerate() {
        let target = Target { item_id: "item".into(), episode_id: None, media_id: "media".into() };
        apply(&mut list, target, body, "id".into(), 1000 * (n as i64 + 1)).unwrap();
    }
    assert_eq!(list.len(), 1);
    let p = &list[0];
    json!([
        p.duration,
        json_number(p.progress),
        p.current_time,
        p.is_finished,
        p.hide_from_continue_listening,
        p.finished_at
    ])
}

/// The bodies of one recorded record, one after the other, and what was read back after each.
#[test]
fn the_recorded_sequence_comes_out_as_recorded() {
    let rows = [
        (json!({}), json!([0, 0, 0, false, false, null])),
        (json!({"currentTime": 100}), json!([0, 0, 100, false, false, null])),
        (json!({"currentTime": 200, "duration": 3900}), json!([3900, 0, 200, false, false, null])),
        (json!({"progress": 0.5}), json!([3900, 0.5, 200, false, false, null])),
        (json!({"progress": 5}), json!([3900, 1, 200, false, false, null])),
        (json!({"progress": -1}), json!([3900, 0, 200, false, false, null])),
        (json!({"currentTime": 390, "progress": 0.1, "duration": 3900}), json!([3900, 0.1, 390, false, false, null])),
        (json!({"isFinished": true}), json!([3900, 1, 390, true, false, 8000])),
        (json!({"currentTime": 300}), json!([3900, 1, 300, false, false, null])),
        (
            json!({"isFinished": true, "finishedAt": 1_700_000_000_000_i64}),
            json!([3900, 1, 300, true, false, 1_700_000_000_000_i64]),
        ),
        (json!({"isFinished": false, "currentTime": 50}), json!([3900, 0, 0, false, false, null])),
        (json!({"isFinished": true}), json!([3900, 1, 0, true, false, 12000])),
        (
            json!({"isFinished": true, "finishedAt": 1_600_000_000_000_i64}),
            json!([3900, 1, 0, true, false, 1_600_000_000_000_i64]),
        ),
        (json!({"finishedAt": 1_500_000_000_000_i64}), json!([3900, 1, 0, true, false, 1_500_000_000_000_i64])),
        (json!({"isFinished": false}), json!([3900, 0, 0, false, false, null])),
        (json!({"currentTime": 3895}), json!([3900, 1, 3895, true, false, 16000])),
        (json!({"currentTime": 10}), json!([3900, 1, 10, false, false, null])),
        (json!({"isFinished": false, "progress": 0.5}), json!([3900, 1, 10, false, false, null])),
        (json!({"hideFromContinueListening": true}), json!([3900, 1, 10, false, true, null])),
        (json!({"currentTime": 11}), json!([3900, 1, 11, false, false, null])),
        (json!({"lastUpdate": "nope"}), json!([3900, 1, 11, false, false, null])),
        (json!({"currentTime": 100, "markAsFinishedPercentComplete": 1}), json!([3900, 1, 100, true, false, 22000])),
        (json!({"isFinished": false}), json!([3900, 0, 0, false, false, null])),
        (json!({"currentTime": "120"}), json!([3900, 0, "120", false, false, null])),
        (json!({"currentTime": -5}), json!([3900, 0, -5, false, false, null])),
        (json!({"currentTime": null}), json!([3900, 0, null, false, false, null])),
        (json!({"currentTime": 1_000_000_000}), json!([3900, 1, 1_000_000_000, true, false, 27000])),
        (json!({"isFinished": false}), json!([3900, 0, 0, false, false, null])),
        (json!({"isFinished": "false"}), json!([3900, 1, 0, false, false, 29000])),
        (json!({"foo": "bar"}), json!([3900, 1, 0, false, false, 29000])),
    ];
    let bodies: Vec<Value> = rows.iter().map(|(body, _)| body.clone()).collect();
    for (n, (body, wanted)) in rows.iter().enumerate() {
        assert_eq!(patched(&bodies[..=n]), *wanted, "row {n}: {body}");
    }
}

#[test]
fn unfinishing_with_a_position_needs_no_is_finished_and_a_position_that_changes() {
    let done = [json!({"currentTime": 100, "duration": 10800, "progress": 0.009}), json!({"isFinished": true})];
    let kept =
        patched(&[done[0].clone(), done[1].clone(), json!({"currentTime": 5400, "progress": 0.5, "duration": 10800})]);
    assert_eq!(kept, json!([10800, 0.5, 5400, false, false, null]));
    let same = patched(&[
        json!({"currentTime": 5400, "duration": 10800, "progress": 0.5}),
        json!({"isFinished": true}),
        json!({"currentTime": 5400, "progress": 0.5}),
    ]);
    assert_eq!(same, json!([10800, 1, 5400, true, false, 2000]), "0.5 is what the position says already");
}

#[test]
fn a_new_record_does_not_finish_by_itself() {
    let near = json!({"currentTime": 4499, "duration": 4500.144, "progress": 0.9998});
    assert_eq!(patched(std::slice::from_ref(&near)), json!([4500.144, 0.9998, 4499, false, false, null]));
    assert_eq!(patched(&[near.clone(), near]), json!([4500.144, 1, 4499, true, false, 2000]));
    let finished = json!({"isFinished": true, "progress": 0.2, "duration": 2700, "currentTime": 2700});
    assert_eq!(patched(&[finished]), json!([2700, 1, 2700, true, false, 1000]));
}

#[test]
fn last_update_is_taken_over_and_other_stamps_are_not() {
    let target = || Target { item_id: "item".into(), episode_id: None, media_id: "media".into() };
    let mut list = Vec::new();
    apply(&mut list, target(), &json!({}), "id".into(), 5).unwrap();
    apply(&mut list, target(), &json!({"lastUpdate": 1_577_836_800_000_i64}), "id".into(), 6).unwrap();
    apply(&mut list, target(), &json!({"startedAt": 1, "createdAt": 1}), "id".into(), 7).unwrap();
    assert_eq!((list[0].last_update, list[0].started_at), (1_577_836_800_000, 5));
}

#[test]
fn columns_of_others_are_noticed() {
    let body = json!({"userId": "x", "mediaItemId": "y", "extraData": null, "currentTime": 1});
    assert_eq!(foreign_columns(&body), ["userId", "mediaItemId", "extraData"]);
}
