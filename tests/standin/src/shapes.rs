//! Items as ABS shows them: minified in lists, plain by id, expanded on request.

mod files;
mod podcasts;

use serde_json::{Map, Value, json};

pub(crate) use podcasts::{episode, episode_expanded, podcast_metadata, podcast_plain};

use crate::{
    clock::HOUR,
    model::{Book, Item, Library, Media},
    text,
};

/// The item of every list.
pub(crate) fn minified(data: &Library, item: &Item) -> Value {
    let mut out = head(item);
    let media = match &item.media {
        Media::Book(book) => {
            let mut metadata = Map::new();
            metadata.insert("title".into(), json!(book.title));
            metadata.insert("titleIgnorePrefix".into(), json!(text::ignore_prefix(&book.title)));
            metadata.insert("subtitle".into(), json!(book.subtitle));
            names(data, book, &mut metadata);
            rest_of_metadata(book, &mut metadata);
            let mut media =
                json!({"id": item.media_id, "metadata": metadata, "coverPath": cover(item), "tags": item.tags});
            counts(item, book, &mut media);
            media
        }
        Media::Podcast(podcast) => podcasts::minified(item, podcast),
    };
    set(&mut out, "media", media);
    set(&mut out, "numFiles", json!(num_files(item)));
    set(&mut out, "size", json!(item.size()));
    out
}

/// The item of `GET /api/items/:id`.
pub(crate) fn plain(data: &Library, item: &Item) -> Value {
    plain_with(
        item,
        match &item.media {
            Media::Book(book) => book_plain(data, item, book),
            Media::Podcast(podcast) => podcast_plain(item, podcast, true),
        },
    )
}

fn plain_with(item: &Item, media: Value) -> Value {
    let mut out = Map::new();
    // The two scan fields stand before `isMissing`, in this shape only.
    for (key, value) in head(item).as_object().cloned().unwrap_or_default() {
        if key == "isMissing" {
            out.insert("lastScan".into(), json!(item.added_at - 3));
            out.insert("scanVersion".into(), json!("2.36.0"));
        }
        out.insert(key, value);
    }
    out.insert("media".into(), media);
    out.insert("libraryFiles".into(), files::library_files(item));
    Value::Object(out)
}

/// The item of `expanded=1`, of search hits, collections and playlists.
pub(crate) fn expanded(data: &Library, item: &Item) -> Value {
    let mut out = head(item);
    let media = match &item.media {
        Media::Book(book) => book_expanded(data, item, book),
        Media::Podcast(podcast) => podcasts::expanded(item, podcast),
    };
    set(&mut out, "media", media);
    set(&mut out, "numFiles", json!(num_files(item)));
    set(&mut out, "size", json!(item.size()));
    set(&mut out, "lastScan", json!(item.added_at - 3));
    set(&mut out, "scanVersion", json!("2.36.0"));
    set(&mut out, "libraryFiles", files::library_files(item));
    out
}

/// A book within a series hit of the search: plain, and without its authors and series.
pub(crate) fn plain_without_names(data: &Library, item: &Item) -> Value {
    let mut out = plain(data, item);
    out["media"]["metadata"]["authors"] = json!([]);
    out["media"]["metadata"]["series"] = json!([]);
    out
}

/// A book within a series on a shelf: minified, and without those names.
pub(crate) fn minified_without_names(data: &Library, item: &Item) -> Value {
    let mut out = minified(data, item);
    for key in ["authorName", "authorNameLF", "seriesName"] {
        out["media"]["metadata"][key] = json!("");
    }
    out
}

/// What sessions and statistics keep of a book or podcast.
pub(crate) fn media_metadata(data: &Library, item: &Item) -> Value {
    match &item.media {
        Media::Book(book) => book_metadata(data, book),
        Media::Podcast(podcast) => podcast_metadata(podcast),
    }
}

/// `Mary Shelley, Percy Shelley`
pub(crate) fn author_name(data: &Library, book: &Book) -> String {
    book.authors.iter().map(|id| data.author_name(id)).collect::<Vec<_>>().join(", ")
}

pub(crate) fn author_name_lf(data: &Library, book: &Book) -> String {
    book.authors.iter().map(|id| text::last_first(data.author_name(id))).collect::<Vec<_>>().join(", ")
}

pub(crate) fn cover(item: &Item) -> Value {
    if item.cover { json!(format!("{}/cover.jpg", item.path)) } else { Value::Null }
}

fn head(item: &Item) -> Value {
    let scanned = item.added_at - HOUR;
    json!({
        "id": item.id,
        "ino": item.ino.to_string(),
        "oldLibraryItemId": null,
        "libraryId": item.library_id,
        "folderId": crate::sample::ids::derived(&item.library_id, "folder"),
        "path": item.path,
        "relPath": item.rel_path,
        "isFile": false,
        "mtimeMs": scanned,
        "ctimeMs": scanned,
        "birthtimeMs": scanned - 500,
        "addedAt": item.added_at,
        "updatedAt": item.added_at,
        "isMissing": item.missing,
        "isInvalid": false,
        "mediaType": match item.media { Media::Book(_) => "book", Media::Podcast(_) => "podcast" },
    })
}

fn book_plain(data: &Library, item: &Item, book: &Book) -> Value {
    json!({
        "id": item.media_id,
        "libraryItemId": item.id,
        "metadata": book_metadata(data, book),
        "coverPath": cover(item),
        "tags": item.tags,
        "audioFiles": files::audio_files(item, book),
        "chapters": files::chapters(&book.chapters),
        "ebookFile": files::ebook(item, book),
    })
}

fn book_expanded(data: &Library, item: &Item, book: &Book) -> Value {
    let mut metadata = book_metadata(data, book).as_object().cloned().unwrap_or_default();
    metadata.insert("titleIgnorePrefix".into(), json!(text::ignore_prefix(&book.title)));
    names(data, book, &mut metadata);
    metadata.insert("descriptionPlain".into(), json!(book.description.as_deref().map(text::plain)));
    let mut media = json!({"id": item.media_id, "metadata": metadata, "coverPath": cover(item), "tags": item.tags});
    counts(item, book, &mut media);
    set(&mut media, "libraryItemId", json!(item.id));
    set(&mut media, "audioFiles", files::audio_files(item, book));
    set(&mut media, "chapters", files::chapters(&book.chapters));
    set(&mut media, "ebookFile", files::ebook(item, book));
    set(&mut media, "tracks", files::tracks(item, book));
    media
}

fn book_metadata(data: &Library, book: &Book) -> Value {
    let authors: Vec<Value> = book.authors.iter().map(|id| json!({"id": id, "name": data.author_name(id)})).collect();
    let series: Vec<Value> = book
        .series
        .iter()
        .map(|(id, sequence)| {
            json!({"id": id, "name": data.one_series(id).map(|s| s.name.as_str()), "sequence": sequence})
        })
        .collect();
    let mut metadata = Map::new();
    metadata.insert("title".into(), json!(book.title));
    metadata.insert("subtitle".into(), json!(book.subtitle));
    metadata.insert("authors".into(), json!(authors));
    metadata.insert("narrators".into(), json!(book.narrators));
    metadata.insert("series".into(), json!(series));
    rest_of_metadata(book, &mut metadata);
    Value::Object(metadata)
}

fn rest_of_metadata(book: &Book, metadata: &mut Map<String, Value>) {
    for (key, value) in [
        ("genres", json!(book.genres)),
        ("publishedYear", json!(book.year)),
        ("publishedDate", Value::Null),
        ("publisher", json!(book.publisher)),
        ("description", json!(book.description)),
        ("isbn", json!(book.isbn)),
        ("asin", json!(book.asin)),
        ("language", json!(book.language)),
        ("explicit", json!(book.explicit)),
        ("abridged", json!(book.abridged)),
    ] {
        metadata.insert(key.into(), value);
    }
}

fn names(data: &Library, book: &Book, metadata: &mut Map<String, Value>) {
    let series: Vec<String> = book
        .series
        .iter()
        .filter_map(|(id, sequence)| {
            let name = &data.one_series(id)?.name;
            Some(sequence.as_ref().map_or_else(|| name.clone(), |s| format!("{name} #{s}")))
        })
        .collect();
    metadata.insert("authorName".into(), json!(author_name(data, book)));
    metadata.insert("authorNameLF".into(), json!(author_name_lf(data, book)));
    metadata.insert("narratorName".into(), json!(book.narrators.join(", ")));
    metadata.insert("seriesName".into(), json!(series.join(", ")));
}

fn counts(item: &Item, book: &Book, media: &mut Value) {
    set(media, "numTracks", json!(book.files.len()));
    set(media, "numAudioFiles", json!(book.files.len()));
    set(media, "numChapters", json!(book.chapters.len()));
    set(media, "duration", crate::js::json_number(item.duration()));
    set(media, "size", json!(item.media_size()));
    if let Some(ebook) = &book.ebook {
        set(media, "ebookFormat", json!(files::extension(&ebook.name)));
    }
}

/// The media, the metadata file, and the cover if there is one.
fn num_files(item: &Item) -> usize {
    let ebook = usize::from(item.book().is_some_and(|b| b.ebook.is_some()));
    item.files().len() + ebook + 1 + usize::from(item.cover)
}

fn set(object: &mut Value, key: &str, value: Value) {
    object[key] = value;
}
