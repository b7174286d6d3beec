//! Bookmarks, collections, playlists, and what is changed on request.

use super::{BOOKS, COLLECTIONS, Fact::*, Given, Given::Found, IN_PROGRESS, LIBRARIES, PLAYLISTS, Question, ask, call};

pub(super) const QUESTIONS: &[Question] = &[
    ask(
        "What have I bookmarked in Dracula?",
        &[IN_PROGRESS, call("list_bookmarks", &[("library_item_id", Found(0, "items/title=Dracula/library_item_id"))])],
        &[
            Text("bookmarks/0/title", "The children of the night"),
            Number("bookmarks/1/time", 4321.5),
            Count("bookmarks", 3),
        ],
    ),
    ask(
        "What is in my collection Sea and Shore?",
        &[COLLECTIONS],
        &[
            Number("collections/name=Sea and Shore/num_books", 5.0),
            Text("collections/name=Sea and Shore/books/0/title", "The Mysterious Island"),
        ],
    ),
    ask(
        "What is on my playlist for road trips?",
        &[PLAYLISTS],
        &[
            Number("playlists/name=Road trip/num_items", 4.0),
            Text("playlists/name=Road trip/items/1/title", "The Time Machine"),
        ],
    ),
    ask(
        "Make a collection of the Sherlock Holmes books.",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("series")), ("filter_value", Given::Text("Sherlock Holmes"))],
            ),
            call(
                "create_collection",
                &[BOOKS, ("name", Given::Text("221B")), ("library_item_ids", Found(1, "items/*/id"))],
            ),
        ],
        &[Number("num_books", 5.0)],
    ),
    ask(
        "Put Dracula into Sea and Shore.",
        &[
            COLLECTIONS,
            call(
                "search_library",
                &[("library_id", Found(0, "collections/name=Sea and Shore/library_id")), ("q", Given::Text("Dracula"))],
            ),
            call(
                "add_books_to_collection",
                &[
                    ("collection_id", Found(0, "collections/name=Sea and Shore/id")),
                    ("library_item_ids", Found(1, "books/*/id")),
                ],
            ),
        ],
        &[Number("num_books", 6.0)],
    ),
    ask(
        "Add The Gilded Age to my road trip.",
        &[
            PLAYLISTS,
            call(
                "search_library",
                &[("library_id", Found(0, "playlists/name=Road trip/library_id")), ("q", Given::Text("Gilded Age"))],
            ),
            call(
                "add_items_to_playlist",
                &[
                    ("playlist_id", Found(0, "playlists/name=Road trip/id")),
                    ("items", Given::Entry(1, "books/title=The Gilded Age/id")),
                ],
            ),
        ],
        &[Number("added", 1.0), Number("num_items", 5.0)],
    ),
    ask(
        "Delete the collection Adults only. (Whoever asks has agreed; without a dialog the call is made twice.)",
        &[
            COLLECTIONS,
            call("delete_collection", &[("collection_id", Found(0, "collections/name=Adults only/id"))]),
            call(
                "delete_collection",
                &[("collection_id", Found(0, "collections/name=Adults only/id")), ("confirm_token", Given::Token(1))],
            ),
        ],
        &[True("deleted"), Number("num_books", 1.0)],
    ),
];
