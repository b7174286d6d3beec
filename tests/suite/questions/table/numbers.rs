//! How much, how often, how long.

use super::{BOOKS, Fact::*, Given, LIBRARIES, PODCASTS, Question, ask, call};

pub(super) const QUESTIONS: &[Question] = &[
    ask(
        "How much did I listen this week?",
        &[call("get_listening_stats", &[])],
        // 25 minutes today, 42 and 31 yesterday.
        &[Day("days/0/date", 0), Number("days/0/time", 1500.0), Day("days/1/date", 1), Number("days/1/time", 4380.0)],
    ),
    ask(
        "Which book have I spent most time with?",
        &[call("get_listening_stats", &[])],
        // 31 and 240 minutes, against 270 of A Study in Scarlet.
        &[Text("items/0/title", "The Count of Monte Cristo"), Number("items/0/time", 16_260.0)],
    ),
    ask(
        "What did I listen to yesterday?",
        &[call("list_listening_sessions", &[])],
        &[
            Day("sessions/0/started", 0),
            Day("sessions/1/started", 1),
            Text("sessions/1/title", "Dracula"),
            Number("sessions/1/listened", 2520.0),
            Text("sessions/2/title", "The Count of Monte Cristo"),
            Day("sessions/3/started", 2),
        ],
    ),
    ask(
        "How was my year?",
        &[call("get_year_stats", &[("year", Given::YearOf(400))])],
        &[
            Number("books_finished", 1.0),
            Text("longest_finished/title", "The Time Machine"),
            Day("longest_finished/finished", 400),
        ],
    ),
    ask(
        "How many books do I have, and which is the longest?",
        &[LIBRARIES, call("get_library_stats", &[BOOKS])],
        &[
            Number("items", 37.0),
            Text("longest/0/title", "The Anatomy of Melancholy"),
            Number("longest/0/duration", 180_000.0),
        ],
    ),
    ask(
        "Whom do I have most books of?",
        &[LIBRARIES, call("get_library_stats", &[BOOKS])],
        &[Text("authors/0/name", "Arthur Conan Doyle"), Number("authors/0/books", 5.0)],
    ),
    ask(
        "Which podcasts do I have?",
        &[LIBRARIES, call("list_library_items", &[PODCASTS])],
        &[Number("total", 3.0), Number("items/title=The Penny Dreadful Hour/episodes", 8.0)],
    ),
];
