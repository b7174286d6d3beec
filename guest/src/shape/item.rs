//! Library items: books and podcasts, minified or expanded, as ABS embeds them nearly everywhere.

use super::record::{Record, at, list, text};
use super::time::{date, seconds};
use crate::keep;
use crate::shape::Keep;
use serde_json::Value;

/// What [`compact`] reads, and the little more that some lists add. ABS has a book's people and series as joined texts in
/// minified items and as lists in whole ones.
pub const KEEP: Keep = keep! {
    id, libraryId, mediaType, addedAt, isMissing, isInvalid, size, birthtimeMs, mtimeMs,
    media {
        metadata {
            title, subtitle, author, authorName, authors { name }, narratorName, narrators, seriesName,
            series { name, sequence }, publishedYear, genres, explicit, abridged
        },
        tags, duration, numEpisodes, ebookFormat, ebookFile { ebookFormat }, tracks { index }, numTracks
    },
    collapsedSeries { id, name, sequence, numBooks }
};

/// An entry of a list. Ids and the facts by which people tell books apart; durations in seconds.
pub fn compact(item: &Value) -> Record {
    let metadata = at(item, "media.metadata");
    let record = Record::new()
        .put("id", at(item, "id").clone())
        .put("title", at(metadata, "title").clone())
        .put("subtitle", at(metadata, "subtitle").clone())
        .put("author", author(metadata))
        .put("narrator", joined(metadata, "narratorName", list(metadata, "narrators")))
        .put("series", series(metadata))
        .put("year", at(metadata, "publishedYear").clone());
    let record = if at(item, "mediaType") == "podcast" {
        record.put("episodes", at(item, "media.numEpisodes").clone())
    } else {
        let duration = seconds(at(item, "media.duration"));
        record.put("duration", if duration == 0 { Value::Null } else { duration }).put("ebook", ebook(item))
    };
    record
        .put("added", date(at(item, "addedAt")))
        .flag("explicit", at(metadata, "explicit"))
        .flag("abridged", at(metadata, "abridged"))
        .flag("missing", at(item, "isMissing"))
        .flag("invalid", at(item, "isInvalid"))
        .put("collapsed_series", collapsed(at(item, "collapsedSeries")))
}

/// The people who wrote it, as one text.
pub fn author(metadata: &Value) -> Value {
    match text(metadata, "author") {
        Some(podcast) => podcast.into(),
        None => {
            let names: Vec<Value> = list(metadata, "authors").iter().map(|author| at(author, "name").clone()).collect();
            joined(metadata, "authorName", &names)
        }
    }
}

fn joined(metadata: &Value, ready: &str, names: &[Value]) -> Value {
    match text(metadata, ready) {
        Some(ready) => ready.into(),
        None => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ").into(),
    }
}

/// `Name #1, Other #2`. A list in whole items, one object under a series filter, a ready text in minified items.
pub fn series(metadata: &Value) -> Value {
    let one = |series: &Value| {
        let name = text(series, "name")?;
        Some(match text(series, "sequence") {
            Some(sequence) => format!("{name} #{sequence}"),
            None => name.to_owned(),
        })
    };
    let series = match at(metadata, "series") {
        Value::Array(all) => all.iter().filter_map(one).collect::<Vec<_>>().join(", "),
        single => one(single).unwrap_or_default(),
    };
    if series.is_empty() { at(metadata, "seriesName").clone() } else { series.into() }
}

fn ebook(item: &Value) -> Value {
    match text(item, "media.ebookFormat") {
        Some(format) => format.into(),
        None => at(item, "media.ebookFile.ebookFormat").clone(),
    }
}

fn collapsed(series: &Value) -> Value {
    match series {
        Value::Object(_) => {
            Record::new().copy(series, &["id", "name", "sequence"]).put("books", at(series, "numBooks").clone()).into()
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn minified_and_whole_items_look_the_same() {
        let minified = json!({"id": "i", "mediaType": "book", "addedAt": 0, "media": {"duration": 3600.04, "metadata": {
            "title": "T", "subtitle": null, "authorName": "A, B", "narratorName": "N", "seriesName": "S #1, R", "publishedYear": "1999", "explicit": false}}});
        let whole = json!({"id": "i", "mediaType": "book", "addedAt": 0, "media": {"duration": 3600.04, "metadata": {
            "title": "T", "authors": [{"name": "A"}, {"name": "B"}], "narrators": ["N"],
            "series": [{"name": "S", "sequence": "1"}, {"name": "R", "sequence": null}], "publishedYear": "1999"}}});
        let want = json!({"id": "i", "title": "T", "author": "A, B", "narrator": "N", "series": "S #1, R", "year": "1999",
            "duration": 3600, "added": "1970-01-01"});
        assert_eq!(Value::from(compact(&minified)), want);
        assert_eq!(Value::from(compact(&whole)), want);
    }
}
