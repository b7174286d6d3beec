//! The user's own record, token and all, and what they are in the middle of.

use serde_json::{Value, json};

use crate::{
    bookmarks,
    call::{Call, Param},
    js,
    model::{Permissions, Progress},
    progress,
    reply::{Answer, Reply},
    shapes,
    state::State,
};

pub(crate) fn me(call: &Call, state: &mut State) -> Answer {
    let me = state.me(call);
    let Permissions { update, delete, upload, all_libraries, all_tags, explicit } = me.can;
    Ok(Reply::json(&json!({
        "id": me.id,
        "username": me.username,
        "email": if me.kind == "root" { Value::Null } else { json!(format!("{}@example.com", me.username)) },
        "type": me.kind,
        "token": state.keys.token(&me.role),
        "mediaProgress": me.progress.iter().map(|p| progress::json(p, me)).collect::<Vec<_>>(),
        "seriesHideFromContinueListening": [],
        "bookmarks": me.bookmarks.iter().map(bookmarks::json).collect::<Vec<_>>(),
        "isActive": me.active,
        "isLocked": false,
        "lastSeen": null,
        "createdAt": me.created_at,
        "permissions": {
            "download": true,
            "update": update,
            "delete": delete,
            "upload": upload,
            "createEreader": me.is_admin(),
            "accessAllLibraries": all_libraries,
            "accessAllTags": all_tags,
            "accessExplicitContent": explicit,
            "selectedTagsNotAccessible": false,
        },
        "librariesAccessible": me.libraries,
        "itemTagsSelected": me.tags,
        "hasOpenIDLink": false,
    })))
}

/// Newest first; hidden ones too; no check of access. A negative limit drops from the end.
pub(crate) fn items_in_progress(call: &Call, state: &mut State) -> Answer {
    let limit = match call.query.get("limit") {
        Param::One(text) => match js::number(text) {
            n if n.is_nan() || n == 0.0 => 25,
            n => n as i64,
        },
        _ => 25,
    };
    let me = state.me(call);
    let mut rows: Vec<(i64, Value)> =
        me.progress.iter().filter_map(|p| Some((p.last_update, row(state, p)?))).collect();
    rows.sort_by_key(|(updated, _)| -updated);
    let rows: Vec<&Value> = js::slice(&rows, 0, limit).iter().map(|(_, row)| row).collect();
    Ok(Reply::json(&json!({"libraryItems": rows})))
}

fn row(state: &State, p: &Progress) -> Option<Value> {
    let started = js::to_number(&p.current_time) > 0.0 || p.ebook_progress > 0.0;
    if p.is_finished || !started {
        return None;
    }
    let data = &state.data;
    let mut out = match &p.episode_id {
        None => shapes::minified(data, data.items.iter().find(|i| i.media_id == p.media_item_id)?),
        Some(id) => {
            let (item, episode) = data.episode(id)?;
            let mut out = shapes::minified(data, item);
            out["recentEpisode"] = shapes::episode(item, episode);
            out
        }
    };
    out["progressLastUpdate"] = json!(p.last_update);
    Some(out)
}
