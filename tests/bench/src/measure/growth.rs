//! The same questions of libraries and collections that grow. Audiobookshelf's own time is left out.

use super::Bench;
use crate::{
    Figure, Goal,
    messages::Modern,
    sample::{Sample, milliseconds},
    sandboxed::Sandboxed,
    upstream::Upstream,
};
use anyhow::Result;
use serde_json::{Value, json};
use standin::{Library, Options, Standin, ids};
use std::time::Instant;

/// How much a page may come to cost with a library a thousand times as large.
const FLAT: f64 = 1.5;

/// Calls for each figure; those over [`SLOW`] are made less often.
const CALLS: usize = 60;
const SLOW: f64 = 20.0;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let library = json!({"library_id": ids::BOOKS});
    let search = json!({"library_id": ids::BOOKS, "q": "Volume 0000"});
    let of_libraries = [
        ("list_library_items", &library, true),
        ("search_library", &search, true),
        ("get_library_filter_data", &library, false),
    ];
    for (tool, arguments, paged) in of_libraries {
        let measured =
            bench.plan.libraries.iter().map(|n| Ok((*n, time(bench, Library::growth(*n), tool, arguments)?)));
        add(&mut figures, tool, "books", measured.collect::<Result<_>>()?, paged);
    }
    let collection = json!({"collection_id": ids::numbered("collection", 0)});
    for (tool, arguments) in [("list_collections", &library), ("get_collection", &collection)] {
        let grown = |n: usize| Library::growth(n).with_collection(n);
        let measured = bench.plan.collections.iter().map(|n| Ok((*n, time(bench, grown(*n), tool, arguments)?)));
        add(&mut figures, tool, "in a collection", measured.collect::<Result<_>>()?, false);
    }
    Ok(figures)
}

struct Measured {
    milliseconds: f64,
    is_error: bool,
}

/// Each beside the first.
fn add(figures: &mut Vec<Figure>, tool: &str, of: &str, measured: Vec<(usize, Measured)>, paged: bool) {
    let first = measured.first().map_or(0.0, |(_, first)| first.milliseconds);
    let last = measured.last().map_or(0, |(n, _)| *n);
    for (n, Measured { milliseconds, is_error }) in measured {
        let refused = if is_error { " (refused)" } else { "" };
        let figure = Figure::new(format!("{tool}, {n} {of}{refused}"), milliseconds, "ms").beside(first);
        figures.push(if paged && n == last { figure.goal(Goal::RatioAtMost(FLAT)) } else { figure });
    }
}

fn time(bench: &Bench, library: Library, tool: &str, arguments: &Value) -> Result<Measured> {
    let message = Modern::call(tool, arguments);
    bench.runtime.block_on(async {
        let standin = Standin::start_with(Options { library, ..Options::default() }).await?;
        let upstream = Upstream::start(&standin.url(), &standin.key("root")).await?;
        let sandbox = Sandboxed::start(upstream.url(), upstream.key())?;
        let begin = Instant::now();
        // This one makes the upstream know its answers; what is asked once more tells how long it takes.
        let answer: Value = serde_json::from_slice(&sandbox.ask(&message).await?)?;
        let mut times = Sample::default();
        let slow = milliseconds(begin.elapsed()) > SLOW;
        for _ in 0..(if slow { CALLS / 6 } else { CALLS }).min(bench.plan.answers) {
            let begin = Instant::now();
            sandbox.ask(&message).await?;
            times.push(begin.elapsed());
        }
        Ok(Measured { milliseconds: milliseconds(times.median()), is_error: answer["result"]["isError"] == true })
    })
}
