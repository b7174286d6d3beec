//! Files, tracks and chapters.

use serde_json::{Value, json};

use crate::{
    js::json_number,
    model::{AudioFile, Book, Chapter, Item},
};

pub(crate) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ext)| ext)
}

pub(crate) fn chapters(list: &[Chapter]) -> Value {
    list.iter()
        .enumerate()
        .map(|(id, c)| json!({"id": id, "start": json_number(c.start), "end": json_number(c.end), "title": c.title}))
        .collect()
}

pub(crate) fn audio_files(item: &Item, book: &Book) -> Value {
    book.files.iter().enumerate().map(|(n, file)| audio_file(item, file, n)).collect()
}

/// Every audio file again, with its place in the book.
pub(crate) fn tracks(item: &Item, book: &Book) -> Value {
    let mut offset = 0.0;
    book.files
        .iter()
        .enumerate()
        .map(|(n, file)| {
            let mut track = audio_file(item, file, n);
            track["title"] = json!(file.name);
            track["startOffset"] = json_number(offset);
            track["contentUrl"] = content_url(item, file);
            offset += file.duration;
            track
        })
        .collect()
}

/// Of an episode; the keys come in another order there.
pub(crate) fn audio_track(item: &Item, file: &AudioFile) -> Value {
    let mut track = audio_file(item, file, 0);
    track["startOffset"] = json!(0);
    track["title"] = json!(file.name);
    track["contentUrl"] = content_url(item, file);
    track
}

pub(crate) fn audio_file(item: &Item, file: &AudioFile, n: usize) -> Value {
    let mp3 = extension(&file.name) == "mp3";
    let numbered = file.name.bytes().any(|b| b.is_ascii_digit());
    json!({
        "index": n + 1,
        "ino": file.ino.to_string(),
        "metadata": file_metadata(item, &file.name, file.size()),
        "addedAt": item.added_at,
        "updatedAt": item.added_at,
        "trackNumFromMeta": numbered.then_some(n + 1),
        "discNumFromMeta": null,
        "trackNumFromFilename": (numbered && item.book().is_some()).then_some(n + 1),
        "discNumFromFilename": null,
        "manuallyVerified": false,
        "exclude": false,
        "error": null,
        "format": if mp3 { "MP2/3 (MPEG audio layer 2/3)" } else { "QuickTime / MOV" },
        "duration": json_number(file.duration),
        "bitRate": if mp3 { 8000 } else { 254 },
        "language": (!mp3).then_some("und"),
        "codec": if mp3 { "mp3" } else { "aac" },
        "timeBase": if mp3 { "1/14112000" } else { "1/8000" },
        "channels": 1,
        "channelLayout": "mono",
        "chapters": chapters(&file.chapters),
        "embeddedCoverArt": null,
        "metaTags": {"tagAlbum": item.title(), "tagTitle": file.name},
        "mimeType": if mp3 { "audio/mpeg" } else { "audio/mp4" },
    })
}

pub(crate) fn ebook(item: &Item, book: &Book) -> Value {
    book.ebook.as_ref().map_or(Value::Null, |ebook| {
        json!({
            "ino": ebook.ino.to_string(),
            "metadata": file_metadata(item, &ebook.name, ebook.size),
            "isSupplementary": null,
            "addedAt": item.added_at,
            "updatedAt": item.added_at,
            "fileType": "ebook",
            "ebookFormat": extension(&ebook.name),
        })
    })
}

pub(crate) fn library_files(item: &Item) -> Value {
    let file = |ino: u64, name: &str, size: u64, supplementary: Value, kind: &str| {
        json!({
            "ino": ino.to_string(),
            "metadata": file_metadata(item, name, size),
            "isSupplementary": supplementary,
            "addedAt": item.added_at,
            "updatedAt": item.added_at,
            "fileType": kind,
        })
    };
    let mut files: Vec<Value> =
        item.files().iter().map(|f| file(f.ino, &f.name, f.size(), Value::Null, "audio")).collect();
    if let Some(ebook) = item.book().and_then(|b| b.ebook.as_ref()) {
        files.push(file(ebook.ino, &ebook.name, ebook.size, json!(false), "ebook"));
    }
    if item.cover {
        files.push(file(item.ino + 900, "cover.jpg", 40_000, Value::Null, "image"));
    }
    files.push(file(item.ino + 901, "metadata.json", 300, Value::Null, "metadata"));
    Value::Array(files)
}

fn content_url(item: &Item, file: &AudioFile) -> Value {
    json!(format!("/api/items/{}/file/{}", item.id, file.ino))
}

fn file_metadata(item: &Item, name: &str, size: u64) -> Value {
    json!({
        "filename": name,
        "ext": format!(".{}", extension(name)),
        "path": format!("{}/{name}", item.path),
        "relPath": name,
        "size": size,
        "mtimeMs": item.added_at - 3_600_000,
        "ctimeMs": item.added_at - 3_600_000,
        "birthtimeMs": item.added_at - 3_600_500,
    })
}
