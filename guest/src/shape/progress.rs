//! How far somebody is: the same words wherever a progress record occurs.

use super::record::{Record, at, text};
use super::time::{date, iso, seconds};
use crate::keep;
use crate::shape::Keep;
use serde_json::{Value, json};

/// What [`add`] and [`compact`] read.
pub const KEEP: Keep = keep! {
    id, libraryItemId, episodeId, duration, progress, currentTime, isFinished, hideFromContinueListening, ebookLocation,
    ebookProgress, lastUpdate, startedAt, finishedAt
};

/// The position, added to a record that says of what. `media_duration` stands in where the record has none: clients may
/// create progress without it, and ABS does not look it up.
///
/// `percent` is what ABS shows. It is a stored number there, which need not agree with the position.
pub fn add(record: Record, progress: &Value, media_duration: &Value) -> Record {
    let position = at(progress, "currentTime");
    let duration = Some(at(progress, "duration")).filter(|own| is_positive(own)).unwrap_or(media_duration);
    let finished = at(progress, "isFinished") == true;
    let record = if is_positive(duration) || is_positive(position) {
        let duration = if is_positive(duration) { duration } else { &Value::Null };
        record
            .put("current_time", position.clone())
            .put("duration", seconds(duration))
            .put("remaining", if finished { Value::Null } else { remaining(position, duration) })
            .put("percent", percent(at(progress, "progress")))
    } else {
        record
    };
    let ebook = at(progress, "ebookProgress");
    record
        .put("ebook_percent", if is_positive(ebook) { percent(ebook) } else { Value::Null })
        .put("is_finished", finished)
        .flag("hide_from_continue_listening", at(progress, "hideFromContinueListening"))
        .put("last_update", iso(at(progress, "lastUpdate")))
}

/// One progress record by itself.
pub fn compact(progress: &Value) -> Record {
    add(Record::new(), progress, &Value::Null)
        .put("started", iso(at(progress, "startedAt")))
        .put("finished", iso(at(progress, "finishedAt")))
        .put("ebook_location", text(progress, "ebookLocation"))
}

/// What an entry of a list has room for.
pub fn brief(progress: &Value) -> Record {
    let (share, ebook) = (at(progress, "progress"), at(progress, "ebookProgress"));
    let is_read = is_positive(ebook);
    Record::new()
        .put("percent", if is_read && !is_positive(share) { Value::Null } else { percent(share) })
        .put("ebook_percent", if is_read { percent(ebook) } else { Value::Null })
        .put("last_update", date(at(progress, "lastUpdate")))
        .put("finished", date(at(progress, "finishedAt")))
}

/// What ABS itself counts as in progress.
pub fn is_in_progress(progress: &Value) -> bool {
    at(progress, "isFinished") != true
        && (is_positive(at(progress, "currentTime")) || is_positive(at(progress, "ebookProgress")))
}

fn is_positive(number: &Value) -> bool {
    number.as_f64().is_some_and(|number| number > 0.0)
}

fn remaining(position: &Value, duration: &Value) -> Value {
    match (position.as_f64(), duration.as_f64()) {
        (Some(position), Some(duration)) => seconds(&json!((duration - position).max(0.0))),
        _ => Value::Null,
    }
}

/// Of a share from 0 to 1, in tenths; 100 is only the whole.
fn percent(share: &Value) -> Value {
    let Some(share) = share.as_f64() else { return Value::Null };
    let percent = share.clamp(0.0, 1.0) * 100.0;
    seconds(&json!(if percent < 100.0 { percent.min(99.9) } else { percent }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(progress: Value) -> Value {
        add(Record::new(), &progress, &Value::Null).into()
    }

    #[test]
    fn remaining_and_percent() {
        let progress = json!({"currentTime": 2345.678, "duration": 6000, "progress": 0.39094633, "isFinished": false, "lastUpdate": 0});
        let want = json!({"current_time": 2345.678, "duration": 6000, "remaining": 3654.3, "percent": 39.1,
            "is_finished": false, "last_update": "1970-01-01T00:00:00Z"});
        assert_eq!(of(progress), want);
        for (share, want) in [
            (json!(0), json!(0)),
            (json!(0.99999), json!(99.9)),
            (json!(1), json!(100)),
            (json!(7), json!(100)),
            (json!(-1), json!(0)),
        ] {
            assert_eq!(percent(&share), want);
        }
    }

    #[test]
    fn a_finished_one_has_nothing_left_and_a_position_beyond_the_end_neither() {
        let finished = of(json!({"currentTime": 7195, "duration": 7200, "progress": 1, "isFinished": true}));
        assert_eq!(finished, json!({"current_time": 7195, "duration": 7200, "percent": 100, "is_finished": true}));
        assert_eq!(of(json!({"currentTime": 9000, "duration": 7200, "progress": 1}))["remaining"], 0);
    }

    #[test]
    fn the_media_duration_stands_in() {
        let progress = json!({"currentTime": 100, "duration": 0, "progress": 0});
        assert_eq!(Value::from(add(Record::new(), &progress, &json!(400)))["remaining"], 300);
        assert_eq!(of(progress), json!({"current_time": 100, "percent": 0, "is_finished": false}));
    }

    #[test]
    fn an_ebook_has_only_its_own_share() {
        let progress = json!({"currentTime": 0, "duration": 0, "progress": 0, "isFinished": false, "ebookProgress": 0.42,
            "ebookLocation": "epubcfi(/6/4)", "hideFromContinueListening": true});
        let want = json!({"ebook_percent": 42, "is_finished": false, "hide_from_continue_listening": true, "ebook_location": "epubcfi(/6/4)"});
        assert_eq!(Value::from(compact(&progress)), want);
        assert!(is_in_progress(&progress));
    }

    #[test]
    fn odd_values_do_no_harm() {
        assert_eq!(of(Value::Null), json!({"is_finished": false}));
        assert_eq!(
            of(json!({"currentTime": "120", "duration": "x", "progress": null, "isFinished": 1, "lastUpdate": "y"})),
            json!({"is_finished": false})
        );
        assert_eq!(of(json!({"currentTime": "120", "duration": 200}))["current_time"], "120");
    }
}
