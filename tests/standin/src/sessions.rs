//! The listening history, session by session.

use serde_json::{Value, json};

use crate::{
    call::Call,
    clock, js,
    model::{Session, User},
    reply::{Answer, Reply},
    sample::ids,
    shapes,
    state::State,
};

/// `itemsPerPage` and `page` as they come: a negative size is a slice from the end.
pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let number = |key: &str, default: i64| {
        let n = call.query.one(key).map_or(0.0, js::number);
        if n.is_nan() || n == 0.0 { default } else { n as i64 }
    };
    let (size, page) = (number("itemsPerPage", 10), number("page", 0));
    let me = state.me(call);
    let sessions = newest_first(me);
    let start = page.saturating_mul(size);
    let slice = js::slice(&sessions, start, start.saturating_add(size));
    Ok(Reply::json(&json!({
        "total": sessions.len(),
        "numPages": js::json_number((sessions.len() as f64 / size as f64).ceil()),
        "page": page,
        "itemsPerPage": size,
        "sessions": slice.iter().filter_map(|s| json(state, me, s)).collect::<Vec<_>>(),
    })))
}

pub(crate) fn newest_first(user: &User) -> Vec<&Session> {
    let mut sessions: Vec<&Session> = user.sessions.iter().collect();
    sessions.sort_by_key(|s| -s.started_at);
    sessions
}

/// With all the metadata, and with the address of the device.
pub(crate) fn json(state: &State, user: &User, session: &Session) -> Option<Value> {
    let data = &state.data;
    let item = data.item(&session.item_id)?;
    let episode = session.episode_id.as_deref().and_then(|id| item.episode(id));
    let author = match (item.book(), item.podcast()) {
        (Some(book), _) => shapes::author_name(data, book),
        (_, Some(podcast)) => podcast.author.clone(),
        _ => String::new(),
    };
    Some(json!({
        "id": session.id,
        "userId": user.id,
        "libraryId": item.library_id,
        "libraryItemId": item.id,
        "bookId": item.book().map(|_| &item.media_id),
        "episodeId": session.episode_id,
        "mediaType": if item.book().is_some() { "book" } else { "podcast" },
        "mediaMetadata": shapes::media_metadata(data, item),
        "chapters": [],
        "displayTitle": episode.map_or(item.title(), |e| &e.title),
        "displayAuthor": author,
        "coverPath": null,
        "duration": js::json_number(episode.map_or(item.duration(), |e| e.file.duration)),
        "playMethod": 0,
        "mediaPlayer": "html5",
        "deviceInfo": {
            "id": ids::derived(&user.id, "device"),
            "userId": user.id,
            "deviceId": "living-room",
            "ipAddress": "192.168.178.23",
            "clientVersion": state.version,
            "manufacturer": "",
            "model": "",
            "sdkVersion": "",
            "clientName": "Abs Web",
            "deviceName": "",
        },
        "serverVersion": state.version,
        "date": clock::date(session.started_at),
        "dayOfWeek": clock::weekday(session.started_at),
        "timeListening": session.listened,
        "startTime": js::json_number(session.start_time),
        "currentTime": js::json_number(session.start_time + session.listened as f64),
        "startedAt": session.started_at,
        "updatedAt": session.started_at + session.listened * 1000,
    }))
}
