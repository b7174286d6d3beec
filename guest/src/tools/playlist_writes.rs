//! Changing playlists. They belong to the user alone, so ABS asks for no permission; but it exits on entries that are not what
//! they seem, reorders by surprise, and deletes a playlist with its last entry. Whatever is sent from here was checked first.

mod add;
mod check;
mod create;
mod delete;
mod entries;
mod remove;
mod update;

use super::Context;
use super::tool::Tool;
use crate::abs::Failure;
use crate::keep;
use crate::shape::{Keep, text};
use crate::tools::Entry;
use crate::world::SendError;
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[
    &create::CREATE_PLAYLIST,
    &update::UPDATE_PLAYLIST,
    &add::ADD_ITEMS_TO_PLAYLIST,
    &remove::REMOVE_ITEMS_FROM_PLAYLIST,
    &delete::DELETE_PLAYLIST,
];

/// No further request of a series is begun after this. The host ends a call after a minute, and what was done would then
/// never be told.
const SERIES_MS: u64 = 30_000;

/// A playlist as ABS has it.
struct Playlist {
    library: String,
    entries: Vec<Entry>,
}

fn read(context: &Context<'_>, id: &str) -> Result<Playlist, Failure> {
    const ENTRIES: Keep = keep! { libraryId, items { libraryItemId, episodeId } };
    let reply = context.get(&table::GET_PLAYLIST, &[id], &[], &ENTRIES)?;
    match (text(&reply, "libraryId"), entries::of(&reply)) {
        (Some(library), Some(entries)) => Ok(Playlist { library: library.to_owned(), entries }),
        _ => Err(Failure::NotAbs { what: "it is no playlist" }),
    }
}

/// A failure before anything was changed, or of a write that was refused.
fn unchanged(failure: &Failure) -> Failure {
    let why = match failure {
        _ if failure.is_forbidden() => {
            "That playlist is another user's, and playlists are private. list_playlists shows this user's own.".into()
        }
        _ if failure.is_not_found() => "There is no such playlist. list_playlists shows valid ids.".into(),
        Failure::Unreachable(SendError::TooLarge) => {
            "The playlist is too large to be read by this server, and is not changed without looking at it.".into()
        }
        failure => failure.to_string(),
    };
    Failure::message(format!("Nothing was changed. {why}"))
}

/// Likewise for what is no playlist.
fn nothing_changed(failure: &Failure) -> Failure {
    Failure::message(format!("Nothing was changed. {failure}"))
}

/// A failed write. Our own words come first: ABS's, if there are any, end the text.
fn failed(failure: Failure, what: &str) -> Failure {
    if !failure.may_be_done() {
        return unchanged(&failure);
    }
    Failure::message(format!("{what} {}", cause(&failure)))
}

fn cause(failure: &Failure) -> String {
    match failure {
        Failure::Unreachable(SendError::TooLarge) => {
            "Audiobookshelf answered with more than this server reads at a time.".into()
        }
        failure => failure.to_string(),
    }
}

/// A series of requests that ended early.
fn broke_off(verb: &str, done: &[Entry], at: &Entry, rest: &[Entry], failure: &Failure) -> Failure {
    if done.is_empty() && !failure.may_be_done() {
        return unchanged(failure);
    }
    let of_it = if failure.may_be_done() {
        format!("Whether {} was {verb} is not known.", entries::name(at))
    } else {
        format!("Not {verb}: {}.", entries::name(at))
    };
    let mut parts = vec![of_it];
    if !done.is_empty() {
        parts.insert(0, format!("{} {verb}: {}.", done.len(), entries::names(done)));
    }
    if !rest.is_empty() {
        parts.push(format!("Not tried: {}.", entries::names(rest)));
    }
    parts.push("get_playlist shows what is there now.".into());
    parts.push(cause(failure));
    Failure::message(parts.join(" "))
}

/// The name that ABS has, where it is not the one it was given: it removes HTML tags and decodes entities.
fn other_name<'a>(reply: &'a Value, given: &str) -> Option<&'a str> {
    text(reply, "name").filter(|name| *name != given)
}
