//! Progress records: reading, writing, deleting.

use serde_json::{Value, json};

use crate::{
    call::{Call, no_nul},
    model::{Media, Progress, User},
    progress_patch::{self, Target},
    reply::{Answer, Reply},
    state::State,
};

/// Since 2.36.
pub(crate) fn all(call: &Call, state: &mut State) -> Answer {
    let me = state.me(call);
    Ok(Reply::json(&json!({"mediaProgress": me.progress.iter().map(|p| json(p, me)).collect::<Vec<_>>()})))
}

/// Looks in memory, so that even a NUL is only a 404. Without an episode a podcast's id finds the record of some episode.
pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let me = state.me(call);
    let episode = call.segments.get(4).map(String::as_str);
    let found = me.progress_of(call.seg(3), episode).ok_or_else(Reply::not_found)?;
    Ok(Reply::json(&json(found, me)))
}

pub(crate) fn patch(call: &Call, state: &mut State) -> Answer {
    let target = target(state, call.id(3)?, call.segments.get(4).map(String::as_str))?;
    write(call, state, target, &call.body)?;
    Ok(Reply::ok())
}

/// Entries that do not fit are skipped, and the answer is OK all the same.
pub(crate) fn batch(call: &Call, state: &mut State) -> Answer {
    let Value::Array(entries) = &call.body else { return Err(Reply::bad("Missing request payload")) };
    if entries.is_empty() {
        return Err(Reply::bad("Missing request payload"));
    }
    for entry in entries {
        if entry.is_null() {
            return Err(Reply::crash("Cannot read properties of null (reading 'episodeId')"));
        }
        let id = match entry.get("libraryItemId") {
            Some(Value::String(id)) => id.as_str(),
            Some(Value::Object(_) | Value::Array(_)) => {
                return Err(Reply::crash("Argument passed to findByPk is invalid"));
            }
            _ => continue,
        };
        let episode = entry.get("episodeId").and_then(Value::as_str);
        match target(state, id, episode) {
            Ok(target) => write(call, state, target, entry)?,
            Err(crash @ Reply::Crash(_)) => return Err(crash),
            Err(_) => {}
        }
    }
    Ok(Reply::ok())
}

/// By the id of the record, and only one's own.
pub(crate) fn delete(call: &Call, state: &mut State) -> Answer {
    let id = call.id(3)?;
    let me = state.me_mut(call);
    let place = me.progress.iter().position(|p| p.id == id).ok_or_else(Reply::not_found)?;
    me.progress.remove(place);
    state.wrote_progress();
    Ok(Reply::ok())
}

fn write(call: &Call, state: &mut State, target: Target, body: &Value) -> Result<(), Reply> {
    state.foreign_columns.extend(progress_patch::foreign_columns(body));
    let (id, now) = (state.new_id(), state.now());
    progress_patch::apply(&mut state.me_mut(call).progress, target, body, id, now)?;
    state.wrote_progress();
    Ok(())
}

/// What the path means. With an episode the item is not looked at: a wrong one is stored as given.
fn target(state: &State, item_id: &str, episode: Option<&str>) -> Result<Target, Reply> {
    no_nul(item_id)?;
    if let Some(id) = episode {
        no_nul(id)?;
        let (_, episode) = state.data.episode(id).ok_or_else(|| Reply::sentence(404, "Episode not found"))?;
        return Ok(Target {
            item_id: item_id.to_owned(),
            episode_id: Some(episode.id.clone()),
            media_id: episode.id.clone(),
        });
    }
    let item = state.data.item(item_id).ok_or_else(|| Reply::sentence(404, "Library item not found"))?;
    match item.media {
        Media::Podcast(_) => Err(Reply::bad("Library item is not a book")),
        Media::Book(_) => Ok(Target { item_id: item.id.clone(), episode_id: None, media_id: item.media_id.clone() }),
    }
}

pub(crate) fn json(p: &Progress, user: &User) -> Value {
    json!({
        "id": p.id,
        "userId": user.id,
        "libraryItemId": p.library_item_id,
        "episodeId": p.episode_id,
        "mediaItemId": p.media_item_id,
        "mediaItemType": if p.episode_id.is_some() { "podcastEpisode" } else { "book" },
        "duration": p.duration,
        "progress": crate::js::json_number(p.progress),
        "currentTime": p.current_time,
        "isFinished": p.is_finished,
        "hideFromContinueListening": p.hide_from_continue_listening,
        "ebookLocation": p.ebook_location,
        "ebookProgress": crate::js::json_number(p.ebook_progress),
        "lastUpdate": p.last_update,
        "startedAt": p.started_at,
        "finishedAt": p.finished_at,
    })
}
