//! Where somebody is, what is finished, and what comes next.

use super::{BOOKS, Fact::*, Given, Given::Found, IN_PROGRESS, LIBRARIES, PODCASTS, Question, ask, call};

const PROGRESS: (&str, Given) = ("filter_group", Given::Text("progress"));

pub(super) const QUESTIONS: &[Question] = &[
    ask(
        "Where was I in Dracula?",
        &[IN_PROGRESS],
        // 45 % of 990 minutes.
        &[Number("items/title=Dracula/current_time", 26_730.0), Number("items/title=Dracula/percent", 45.0)],
    ),
    ask(
        "How long is left in The Count of Monte Cristo?",
        &[IN_PROGRESS],
        // 75 % of 2880 minutes.
        &[Number("items/title=The Count of Monte Cristo/remaining", 129_600.0)],
    ),
    ask(
        "Which books have I begun and not finished?",
        &[IN_PROGRESS],
        &[
            Number("items/title=Frankenstein/percent", 75.0),
            Number("items/title=The Last Man/ebook_percent", 42.0),
            True("items/title=The War of the Worlds/hide_from_continue_listening"),
            Absent("items/title=Alice's Adventures in Wonderland"),
        ],
    ),
    ask(
        "What did I finish this year?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[
                    BOOKS,
                    PROGRESS,
                    ("filter_value", Given::Text("finished")),
                    ("sort", Given::Text("progress.finishedAt")),
                    ("descending", Given::True),
                ],
            ),
        ],
        &[
            Number("total", 3.0),
            Text("items/0/title", "A Study in Scarlet"),
            Day("items/0/finished", 9),
            Text("items/1/title", "Alice's Adventures in Wonderland"),
            Day("items/1/finished", 20),
            Text("items/2/title", "The Time Machine"),
            Day("items/2/finished", 400),
        ],
    ),
    ask(
        "How far am I in Through the Looking-Glass?",
        &[
            LIBRARIES,
            call("search_library", &[BOOKS, ("q", Given::Text("Looking-Glass"))]),
            call("get_media_progress", &[("library_item_id", Found(1, "books/title=Through the Looking-Glass/id"))]),
        ],
        // Another user is in the middle of it; this one is not.
        &[False("started")],
    ),
    ask(
        "What comes next in the Sherlock Holmes series?",
        &[
            LIBRARIES,
            call("search_library", &[BOOKS, ("q", Given::Text("Sherlock Holmes"))]),
            call("get_series", &[("series_id", Found(1, "series/name=Sherlock Holmes/id"))]),
        ],
        &[
            True("series/books/0/finished"),
            Text("series/books/1/title", "The Sign of the Four"),
            Absent("series/books/1/finished"),
        ],
    ),
    ask(
        "In which order do the d'Artagnan books go?",
        &[
            LIBRARIES,
            call("search_library", &[BOOKS, ("q", Given::Text("d'Artagnan"))]),
            call("get_series", &[("series_id", Found(1, "series/name=The d'Artagnan Romances/id"))]),
        ],
        &[
            Text("series/books/0/title", "The Three Musketeers"),
            Text("series/books/1/title", "Twenty Years After"),
            Text("series/books/2/title", "The Vicomte of Bragelonne"),
        ],
    ),
    ask(
        "Which series could I go on with?",
        &[LIBRARIES, call("get_personalized_shelves", &[BOOKS])],
        &[Text("items/id=continue-series/entities/title=Through the Looking-Glass/series", "Alice #2")],
    ),
    ask(
        "What is the longest book that I have not begun?",
        &[
            LIBRARIES,
            call(
                "list_library_items",
                &[
                    BOOKS,
                    PROGRESS,
                    ("filter_value", Given::Text("not-started")),
                    ("sort", Given::Text("media.duration")),
                    ("descending", Given::True),
                    ("limit", Given::Number(1)),
                ],
            ),
        ],
        &[Text("items/0/title", "The Anatomy of Melancholy"), Number("items/0/duration", 180_000.0)],
    ),
    ask(
        "Which chapter of Dracula am I in?",
        &[
            IN_PROGRESS,
            call("get_item_chapters", &[("library_item_id", Found(0, "items/title=Dracula/library_item_id"))]),
        ],
        // 27 chapters of 2200 seconds; the position is 26 730.
        &[
            Text("chapters/12/title", "Chapter 13"),
            Number("chapters/12/start", 26_400.0),
            Number("chapters/12/end", 28_600.0),
        ],
    ),
    ask(
        "Which podcast episode was I listening to?",
        &[IN_PROGRESS],
        &[
            Text("items/title=Night Sky 2: Mercury Before Dawn/podcast", "Voices of the Night Sky"),
            // 60 % of 1510 seconds.
            Number("items/title=Night Sky 2: Mercury Before Dawn/remaining", 906.0),
        ],
    ),
    ask(
        "What is new in my podcasts?",
        &[LIBRARIES, call("list_recent_episodes", &[PODCASTS])],
        &[
            Text("episodes/title=Spring-Heeled Jack/podcast", "The Penny Dreadful Hour"),
            Text("episodes/title=Night Sky 8: First Light/published", "2025-03-31"),
            // That one is finished.
            Absent("episodes/title=Night Sky 1: The Moon"),
        ],
    ),
    ask(
        "What is the episode about neutrinos?",
        &[
            LIBRARIES,
            call("search_library", &[PODCASTS, ("q", Given::Text("neutrinos"))]),
            call(
                "get_podcast_episode",
                &[
                    ("library_item_id", Found(1, "episodes/0/library_item_id")),
                    ("episode_id", Found(1, "episodes/0/episode_id")),
                ],
            ),
        ],
        &[Text("episode/title", "Night Sky 4: Neutrinos"), Text("episode/description", "Show notes for number 4.")],
    ),
];
