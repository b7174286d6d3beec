//! Playlists: private, of books or of episodes.

use serde_json::{Value, json};

use crate::{
    call::{Call, no_nul},
    js, libraries,
    model::{Entry, Playlist},
    playlist_entries::{self as entries, Wanted},
    reply::{Answer, Reply},
    state::State,
    text,
};

/// By name, without paging.
pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let lists = own(call, state, None).into_iter().map(|p| entries::json(state, p)).collect::<Result<Vec<_>, _>>()?;
    Ok(Reply::json(&json!({"playlists": lists})))
}

pub(crate) fn in_library(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    let paging = call.paging()?;
    let all = own(call, state, Some(&library.id));
    let page = paging.cut(&all).iter().map(|p| entries::json(state, p)).collect::<Result<Vec<_>, _>>()?;
    let (limit, number) = (js::json_number(paging.limit), js::json_number(paging.page));
    Ok(Reply::json(&json!({"results": page, "total": all.len(), "limit": limit, "page": number})))
}

fn own<'a>(call: &Call, state: &'a State, library: Option<&str>) -> Vec<&'a Playlist> {
    let me = &state.me(call).id;
    let lists = state.data.playlists.iter().filter(|p| p.user_id == *me && library.is_none_or(|l| p.library_id == l));
    let mut lists: Vec<&Playlist> = lists.collect();
    lists.sort_by(|a, b| text::nocase(&a.name, &b.name));
    lists
}

pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    shown(state, place)
}

/// All or nothing; entries may repeat, but books and episodes do not mix.
pub(crate) fn create(call: &Call, state: &mut State) -> Answer {
    let name = match call.field("name") {
        Some(Value::String(name)) => text::name(name),
        _ => String::new(),
    };
    if name.is_empty() || !js::truthy(call.field("libraryId")) {
        return Err(Reply::bad("Invalid playlist data"));
    }
    let description = match call.field("description") {
        Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
        value if js::truthy(value) => return Err(Reply::bad("Invalid playlist description")),
        _ => None,
    };
    let Some(Value::String(library_id)) = call.field("libraryId") else {
        return Err(Reply::crash("Invalid value in a WHERE clause"));
    };
    no_nul(library_id)?;
    if !state.me(call).sees_library(library_id) {
        return Err(Reply::forbidden());
    }
    let wanted = entries::wanted_for_create(call.field("items"))?;
    if state.data.library(library_id).is_none() {
        return Err(Reply::sentence(500, "Failed to create playlist"));
    }
    let found = entries::check_for_create(state, library_id, &wanted)?;
    let (id, now) = (state.new_id(), state.now());
    let numbered = found.into_iter().enumerate().map(|(n, (item_id, episode_id))| Entry {
        item_id,
        episode_id,
        order: n as i64 + 1,
        poisoned: false,
    });
    let playlist = Playlist {
        id,
        user_id: state.me(call).id.clone(),
        library_id: library_id.clone(),
        name,
        description,
        entries: numbered.collect(),
        created_at: now,
        last_update: now,
    };
    state.data.playlists.push(playlist);
    state.wrote();
    shown(state, state.data.playlists.len() - 1)
}

/// Name and description are saved before the items are looked at, and stay when those are refused.
pub(crate) fn update(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    if js::truthy(call.field("libraryId")) || js::truthy(call.field("userId")) {
        return Err(Reply::bad("Invalid playlist data. Cannot update libraryId or userId"));
    }
    for (key, what) in [("name", "Invalid playlist name"), ("description", "Invalid playlist description")] {
        if js::truthy(call.field(key)) && !call.field(key).is_some_and(Value::is_string) {
            return Err(Reply::bad(what));
        }
    }
    let now = state.now();
    let playlist = &mut state.data.playlists[place];
    let before = (playlist.name.clone(), playlist.description.clone());
    // Neither can be cleared.
    if let Some(name) = call.field("name").and_then(Value::as_str).map(text::name).filter(|n| !n.is_empty()) {
        playlist.name = name;
    }
    if let Some(text) = call.field("description").and_then(Value::as_str).filter(|t| !t.is_empty()) {
        playlist.description = Some(text.to_owned());
    }
    if before != (playlist.name.clone(), playlist.description.clone()) {
        playlist.last_update = now;
    }
    state.wrote();
    if js::truthy(call.field("items")) {
        let wanted = entries::wanted_for_update(call.field("items"))?;
        if !wanted.is_empty() {
            entries::check_for_update(state, &state.data.playlists[place], &wanted)?;
            state.data.playlists[place].reorder(&wanted);
        }
    }
    shown(state, place)
}

pub(crate) fn delete(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    state.data.playlists.remove(place);
    state.wrote();
    Ok(Reply::ok())
}

/// The route that checks.
pub(crate) fn add_item(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    let id = match call.field("libraryItemId") {
        Some(Value::Object(_) | Value::Array(_)) => return Err(Reply::crash("Argument passed to findByPk is invalid")),
        Some(Value::String(id)) if !id.is_empty() => id.as_str(),
        _ => return Err(Reply::bad("Request body has no libraryItemId")),
    };
    no_nul(id)?;
    let item = state.data.item(id).ok_or_else(|| Reply::bad("Library item not found"))?;
    let playlist = &state.data.playlists[place];
    if item.library_id != playlist.library_id {
        return Err(Reply::bad("Library item in different library"));
    }
    let episode = call.field("episodeId").and_then(Value::as_str).filter(|e| !e.is_empty());
    if item.podcast().is_some() != episode.is_some() {
        return Err(Reply::bad("Invalid item to add for this library type"));
    }
    if episode.is_some_and(|episode| item.episode(episode).is_none()) {
        return Err(Reply::bad("Episode not found in library item"));
    }
    if playlist.contains(id, episode)? {
        return Err(Reply::bad("Item already in playlist"));
    }
    let entry = Entry {
        item_id: id.to_owned(),
        episode_id: episode.map(str::to_owned),
        order: playlist.entries.len() as i64 + 1,
        poisoned: false,
    };
    state.data.playlists[place].entries.push(entry);
    state.wrote();
    shown_as_inserted(state, place)
}

/// For an episode only its own id counts.
pub(crate) fn remove_item(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    let wanted = Wanted { item_id: call.id(4)?.to_owned(), episode_id: call.segments.get(5).cloned() };
    let playlist = &mut state.data.playlists[place];
    let found = playlist.entries.iter().position(|entry| wanted.is(entry));
    let found = found.ok_or_else(|| Reply::sentence(404, "Media item not found in playlist"))?;
    playlist.entries.remove(found);
    playlist.renumber();
    shown_or_deleted(state, place)
}

/// The route that does not: what does not belong together is stored, or kills.
pub(crate) fn batch_add(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    let wanted = entries::wanted_for_batch(call.field("items"))?;
    let fresh = entries::check_for_batch_add(state, &state.data.playlists[place], &wanted)?;
    let playlist = &mut state.data.playlists[place];
    let count = playlist.entries.len() as i64;
    // Counted, not continued: after gaps this lands before what is there already.
    for (n, mut entry) in fresh.into_iter().enumerate() {
        entry.order = count + 1 + n as i64;
        playlist.entries.push(entry);
    }
    state.wrote();
    shown_as_inserted(state, place)
}

/// Leaves gaps in the order.
pub(crate) fn batch_remove(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    let wanted = entries::wanted_for_batch(call.field("items"))?;
    let playlist = &mut state.data.playlists[place];
    let before = playlist.entries.len();
    playlist.entries.retain(|entry| !wanted.iter().any(|w| w.is(entry)));
    if playlist.entries.len() == before {
        return shown(state, place);
    }
    shown_or_deleted(state, place)
}

/// With its last entry a playlist goes too; the reply looks as if it had stayed.
fn shown_or_deleted(state: &mut State, place: usize) -> Answer {
    state.wrote();
    let reply = shown(state, place);
    if state.data.playlists[place].entries.is_empty() {
        state.data.playlists.remove(place);
    }
    reply
}

fn shown(state: &State, place: usize) -> Answer {
    entries::json(state, &state.data.playlists[place]).map(|out| Reply::json(&out))
}

fn shown_as_inserted(state: &State, place: usize) -> Answer {
    Ok(Reply::json(&entries::json_as_inserted(state, &state.data.playlists[place])))
}

fn place(call: &Call, state: &State) -> Result<usize, Reply> {
    let id = call.id(2)?;
    let found = state.data.playlists.iter().position(|p| p.id == id);
    let place = found.ok_or_else(|| Reply::sentence(404, "Playlist not found"))?;
    if state.data.playlists[place].user_id == state.me(call).id { Ok(place) } else { Err(Reply::forbidden()) }
}
