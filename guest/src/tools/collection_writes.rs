//! Changing collections. Whatever can be checked is checked before a person is asked; books go in and out one by one, since
//! ABS validates them on those routes only (the others make it exit on a podcast, and add in an order of their own).

mod add;
mod create;
mod delete;
mod name;
mod remove;
mod tally;
mod update;

use super::param::Param;
use super::{Context, Tool};
use crate::abs::Failure;
use crate::keep;
use crate::shape::{Keep, at, list};
use crate::world::SendError;
use policy::table;
use serde_json::Value;

pub const TOOLS: &[&Tool] = &[
    &create::CREATE_COLLECTION,
    &update::UPDATE_COLLECTION,
    &add::ADD_BOOKS_TO_COLLECTION,
    &remove::REMOVE_BOOKS_FROM_COLLECTION,
    &delete::DELETE_COLLECTION,
];

const COLLECTION_ID: Param = Param::id("collection_id", "");
const BOOKS: &str = "library_item_ids";

/// After so long no further request is begun, so that the result arrives before anybody gives up on the call.
const TIME_MS: u64 = 30_000;

const NOTHING_THERE: &str = "Nothing was changed: there is no such collection, or none of its books is this user's to see. \
                             list_collections shows valid ids.";

const MAY_NOT_UPDATE: &str = "Nothing was changed: the user whose API key this is lacks Audiobookshelf's permission to \
                              update, which creating and changing collections needs. An administrator can grant it.";

/// The books that a collection has, in order; of those, the ones that this user may see.
fn books_of(context: &Context<'_>, collection: &str) -> Result<Vec<String>, Failure> {
    const KEEP: Keep = keep! { books { id } };
    let reply = context.get(&table::GET_COLLECTION, &[collection], &[], &KEEP);
    Ok(book_ids(&reply.map_err(|failure| failure.or_not_found(NOTHING_THERE))?))
}

fn book_ids(collection: &Value) -> Vec<String> {
    list(collection, "books").iter().filter_map(|book| at(book, "id").as_str()).map(str::to_owned).collect()
}

/// Why a single write to an existing collection failed.
fn not_written(failure: Failure) -> Failure {
    if failure.is_forbidden() {
        return Failure::message(MAY_NOT_UPDATE);
    }
    told(failure.or_not_found(NOTHING_THERE), "get_collection")
}

/// Says first whether anything was changed. `shows` is the tool that shows it where that is not known.
fn told(failure: Failure, shows: &str) -> Failure {
    Failure::message(match failure {
        Failure::Message(text) => text,
        failure if failure.may_be_done() => {
            format!("It is not known whether Audiobookshelf did it; {shows} shows that. {failure}")
        }
        failure => format!("Nothing was changed. {failure}"),
    })
}

/// What this user may do, asked only where a person would else be asked for nothing. What is not known is left to ABS.
struct Rights {
    update: bool,
    delete: bool,
    /// No book is hidden from this user.
    sees_all: bool,
}

fn rights(context: &Context<'_>) -> Result<Rights, Failure> {
    const KEEP: Keep = keep! { permissions { update, delete, accessAllTags, accessExplicitContent } };
    let me = match context.get(&table::GET_ME, &[], &[], &KEEP) {
        // The record of a user who has listened to very much.
        Err(Failure::Unreachable(SendError::TooLarge)) => Value::Null,
        reply => reply?,
    };
    let permission = |name: &str| at(&me, "permissions").get(name).and_then(Value::as_bool);
    Ok(Rights {
        update: permission("update") != Some(false),
        delete: permission("delete") != Some(false),
        sees_all: permission("accessAllTags") == Some(true) && permission("accessExplicitContent") == Some(true),
    })
}

/// Ids in a sentence.
fn named<T: AsRef<str>>(ids: &[T]) -> String {
    const MOST: usize = 50;
    let mut text = ids.iter().take(MOST).map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    if ids.len() > MOST {
        text.push_str(&format!(" and {} more", ids.len() - MOST));
    }
    text
}
