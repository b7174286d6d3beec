//! What a library has for tests to write about: media that this user has not touched. Read from Audiobookshelf itself.

use crate::harness::Direct;
use serde_json::{Value, json};

/// Enough for the longest lists of these tests.
const BOOKS: usize = 6;
/// Seconds: so that there is something between the beginning and the end, which Audiobookshelf treats specially.
const LONG: f64 = 100.0;

pub struct Shelf {
    pub library: String,
    /// Without progress, without bookmarks, longer than [`LONG`].
    pub books: Vec<Media>,
    pub podcasts: String,
    pub podcast: String,
    /// Of `podcast`; the first has no progress.
    pub episodes: Vec<Media>,
    pub other_podcast: String,
    pub other_episode: String,
    /// One with more than one book.
    pub series: Value,
}

pub struct Media {
    pub id: String,
    pub duration: f64,
}

pub fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}")).to_owned()
}

pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no {name} in {value}"))
}

impl Shelf {
    pub async fn find(abs: &Direct, me: &Value) -> Shelf {
        let touched: Vec<&Value> = list(me, "mediaProgress")
            .iter()
            .flat_map(|record| [&record["libraryItemId"], &record["episodeId"]])
            .chain(list(me, "bookmarks").iter().map(|mark| &mark["libraryItemId"]))
            .collect();
        let libraries = abs.get("/api/libraries").await;
        let of_kind = |kind: &'static str| list(&libraries, "libraries").iter().filter(move |l| l["mediaType"] == kind);
        let (mut books, mut podcasts) = (None, None);
        for library in of_kind("book") {
            books = books.or(book_library(abs, &text(library, "id"), &touched).await);
        }
        for library in of_kind("podcast") {
            podcasts = podcasts.or(podcast_library(abs, &text(library, "id"), &touched).await);
        }
        let (library, books, series) = books.expect(
            "these tests need a library with 6 untouched audiobooks of some minutes and a series with two books",
        );
        let (podcasts, podcast, episodes, (other_podcast, other_episode)) = podcasts
            .expect("these tests need a library with two podcasts, one of them with 3 episodes and one untouched");
        Shelf { library, books, podcasts, podcast, episodes, other_podcast, other_episode, series }
    }

    pub fn book_ids(&self) -> Vec<&str> {
        self.books.iter().map(|book| book.id.as_str()).collect()
    }
}

async fn items(abs: &Direct, library: &str) -> Vec<Value> {
    let items = abs.get(&format!("/api/libraries/{library}/items?minified=1&limit=200")).await;
    list(&items, "results").to_vec()
}

async fn book_library(abs: &Direct, library: &str, touched: &[&Value]) -> Option<(String, Vec<Media>, Value)> {
    let mut books = Vec::new();
    for item in items(abs, library).await {
        let duration = item["media"]["duration"].as_f64().unwrap_or(0.0);
        if duration > LONG && !touched.contains(&&item["id"]) && books.len() < BOOKS {
            books.push(Media { id: text(&item, "id"), duration });
        }
    }
    let series = abs.get(&format!("/api/libraries/{library}/series?limit=100")).await;
    let series = list(&series, "results").iter().find(|series| list(series, "books").len() > 1)?;
    let series = json!({"id": series["id"], "name": series["name"]});
    (books.len() == BOOKS).then(|| (library.to_owned(), books, series))
}

type Podcasts = (String, String, Vec<Media>, (String, String));

async fn podcast_library(abs: &Direct, library: &str, touched: &[&Value]) -> Option<Podcasts> {
    let mut podcasts = Vec::new();
    for item in items(abs, library).await {
        let item = abs.get(&format!("/api/items/{}?expanded=1", text(&item, "id"))).await;
        let mut episodes: Vec<Media> = list(&item["media"], "episodes")
            .iter()
            .map(|episode| Media {
                id: text(episode, "id"),
                duration: episode["audioFile"]["duration"].as_f64().unwrap_or(0.0),
            })
            .collect();
        let is_free = |media: &Media| media.duration > LONG && !touched.contains(&&json!(media.id));
        episodes.sort_by_key(|episode| !is_free(episode));
        podcasts.push((text(&item, "id"), episodes.first().is_some_and(is_free), episodes));
    }
    let one = podcasts.iter().position(|(_, free, episodes)| *free && episodes.len() >= 3)?;
    let (podcast, _, episodes) = podcasts.remove(one);
    let (other, _, others) = podcasts.into_iter().find(|(.., episodes)| !episodes.is_empty())?;
    let other_episode = others.into_iter().next()?.id;
    Some((library.to_owned(), podcast, episodes, (other, other_episode)))
}
