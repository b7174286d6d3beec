//! What a progress body does to a record. Nothing is computed from anything else, and little is checked.

use serde_json::Value;

use crate::{
    js::{json_number, to_number, truthy},
    model::Progress,
    reply::Reply,
};

/// Seconds before the end from which on an update finishes by itself.
const NEARLY_DONE: f64 = 10.0;
/// What a client may send. The rest are columns that ABS would overwrite, or keys that it ignores.
const OWN_COLUMNS: [&str; 12] = [
    "currentTime",
    "duration",
    "progress",
    "isFinished",
    "hideFromContinueListening",
    "finishedAt",
    "ebookLocation",
    "ebookProgress",
    "lastUpdate",
    "markAsFinishedPercentComplete",
    "libraryItemId",
    "episodeId",
];

pub(crate) struct Target {
    pub(crate) item_id: String,
    pub(crate) episode_id: Option<String>,
    pub(crate) media_id: String,
}

pub(crate) fn foreign_columns(body: &Value) -> Vec<String> {
    let keys = body.as_object().into_iter().flatten().map(|(key, _)| key.clone());
    keys.filter(|key| !OWN_COLUMNS.contains(&key.as_str())).collect()
}

/// Updates the record of the target, or makes one: an empty body is enough for that.
pub(crate) fn apply(list: &mut Vec<Progress>, target: Target, body: &Value, id: String, now: i64) -> Result<(), Reply> {
    if matches!(body.get("ebookLocation"), Some(Value::Object(_) | Value::Array(_))) {
        return Err(Reply::crash("string violation: ebookLocation cannot be an array or an object"));
    }
    match list.iter_mut().find(|p| p.media_item_id == target.media_id) {
        Some(record) => update(record, body, now),
        None => list.push(create(target, body, id, now)),
    }
    Ok(())
}

fn create(target: Target, body: &Value, id: String, now: i64) -> Progress {
    let number = |key: &str| body.get(key).map(to_number).filter(|n| n.is_finite()).unwrap_or(0.0);
    let finished = truthy(body.get("isFinished"));
    Progress {
        id,
        library_item_id: target.item_id,
        episode_id: target.episode_id,
        media_item_id: target.media_id,
        current_time: json_number(number("currentTime")),
        duration: json_number(number("duration")),
        progress: if finished { 1.0 } else { number("progress").clamp(0.0, 1.0) },
        is_finished: finished,
        hide_from_continue_listening: truthy(body.get("hideFromContinueListening")),
        ebook_location: text(body.get("ebookLocation")),
        ebook_progress: number("ebookProgress"),
        last_update: now,
        started_at: now,
        finished_at: timestamp(body.get("finishedAt")).or(finished.then_some(now)),
    }
}

fn update(record: &mut Progress, body: &Value, now: i64) {
    let before = record.clone();
    let mut current_time = body.get("currentTime");
    let mut finished_at = body.get("finishedAt");
    let ratio = ratio(record);

    match body.get("isFinished") {
        Some(value) => match (truthy(Some(value)), record.is_finished) {
            (true, false) => {
                record.finished_at = timestamp(finished_at.take()).or(Some(now));
                record.progress = 1.0;
            }
            // A position in the same body is lost.
            (false, true) => {
                record.finished_at = None;
                record.progress = 0.0;
                record.current_time = json_number(0.0);
                (current_time, finished_at) = (None, None);
            }
            _ => {}
        },
        // Only without isFinished, and not when it says what the position says already.
        None => {
            let wanted = body.get("progress").map(to_number).filter(|n| n.is_finite() && *n != ratio);
            record.progress = wanted.map_or(record.progress, |n| n.clamp(0.0, 1.0));
        }
    }
    set(record, body, current_time, finished_at);

    let moved = record.current_time != before.current_time;
    if moved && !truthy(body.get("hideFromContinueListening")) {
        record.hide_from_continue_listening = false;
    }
    let near_the_end = near_the_end(record, body);
    if !record.is_finished && near_the_end {
        record.is_finished = true;
        record.finished_at = record.finished_at.or(Some(now));
        record.progress = 1.0;
    } else if record.is_finished && moved && !near_the_end {
        record.is_finished = false;
        record.finished_at = None;
    }
    if *record != before {
        record.last_update = now;
    }
    if let Some(stamp) = timestamp(body.get("lastUpdate")) {
        record.last_update = stamp;
    }
}

/// Stores what was sent, of whatever type.
fn set(record: &mut Progress, body: &Value, current_time: Option<&Value>, finished_at: Option<&Value>) {
    if let Some(value) = current_time {
        record.current_time = value.clone();
    }
    if let Some(value) = body.get("duration") {
        record.duration = value.clone();
    }
    if let Some(value) = body.get("isFinished") {
        // A string is no boolean: the column falls back to false.
        record.is_finished = value.as_bool().unwrap_or(false);
    }
    if let Some(value) = body.get("hideFromContinueListening") {
        record.hide_from_continue_listening = truthy(Some(value));
    }
    if let Some(value) = finished_at {
        record.finished_at = timestamp(Some(value));
    }
    if let Some(value) = body.get("ebookLocation") {
        record.ebook_location = text(Some(value));
    }
    if let Some(value) = body.get("ebookProgress") {
        record.ebook_progress = to_number(value);
    }
}

fn near_the_end(record: &Progress, body: &Value) -> bool {
    if !truthy(Some(&record.duration)) {
        return false;
    }
    match body.get("markAsFinishedPercentComplete").map(to_number).filter(|percent| *percent > 0.0) {
        Some(percent) => percent / 100.0 < ratio(record),
        None => to_number(&record.duration) - to_number(&record.current_time) < NEARLY_DONE,
    }
}

fn ratio(record: &Progress) -> f64 {
    let duration = to_number(&record.duration);
    if duration == 0.0 { 0.0 } else { (to_number(&record.current_time) / duration).clamp(0.0, 1.0) }
}

fn timestamp(value: Option<&Value>) -> Option<i64> {
    value?.as_f64().map(|n| n as i64).filter(|n| *n != 0)
}

fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()).filter(|t| !t.is_empty()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
