//! As many books as a test wants.

use super::ids;
use crate::{
    clock,
    model::{AudioFile, Author, Book, Collection, Item, Library, Media, Series},
};

const PER_AUTHOR: usize = 5;
const PER_SERIES: usize = 10;

pub(super) fn add(library: &mut Library, n: usize) {
    let added_at = |n: usize| clock::EPOCH + n as i64 * clock::HOUR;
    library.authors = (0..n.div_ceil(PER_AUTHOR))
        .map(|k| Author {
            id: ids::numbered("author", k as u32),
            name: format!("Author {k:04}"),
            description: None,
            library_id: ids::BOOKS.to_owned(),
            added_at: added_at(k * PER_AUTHOR),
        })
        .collect();
    library.series = (0..n.div_ceil(PER_SERIES))
        .map(|k| Series {
            id: ids::numbered("series", k as u32),
            name: format!("Series {k:04}"),
            description: None,
            library_id: ids::BOOKS.to_owned(),
            added_at: added_at(k * PER_SERIES),
        })
        .collect();
    library.items.extend((0..n).map(|k| item(k, added_at(k))));
}

pub(super) fn add_collection(library: &mut Library, books: usize) {
    library.collections.push(Collection {
        id: ids::numbered("collection", 0),
        library_id: ids::BOOKS.to_owned(),
        name: format!("{books} volumes"),
        description: None,
        books: (0..books).map(|n| ids::numbered("book", n as u32)).collect(),
        created_at: clock::EPOCH,
        last_update: clock::EPOCH,
    });
}

/// The id of the n-th is `ids::numbered("book", n)`.
fn item(n: usize, added_at: i64) -> Item {
    let id = ids::numbered("book", n as u32);
    let title = format!("Volume {n:05}");
    let ino = 30_000_000 + n as u64 * 10;
    let file = AudioFile { ino: ino + 1, name: format!("{title}.m4b"), duration: 3600.0, chapters: Vec::new() };
    Item {
        media_id: ids::derived(&id, "media"),
        id,
        ino,
        library_id: ids::BOOKS.to_owned(),
        path: format!("/srv/media/audiobooks/{title}"),
        rel_path: title.clone(),
        added_at,
        missing: false,
        cover: false,
        tags: vec!["generated".to_owned()],
        media: Media::Book(Book {
            title,
            subtitle: None,
            authors: vec![ids::numbered("author", (n / PER_AUTHOR) as u32)],
            narrators: vec!["Generated Voice".to_owned()],
            series: vec![(ids::numbered("series", (n / PER_SERIES) as u32), Some((n % PER_SERIES + 1).to_string()))],
            genres: vec!["Generated".to_owned()],
            year: Some((1900 + n % 100).to_string()),
            publisher: None,
            description: Some("A generated volume, much like the one before it.".to_owned()),
            isbn: None,
            asin: None,
            language: Some("English".to_owned()),
            explicit: false,
            abridged: false,
            chapters: Vec::new(),
            ebook: None,
            files: vec![file],
        }),
    }
}
