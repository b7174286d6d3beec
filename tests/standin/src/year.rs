//! One year's statistics.

use serde_json::{Value, json};

use crate::{
    call::Call,
    clock, js,
    model::{Item, Session},
    reply::{Answer, Reply},
    state::State,
};

/// Of authors and genres.
const TOP: usize = 3;

pub(crate) fn year(call: &Call, state: &mut State) -> Answer {
    let year = js::number(call.seg(4));
    if !(2000.0..=9999.0).contains(&year) {
        return Err(Reply::bad("Invalid year"));
    }
    let (data, me) = (&state.data, state.me(call));
    let within = |ms: i64| clock::civil(ms).0 as f64 == year;
    let sessions: Vec<(&Session, &Item)> =
        me.sessions.iter().filter(|s| within(s.started_at)).filter_map(|s| Some((s, data.item(&s.item_id)?))).collect();
    let books = || sessions.iter().filter_map(|(s, item)| Some((s.listened, item.book()?)));
    let total: i64 = sessions.iter().map(|(s, _)| s.listened).sum();
    let book_time: i64 = books().map(|(listened, _)| listened).sum();

    let authors =
        summed(books().flat_map(|(t, b)| b.authors.iter().map(move |id| (data.author_name(id).to_owned(), t))));
    let genres = summed(books().flat_map(|(t, b)| b.genres.iter().map(move |g| (g.clone(), t))));
    let narrators = summed(books().flat_map(|(t, b)| b.narrators.iter().map(move |n| (n.clone(), t))));
    // Counted from 0.
    let months = summed(sessions.iter().map(|(s, _)| (clock::civil(s.started_at).1 - 1, s.listened)));

    let finished: Vec<(&Item, i64)> = me
        .progress
        .iter()
        .filter_map(|p| Some((p.episode_id.is_none().then(|| data.item(&p.library_item_id))??, p.finished_at?)))
        .filter(|(_, at)| within(*at))
        .collect();
    let longest = finished.iter().max_by(|a, b| a.0.duration().total_cmp(&b.0.duration()));
    let mut listened: Vec<&Item> = sessions.iter().map(|(_, item)| *item).filter(|i| i.book().is_some()).collect();
    listened.sort_by(|a, b| a.id.cmp(&b.id));
    listened.dedup_by(|a, b| a.id == b.id);
    let with_cover = |list: Vec<&Item>| list.iter().filter(|i| i.cover).map(|i| i.id.clone()).collect::<Vec<_>>();

    Ok(Reply::json(&json!({
        "totalListeningSessions": sessions.len(),
        "totalListeningTime": total,
        "totalBookListeningTime": book_time,
        "totalPodcastListeningTime": total - book_time,
        "topAuthors": authors.iter().take(TOP).map(|(name, time)| json!({"name": name, "time": time})).collect::<Vec<_>>(),
        "topGenres": genres.iter().take(TOP).map(|(genre, time)| json!({"genre": genre, "time": time})).collect::<Vec<_>>(),
        "mostListenedNarrator": narrators.first().map(|(name, time)| json!({"time": time, "name": name})),
        "mostListenedMonth": months.first().map(|(month, time)| json!({"month": month, "time": time})),
        "numBooksFinished": finished.len(),
        "numBooksListened": listened.len(),
        "longestAudiobookFinished": longest.map_or(Value::Null, |(item, at)| json!({
            "id": item.media_id,
            "title": item.title(),
            "duration": js::json_number(item.duration()),
            "finishedAt": clock::iso(*at),
        })),
        "booksWithCovers": with_cover(listened),
        "finishedBooksWithCovers": with_cover(finished.iter().map(|(item, _)| *item).collect()),
    })))
}

/// Largest sum first.
fn summed<K: PartialEq>(pairs: impl Iterator<Item = (K, i64)>) -> Vec<(K, i64)> {
    let mut sums: Vec<(K, i64)> = Vec::new();
    for (key, n) in pairs {
        match sums.iter_mut().find(|(k, _)| *k == key) {
            Some((_, sum)) => *sum += n,
            None => sums.push((key, n)),
        }
    }
    sums.sort_by_key(|(_, sum)| -sum);
    sums
}
