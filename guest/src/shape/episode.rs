//! Podcast episodes: alone, in a list of recent ones, as a playlist's entry, or as what somebody is listening to.

use super::record::{Record, at};
use super::time::{date, seconds};
use crate::keep;
use crate::shape::Keep;
use serde_json::Value;

/// What [`compact`] reads.
pub const KEEP: Keep = keep! {
    libraryItemId, id, title, season, episode, episodeType, publishedAt, duration, audioFile { duration },
    podcast { metadata { title } }
};

/// An entry of a list. The two ids are named like the arguments that take them, since an episode is nothing without its podcast.
pub fn compact(episode: &Value) -> Record {
    let kind = at(episode, "episodeType");
    Record::new()
        .put("library_item_id", at(episode, "libraryItemId").clone())
        .put("episode_id", at(episode, "id").clone())
        .put("title", at(episode, "title").clone())
        .put("podcast", at(episode, "podcast.metadata.title").clone())
        .put("season", at(episode, "season").clone())
        .put("episode", at(episode, "episode").clone())
        .put("type", if kind == "full" { Value::Null } else { kind.clone() })
        .put("published", date(at(episode, "publishedAt")))
        .put("duration", seconds(duration(episode)))
}

/// In seconds, unrounded. Only expanded episodes have it as a member of their own.
pub fn duration(episode: &Value) -> &Value {
    match at(episode, "duration") {
        Value::Null => at(episode, "audioFile.duration"),
        own => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_and_expanded_episodes_look_the_same() {
        let plain = json!({"libraryItemId": "i", "id": "e", "title": "T", "season": "2", "episode": "1", "episodeType": "full",
            "publishedAt": 0, "audioFile": {"duration": 1510.24, "metadata": {"path": "/x"}}});
        let mut expanded = plain.clone();
        expanded["duration"] = json!(1510.24);
        expanded["audioTrack"] = json!({"duration": 1510.24});
        let want = json!({"library_item_id": "i", "episode_id": "e", "title": "T", "season": "2", "episode": "1",
            "published": "1970-01-01", "duration": 1510.2});
        assert_eq!(Value::from(compact(&plain)), want);
        assert_eq!(Value::from(compact(&expanded)), want);
    }

    #[test]
    fn what_is_special_is_said_and_what_is_missing_is_not() {
        let odd = json!({"id": "e", "title": null, "season": "", "episodeType": "bonus", "audioFile": null,
            "podcast": {"metadata": {"title": "P"}}});
        assert_eq!(Value::from(compact(&odd)), json!({"episode_id": "e", "podcast": "P", "type": "bonus"}));
        assert_eq!(compact(&Value::Null), Record::new());
    }
}
