//! What the stand-in holds: rows as plain as a database's, related by id.

use serde_json::Value;

/// Everything on the server: libraries, media, users and what they did.
#[derive(Clone, Debug)]
pub struct Library {
    pub(crate) libraries: Vec<LibraryRow>,
    pub(crate) items: Vec<Item>,
    pub(crate) authors: Vec<Author>,
    pub(crate) series: Vec<Series>,
    pub(crate) users: Vec<User>,
    pub(crate) collections: Vec<Collection>,
    pub(crate) playlists: Vec<Playlist>,
}

#[derive(Clone, Debug)]
pub(crate) struct LibraryRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) podcasts: bool,
    pub(crate) folder: String,
    pub(crate) order: i64,
    pub(crate) created_at: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) media_id: String,
    pub(crate) ino: u64,
    pub(crate) library_id: String,
    pub(crate) path: String,
    pub(crate) rel_path: String,
    pub(crate) added_at: i64,
    pub(crate) missing: bool,
    pub(crate) cover: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) media: Media,
}

#[derive(Clone, Debug)]
pub(crate) enum Media {
    Book(Book),
    Podcast(Podcast),
}

#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) title: String,
    pub(crate) subtitle: Option<String>,
    /// Ids.
    pub(crate) authors: Vec<String>,
    pub(crate) narrators: Vec<String>,
    /// Id and sequence.
    pub(crate) series: Vec<(String, Option<String>)>,
    pub(crate) genres: Vec<String>,
    pub(crate) year: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) isbn: Option<String>,
    pub(crate) asin: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) explicit: bool,
    pub(crate) abridged: bool,
    pub(crate) files: Vec<AudioFile>,
    pub(crate) chapters: Vec<Chapter>,
    pub(crate) ebook: Option<Ebook>,
}

#[derive(Clone, Debug)]
pub(crate) struct Podcast {
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) description: String,
    pub(crate) genres: Vec<String>,
    pub(crate) feed_url: Option<String>,
    pub(crate) itunes_id: Option<String>,
    pub(crate) release_date: Option<String>,
    pub(crate) explicit: bool,
    pub(crate) language: String,
    pub(crate) kind: String,
    pub(crate) episodes: Vec<Episode>,
}

#[derive(Clone, Debug)]
pub(crate) struct Episode {
    pub(crate) id: String,
    pub(crate) season: Option<String>,
    pub(crate) number: Option<String>,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) subtitle: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) published_at: i64,
    pub(crate) file: AudioFile,
}

#[derive(Clone, Debug)]
pub(crate) struct AudioFile {
    pub(crate) ino: u64,
    pub(crate) name: String,
    pub(crate) duration: f64,
    pub(crate) chapters: Vec<Chapter>,
}

impl AudioFile {
    /// Eight kilobit mono, as the recorded server's files were.
    pub(crate) fn size(&self) -> u64 {
        (self.duration * 1000.0) as u64 + 277
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) title: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Ebook {
    pub(crate) ino: u64,
    pub(crate) name: String,
    pub(crate) size: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Author {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) library_id: String,
    pub(crate) added_at: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) library_id: String,
    pub(crate) added_at: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: String,
    /// The name tests use: `root`, `kid`, …
    pub(crate) role: String,
    pub(crate) username: String,
    /// ABS's own word: root, admin, user or guest.
    pub(crate) kind: &'static str,
    pub(crate) active: bool,
    pub(crate) can: Permissions,
    pub(crate) libraries: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) created_at: i64,
    pub(crate) bookmarks: Vec<Bookmark>,
    pub(crate) progress: Vec<Progress>,
    pub(crate) sessions: Vec<Session>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Permissions {
    pub(crate) update: bool,
    pub(crate) delete: bool,
    pub(crate) upload: bool,
    pub(crate) all_libraries: bool,
    pub(crate) all_tags: bool,
    pub(crate) explicit: bool,
}

/// One user's place in one book or episode.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub id: String,
    pub library_item_id: String,
    pub episode_id: Option<String>,
    pub media_item_id: String,
    /// ABS stores what it is sent: a string stays a string.
    pub current_time: Value,
    pub duration: Value,
    pub progress: f64,
    pub is_finished: bool,
    pub hide_from_continue_listening: bool,
    pub ebook_location: Option<String>,
    pub ebook_progress: f64,
    pub last_update: i64,
    pub started_at: i64,
    pub finished_at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bookmark {
    pub library_item_id: String,
    /// As it was sent; normally a number.
    pub time: Value,
    pub title: String,
    pub created_at: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) item_id: String,
    pub(crate) episode_id: Option<String>,
    pub(crate) started_at: i64,
    pub(crate) listened: i64,
    pub(crate) start_time: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Collection {
    pub(crate) id: String,
    pub(crate) library_id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// Item ids, in order.
    pub(crate) books: Vec<String>,
    pub(crate) created_at: i64,
    pub(crate) last_update: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Playlist {
    pub(crate) id: String,
    pub(crate) user_id: String,
    pub(crate) library_id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// In the order in which they were inserted; `order` says where they stand.
    pub(crate) entries: Vec<Entry>,
    pub(crate) created_at: i64,
    pub(crate) last_update: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) item_id: String,
    pub(crate) episode_id: Option<String>,
    /// Gaps and ties are possible, as in ABS.
    pub(crate) order: i64,
    /// A podcast without an episode: no reader of the playlist survives it.
    pub(crate) poisoned: bool,
}

impl Item {
    pub(crate) fn book(&self) -> Option<&Book> {
        match &self.media {
            Media::Book(book) => Some(book),
            Media::Podcast(_) => None,
        }
    }

    pub(crate) fn podcast(&self) -> Option<&Podcast> {
        match &self.media {
            Media::Podcast(podcast) => Some(podcast),
            Media::Book(_) => None,
        }
    }

    pub(crate) fn title(&self) -> &str {
        match &self.media {
            Media::Book(book) => &book.title,
            Media::Podcast(podcast) => &podcast.title,
        }
    }

    pub(crate) fn genres(&self) -> &[String] {
        match &self.media {
            Media::Book(book) => &book.genres,
            Media::Podcast(podcast) => &podcast.genres,
        }
    }

    pub(crate) fn explicit(&self) -> bool {
        match &self.media {
            Media::Book(book) => book.explicit,
            Media::Podcast(podcast) => podcast.explicit,
        }
    }

    pub(crate) fn files(&self) -> Vec<&AudioFile> {
        match &self.media {
            Media::Book(book) => book.files.iter().collect(),
            Media::Podcast(podcast) => podcast.episodes.iter().map(|e| &e.file).collect(),
        }
    }

    pub(crate) fn duration(&self) -> f64 {
        self.files().iter().map(|f| f.duration).sum()
    }

    pub(crate) fn episode(&self, id: &str) -> Option<&Episode> {
        self.podcast()?.episodes.iter().find(|e| e.id == id)
    }

    /// Of the media: what is listened to or read.
    pub(crate) fn media_size(&self) -> u64 {
        let ebook = self.book().and_then(|b| b.ebook.as_ref()).map_or(0, |e| e.size);
        self.files().iter().map(|f| f.size()).sum::<u64>() + ebook
    }

    /// Of the folder, which also holds a metadata file.
    pub(crate) fn size(&self) -> u64 {
        self.media_size() + 300
    }
}

impl User {
    pub(crate) fn is_admin(&self) -> bool {
        matches!(self.kind, "root" | "admin")
    }

    pub(crate) fn sees_library(&self, id: &str) -> bool {
        self.can.all_libraries || self.libraries.iter().any(|l| l == id)
    }

    /// Explicit content and tags; says nothing of the library.
    pub(crate) fn may_open(&self, item: &Item) -> bool {
        (self.can.explicit || !item.explicit())
            && (self.can.all_tags || item.tags.iter().any(|t| self.tags.contains(t)))
    }

    pub(crate) fn sees(&self, item: &Item) -> bool {
        self.sees_library(&item.library_id) && self.may_open(item)
    }

    pub(crate) fn progress_of(&self, item: &str, episode: Option<&str>) -> Option<&Progress> {
        self.progress
            .iter()
            .find(|p| p.library_item_id == item && (episode.is_none() || p.episode_id.as_deref() == episode))
    }

    /// The record of a book, or of one episode: never of *some* episode.
    pub(crate) fn own_progress(&self, media: &str) -> Option<&Progress> {
        self.progress.iter().find(|p| p.media_item_id == media)
    }
}

impl Library {
    pub(crate) fn library(&self, id: &str) -> Option<&LibraryRow> {
        self.libraries.iter().find(|l| l.id == id)
    }

    pub(crate) fn item(&self, id: &str) -> Option<&Item> {
        self.items.iter().find(|i| i.id == id)
    }

    /// The podcast that owns an episode, and the episode.
    pub(crate) fn episode(&self, id: &str) -> Option<(&Item, &Episode)> {
        self.items.iter().find_map(|item| item.episode(id).map(|episode| (item, episode)))
    }

    pub(crate) fn items_of<'a>(&'a self, library: &'a str) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(move |i| i.library_id == library)
    }

    pub(crate) fn author_name(&self, id: &str) -> &str {
        self.authors.iter().find(|a| a.id == id).map_or("", |a| &a.name)
    }

    pub(crate) fn one_series(&self, id: &str) -> Option<&Series> {
        self.series.iter().find(|s| s.id == id)
    }

    /// Its books, by sequence; those without one come last.
    pub(crate) fn books_in<'a>(&'a self, series: &str) -> Vec<&'a Item> {
        let mut books: Vec<(f64, &Item)> = self
            .items
            .iter()
            .filter_map(|item| {
                let (_, sequence) = item.book()?.series.iter().find(|(id, _)| id == series)?;
                Some((sequence_number(sequence.as_deref()), item))
            })
            .collect();
        books.sort_by(|a, b| a.0.total_cmp(&b.0));
        books.into_iter().map(|(_, item)| item).collect()
    }
}

/// `0.5`, `1a` → 1, none → after everything else.
pub(crate) fn sequence_number(sequence: Option<&str>) -> f64 {
    let Some(text) = sequence else { return f64::INFINITY };
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text[..end].parse().unwrap_or(0.0)
}
