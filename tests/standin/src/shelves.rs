//! The home page: shelves that fit the user, empty ones left out.

use serde_json::{Value, json};

use crate::{
    authors,
    call::Call,
    js, libraries,
    model::{Episode, Item, LibraryRow, Progress, Series, User},
    reply::{Answer, Reply},
    series, shapes,
    state::State,
};

const DEFAULT_LIMIT: usize = 10;
/// Whatever the limit says.
const RECENT_SERIES: usize = 5;

struct Shelf {
    id: &'static str,
    label: &'static str,
    kind: &'static str,
    entities: Vec<Value>,
    total: usize,
}

pub(crate) fn personalized(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    call.include()?;
    let limit = match call.paging()?.limit {
        0.0 => DEFAULT_LIMIT,
        limit => limit as usize,
    };
    let me = state.me(call);
    let shelves = if library.podcasts { podcasts(state, me, library, limit) } else { books(state, me, library, limit) };
    let shelves: Vec<Value> = shelves
        .into_iter()
        .filter(|shelf| !shelf.entities.is_empty())
        .map(|shelf| {
            json!({
                "id": shelf.id,
                "label": shelf.label,
                "labelStringKey": format!("Label{}", shelf.label.replace(' ', "")),
                "type": shelf.kind,
                "entities": shelf.entities,
                "total": shelf.total,
            })
        })
        .collect();
    Ok(Reply::json(&Value::Array(shelves)))
}

fn books(state: &State, me: &User, library: &LibraryRow, limit: usize) -> Vec<Shelf> {
    let data = &state.data;
    let visible: Vec<&Item> = data.items_of(&library.id).filter(|i| me.may_open(i)).collect();
    let shelf = |id, label, list: &[&Item]| Shelf {
        id,
        label,
        kind: "book",
        entities: list.iter().take(limit).map(|item| shapes::minified(data, item)).collect(),
        total: list.len(),
    };
    let mut started: Vec<(&Progress, &Item)> =
        visible.iter().filter_map(|item| Some((me.own_progress(&item.media_id)?, *item))).collect();
    started.sort_by_key(|(p, _)| -p.last_update);
    let open = started.iter().filter(|(p, _)| !p.is_finished && !p.hide_from_continue_listening);
    let open: Vec<_> = open.filter(|(p, _)| js::to_number(&p.current_time) > 0.0 || p.ebook_progress > 0.0).collect();
    // Listening and reading share one limit and one total.
    let (listening, reading): (Vec<_>, Vec<_>) =
        open.iter().take(limit).partition(|(_, item)| item.book().is_some_and(|b| !b.files.is_empty()));
    let of_open = |id, label, list: Vec<&&(&Progress, &Item)>| Shelf {
        id,
        label,
        kind: "book",
        entities: list.iter().map(|(_, item)| shapes::minified(data, item)).collect(),
        total: open.len(),
    };
    let mut added = visible.clone();
    added.sort_by_key(|i| -i.added_at);
    let finished: Vec<&Item> = started.iter().filter(|(p, _)| p.is_finished).map(|(_, item)| *item).collect();
    let untouched: Vec<&Item> = visible.iter().filter(|i| me.own_progress(&i.media_id).is_none()).copied().collect();
    let mut recent_authors: Vec<_> = data.authors.iter().filter(|a| a.library_id == library.id).collect();
    recent_authors.sort_by_key(|a| -a.added_at);
    vec![
        of_open("continue-listening", "Continue Listening", listening),
        of_open("continue-reading", "Continue Reading", reading),
        shelf("continue-series", "Continue Series", &next_in_series(state, me, library)),
        shelf("recently-added", "Recently Added", &added),
        recent_series(state, me, library),
        shelf("discover", "Discover", &untouched),
        shelf("listen-again", "Listen Again", &finished),
        Shelf {
            id: "newest-authors",
            label: "Newest Authors",
            kind: "authors",
            entities: recent_authors.iter().take(limit).map(|a| authors::with_count(data, a)).collect(),
            total: recent_authors.len(),
        },
    ]
}

/// The first untouched book of each series that has a finished one and none under way.
fn next_in_series<'a>(state: &'a State, me: &User, library: &'a LibraryRow) -> Vec<&'a Item> {
    let data = &state.data;
    let mut next: Vec<&Item> = Vec::new();
    for series in data.series.iter().filter(|s| s.library_id == library.id) {
        let books: Vec<&Item> = data.books_in(&series.id).into_iter().filter(|b| me.may_open(b)).collect();
        let progress = |book: &&Item| me.own_progress(&book.media_id);
        let finished = books.iter().any(|b| progress(b).is_some_and(|p| p.is_finished));
        let under_way = books.iter().any(|b| progress(b).is_some_and(|p| !p.is_finished));
        if let Some(book) = books.iter().find(|b| progress(b).is_none()).filter(|_| finished && !under_way)
            && !next.iter().any(|n| n.id == book.id)
        {
            next.push(book);
        }
    }
    next
}

fn recent_series(state: &State, me: &User, library: &LibraryRow) -> Shelf {
    let data = &state.data;
    let mut rows: Vec<(&Series, Vec<&Item>)> = data
        .series
        .iter()
        .filter(|s| s.library_id == library.id)
        .map(|s| (s, data.books_in(&s.id).into_iter().filter(|b| me.may_open(b)).collect::<Vec<_>>()))
        .filter(|(_, books)| !books.is_empty())
        .collect();
    rows.sort_by_key(|(s, _)| -s.added_at);
    let entities = rows.iter().take(RECENT_SERIES).map(|(s, books)| {
        let mut out = series::json(s);
        out["books"] = books.iter().map(|b| shapes::minified_without_names(data, b)).collect();
        out
    });
    Shelf {
        id: "recent-series",
        label: "Recent Series",
        kind: "series",
        entities: entities.collect(),
        total: rows.len(),
    }
}

fn podcasts(state: &State, me: &User, library: &LibraryRow, limit: usize) -> Vec<Shelf> {
    let data = &state.data;
    let visible: Vec<&Item> = data.items_of(&library.id).filter(|i| me.may_open(i)).collect();
    let mut episodes: Vec<(&Item, &Episode)> = visible
        .iter()
        .filter_map(|item| Some((*item, item.podcast()?)))
        .flat_map(|(item, podcast)| podcast.episodes.iter().map(move |e| (item, e)))
        .collect();
    episodes.sort_by_key(|(_, e)| -e.published_at);
    let mut started: Vec<_> = episodes.iter().filter_map(|(i, e)| Some((me.own_progress(&e.id)?, *i, *e))).collect();
    started.sort_by_key(|(p, ..)| -p.last_update);
    let with = |keep: fn(&Progress) -> bool| -> Vec<(&Item, &Episode)> {
        started.iter().filter(|(p, ..)| keep(p)).map(|(_, item, episode)| (*item, *episode)).collect()
    };
    let shelf = |id, label, list: Vec<(&Item, &Episode)>| Shelf {
        id,
        label,
        kind: "episode",
        entities: list.iter().take(limit).map(|(item, episode)| with_episode(state, item, episode)).collect(),
        total: list.len(),
    };
    let mut added = visible.clone();
    added.sort_by_key(|i| -i.added_at);
    vec![
        shelf("continue-listening", "Continue Listening", with(|p| !p.is_finished && !p.hide_from_continue_listening)),
        shelf("newest-episodes", "Newest Episodes", episodes.clone()),
        Shelf {
            id: "recently-added",
            label: "Recently Added",
            kind: "podcast",
            entities: added.iter().take(limit).map(|item| shapes::minified(data, item)).collect(),
            total: added.len(),
        },
        shelf("listen-again", "Listen Again", with(|p| p.is_finished)),
    ]
}

/// The counts of the podcast are wrong here, as they are in ABS.
fn with_episode(state: &State, item: &Item, episode: &Episode) -> Value {
    let mut out = shapes::minified(&state.data, item);
    out["media"]["numEpisodes"] = json!(0);
    out["media"]["size"] = json!(0);
    out["recentEpisode"] = shapes::episode(item, episode);
    out
}
