//! Entries of playlists: how ABS writes them and how this server names them.

use crate::shape::{Record, at, sort_by, text};
use crate::tools::Entry;
use serde_json::{Value, json};

/// Those of a playlist in ABS's form; none where it has no such form.
pub fn of(playlist: &Value) -> Option<Vec<Entry>> {
    at(playlist, "items").as_array()?.iter().map(entry).collect()
}

fn entry(item: &Value) -> Option<Entry> {
    let library_item_id = text(item, "libraryItemId")?.to_owned();
    Some(Entry { library_item_id, episode_id: text(item, "episodeId").map(str::to_owned) })
}

pub fn body(entry: &Entry) -> Value {
    let mut body = json!({"libraryItemId": entry.library_item_id});
    if let Some(episode) = &entry.episode_id {
        body["episodeId"] = episode.as_str().into();
    }
    body
}

pub fn bodies(entries: &[Entry]) -> Value {
    entries.iter().map(body).collect()
}

/// For a result, with the reason why they are named there.
pub fn records<'a>(entries: impl IntoIterator<Item = &'a Entry>, reason: Option<&str>) -> Vec<Value> {
    let record = |entry: &Entry| {
        Record::new()
            .put("library_item_id", entry.library_item_id.as_str())
            .put("episode_id", entry.episode_id.as_deref())
            .put("reason", reason)
            .into()
    };
    entries.into_iter().map(record).collect()
}

/// For a binding. A slash is in no id.
pub fn key(entry: &Entry) -> String {
    match &entry.episode_id {
        Some(episode) => format!("{}/{episode}", entry.library_item_id),
        None => entry.library_item_id.clone(),
    }
}

/// For a sentence.
pub fn name(entry: &Entry) -> String {
    match &entry.episode_id {
        Some(episode) => format!("episode {episode} of {}", entry.library_item_id),
        None => entry.library_item_id.clone(),
    }
}

pub fn names<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let names: Vec<String> = entries.into_iter().map(name).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

pub fn is_episode(entry: &Entry) -> bool {
    entry.episode_id.is_some()
}

/// The same entries, whatever their order.
pub fn same(one: &[Entry], other: &[Entry]) -> bool {
    sorted(one) == sorted(other)
}

/// Those that are there more than once. ABS itself never adds one again, but creates playlists with duplicates.
pub fn repeated(entries: &[Entry]) -> Vec<&Entry> {
    let mut repeated: Vec<&Entry> =
        sorted(entries).windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}

fn sorted(entries: &[Entry]) -> Vec<&Entry> {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    sort_by(&mut entries, Ord::cmp);
    entries
}

/// Short ways to write entries in tests: `item` or `item/episode`.
#[cfg(test)]
pub mod short {
    use super::{Entry, Value, bodies, json, records};

    pub const ONE: &str = "GET /api/playlists/p";

    fn entries(short: &[&str]) -> Vec<Entry> {
        let entry = |text: &&str| {
            let (item, episode) = text.split_once('/').map_or((*text, None), |(item, episode)| (item, Some(episode)));
            Entry { library_item_id: item.into(), episode_id: episode.map(str::to_owned) }
        };
        short.iter().map(entry).collect()
    }

    /// A playlist as ABS has it.
    pub fn playlist(short: &[&str]) -> Value {
        json!({"id": "p", "libraryId": "lib", "name": "N", "items": bodies(&entries(short))})
    }

    /// The argument `items`.
    pub fn items(short: &[&str]) -> Value {
        records(&entries(short), None).into()
    }

    /// The arguments of a tool.
    pub fn of_playlist(short: &[&str]) -> Value {
        json!({"playlist_id": "p", "items": items(short)})
    }
}

#[cfg(test)]
mod tests {
    use super::short::playlist;
    use super::*;

    #[test]
    fn a_list_of_something_else_is_no_list_of_entries() {
        for odd in [
            json!({}),
            json!([]),
            json!({"items": {}}),
            json!({"items": [null]}),
            json!({"items": [{"episodeId": "e"}]}),
        ] {
            assert_eq!(of(&odd), None, "{odd}");
        }
        assert_eq!(of(&json!({"items": []})), Some(vec![]));
    }

    #[test]
    fn names_and_duplicates() {
        let entries = of(&playlist(&["a", "pod/e", "a", "a"])).unwrap();
        assert_eq!(names(&entries[..2]), "a, episode e of pod");
        assert_eq!(names([]), "none");
        assert_eq!(repeated(&entries), [&entries[0]]);
        assert_eq!((key(&entries[0]), key(&entries[1])), ("a".into(), "pod/e".into()));
        assert!(same(&entries[..2], &[entries[1].clone(), entries[0].clone()]) && !same(&entries[..2], &entries[..3]));
    }
}
