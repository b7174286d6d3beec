//! Collections: shared, ordered, books only.

use serde_json::{Value, json};

use crate::{
    call::{Call, no_nul},
    js, libraries,
    model::{Collection, Item, User},
    reply::{Answer, Reply},
    shapes,
    state::State,
    text,
};

/// Every one of them, each with all of its books in full. What the user may not open is in here too, unless it is all there is.
pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    call.include()?;
    let me = state.me(call);
    let seen = state.data.collections.iter().filter(|c| me.sees_library(&c.library_id) && is_listed(state, me, c));
    Ok(Reply::json(&json!({"collections": seen.map(|c| json(state, c, None)).collect::<Vec<_>>()})))
}

/// Pages, but neither sorts nor shortens.
pub(crate) fn in_library(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    let include = call.include()?;
    let paging = call.paging()?;
    let me = state.me(call);
    let all: Vec<&Collection> =
        state.data.collections.iter().filter(|c| c.library_id == library.id && is_listed(state, me, c)).collect();
    let mut out = json!({
        "results": paging.cut(&all).iter().map(|c| json(state, c, None)).collect::<Vec<_>>(),
        "total": all.len(),
        "limit": js::json_number(paging.limit),
        "page": js::json_number(paging.page),
    });
    if let Some(sort) = call.query.one("sort") {
        out["sortBy"] = json!(sort);
    }
    out["sortDesc"] = json!(call.query.is("desc", "1"));
    out["minified"] = json!(call.query.is("minified", "1"));
    out["include"] = json!(include.join(","));
    Ok(Reply::json(&out))
}

/// Here the books are filtered; one that has only forbidden books does not exist.
pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let collection = &state.data.collections[place(call, state)?];
    call.include()?;
    let me = state.me(call);
    if !is_listed(state, me, collection) {
        return Err(Reply::not_found());
    }
    Ok(Reply::json(&json(state, collection, Some(me))))
}

pub(crate) fn create(call: &Call, state: &mut State) -> Answer {
    may_update(call, state)?;
    let name = call.field("name").and_then(Value::as_str).map(text::name).unwrap_or_default();
    if name.is_empty() || !js::truthy(call.field("libraryId")) {
        return Err(Reply::bad("Invalid collection data"));
    }
    let description = match call.field("description") {
        Some(Value::String(text)) => Some(text.clone()),
        value if js::truthy(value) => return Err(Reply::bad("Invalid collection description")),
        _ => None,
    };
    let books = string_ids(call.field("books"))?;
    if books.is_empty() {
        return Err(Reply::bad("Invalid collection data. No books"));
    }
    let library_id = match call.field("libraryId") {
        Some(Value::String(id)) => id.clone(),
        _ => return Err(Reply::crash("Invalid value in a WHERE clause")),
    };
    books.iter().try_for_each(|id| no_nul(id))?;
    no_nul(&library_id)?;
    let found = books_among(state, &books).filter(|i| i.library_id == library_id).count();
    if found != books.len() {
        return Err(Reply::bad("Invalid collection data. Invalid books"));
    }
    let (id, now) = (state.new_id(), state.now());
    let collection = Collection { id, library_id, name, description, books, created_at: now, last_update: now };
    let reply = Reply::json(&json(state, &collection, None));
    state.data.collections.push(collection);
    state.wrote();
    Ok(reply)
}

/// `books` is a sort key over the books that are in it, and nothing more.
pub(crate) fn update(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    may_update(call, state)?;
    let order = match call.field("books") {
        Some(Value::Array(order)) => order.clone(),
        books if js::truthy(books) => return Err(Reply::crash("findIndex is not a function")),
        _ => Vec::new(),
    };
    let mut numeric_description = None;
    let now = state.now();
    let collection = &mut state.data.collections[place];
    let before = (collection.name.clone(), collection.description.clone(), collection.books.clone());
    if let Some(Value::String(name)) = call.field("name") {
        collection.name = text::name(name);
    }
    match call.field("description") {
        Some(Value::Object(_) | Value::Array(_)) => return Err(Reply::crash("string violation: description")),
        Some(Value::String(text)) => collection.description = Some(text.clone()),
        Some(Value::Null) => collection.description = None,
        // Stored as text, but the reply to this one request still has the number.
        Some(other) => {
            collection.description = Some(other.to_string());
            numeric_description = Some(other.clone());
        }
        None => {}
    }
    if !order.is_empty() {
        // Left out counts as -1: in front of all others.
        let rank = |id: &String| order.iter().position(|wanted| wanted.as_str() == Some(id)).map_or(-1, |n| n as i64);
        collection.books.sort_by_key(rank);
    }
    if before != (collection.name.clone(), collection.description.clone(), collection.books.clone()) {
        collection.last_update = now;
    }
    state.wrote();
    let mut out = json(state, &state.data.collections[place], None);
    if let Some(number) = numeric_description {
        out["description"] = number;
    }
    Ok(Reply::json(&out))
}

pub(crate) fn delete(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    if !state.me(call).can.delete {
        return Err(Reply::forbidden());
    }
    state.data.collections.remove(place);
    state.wrote();
    Ok(Reply::ok())
}

pub(crate) fn add_book(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    may_update(call, state)?;
    let id = match call.field("id") {
        Some(Value::Object(_) | Value::Array(_)) => return Err(Reply::crash("Argument passed to findByPk is invalid")),
        Some(Value::String(id)) => id.as_str(),
        _ => "",
    };
    no_nul(id)?;
    let item = state.data.item(id).ok_or_else(|| Reply::sentence(404, "Book not found"))?;
    let collection = &state.data.collections[place];
    if item.library_id != collection.library_id {
        return Err(Reply::bad("Book in different library"));
    }
    if collection.books.contains(&item.id) {
        return Err(Reply::bad("Book already in collection"));
    }
    let id = item.id.clone();
    state.data.collections[place].books.push(id);
    changed(state, place)
}

/// Needs no permission, and says nothing when the book was not in it.
pub(crate) fn remove_book(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    let id = state.data.item(call.id(4)?).ok_or_else(Reply::not_found)?.id.clone();
    state.data.collections[place].books.retain(|book| *book != id);
    changed(state, place)
}

/// What is no book is dropped without a word; the rest comes in the order of the database.
pub(crate) fn batch_add(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    may_update(call, state)?;
    let ids = string_ids(call.field("books"))?;
    if ids.is_empty() {
        return Err(Reply::bad("Invalid request body"));
    }
    ids.iter().try_for_each(|id| no_nul(id))?;
    let collection = &state.data.collections[place];
    let valid: Vec<String> = books_among(state, &ids)
        .filter(|item| item.library_id == collection.library_id)
        .map(|item| item.id.clone())
        .collect();
    if valid.is_empty() {
        return Err(Reply::bad("Invalid request body. No valid books"));
    }
    let books = &mut state.data.collections[place].books;
    let fresh: Vec<String> = valid.into_iter().filter(|id| !books.contains(id)).collect();
    books.extend(fresh);
    changed(state, place)
}

pub(crate) fn batch_remove(call: &Call, state: &mut State) -> Answer {
    let place = place(call, state)?;
    may_update(call, state)?;
    let ids = string_ids(call.field("books"))?;
    if ids.is_empty() {
        return Err(Reply::sentence(500, "Invalid request body"));
    }
    ids.iter().try_for_each(|id| no_nul(id))?;
    if state.data.items.iter().any(|item| item.podcast().is_some() && ids.contains(&item.id)) {
        return Err(Reply::crash("Cannot read properties of undefined (reading 'id')"));
    }
    state.data.collections[place].books.retain(|book| !ids.contains(book));
    changed(state, place)
}

fn changed(state: &mut State, place: usize) -> Answer {
    state.wrote();
    Ok(Reply::json(&json(state, &state.data.collections[place], None)))
}

fn place(call: &Call, state: &State) -> Result<usize, Reply> {
    let id = call.id(2)?;
    let found = state.data.collections.iter().position(|c| c.id == id);
    let place = found.ok_or_else(|| Reply::sentence(404, "Collection not found"))?;
    if state.me(call).sees_library(&state.data.collections[place].library_id) {
        Ok(place)
    } else {
        Err(Reply::sentence(404, "Collection not found"))
    }
}

fn may_update(call: &Call, state: &State) -> Result<(), Reply> {
    if state.me(call).can.update { Ok(()) } else { Err(Reply::forbidden()) }
}

/// `(body.books || []).filter(…)`: whatever is not an array has no such method.
fn string_ids(value: Option<&Value>) -> Result<Vec<String>, Reply> {
    match value {
        Some(Value::Array(list)) => {
            Ok(list.iter().filter_map(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned).collect())
        }
        value if js::truthy(value) => Err(Reply::crash("books.filter is not a function")),
        _ => Ok(Vec::new()),
    }
}

/// In the order of the database, each once.
fn books_among<'a>(state: &'a State, ids: &'a [String]) -> impl Iterator<Item = &'a Item> {
    state.data.items.iter().filter(|item| item.book().is_some() && ids.contains(&item.id))
}

/// An emptied collection is; one with nothing but forbidden books is not.
fn is_listed(state: &State, me: &User, collection: &Collection) -> bool {
    let books = &collection.books;
    books.is_empty() || books.iter().filter_map(|id| state.data.item(id)).any(|item| me.may_open(item))
}

fn json(state: &State, collection: &Collection, only_for: Option<&User>) -> Value {
    let books = collection.books.iter().filter_map(|id| state.data.item(id));
    let books = books.filter(|item| only_for.is_none_or(|me| me.may_open(item)));
    json!({
        "id": collection.id,
        "libraryId": collection.library_id,
        "name": collection.name,
        "description": collection.description,
        "books": books.map(|item| shapes::expanded(&state.data, item)).collect::<Vec<_>>(),
        "lastUpdate": collection.last_update,
        "createdAt": collection.created_at,
    })
}
