//! Search: one contiguous substring, a few columns, whole items in the answer.

use serde_json::{Value, json};

use crate::{
    authors,
    call::{Call, Param, no_nul},
    libraries::{self, counted},
    model::{Item, LibraryRow, User},
    reply::{Answer, Reply},
    series, shapes,
    state::State,
    text::like,
};

const DEFAULT_LIMIT: usize = 12;

pub(crate) fn search(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    let Param::One(q) = call.query.get("q") else { return Err(no_query()) };
    if q.is_empty() {
        return Err(no_query());
    }
    let limit = match call.paging()?.limit {
        0.0 => DEFAULT_LIMIT,
        limit => limit as usize,
    };
    no_nul(q)?;
    // Blanks at the ends do not count, so that blanks alone match everything.
    let q = q.trim();
    let me = state.me(call);
    let items: Vec<&Item> = state.data.items_of(&library.id).filter(|i| me.may_open(i)).collect();
    let out = if library.podcasts {
        podcasts(state, library, &items, q, limit)
    } else {
        books(state, me, library, &items, q, limit)
    };
    Ok(Reply::json(&out))
}

fn no_query() -> Reply {
    Reply::bad("Invalid request. Query param \"q\" must be a string")
}

fn books(state: &State, me: &User, library: &LibraryRow, items: &[&Item], q: &str, limit: usize) -> Value {
    let data = &state.data;
    let hit = |item: &Item| {
        let Some(book) = item.book() else { return false };
        let within = |text: &Option<String>| text.as_deref().is_some_and(|t| like(t, q));
        like(&book.title, q) || within(&book.subtitle) || within(&book.asin) || within(&book.isbn)
    };
    let found: Vec<Value> = items
        .iter()
        .filter(|item| hit(item))
        .take(limit)
        .map(|item| json!({"libraryItem": shapes::expanded(data, item)}))
        .collect();
    let all = data.items_of(&library.id).filter_map(Item::book);
    let mut narrators = counted(all.flat_map(|b| &b.narrators).filter(|n| like(n, q)));
    narrators.sort();
    let series: Vec<Value> = data
        .series
        .iter()
        .filter(|s| s.library_id == library.id && like(&s.name, q))
        .map(|s| (s, data.books_in(&s.id).into_iter().filter(|b| me.may_open(b)).collect::<Vec<_>>()))
        .filter(|(_, books)| !books.is_empty())
        .take(limit)
        .map(|(s, books)| {
            let books: Vec<Value> = books.iter().map(|b| shapes::plain_without_names(data, b)).collect();
            json!({"series": series::json(s), "books": books})
        })
        .collect();
    let authors: Vec<Value> = data
        .authors
        .iter()
        .filter(|a| a.library_id == library.id && like(&a.name, q))
        .take(limit)
        .map(|a| authors::with_count(data, a))
        .collect();
    json!({
        "book": found,
        "narrators": narrators.iter().take(limit).map(|(name, n)| json!({"name": name, "numBooks": n})).collect::<Vec<_>>(),
        "tags": tags(state, library, q, limit),
        "genres": genres(state, library, q, limit),
        "series": series,
        "authors": authors,
    })
}

fn podcasts(state: &State, library: &LibraryRow, items: &[&Item], q: &str, limit: usize) -> Value {
    let data = &state.data;
    // The episodes are not loaded for a hit, and the counts that derive from them are wrong.
    let bare = |item: &Item| {
        let mut out = shapes::expanded(data, item);
        out["media"]["episodes"] = json!([]);
        out["media"]["numEpisodes"] = json!(0);
        out["media"]["size"] = json!(0);
        out
    };
    let found: Vec<Value> = items
        .iter()
        .filter(|i| i.podcast().is_some_and(|p| like(&p.title, q) || like(&p.author, q)))
        .take(limit)
        .map(|item| json!({"libraryItem": bare(item)}))
        .collect();
    let episodes: Vec<Value> = items
        .iter()
        .filter_map(|item| Some((item, item.podcast()?)))
        .flat_map(|(item, podcast)| podcast.episodes.iter().map(move |e| (item, e)))
        .filter(|(_, e)| like(&e.title, q) || e.subtitle.as_deref().is_some_and(|s| like(s, q)))
        .take(limit)
        .map(|(item, episode)| {
            let mut out = bare(item);
            out["recentEpisode"] = shapes::episode_expanded(item, episode);
            json!({"libraryItem": out})
        })
        .collect();
    json!({
        "podcast": found,
        "tags": tags(state, library, q, limit),
        "genres": genres(state, library, q, limit),
        "episodes": episodes,
    })
}

fn tags(state: &State, library: &LibraryRow, q: &str, limit: usize) -> Vec<Value> {
    named(counted(state.data.items_of(&library.id).flat_map(|i| &i.tags).filter(|t| like(t, q))), limit)
}

fn genres(state: &State, library: &LibraryRow, q: &str, limit: usize) -> Vec<Value> {
    named(counted(state.data.items_of(&library.id).flat_map(Item::genres).filter(|g| like(g, q))), limit)
}

fn named(list: Vec<(String, usize)>, limit: usize) -> Vec<Value> {
    list.into_iter().take(limit).map(|(name, count)| json!({"name": name, "numItems": count})).collect()
}
