//! Series: the list with its books, and one without.

use serde_json::{Value, json};

use crate::{
    call::Call,
    filter::Filter,
    js, libraries,
    model::{Item, Series},
    reply::{Answer, Reply},
    shapes,
    state::State,
    text,
};

/// Without a limit there are no results, only a total.
pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    let include = call.include()?;
    let paging = call.paging()?;
    let filter = Filter::of(call)?;
    let (data, me) = (&state.data, state.me(call));
    let desc = call.query.is("desc", "1");
    let mut rows: Vec<(&Series, Vec<&Item>)> = data
        .series
        .iter()
        .filter(|s| s.library_id == library.id)
        .map(|s| (s, data.books_in(&s.id).into_iter().filter(|b| me.may_open(b)).collect::<Vec<_>>()))
        .filter(|(_, books)| !books.is_empty() && passes(&filter, state, call, books))
        .collect();
    sort(&mut rows, call.query.one("sort"), desc);
    let page = if paging.limit == 0.0 { &[] } else { paging.cut(&rows) };
    let results: Vec<Value> = page
        .iter()
        .map(|(series, books)| {
            let mut out = json(series);
            out["books"] = books.iter().map(|book| shapes::minified(data, book)).collect();
            out
        })
        .collect();
    let mut out = json!({
        "results": results,
        "total": rows.len(),
        "limit": js::json_number(paging.limit),
        "page": js::json_number(paging.page),
    });
    if let Some(sort) = call.query.one("sort") {
        out["sortBy"] = json!(sort);
    }
    out["sortDesc"] = json!(desc);
    if let Some(raw) = &filter.raw {
        out["filterBy"] = json!(raw);
    }
    out["minified"] = json!(call.query.is("minified", "1"));
    out["include"] = json!(include.join(","));
    Ok(Reply::json(&out))
}

/// Finished is a series all of whose books are; for anything else one book is enough.
fn passes(filter: &Filter, state: &State, call: &Call, books: &[&Item]) -> bool {
    let passes = |book: &&Item| filter.lets_through(&state.data, state.me(call), book);
    if filter.needs_every_book() { books.iter().all(passes) } else { books.iter().any(passes) }
}

fn sort(rows: &mut [(&Series, Vec<&Item>)], sort: Option<&str>, desc: bool) {
    match sort {
        Some("name") => rows.sort_by(|a, b| text::nocase(&a.0.name, &b.0.name)),
        Some("numBooks") => rows.sort_by_key(|(_, books)| books.len()),
        Some("totalDuration") => {
            rows.sort_by_key(|(_, books)| books.iter().map(|b| b.duration() as i64).sum::<i64>());
        }
        Some("addedAt") => rows.sort_by_key(|(series, _)| series.added_at),
        Some("lastBookAdded" | "lastBookUpdated") => {
            rows.sort_by_key(|(_, books)| books.iter().map(|b| b.added_at).max());
        }
        _ => return,
    }
    if desc {
        rows.reverse();
    }
}

/// Checks neither that the series is of this library nor that the user sees any of it.
pub(crate) fn in_library(call: &Call, state: &mut State) -> Answer {
    libraries::accessible(call, state)?;
    let include = call.include()?;
    let series = state.data.one_series(call.id(4)?).ok_or_else(Reply::not_found)?;
    Ok(Reply::json(&with_extras(call, state, series, &include)))
}

pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let include = call.include()?;
    let series = state.data.one_series(call.id(2)?).ok_or_else(Reply::not_found)?;
    let me = state.me(call);
    if !state.data.books_in(&series.id).iter().any(|book| me.sees(book)) {
        return Err(Reply::not_found());
    }
    Ok(Reply::json(&with_extras(call, state, series, &include)))
}

fn with_extras(call: &Call, state: &State, series: &Series, include: &[String]) -> Value {
    let me = state.me(call);
    let mut out = json(series);
    if include.iter().any(|i| i == "progress") {
        let books: Vec<&Item> = state.data.books_in(&series.id).into_iter().filter(|b| me.may_open(b)).collect();
        let finished: Vec<&str> = books
            .iter()
            .filter(|b| me.own_progress(&b.media_id).is_some_and(|p| p.is_finished))
            .map(|b| b.id.as_str())
            .collect();
        out["progress"] = json!({
            "libraryItemIds": books.iter().map(|b| b.id.as_str()).collect::<Vec<_>>(),
            "libraryItemIdsFinished": finished,
            "isFinished": finished.len() == books.len(),
        });
    }
    if include.iter().any(|i| i == "rssfeed") {
        out["rssFeed"] = Value::Null;
    }
    out
}

pub(crate) fn json(series: &Series) -> Value {
    json!({
        "id": series.id,
        "name": series.name,
        "nameIgnorePrefix": text::ignore_prefix(&series.name),
        "description": series.description,
        "addedAt": series.added_at,
        "updatedAt": series.added_at,
        "libraryId": series.library_id,
    })
}
