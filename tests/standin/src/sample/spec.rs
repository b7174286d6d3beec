//! How the tables of this folder write a book down, and what becomes of it.

use super::ids;
use crate::{
    clock,
    model::{AudioFile, Author, Book, Chapter, Ebook, Item, Library, Media, Series},
};

pub(super) struct Spec {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) subtitle: Option<&'static str>,
    pub(super) authors: &'static [&'static str],
    pub(super) narrators: &'static [&'static str],
    /// Name and sequence.
    pub(super) series: &'static [(&'static str, Option<&'static str>)],
    pub(super) genres: &'static [&'static str],
    pub(super) tags: &'static [&'static str],
    pub(super) year: Option<&'static str>,
    pub(super) publisher: Option<&'static str>,
    pub(super) language: Option<&'static str>,
    pub(super) isbn: Option<&'static str>,
    pub(super) asin: Option<&'static str>,
    pub(super) description: Option<&'static str>,
    pub(super) minutes: u32,
    pub(super) files: u32,
    pub(super) chapters: u32,
    pub(super) ebook: Option<&'static str>,
    pub(super) explicit: bool,
    pub(super) abridged: bool,
    pub(super) missing: bool,
    pub(super) cover: bool,
}

pub(super) const PLAIN: Spec = Spec {
    id: "",
    title: "",
    subtitle: None,
    authors: &[],
    narrators: &[],
    series: &[],
    genres: &[],
    tags: &[],
    year: None,
    publisher: Some("Common Shelf Audio"),
    language: Some("English"),
    isbn: None,
    asin: None,
    description: None,
    minutes: 60,
    files: 1,
    chapters: 0,
    ebook: None,
    explicit: false,
    abridged: false,
    missing: false,
    cover: false,
};

/// Authors and series whose ids are constants; all others get one from their name.
const KNOWN_AUTHORS: [(&str, &str); 10] = [
    ("Jane Austen", ids::AUSTEN),
    ("Alexandre Dumas", ids::DUMAS),
    ("Jules Verne", ids::VERNE),
    ("Bram Stoker", ids::STOKER),
    ("Mary Shelley", ids::SHELLEY),
    ("Arthur Conan Doyle", ids::DOYLE),
    ("H. G. Wells", ids::WELLS),
    ("Lewis Carroll", ids::CARROLL),
    ("Mark Twain", ids::TWAIN),
    ("Charles Dudley Warner", ids::WARNER),
];
const KNOWN_SERIES: [(&str, &str); 5] = [
    ("The d'Artagnan Romances", ids::DARTAGNAN),
    ("Captain Nemo", ids::NEMO),
    ("Extraordinary Voyages", ids::VOYAGES),
    ("Sherlock Holmes", ids::HOLMES),
    ("Alice", ids::WONDERLAND),
];

pub(super) fn add_book(library: &mut Library, spec: &Spec, n: usize) {
    let added_at = clock::EPOCH + clock::DAY + n as i64 * 6 * clock::HOUR;
    let authors = spec.authors.iter().map(|name| author(library, name, added_at)).collect();
    let series =
        spec.series.iter().map(|(name, sequence)| (one_series(library, name, added_at), sequence.map(str::to_owned)));
    let series = series.collect();
    let ino = 10_000_000 + n as u64 * 1000;
    let folder = spec.authors.first().map_or_else(String::new, |a| format!("{}/", path_safe(a)));
    let rel_path = format!("{folder}{}", path_safe(spec.title));
    let files = files(spec, ino);
    let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let some = |text: Option<&str>| text.map(str::to_owned);
    let book = Book {
        title: spec.title.to_owned(),
        subtitle: some(spec.subtitle),
        authors,
        narrators: owned(spec.narrators),
        series,
        genres: owned(spec.genres),
        year: some(spec.year),
        publisher: some(spec.publisher),
        description: description(spec),
        isbn: some(spec.isbn),
        asin: some(spec.asin),
        language: some(spec.language),
        explicit: spec.explicit,
        abridged: spec.abridged,
        chapters: chapters(spec, &files),
        ebook: spec.ebook.map(|name| Ebook { ino: ino + 800, name: name.to_owned(), size: 412_000 }),
        files,
    };
    library.items.push(Item {
        id: spec.id.to_owned(),
        media_id: ids::derived(spec.id, "media"),
        ino,
        library_id: ids::BOOKS.to_owned(),
        path: format!("/srv/media/audiobooks/{rel_path}"),
        rel_path,
        added_at,
        missing: spec.missing,
        cover: spec.cover,
        tags: owned(spec.tags),
        media: Media::Book(book),
    });
}

fn author(library: &mut Library, name: &str, added_at: i64) -> String {
    if let Some(author) = library.authors.iter().find(|a| a.name == name) {
        return author.id.clone();
    }
    let known = KNOWN_AUTHORS.iter().find(|(known, _)| *known == name);
    let id = known.map_or_else(|| ids::derived("author", name), |(_, id)| (*id).to_owned());
    library.authors.push(Author {
        id: id.clone(),
        name: name.to_owned(),
        description: None,
        library_id: ids::BOOKS.to_owned(),
        added_at,
    });
    id
}

fn one_series(library: &mut Library, name: &str, added_at: i64) -> String {
    if let Some(series) = library.series.iter().find(|s| s.name == name) {
        return series.id.clone();
    }
    let known = KNOWN_SERIES.iter().find(|(known, _)| *known == name);
    let id = match known {
        Some((_, id)) => (*id).to_owned(),
        None if name == super::hostile::SERIES => ids::HOSTILE_SERIES.to_owned(),
        None => ids::derived("series", name),
    };
    library.series.push(Series {
        id: id.clone(),
        name: name.to_owned(),
        description: None,
        library_id: ids::BOOKS.to_owned(),
        added_at,
    });
    id
}

/// One file is an m4b with the chapters in it, several are mp3s.
fn files(spec: &Spec, ino: u64) -> Vec<AudioFile> {
    let seconds = f64::from(spec.minutes) * 60.0;
    let name = |n: u32| match spec.files {
        1 => format!("{}.m4b", path_safe(spec.title)),
        _ => format!("{} - Part {:02}.mp3", path_safe(spec.title), n + 1),
    };
    let mut files: Vec<AudioFile> = (0..spec.files)
        .map(|n| AudioFile {
            ino: ino + 1 + u64::from(n),
            name: name(n),
            duration: seconds / f64::from(spec.files),
            chapters: Vec::new(),
        })
        .collect();
    if let [only] = files.as_mut_slice() {
        only.chapters = even(seconds, spec.chapters, "Chapter");
    }
    files
}

fn chapters(spec: &Spec, files: &[AudioFile]) -> Vec<Chapter> {
    even(files.iter().map(|f| f.duration).sum(), spec.chapters, "Chapter")
}

/// Chapters of equal length.
pub(super) fn even(seconds: f64, count: u32, word: &str) -> Vec<Chapter> {
    let length = seconds / f64::from(count.max(1));
    (0..count)
        .map(|n| Chapter {
            start: f64::from(n) * length,
            end: f64::from(n + 1) * length,
            title: format!("{word} {}", n + 1),
        })
        .collect()
}

/// One description is long enough to make a page of a list heavy.
fn description(spec: &Spec) -> Option<String> {
    let text = spec.description?;
    Some(if spec.id == ids::ANATOMY_OF_MELANCHOLY { text.repeat(70_000 / text.len()) } else { text.to_owned() })
}

/// As a file system would have it.
pub(super) fn path_safe(title: &str) -> String {
    title
        .chars()
        .filter(|c| !c.is_control() && !"/\\:*?\"<>|".contains(*c))
        .take(60)
        .collect::<String>()
        .trim()
        .to_owned()
}
