//! `listening-stats`: the whole history, summed, without paging.

use serde_json::{Map, Value, json};

use crate::{
    call::Call,
    clock,
    reply::{Answer, Reply},
    sessions, shapes,
    state::State,
};

const RECENT: usize = 10;

pub(crate) fn listening(call: &Call, state: &mut State) -> Answer {
    let me = state.me(call);
    let history = sessions::newest_first(me);
    let mut total = 0;
    let (mut items, mut days, mut weekdays) = (Map::new(), Map::new(), Map::new());
    for session in &history {
        total += session.listened;
        add(&mut days, &clock::date(session.started_at), session.listened);
        add(&mut weekdays, clock::weekday(session.started_at), session.listened);
        let Some(item) = state.data.item(&session.item_id) else { continue };
        // Episodes are summed up under their podcast.
        let entry = items.entry(item.id.clone()).or_insert_with(
            || json!({"id": item.id, "timeListening": 0, "mediaMetadata": shapes::media_metadata(&state.data, item)}),
        );
        entry["timeListening"] = json!(entry["timeListening"].as_i64().unwrap_or(0) + session.listened);
    }
    let today = days.get(&clock::date(clock::now())).cloned().unwrap_or_else(|| json!(0));
    let recent: Vec<Value> = history.iter().take(RECENT).filter_map(|s| sessions::json(state, me, s)).collect();
    Ok(Reply::json(&json!({
        "totalTime": total,
        "items": items,
        "days": days,
        "dayOfWeek": weekdays,
        "today": today,
        "recentSessions": recent,
    })))
}

fn add(sums: &mut Map<String, Value>, key: &str, seconds: i64) {
    let sum = sums.get(key).and_then(Value::as_i64).unwrap_or(0) + seconds;
    sums.insert(key.to_owned(), json!(sum));
}
