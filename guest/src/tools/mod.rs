//! The tools: one file per domain, each tool one declarative value and one function.
//!
//! A new tool goes into its domain's file and that file's `TOOLS`; nothing else has to know it.

mod answer;
mod args;
#[cfg(test)]
mod budgets;
mod docs;
mod listing;
mod param;
mod tool;

mod authors;
mod bookmark_writes;
mod bookmarks;
mod collection_writes;
mod collections;
mod curated;
mod item;
mod items;
mod libraries;
mod me;
mod playlist_writes;
mod playlists;
mod podcasts;
mod progress;
mod progress_writes;
mod search;
mod series;
mod server;
mod sessions;
mod shelves;
mod stats;
mod tags;

pub use crate::abs::Context;
pub use answer::{Answer, CEILING, LABEL, Rendered};
pub use args::{Args, Entry};
pub use docs::{documentation, route_documentation};
#[cfg(test)]
pub use listing::entry;
pub use listing::list;
pub use tool::{Field, FieldKind, Hints, Outcome, Tool};

use crate::abs::Failure;
use crate::guard::{Client, NotYet, Way};
use serde_json::{Map, Value};

/// Domains in the order in which a model should meet them; the order is part of the interface (`tools/list` never varies).
const DOMAINS: &[&[&Tool]] = &[
    libraries::TOOLS,
    search::TOOLS,
    items::TOOLS,
    item::TOOLS,
    shelves::TOOLS,
    series::TOOLS,
    authors::TOOLS,
    tags::TOOLS,
    podcasts::TOOLS,
    progress::TOOLS,
    progress_writes::TOOLS,
    me::TOOLS,
    stats::TOOLS,
    sessions::TOOLS,
    bookmarks::TOOLS,
    bookmark_writes::TOOLS,
    collections::TOOLS,
    collection_writes::TOOLS,
    playlists::TOOLS,
    playlist_writes::TOOLS,
    server::TOOLS,
];

/// What `essential` stands for in the settings: enough to find something and to listen on.
pub const ESSENTIAL: [&str; 8] = [
    "list_libraries",
    "search_library",
    "list_library_items",
    "get_library_item",
    "get_item_chapters",
    "list_items_in_progress",
    "get_media_progress",
    "set_media_progress",
];

/// Every tool, in a fixed order.
pub fn all() -> impl Iterator<Item = &'static Tool> {
    DOMAINS.iter().flat_map(|domain| domain.iter().copied())
}

/// Runs one call: arguments first, then the settings, then the tool.
pub fn call(context: &Context<'_>, tool: &Tool, given: Map<String, Value>) -> Rendered {
    let args = match Args::parse(tool.params, given) {
        Ok(args) => args,
        Err(problems) => {
            return Rendered::failure(format!("Nothing was sent to Audiobookshelf. {}", problems.join(". ")));
        }
    };
    if !context.settings.is_configured() {
        return Rendered::failure(context.settings.set_up());
    }
    let outcome = match (tool.run)(context, &args) {
        // A person said yes while the call waited. Everything is looked at again before anything is done.
        Err(Failure::NotYet(NotYet::Granted(granted))) => {
            let client = Client { way: Way::Granted(granted), ..context.client.clone() };
            (tool.run)(&Context { client: &client, ..*context }, &args)
        }
        outcome => outcome,
    };
    match outcome {
        Ok(answer) => Rendered::from_answer(tool, &args, answer),
        Err(failure) => Rendered::from_failure(&failure, context.settings),
    }
}
