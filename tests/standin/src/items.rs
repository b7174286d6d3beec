//! Items: the list, one, several, and episodes.

use serde_json::{Value, json};

use crate::{
    call::{Call, Param, no_nul},
    collapse,
    filter::Filter,
    js, libraries,
    model::{Item, Progress},
    progress,
    reply::{Answer, Reply},
    shapes, sort,
    state::State,
    text,
};

pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    let include = call.include()?;
    let paging = call.paging()?;
    let filter = Filter::of(call)?;
    let (data, me) = (&state.data, state.me(call));
    let desc = call.query.is("desc", "1");
    let sort = call.query.one("sort");
    let collapsed = call.query.is("collapseseries", "1") && !library.podcasts;
    if !library.podcasts {
        sort::survives(sort, &filter, collapsed, data)?;
    }

    let mut items: Vec<&Item> = data.items_of(&library.id).filter(|i| me.may_open(i)).collect();
    items.retain(|item| filter.lets_through(data, me, item));
    sort::items(&mut items, data, me, sort, desc, filter.series());
    let (total, results): (usize, Vec<Value>) = if collapsed && filter.series().is_none() {
        let mut rows = collapse::collapse(data, &items);
        if sort == Some("media.metadata.title") {
            rows.sort_by(|a, b| text::nocase(&a.title(data), &b.title(data)));
            if desc {
                rows.reverse();
            }
        }
        (rows.len(), paging.cut(&rows).iter().map(|row| row.json(data)).collect())
    } else {
        let page = paging.cut(&items).iter().map(|item| in_list(state, call, item, &filter, &include));
        (items.len(), page.collect())
    };

    let mut out = json!({
        "results": results,
        "total": total,
        "limit": js::json_number(paging.limit),
        "page": js::json_number(paging.page),
    });
    match call.query.get("sort") {
        Param::One("") | Param::Absent => {}
        Param::One(sort) => out["sortBy"] = json!(sort),
        Param::Many => out["sortBy"] = json!([]),
    }
    out["sortDesc"] = json!(desc);
    if let Some(raw) = &filter.raw {
        out["filterBy"] = json!(raw);
    }
    out["mediaType"] = json!(if library.podcasts { "podcast" } else { "book" });
    out["minified"] = json!(call.query.is("minified", "1"));
    out["collapseseries"] = json!(call.query.is("collapseseries", "1"));
    out["include"] = json!(include.join(","));
    out["offset"] = js::json_number(paging.offset());
    Ok(Reply::json(&out))
}

fn in_list(state: &State, call: &Call, item: &Item, filter: &Filter, include: &[String]) -> Value {
    let (data, me) = (&state.data, state.me(call));
    let mut out = shapes::minified(data, item);
    if let (Some(wanted), Some(book)) = (filter.series(), item.book()) {
        for (id, sequence) in book.series.iter().filter(|(id, _)| id == wanted) {
            let name = data.one_series(id).map(|s| s.name.as_str());
            out["media"]["metadata"]["series"] = json!({"id": id, "name": name, "sequence": sequence});
        }
    }
    if let Some(podcast) = item.podcast().filter(|_| include.iter().any(|i| i == "numepisodesincomplete")) {
        let open = podcast.episodes.iter().filter(|e| !me.own_progress(&e.id).is_some_and(|p| p.is_finished));
        out["numEpisodesIncomplete"] = json!(open.count());
    }
    out
}

pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let item = state.item_for(call, call.id(2)?)?;
    let include = call.include()?;
    if !call.query.is("expanded", "1") {
        return Ok(Reply::json(&shapes::plain(&state.data, item)));
    }
    let wants = |what: &str| include.iter().any(|i| i == what);
    let me = state.me(call);
    let mut out = shapes::expanded(&state.data, item);
    if wants("progress") {
        // Without `episode` a podcast gets the progress of whichever episode comes first.
        let found: Option<&Progress> = me.progress_of(&item.id, call.query.one("episode"));
        out["userMediaProgress"] = found.map_or(Value::Null, |p| progress::json(p, me));
    }
    if wants("rssfeed") {
        out["rssFeed"] = Value::Null;
    }
    if wants("share") && me.is_admin() {
        out["mediaItemShare"] = Value::Null;
    }
    Ok(Reply::json(&out))
}

pub(crate) fn batch(call: &Call, state: &mut State) -> Answer {
    let ids = match call.field("libraryItemIds") {
        Some(Value::Array(ids)) if !ids.is_empty() => ids.clone(),
        Some(Value::String(text)) if !text.is_empty() => Vec::new(),
        _ => return Err(Reply::sentence(403, "Invalid payload")),
    };
    for id in &ids {
        match id {
            Value::String(id) => no_nul(id)?,
            Value::Object(_) | Value::Array(_) => return Err(Reply::crash("Invalid value in a WHERE clause")),
            _ => {}
        }
    }
    let wanted: Vec<&str> = ids.iter().filter_map(Value::as_str).collect();
    let found: Vec<&Item> = state.data.items.iter().filter(|i| wanted.contains(&i.id.as_str())).collect();
    let me = state.me(call);
    if found.iter().any(|item| !me.sees(item)) {
        return Err(Reply::forbidden());
    }
    let items: Vec<Value> = found.iter().map(|item| shapes::expanded(&state.data, item)).collect();
    Ok(Reply::json(&json!({"libraryItems": items})))
}

pub(crate) fn episode(call: &Call, state: &mut State) -> Answer {
    let item = state.item_for(call, call.id(2)?)?;
    let episode = call.id(4)?;
    if item.podcast().is_none() {
        return Err(Reply::internal_error());
    }
    let episode = item.episode(episode).ok_or_else(Reply::not_found)?;
    Ok(Reply::json(&shapes::episode(item, episode)))
}

/// Newest first, without what is finished. Without a limit: nothing.
pub(crate) fn recent_episodes(call: &Call, state: &mut State) -> Answer {
    let library = libraries::accessible(call, state)?;
    if !library.podcasts {
        return Err(Reply::not_found());
    }
    let paging = call.paging()?;
    let (data, me) = (&state.data, state.me(call));
    let mut episodes: Vec<_> = data
        .items_of(&library.id)
        .filter(|item| me.may_open(item))
        .filter_map(|item| Some((item, item.podcast()?)))
        .flat_map(|(item, podcast)| podcast.episodes.iter().map(move |episode| (item, podcast, episode)))
        .filter(|(_, _, episode)| !me.own_progress(&episode.id).is_some_and(|p| p.is_finished))
        .collect();
    episodes.sort_by_key(|(_, _, episode)| -episode.published_at);
    let page = if paging.limit == 0.0 { &[] } else { paging.cut(&episodes) };
    let page: Vec<Value> = page
        .iter()
        .map(|(item, podcast, episode)| {
            let mut out = shapes::episode_expanded(item, episode);
            out["podcast"] = shapes::podcast_plain(item, podcast, false);
            out["libraryId"] = json!(library.id);
            out
        })
        .collect();
    let (limit, page_number) = (js::json_number(paging.limit), js::json_number(paging.page));
    Ok(Reply::json(&json!({"episodes": page, "limit": limit, "page": page_number})))
}
