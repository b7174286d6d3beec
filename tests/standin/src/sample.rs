//! What is on the server: works long in the public domain, and titles that somebody wrote with an assistant in mind.

pub mod ids;

mod books;
mod growth;
mod history;
mod hostile;
mod lists;
mod podcasts;
mod spec;
mod users;

use crate::{
    clock,
    model::{Library, LibraryRow},
};

/// The date of so many days ago, in UTC. The listening history counts back from today.
pub fn day(days_ago: i64) -> String {
    clock::date(clock::now() - days_ago * clock::DAY)
}

impl Library {
    /// Two libraries with something in them and an empty one; users of every kind; a listening history up to today.
    pub fn sample() -> Self {
        let mut library = Self::bare();
        for (n, book) in books::BOOKS.iter().chain(hostile::BOOKS).enumerate() {
            spec::add_book(&mut library, book, n);
        }
        podcasts::add(&mut library);
        lists::add(&mut library);
        history::add(&mut library);
        library
    }

    /// `n` generated books in the book library, for paging and ceilings; the same users, no history.
    pub fn growth(n: usize) -> Self {
        let mut library = Self::bare();
        growth::add(&mut library, n);
        library
    }

    /// One collection more, of the first `books` generated books. Its id is `ids::numbered("collection", 0)`.
    pub fn with_collection(mut self, books: usize) -> Self {
        growth::add_collection(&mut self, books);
        self
    }

    fn bare() -> Self {
        let row = |id: &str, name: &str, podcasts, folder: &str, order| LibraryRow {
            id: id.to_owned(),
            name: name.to_owned(),
            podcasts,
            folder: folder.to_owned(),
            order,
            created_at: clock::EPOCH,
        };
        Self {
            libraries: vec![
                row(ids::BOOKS, "Audiobooks", false, "/srv/media/audiobooks", 1),
                row(ids::PODCASTS, "Podcasts", true, "/srv/media/podcasts", 2),
                row(ids::EMPTY, "Empty Shelf", false, "/srv/media/empty", 3),
            ],
            items: Vec::new(),
            authors: Vec::new(),
            series: Vec::new(),
            users: users::all(),
            collections: Vec::new(),
            playlists: Vec::new(),
        }
    }
}
