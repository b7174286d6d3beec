//! `sort=` and `desc=1`.

use std::cmp::Ordering;

use crate::{
    filter::Filter,
    js,
    model::{Item, Library, User, sequence_number},
    reply::Reply,
    shapes, text,
};

/// Sorts that the books of one series are not read for when it is to be collapsed.
const DEADLY_COLLAPSED: [&str; 6] = [
    "media.metadata.author",
    "media.metadata.authorName",
    "media.metadata.authorNameLF",
    "media.metadata.publishedYear",
    "progress.createdAt",
    "progress.finishedAt",
];

/// Of book libraries: podcasts are not filtered by series. How many books the library itself has does not matter.
pub(crate) fn survives(sort: Option<&str>, filter: &Filter, collapsed: bool, data: &Library) -> Result<(), Reply> {
    if filter.is_no_series() && sort == Some("sequence") {
        return Err(Reply::crash("sort by sequence, and the query has no series"));
    }
    let several = filter.series().is_some_and(|series| data.books_in(series).len() > 1);
    if collapsed && several && sort.is_some_and(|sort| DEADLY_COLLAPSED.contains(&sort)) {
        return Err(Reply::crash("sort within a collapsed series by what its books were not read with"));
    }
    Ok(())
}

/// What a list is sorted by. Missing values come before all others.
enum Key {
    None,
    Text(String),
    Number(f64),
}

/// Sorts where the key is known; an unknown one leaves the order of the database.
pub(crate) fn items(
    list: &mut [&Item],
    data: &Library,
    user: &User,
    sort: Option<&str>,
    desc: bool,
    series: Option<&str>,
) {
    let sort = match sort {
        // In a series the sequence is the order unless told otherwise.
        None if series.is_some() => "sequence",
        None => return,
        Some("sequence") if series.is_none() => "media.metadata.title",
        Some("random") => return list.reverse(),
        Some(sort) => sort,
    };
    list.sort_by(|a, b| {
        let order = compare(&key(a, data, user, sort, series), &key(b, data, user, sort, series));
        if desc { order.reverse() } else { order }
    });
}

fn compare(a: &Key, b: &Key) -> Ordering {
    match (a, b) {
        (Key::None, Key::None) => Ordering::Equal,
        (Key::None, _) => Ordering::Less,
        (_, Key::None) => Ordering::Greater,
        (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
        (Key::Text(a), Key::Text(b)) => text::nocase(a, b),
        (Key::Number(_), Key::Text(_)) => Ordering::Less,
        (Key::Text(_), Key::Number(_)) => Ordering::Greater,
    }
}

fn key(item: &Item, data: &Library, user: &User, sort: &str, series: Option<&str>) -> Key {
    let progress = || user.own_progress(&item.media_id);
    let number = |n: Option<i64>| n.map_or(Key::None, |n| Key::Number(n as f64));
    match sort {
        "media.metadata.title" => return Key::Text(item.title().to_owned()),
        "addedAt" | "birthtimeMs" | "mtimeMs" => return number(Some(item.added_at)),
        "size" => return Key::Number(item.size() as f64),
        _ => {}
    }
    if let Some(podcast) = item.podcast() {
        return match sort {
            "media.metadata.author" => Key::Text(podcast.author.clone()),
            "media.numTracks" => Key::Number(podcast.episodes.len() as f64),
            _ => Key::None,
        };
    }
    let Some(book) = item.book() else { return Key::None };
    match sort {
        "media.metadata.authorName" => Key::Text(shapes::author_name(data, book)),
        "media.metadata.authorNameLF" => Key::Text(shapes::author_name_lf(data, book)),
        "media.metadata.publishedYear" => book.year.as_deref().and_then(js::parse_int).map_or(Key::None, Key::Number),
        "media.duration" => Key::Number(item.duration()),
        "progress" => number(progress().map(|p| p.last_update)),
        "progress.createdAt" => number(progress().map(|p| p.started_at)),
        "progress.finishedAt" => number(progress().and_then(|p| p.finished_at)),
        "sequence" => {
            let place = book.series.iter().find(|(id, _)| Some(id.as_str()) == series);
            Key::Number(sequence_number(place.and_then(|(_, sequence)| sequence.as_deref())))
        }
        _ => Key::None,
    }
}
