//! The route table: the whole of what can be asked of Audiobookshelf.
//!
//! A row that is not here cannot be reached, by no tool and no component. Paths are those of ABS 2.36 below the base path;
//! rows marked (2.36) are newer than 2.26, the oldest version with API keys, and have a fallback.

use crate::route::{
    Access::{self, Read, Write},
    Method::{self, Delete, Get, Patch, Post},
    Reply::{self, Json, Ok},
    Route,
    Seg::{self, Id, Lit, Seconds, Year},
};

const fn row(
    access: Access,
    method: Method,
    path: &'static [Seg],
    query: &'static [&'static str],
    reply: Reply,
) -> Route {
    Route { method, path, query, access, reply }
}

macro_rules! routes {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        $($(#[$doc])* pub static $name: Route = $row;)*
        /// Every row, in the order of this file.
        pub static ROUTES: &[&Route] = &[$(&$name),*];
    };
}

routes! {
    /// Needs no key; tells the version.
    GET_STATUS = row(Read, Get, &[Lit("status")], &[], Json);

    LIST_LIBRARIES = row(Read, Get, &[Lit("api"), Lit("libraries")], &[], Json);
    GET_LIBRARY = row(Read, Get, &[Lit("api"), Lit("libraries"), Id], &[], Json);
    GET_LIBRARY_STATS = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("stats")], &["_"], Json);
    GET_FILTER_DATA = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("filterdata")], &["_"], Json);
    /// `_` is not ABS's: an unused key makes the answer fresh, since ABS caches by exact URL past progress writes.
    LIST_ITEMS = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("items")],
        &["minified", "limit", "page", "sort", "desc", "filter", "collapseseries", "_"], Json);
    SEARCH_LIBRARY = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("search")], &["q", "limit", "_"], Json);
    GET_SHELVES = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("personalized")], &["limit", "_"], Json);
    LIST_SERIES = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("series")],
        &["limit", "page", "sort", "desc", "_"], Json);
    LIST_AUTHORS = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("authors")], &["limit", "page", "sort", "desc"], Json);
    LIST_RECENT_EPISODES = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("recent-episodes")], &["limit", "page", "_"], Json);
    LIST_LIBRARY_COLLECTIONS = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("collections")], &["limit", "page"], Json);
    LIST_LIBRARY_PLAYLISTS = row(Read, Get, &[Lit("api"), Lit("libraries"), Id, Lit("playlists")], &["limit", "page"], Json);

    GET_SERIES = row(Read, Get, &[Lit("api"), Lit("series"), Id], &["include"], Json);
    GET_AUTHOR = row(Read, Get, &[Lit("api"), Lit("authors"), Id], &["include", "library"], Json);
    LIST_TAGS = row(Read, Get, &[Lit("api"), Lit("tags")], &[], Json);
    LIST_GENRES = row(Read, Get, &[Lit("api"), Lit("genres")], &[], Json);
    GET_ITEM = row(Read, Get, &[Lit("api"), Lit("items"), Id], &["expanded", "include", "episode"], Json);
    GET_EPISODE = row(Read, Get, &[Lit("api"), Lit("podcasts"), Id, Lit("episode"), Id], &[], Json);

    /// Carries the account's token: never passed on.
    GET_ME = row(Read, Get, &[Lit("api"), Lit("me")], &[], Json);
    LIST_ITEMS_IN_PROGRESS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("items-in-progress")], &["limit"], Json);
    /// (2.36)
    GET_PROGRESS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("progress"), Id], &[], Json);
    GET_PROGRESS_EPISODE = row(Read, Get, &[Lit("api"), Lit("me"), Lit("progress"), Id, Id], &[], Json);
    GET_LISTENING_STATS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("listening-stats")], &[], Json);
    GET_YEAR_STATS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("stats"), Lit("year"), Year], &[], Json);
    LIST_SESSIONS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("listening-sessions")], &["itemsPerPage", "page"], Json);
    /// (2.36)
    LIST_BOOKMARKS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("bookmarks")], &[], Json);
    /// (2.36)
    LIST_ITEM_BOOKMARKS = row(Read, Get, &[Lit("api"), Lit("me"), Lit("bookmarks"), Id], &[], Json);

    LIST_COLLECTIONS = row(Read, Get, &[Lit("api"), Lit("collections")], &[], Json);
    GET_COLLECTION = row(Read, Get, &[Lit("api"), Lit("collections"), Id], &[], Json);
    LIST_PLAYLISTS = row(Read, Get, &[Lit("api"), Lit("playlists")], &[], Json);
    GET_PLAYLIST = row(Read, Get, &[Lit("api"), Lit("playlists"), Id], &[], Json);

    SET_PROGRESS = row(Write, Patch, &[Lit("api"), Lit("me"), Lit("progress"), Id], &[], Ok);
    SET_PROGRESS_EPISODE = row(Write, Patch, &[Lit("api"), Lit("me"), Lit("progress"), Id, Id], &[], Ok);
    DELETE_PROGRESS = row(Write, Delete, &[Lit("api"), Lit("me"), Lit("progress"), Id], &[], Ok);
    CREATE_BOOKMARK = row(Write, Post, &[Lit("api"), Lit("me"), Lit("item"), Id, Lit("bookmark")], &[], Json);
    UPDATE_BOOKMARK = row(Write, Patch, &[Lit("api"), Lit("me"), Lit("item"), Id, Lit("bookmark")], &[], Json);
    DELETE_BOOKMARK = row(Write, Delete, &[Lit("api"), Lit("me"), Lit("item"), Id, Lit("bookmark"), Seconds], &[], Ok);

    CREATE_COLLECTION = row(Write, Post, &[Lit("api"), Lit("collections")], &[], Json);
    UPDATE_COLLECTION = row(Write, Patch, &[Lit("api"), Lit("collections"), Id], &[], Json);
    DELETE_COLLECTION = row(Write, Delete, &[Lit("api"), Lit("collections"), Id], &[], Ok);
    /// One book; validates, unlike the batch route, which exits on a podcast's id and adds in its own order.
    ADD_COLLECTION_BOOK = row(Write, Post, &[Lit("api"), Lit("collections"), Id, Lit("book")], &[], Json);
    REMOVE_COLLECTION_BOOK = row(Write, Delete, &[Lit("api"), Lit("collections"), Id, Lit("book"), Id], &[], Json);

    CREATE_PLAYLIST = row(Write, Post, &[Lit("api"), Lit("playlists")], &[], Json);
    UPDATE_PLAYLIST = row(Write, Patch, &[Lit("api"), Lit("playlists"), Id], &[], Json);
    DELETE_PLAYLIST = row(Write, Delete, &[Lit("api"), Lit("playlists"), Id], &[], Ok);
    /// One entry; validates, unlike the batch route, which exits on an episode of another podcast.
    ADD_PLAYLIST_ITEM = row(Write, Post, &[Lit("api"), Lit("playlists"), Id, Lit("item")], &[], Json);
    REMOVE_PLAYLIST_ITEM = row(Write, Delete, &[Lit("api"), Lit("playlists"), Id, Lit("item"), Id], &[], Json);
    REMOVE_PLAYLIST_EPISODE = row(Write, Delete, &[Lit("api"), Lit("playlists"), Id, Lit("item"), Id, Id], &[], Json);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_rows_only_get() {
        for route in ROUTES {
            assert_eq!(route.access == Read, route.method == Get, "{route}");
        }
    }

    #[test]
    fn no_two_rows_are_the_same() {
        let mut names: Vec<String> = ROUTES.iter().map(ToString::to_string).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ROUTES.len());
    }
}
