//! What stands in a playlist: reading requests, checking them, showing entries.

use serde_json::{Value, json};

use crate::{
    call::no_nul,
    js,
    model::{Entry, Playlist},
    reply::Reply,
    shapes,
    state::State,
};

/// An entry as a request names it.
pub(crate) struct Wanted {
    pub(crate) item_id: String,
    pub(crate) episode_id: Option<String>,
}

impl Wanted {
    pub(crate) fn is(&self, entry: &Entry) -> bool {
        match (&self.episode_id, &entry.episode_id) {
            (Some(wanted), Some(episode)) => wanted == episode,
            (None, None) => self.item_id == entry.item_id && !entry.poisoned,
            _ => false,
        }
    }
}

impl Playlist {
    /// Ties stay in the order of insertion.
    pub(crate) fn in_order(&self) -> Vec<&Entry> {
        let mut list: Vec<&Entry> = self.entries.iter().collect();
        list.sort_by_key(|e| e.order);
        list
    }

    pub(crate) fn renumber(&mut self) {
        self.entries.sort_by_key(|e| e.order);
        for (n, entry) in self.entries.iter_mut().enumerate() {
            entry.order = n as i64 + 1;
        }
    }

    /// A sort key, as for collections: what the request leaves out comes first.
    pub(crate) fn reorder(&mut self, wanted: &[Wanted]) {
        self.entries.sort_by_key(|e| e.order);
        let rank = |entry: &Entry| wanted.iter().position(|w| w.is(entry)).map_or(-1, |n| n as i64);
        self.entries.sort_by_key(rank);
        for (n, entry) in self.entries.iter_mut().enumerate() {
            entry.order = n as i64 + 1;
        }
    }

    /// Looking for a book, ABS stumbles over an episode; the other way round it does not.
    pub(crate) fn contains(&self, item: &str, episode: Option<&str>) -> Result<bool, Reply> {
        for entry in self.in_order() {
            if entry.poisoned || (episode.is_none() && entry.episode_id.is_some()) {
                return Err(Reply::crash("Cannot read properties of undefined (reading 'id')"));
            }
            if entry.episode_id.as_deref() == episode && (episode.is_some() || entry.item_id == item) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

pub(crate) fn wanted_for_create(items: Option<&Value>) -> Result<Vec<Wanted>, Reply> {
    let items = match items {
        Some(Value::Array(items)) => items.as_slice(),
        items if js::truthy(items) => return Err(Reply::crash("items.some is not a function")),
        _ => &[],
    };
    if items.iter().any(Value::is_null) {
        return Err(Reply::crash("Cannot read properties of null (reading 'episodeId')"));
    }
    let episodes = items.iter().any(|item| js::truthy(item.get("episodeId")));
    items
        .iter()
        .map(|item| {
            let item_id = string(item, "libraryItemId").ok_or_else(|| Reply::bad("Invalid playlist item"))?;
            let episode_id = string(item, "episodeId");
            if episodes != episode_id.is_some() {
                return Err(Reply::bad("Invalid playlist item episodeId"));
            }
            Ok(Wanted { item_id, episode_id })
        })
        .collect()
}

/// Found items and episodes. An episode counts as its own podcast's, whatever item was named beside it.
pub(crate) fn check_for_create(
    state: &State,
    library: &str,
    wanted: &[Wanted],
) -> Result<Vec<(String, Option<String>)>, Reply> {
    for Wanted { item_id, episode_id } in wanted {
        no_nul(item_id)?;
        episode_id.as_deref().map_or(Ok(()), no_nul)?;
        let item = state.data.item(item_id).filter(|i| i.library_id == library);
        if item.is_none_or(|i| i.podcast().is_some() != episode_id.is_some()) {
            return Err(Reply::bad("Invalid playlist data. Invalid items"));
        }
    }
    wanted
        .iter()
        .enumerate()
        .map(|(n, w)| match &w.episode_id {
            None => Ok((w.item_id.clone(), None)),
            // Counted against what the database finds: one twice is one too many.
            Some(id) => match state.data.episode(id) {
                Some((item, _)) if wanted[..n].iter().all(|other| other.episode_id.as_ref() != Some(id)) => {
                    Ok((item.id.clone(), Some(id.clone())))
                }
                _ => Err(Reply::bad("Invalid playlist data. Invalid podcast episodes")),
            },
        })
        .collect()
}

pub(crate) fn wanted_for_update(items: Option<&Value>) -> Result<Vec<Wanted>, Reply> {
    let invalid = || Reply::bad("Invalid playlist items");
    let Some(Value::Array(items)) = items else { return Err(invalid()) };
    items
        .iter()
        .map(|item| {
            if item.is_null() {
                return Err(Reply::crash("Cannot read properties of null (reading 'libraryItemId')"));
            }
            let item_id = string(item, "libraryItemId").ok_or_else(invalid)?;
            no_nul(&item_id)?;
            Ok(Wanted { item_id, episode_id: string(item, "episodeId") })
        })
        .collect()
}

/// The items must exist, anywhere; and there must be as many as there are entries.
pub(crate) fn check_for_update(state: &State, playlist: &Playlist, wanted: &[Wanted]) -> Result<(), Reply> {
    if wanted.iter().any(|w| state.data.item(&w.item_id).is_none()) {
        return Err(Reply::bad("Invalid playlist items. Items not found"));
    }
    if wanted.len() != playlist.entries.len() {
        return Err(Reply::bad("Invalid playlist items. Length mismatch"));
    }
    Ok(())
}

pub(crate) fn wanted_for_batch(items: Option<&Value>) -> Result<Vec<Wanted>, Reply> {
    let invalid = || Reply::bad("Invalid request body items");
    let items = match items {
        Some(Value::Array(items)) if !items.is_empty() => items,
        _ => return Err(invalid()),
    };
    items
        .iter()
        .map(|item| {
            if item.is_null() {
                return Err(Reply::crash("Cannot read properties of null (reading 'libraryItemId')"));
            }
            let item_id = string(item, "libraryItemId").ok_or_else(invalid)?;
            no_nul(&item_id)?;
            let episode_id = string(item, "episodeId");
            episode_id.as_deref().map_or(Ok(()), no_nul)?;
            Ok(Wanted { item_id, episode_id })
        })
        .collect()
}

/// One unknown item refuses all. What is in it already is skipped, what the request repeats is not.
pub(crate) fn check_for_batch_add(state: &State, playlist: &Playlist, wanted: &[Wanted]) -> Result<Vec<Entry>, Reply> {
    if wanted.iter().any(|w| state.data.item(&w.item_id).is_none()) {
        return Err(Reply::bad("Invalid request body items"));
    }
    let mut fresh = Vec::new();
    for w in wanted {
        if playlist.entries.iter().any(|entry| w.is(entry)) {
            continue;
        }
        let Some(item) = state.data.item(&w.item_id) else { continue };
        let poisoned = match (item.podcast(), &w.episode_id) {
            (None, None) => false,
            (None, Some(_)) => return Err(Reply::crash("Cannot read properties of undefined (reading 'find')")),
            (Some(_), None) => true,
            (Some(_), Some(episode)) if item.episode(episode).is_none() => {
                return Err(Reply::crash("Cannot read properties of undefined (reading 'toOldJSONExpanded')"));
            }
            (Some(_), Some(_)) => false,
        };
        fresh.push(Entry { item_id: w.item_id.clone(), episode_id: w.episode_id.clone(), order: 0, poisoned });
    }
    Ok(fresh)
}

/// As a GET shows it; a poisoned entry is fatal.
pub(crate) fn json(state: &State, playlist: &Playlist) -> Result<Value, Reply> {
    if playlist.entries.iter().any(|entry| entry.poisoned) {
        return Err(Reply::crash("Cannot read properties of null (reading 'libraryItem')"));
    }
    Ok(with_items(state, playlist, &playlist.in_order()))
}

/// As the reply to an addition shows it: what is new comes last, wherever it landed.
pub(crate) fn json_as_inserted(state: &State, playlist: &Playlist) -> Value {
    let entries: Vec<&Entry> = playlist.entries.iter().filter(|entry| !entry.poisoned).collect();
    with_items(state, playlist, &entries)
}

fn with_items(state: &State, playlist: &Playlist, entries: &[&Entry]) -> Value {
    json!({
        "id": playlist.id,
        "name": playlist.name,
        "libraryId": playlist.library_id,
        "userId": playlist.user_id,
        "description": playlist.description,
        "lastUpdate": playlist.last_update,
        "createdAt": playlist.created_at,
        "items": entries.iter().filter_map(|entry| item(state, entry)).collect::<Vec<_>>(),
    })
}

fn item(state: &State, entry: &Entry) -> Option<Value> {
    let item = state.data.item(&entry.item_id)?;
    let Some(id) = &entry.episode_id else {
        return Some(json!({"libraryItemId": item.id, "libraryItem": shapes::expanded(&state.data, item)}));
    };
    // The episodes are not loaded with the podcast here, and its counts come out as 0.
    let mut podcast = shapes::minified(&state.data, item);
    podcast["media"]["numEpisodes"] = json!(0);
    podcast["media"]["size"] = json!(0);
    Some(json!({
        "episodeId": id,
        "episode": shapes::episode_expanded(item, item.episode(id)?),
        "libraryItemId": item.id,
        "libraryItem": podcast,
    }))
}

fn string(item: &Value, key: &str) -> Option<String> {
    item.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}
