//! Bookmarks: known by item and time, kept in the user's row.

use serde_json::{Value, json};

use crate::{
    call::Call,
    js,
    model::Bookmark,
    reply::{Answer, Reply},
    state::State,
};

/// All, or those of one item. Since 2.36.
pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let item = match call.segments.get(3) {
        Some(_) => Some(state.item_for(call, call.id(3)?)?),
        None => None,
    };
    let me = state.me(call);
    let bookmarks = me.bookmarks.iter().filter(|b| item.is_none_or(|i| i.id == b.library_item_id));
    Ok(Reply::json(&json!({"bookmarks": bookmarks.map(json).collect::<Vec<_>>()})))
}

/// On a time that exists already it renames.
pub(crate) fn create(call: &Call, state: &mut State) -> Answer {
    let (item, time, title) = arguments(call, state)?;
    let now = state.now();
    let me = state.me_mut(call);
    let bookmark = match find(&mut me.bookmarks, &item, &time) {
        Some(bookmark) => {
            bookmark.title = title;
            bookmark.clone()
        }
        None => {
            let bookmark = Bookmark { library_item_id: item, time, title, created_at: now };
            me.bookmarks.push(bookmark.clone());
            bookmark
        }
    };
    state.wrote();
    Ok(Reply::json(&json(&bookmark)))
}

pub(crate) fn update(call: &Call, state: &mut State) -> Answer {
    let (item, time, title) = arguments(call, state)?;
    let bookmark = find(&mut state.me_mut(call).bookmarks, &item, &time).ok_or_else(Reply::not_found)?;
    bookmark.title = title;
    let reply = Reply::json(&json(bookmark));
    state.wrote();
    Ok(reply)
}

/// A time that was stored as a string is found, and stays.
pub(crate) fn delete(call: &Call, state: &mut State) -> Answer {
    let item = state.item_for(call, call.id(3)?)?.id.clone();
    let time = js::number(call.seg(5));
    if time.is_nan() {
        return Err(Reply::bad("Invalid time"));
    }
    let me = state.me_mut(call);
    if find(&mut me.bookmarks, &item, &js::json_number(time)).is_none() {
        return Err(Reply::not_found());
    }
    me.bookmarks.retain(|b| b.library_item_id != item || b.time.as_f64() != Some(time));
    state.wrote();
    Ok(Reply::ok())
}

fn arguments(call: &Call, state: &State) -> Result<(String, Value, String), Reply> {
    let item = state.item_for(call, call.id(3)?)?.id.clone();
    let time = match call.field("time") {
        None | Some(Value::Null) => return Err(Reply::bad("Invalid time")),
        Some(time) if js::to_number(time).is_nan() => return Err(Reply::bad("Invalid time")),
        Some(time) => time.clone(),
    };
    match call.field("title") {
        Some(Value::String(title)) if !title.is_empty() => Ok((item, time, title.clone())),
        _ => Err(Reply::bad("Invalid title")),
    }
}

/// `==`: `"100"` finds 100, and `[]` finds 0.
fn find<'a>(list: &'a mut [Bookmark], item: &str, time: &Value) -> Option<&'a mut Bookmark> {
    list.iter_mut().find(|b| b.library_item_id == item && js::to_number(&b.time) == js::to_number(time))
}

pub(crate) fn json(bookmark: &Bookmark) -> Value {
    json!({
        "libraryItemId": bookmark.library_item_id,
        "time": bookmark.time,
        "title": bookmark.title,
        "createdAt": bookmark.created_at,
    })
}
