//! `filter=group.<base64>`: forgiving where a client would wish for an error.

use crate::{
    call::{Call, Param, no_nul},
    js,
    model::{Item, Library, Progress, User},
    reply::Reply,
};

/// Groups that take a value.
const GROUPS: [&str; 12] = [
    "genres",
    "tags",
    "series",
    "authors",
    "progress",
    "narrators",
    "publishers",
    "publishedDecades",
    "missing",
    "languages",
    "tracks",
    "ebooks",
];
/// Beyond these a podcast library ignores a filter.
const PODCAST_GROUPS: [&str; 7] = ["genres", "tags", "languages", "explicit", "issues", "recent", "feed-open"];

#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// As it was sent; echoed.
    pub(crate) raw: Option<String>,
    group: String,
    value: String,
}

impl Filter {
    pub(crate) fn of(call: &Call) -> Result<Self, Reply> {
        let raw = match call.query.get("filter") {
            Param::Absent | Param::One("") => return Ok(Self::default()),
            Param::Many => return Err(Reply::crash("filter is an array: split is not a function")),
            Param::One(raw) => raw,
        };
        no_nul(raw)?;
        let valued = GROUPS.iter().find_map(|group| Some((*group, raw.strip_prefix(group)?.strip_prefix('.')?)));
        let (group, value) = match valued {
            None => (raw, String::new()),
            Some((group, encoded)) => {
                let encoded = js::decode_uri_component(encoded).ok_or_else(|| Reply::crash("URI malformed"))?;
                (group, js::decode_base64(&encoded))
            }
        };
        no_nul(&value)?;
        if group == "publishedDecades" && js::parse_int(&value).is_none() {
            return Err(Reply::crash("publishedDecades: no such column: NaN"));
        }
        Ok(Self { raw: Some(raw.to_owned()), group: group.to_owned(), value })
    }

    /// The series that is filtered by: its books carry their place in it.
    pub(crate) fn series(&self) -> Option<&str> {
        (self.group == "series" && self.value != "no-series").then_some(&self.value)
    }

    pub(crate) fn is_no_series(&self) -> bool {
        self.group == "series" && self.value == "no-series"
    }

    /// A series counts as finished, or as not started, only as a whole.
    pub(crate) fn needs_every_book(&self) -> bool {
        self.group == "progress" && matches!(self.value.as_str(), "finished" | "not-started")
    }

    /// Whatever is not understood lets everything through.
    pub(crate) fn lets_through(&self, data: &Library, user: &User, item: &Item) -> bool {
        if item.podcast().is_some() && !PODCAST_GROUPS.contains(&self.group.as_str()) {
            return true;
        }
        let value = self.value.as_str();
        match self.group.as_str() {
            "genres" => item.genres().iter().any(|g| g == value),
            "tags" => item.tags.iter().any(|t| t == value),
            "explicit" => item.explicit(),
            "issues" => item.missing,
            "feed-open" | "share-open" => false,
            "languages" => language(item) == Some(value),
            _ => match item.book() {
                Some(_) => self.lets_book_through(data, user, item),
                None => true,
            },
        }
    }

    fn lets_book_through(&self, data: &Library, user: &User, item: &Item) -> bool {
        let Some(book) = item.book() else { return true };
        let value = self.value.as_str();
        match self.group.as_str() {
            "authors" => book.authors.iter().any(|a| a == value),
            "series" if value == "no-series" => book.series.is_empty(),
            "series" => book.series.iter().any(|(id, _)| id == value),
            "narrators" => book.narrators.iter().any(|n| n == value),
            "publishers" => book.publisher.as_deref() == Some(value),
            "publishedDecades" => {
                let decade = js::parse_int(value).unwrap_or(f64::NAN);
                let year = book.year.as_deref().and_then(js::parse_int);
                year.is_some_and(|y| (decade..decade + 10.0).contains(&y))
            }
            "progress" => has_progress(user.own_progress(&item.media_id), value),
            "tracks" => match value {
                "none" => book.files.is_empty(),
                "multi" => book.files.len() > 1,
                _ => book.files.len() == 1,
            },
            "ebooks" => match value {
                "ebook" => book.ebook.is_some(),
                "no-ebook" => book.ebook.is_none(),
                "supplementary" => false,
                _ => true,
            },
            "missing" => is_missing(data, item, value),
            "abridged" => book.abridged,
            _ => true,
        }
    }
}

/// Also decides whether a series is listed: it is as soon as one of its books passes.
pub(crate) fn has_progress(progress: Option<&Progress>, value: &str) -> bool {
    let finished = progress.is_some_and(|p| p.is_finished);
    let audio = progress.is_some_and(|p| js::to_number(&p.current_time) > 0.0);
    let ebook = progress.is_some_and(|p| p.ebook_progress > 0.0);
    match value {
        "finished" => finished,
        "not-finished" => !finished,
        "not-started" => !finished && !audio && !ebook,
        "in-progress" => !finished && (audio || ebook),
        "audio-in-progress" => !finished && audio,
        "ebook-in-progress" => !finished && ebook,
        "ebook-finished" => finished && ebook,
        _ => true,
    }
}

fn language(item: &Item) -> Option<&str> {
    match (item.book(), item.podcast()) {
        (Some(book), _) => book.language.as_deref(),
        (_, Some(podcast)) => Some(&podcast.language),
        _ => None,
    }
}

fn is_missing(data: &Library, item: &Item, what: &str) -> bool {
    let Some(book) = item.book() else { return true };
    match what {
        "asin" => book.asin.is_none(),
        "isbn" => book.isbn.is_none(),
        "subtitle" => book.subtitle.is_none(),
        "publishedYear" => book.year.is_none(),
        "description" => book.description.is_none(),
        "publisher" => book.publisher.is_none(),
        "language" => book.language.is_none(),
        "cover" => !item.cover,
        "genres" => book.genres.is_empty(),
        "tags" => item.tags.is_empty(),
        "narrators" => book.narrators.is_empty(),
        "chapters" => book.chapters.is_empty(),
        "authors" => book.authors.iter().all(|id| data.author_name(id).is_empty()),
        "series" => book.series.is_empty(),
        _ => true,
    }
}
