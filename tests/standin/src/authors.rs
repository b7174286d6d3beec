//! Authors.

use serde_json::{Value, json};

use crate::{
    call::{Call, Param},
    js, libraries,
    model::{Author, Item, Library, User},
    reply::{Answer, Reply},
    shapes,
    state::State,
    text,
};

/// Pages only when limit and page are both given; otherwise all of them, under another key.
pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    let paged = matches!(call.query.get("page"), Param::One(page) if !page.is_empty());
    let limit_given = call.query.one("limit").map(js::number);
    let paging = if paged || limit_given.is_some_and(|n| n < 0.0 || n.fract() != 0.0) {
        call.paging()?
    } else {
        crate::call::Paging { limit: 0.0, page: 0.0 }
    };
    let (data, me) = (&state.data, state.me(call));
    let mut authors: Vec<(&Author, usize)> = data
        .authors
        .iter()
        .filter(|a| a.library_id == library.id)
        .map(|a| (a, books(data, me, &a.id).len()))
        .filter(|(_, count)| *count > 0 || me.is_admin())
        .collect();
    let desc = call.query.is("desc", "1");
    match call.query.one("sort") {
        Some("name") => authors.sort_by(|a, b| text::nocase(&a.0.name, &b.0.name)),
        Some("lastFirst") => {
            authors.sort_by(|a, b| text::nocase(&text::last_first(&a.0.name), &text::last_first(&b.0.name)));
        }
        Some("numBooks") => authors.sort_by_key(|(_, count)| *count),
        Some("addedAt" | "updatedAt") => authors.sort_by_key(|(author, _)| author.added_at),
        _ => {}
    }
    if desc {
        authors.reverse();
    }
    let row = |(author, count): &(&Author, usize)| {
        let mut out = json(author);
        out["numBooks"] = json!(count);
        out["lastFirst"] = json!(text::last_first(&author.name));
        out
    };
    if !paged || paging.limit == 0.0 {
        return Ok(Reply::json(&json!({"authors": authors.iter().map(row).collect::<Vec<_>>()})));
    }
    let mut out = json!({
        "results": paging.cut(&authors).iter().map(row).collect::<Vec<_>>(),
        "total": authors.len(),
        "limit": js::json_number(paging.limit),
        "page": js::json_number(paging.page),
    });
    if let Some(sort) = call.query.one("sort") {
        out["sortBy"] = json!(sort);
    }
    out["sortDesc"] = json!(desc);
    out["minified"] = json!(call.query.is("minified", "1"));
    Ok(Reply::json(&out))
}

/// No check of the library; the items within are those the user may see.
pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let include = call.include()?;
    let (data, me) = (&state.data, state.me(call));
    let id = call.id(2)?;
    let author = data.authors.iter().find(|a| a.id == id).ok_or_else(Reply::not_found)?;
    let mut out = json(author);
    if include.iter().any(|i| i == "items") {
        let items = books(data, me, &author.id);
        if include.iter().any(|i| i == "series") {
            out["series"] = series(data, &items);
        }
        out["libraryItems"] = items.iter().map(|item| shapes::minified(data, item)).collect();
    }
    Ok(Reply::json(&out))
}

fn series(data: &Library, items: &[&Item]) -> Value {
    let of_author = |id: &str| {
        data.books_in(id).into_iter().filter(|book| items.iter().any(|i| i.id == book.id)).collect::<Vec<_>>()
    };
    data.series
        .iter()
        .map(|series| (series, of_author(&series.id)))
        .filter(|(_, books)| !books.is_empty())
        .map(|(series, books)| {
            let books: Vec<Value> = books
                .iter()
                .map(|book| {
                    let place = book.book().and_then(|b| b.series.iter().find(|(id, _)| *id == series.id));
                    let mut out = shapes::minified(data, book);
                    out["media"]["metadata"]["series"] = json!({
                        "id": series.id,
                        "name": series.name,
                        "nameIgnorePrefix": text::ignore_prefix(&series.name),
                        "sequence": place.and_then(|(_, sequence)| sequence.as_deref()),
                    });
                    out
                })
                .collect();
            json!({"id": series.id, "name": series.name, "items": books})
        })
        .collect()
}

fn books<'a>(data: &'a Library, me: &User, author: &str) -> Vec<&'a Item> {
    data.items
        .iter()
        .filter(|i| i.book().is_some_and(|b| b.authors.iter().any(|a| a == author)) && me.may_open(i))
        .collect()
}

/// As search and shelves show one.
pub(crate) fn with_count(data: &Library, author: &Author) -> Value {
    let count = data.items.iter().filter_map(Item::book).filter(|b| b.authors.contains(&author.id)).count();
    let mut out = json(author);
    out["numBooks"] = json!(count);
    out
}

fn json(author: &Author) -> Value {
    json!({
        "id": author.id,
        "asin": null,
        "name": author.name,
        "description": author.description,
        "imagePath": null,
        "libraryId": author.library_id,
        "addedAt": author.added_at,
        "updatedAt": author.added_at,
    })
}
