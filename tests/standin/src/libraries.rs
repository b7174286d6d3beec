//! Libraries, and what is told about one as a whole.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    call::Call,
    clock,
    model::{Item, LibraryRow},
    reply::{Answer, Reply},
    sample::ids,
    state::State,
};

/// The library of the path. Access is asked for first: for a limited user an unknown library is a forbidden one.
pub(crate) fn accessible<'a>(call: &Call, state: &'a State) -> Result<&'a LibraryRow, Reply> {
    if !state.me(call).sees_library(call.seg(2)) {
        return Err(Reply::forbidden());
    }
    state.data.library(call.id(2)?).ok_or_else(|| Reply::sentence(404, "Library not found"))
}

pub(crate) fn list(call: &Call, state: &mut State) -> Answer {
    let include = call.include()?;
    let me = state.me(call);
    // An empty list of accessible libraries lets all of them through here, and only here.
    let all = me.can.all_libraries || me.libraries.is_empty();
    let libraries: Vec<Value> = state
        .data
        .libraries
        .iter()
        .filter(|l| all || me.libraries.contains(&l.id))
        .map(|library| {
            let mut out = json(library);
            if include.iter().any(|i| i == "stats") {
                let items: Vec<&Item> = state.data.items_of(&library.id).collect();
                out["stats"] = json!({
                    "totalSize": items.iter().map(|i| i.size()).sum::<u64>(),
                    "totalDuration": items.iter().map(|i| i.duration()).sum::<f64>(),
                    "numAudioFiles": items.iter().map(|i| i.files().len()).sum::<usize>(),
                    "totalItems": items.len(),
                });
            }
            out
        })
        .collect();
    Ok(Reply::json(&json!({"libraries": libraries})))
}

pub(crate) fn one(call: &Call, state: &mut State) -> Answer {
    let library = accessible(call, state)?;
    if !call.include()?.iter().any(|i| i == "filterdata") {
        return Ok(Reply::json(&json(library)));
    }
    let me = state.me(call);
    let playlists = state.data.playlists.iter().filter(|p| p.library_id == library.id && p.user_id == me.id);
    let issues = state.data.items_of(&library.id).filter(|i| i.missing).count();
    Ok(Reply::json(&json!({
        "filterdata": filters(state, library),
        "issues": issues,
        "numUserPlaylists": playlists.count(),
        "library": json(library),
    })))
}

pub(crate) fn stats(call: &Call, state: &mut State) -> Answer {
    let library = accessible(call, state)?;
    let items: Vec<&Item> = state.data.items_of(&library.id).collect();
    let top = |by: fn(&Item) -> f64, key: &str| -> Vec<Value> {
        let mut list = items.clone();
        list.sort_by(|a, b| by(b).total_cmp(&by(a)));
        list.iter()
            .take(10)
            .map(|i| {
                let mut row = json!({"id": i.id, "title": i.title()});
                row[key] = crate::js::json_number(by(i));
                row
            })
            .collect()
    };
    let genres = counted(items.iter().flat_map(|i| i.genres()));
    let mut out = json!({"largestItems": top(|i| i.size() as f64, "size")});
    if !library.podcasts {
        let authors = counted(items.iter().filter_map(|i| i.book()).flat_map(|b| &b.authors));
        out["totalAuthors"] = json!(authors.len());
        out["authorsWithCount"] = authors
            .iter()
            .take(10)
            .map(|(id, count)| json!({"id": id, "name": state.data.author_name(id), "count": count}))
            .collect();
    }
    out["totalGenres"] = json!(genres.len());
    out["genresWithCount"] = genres.iter().map(|(genre, count)| json!({"genre": genre, "count": count})).collect();
    out["totalItems"] = json!(items.len());
    out["longestItems"] = json!(top(Item::duration, "duration"));
    out["totalSize"] = json!(items.iter().map(|i| i.size()).sum::<u64>());
    out["totalDuration"] = crate::js::json_number(items.iter().map(|i| i.duration()).sum());
    out["numAudioTracks"] = json!(items.iter().map(|i| i.files().len()).sum::<usize>());
    Ok(Reply::json(&out))
}

pub(crate) fn filter_data(call: &Call, state: &mut State) -> Answer {
    let library = accessible(call, state)?;
    Ok(Reply::json(&filters(state, library)))
}

pub(crate) fn narrators(call: &Call, state: &mut State) -> Answer {
    let library = accessible(call, state)?;
    let mut names = counted(state.data.items_of(&library.id).filter_map(Item::book).flat_map(|b| &b.narrators));
    names.sort();
    let narrators: Vec<Value> = names
        .iter()
        .map(|(name, count)| {
            let id = STANDARD.encode(name).replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
            json!({"id": id, "name": name, "numBooks": count})
        })
        .collect();
    Ok(Reply::json(&json!({"narrators": narrators})))
}

/// All libraries, admins only; sorted, which genres are not.
pub(crate) fn tags(call: &Call, state: &mut State) -> Answer {
    if !state.me(call).is_admin() {
        return Err(Reply::forbidden());
    }
    let mut tags: Vec<&String> = state.data.items.iter().flat_map(|i| &i.tags).collect();
    tags.sort();
    tags.dedup();
    Ok(Reply::json(&json!({"tags": tags})))
}

pub(crate) fn genres(call: &Call, state: &mut State) -> Answer {
    if !state.me(call).is_admin() {
        return Err(Reply::forbidden());
    }
    let mut genres: Vec<&String> = Vec::new();
    for genre in state.data.items.iter().rev().flat_map(Item::genres) {
        if !genres.contains(&genre) {
            genres.push(genre);
        }
    }
    Ok(Reply::json(&json!({"genres": genres})))
}

/// Of everybody's content: names of what a limited user cannot open are in here.
fn filters(state: &State, library: &LibraryRow) -> Value {
    let data = &state.data;
    let items: Vec<&Item> = data.items_of(&library.id).collect();
    let books: Vec<_> = items.iter().filter_map(|i| i.book()).collect();
    let sorted = |names: Vec<&String>| {
        let mut names = names;
        names.sort();
        names.dedup();
        json!(names)
    };
    let mut authors: Vec<_> = data.authors.iter().filter(|a| a.library_id == library.id).collect();
    authors.sort_by(|a, b| a.name.cmp(&b.name));
    let mut series: Vec<_> = data.series.iter().filter(|s| s.library_id == library.id).collect();
    series.sort_by(|a, b| a.name.cmp(&b.name));
    let mut decades: Vec<String> = books
        .iter()
        .filter_map(|b| b.year.as_deref().filter(|y| y.len() == 4).map(|y| format!("{}0", &y[..3])))
        .collect();
    decades.sort();
    decades.dedup();
    let languages = books.iter().filter_map(|b| b.language.as_ref());
    let languages = languages.chain(items.iter().filter_map(|i| i.podcast()).map(|p| &p.language));
    json!({
        "authors": authors.iter().map(|a| json!({"id": a.id, "name": a.name})).collect::<Vec<_>>(),
        "genres": sorted(items.iter().flat_map(|i| i.genres()).collect()),
        "tags": sorted(items.iter().flat_map(|i| &i.tags).collect()),
        "series": series.iter().map(|s| json!({"id": s.id, "name": s.name})).collect::<Vec<_>>(),
        "narrators": sorted(books.iter().flat_map(|b| &b.narrators).collect()),
        "languages": sorted(languages.collect()),
        "publishers": sorted(books.iter().filter_map(|b| b.publisher.as_ref()).collect()),
        "publishedDecades": decades,
        "bookCount": books.len(),
        "authorCount": authors.len(),
        "seriesCount": series.len(),
        "podcastCount": items.len() - books.len(),
        "numIssues": items.iter().filter(|i| i.missing).count(),
        "loadedAt": clock::now(),
    })
}

fn json(library: &LibraryRow) -> Value {
    let mut settings = json!({"coverAspectRatio": 1, "disableWatcher": true, "autoScanCronExpression": null});
    if library.podcasts {
        settings["podcastSearchRegion"] = json!("us");
    } else {
        for key in
            ["skipMatchingMediaWithAsin", "skipMatchingMediaWithIsbn", "audiobooksOnly", "epubsAllowScriptedContent"]
        {
            settings[key] = json!(false);
        }
        settings["hideSingleBookSeries"] = json!(false);
        settings["onlyShowLaterBooksInContinueSeries"] = json!(false);
        settings["metadataPrecedence"] =
            json!(["folderStructure", "audioMetatags", "nfoFile", "txtFiles", "opfFile", "absMetadata"]);
    }
    settings["markAsFinishedPercentComplete"] = Value::Null;
    settings["markAsFinishedTimeRemaining"] = json!(10);
    json!({
        "id": library.id,
        "name": library.name,
        "folders": [{
            "id": ids::derived(&library.id, "folder"),
            "fullPath": library.folder,
            "libraryId": library.id,
            "addedAt": library.created_at,
        }],
        "displayOrder": library.order,
        "icon": if library.podcasts { "podcast" } else { "audiobookshelf" },
        "mediaType": if library.podcasts { "podcast" } else { "book" },
        "provider": if library.podcasts { "itunes" } else { "audible" },
        "settings": settings,
        "lastScan": library.created_at + clock::HOUR,
        "lastScanVersion": "2.36.0",
        "createdAt": library.created_at,
        "lastUpdate": library.created_at + clock::HOUR,
    })
}

/// Most frequent first.
pub(crate) fn counted<'a>(names: impl Iterator<Item = &'a String>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut list: Vec<(String, usize)> = counts.into_iter().map(|(name, count)| (name.clone(), count)).collect();
    list.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    list
}
