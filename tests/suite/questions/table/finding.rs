//! What is there, who made it, and what it is about.

use super::{BOOKS, Fact::*, Given, Given::Found, LIBRARIES, Question, ask, call};

const AUTHORS: (&str, Given) = ("filter_group", Given::Text("authors"));

pub(super) const QUESTIONS: &[Question] = &[
    ask(
        "Do I own Dracula?",
        &[LIBRARIES, call("search_library", &[BOOKS, ("q", Given::Text("Dracula"))])],
        &[Text("books/title=Dracula/author", "Bram Stoker"), Text("books/title=Dracula/year", "1897")],
    ),
    ask(
        "Do I have anything by Jules Verne?",
        &[LIBRARIES, call("list_library_items", &[BOOKS, AUTHORS, ("filter_value", Given::Text("Jules Verne"))])],
        &[
            Number("total", 4.0),
            Text("items/title=The Mysterious Island/series", "Captain Nemo #2, Extraordinary Voyages #12"),
        ],
    ),
    ask(
        "Who narrates Emma?",
        &[LIBRARIES, call("search_library", &[BOOKS, ("q", Given::Text("Emma"))])],
        &[Text("books/title=Emma/narrator", "Harriet Lowe, Edmund Hale, Ida Rowe, Theodore Marsh")],
    ),
    ask(
        "What else does Ida Rowe narrate?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("narrators")), ("filter_value", Given::Text("Ida Rowe"))],
            ),
        ],
        &[Number("total", 6.0), Text("items/title=The Gilded Age/author", "Mark Twain, Charles Dudley Warner")],
    ),
    ask(
        "What is The Hound of the Baskervilles about?",
        &[
            LIBRARIES,
            call("search_library", &[BOOKS, ("q", Given::Text("Baskervilles"))]),
            call("get_library_item", &[("library_item_id", Found(1, "books/title=The Hound of the Baskervilles/id"))]),
        ],
        &[Text("item/description", "Footprints on the moor, and not a man's."), Number("item/chapters", 15.0)],
    ),
    ask(
        "Which horror books are there?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("genres")), ("filter_value", Given::Text("Horror"))],
            ),
        ],
        &[Number("total", 2.0), Text("items/0/title", "Dracula"), Text("items/1/title", "Frankenstein")],
    ),
    ask(
        "Which books have I tagged as favourites?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("tags")), ("filter_value", Given::Text("favourites"))],
            ),
        ],
        &[Number("total", 4.0), Text("items/title=Pride and Prejudice/author", "Jane Austen")],
    ),
    ask(
        "Which books are from the 1890s?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("publishedDecades")), ("filter_value", Given::Text("1890"))],
            ),
        ],
        &[Number("total", 7.0), Text("items/title=The Time Machine/year", "1895")],
    ),
    ask(
        "Is there anything in Japanese?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("languages")), ("filter_value", Given::Text("Japanese"))],
            ),
        ],
        &[Number("total", 1.0), Text("items/0/title", "吾輩は猫である")],
    ),
    ask(
        "Which ones can I read as an ebook?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("filter_group", Given::Text("ebooks")), ("filter_value", Given::Text("ebook"))],
            ),
        ],
        &[Number("total", 1.0), Text("items/title=The Last Man/ebook", "epub")],
    ),
    ask(
        "What was added last?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[BOOKS, ("sort", Given::Text("addedAt")), ("descending", Given::True), ("limit", Given::Number(5))],
            ),
        ],
        // The last of the sample's books; its title is not one to be trusted.
        &[Text("items/0/author", "Miles O'Brien")],
    ),
    ask(
        "Which books are abridged?",
        &[LIBRARIES, call("list_library_items", &[BOOKS, ("filter_group", Given::Text("abridged"))])],
        &[Number("total", 1.0), Text("items/0/title", "Around the World in Eighty Days")],
    ),
    ask(
        "Is anything broken in my library?",
        &[LIBRARIES, call("list_library_items", &[BOOKS, ("filter_group", Given::Text("issues"))])],
        &[Number("total", 1.0), True("items/title=The Moonstone/missing")],
    ),
];
