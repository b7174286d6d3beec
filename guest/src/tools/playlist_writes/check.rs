//! Whether entries are what they say: an item of that library, a book, or a podcast with one of its own episodes.
//!
//! ABS checks less. It takes an episode of another podcast, and an episode beside books, and later requests about such a
//! playlist make it exit.

use super::entries::{is_episode, name};
use super::nothing_changed;
use crate::abs::{Context, Failure, entries};
use crate::keep;
use crate::shape::{Keep, list, text};
use crate::tools::Entry;
use crate::world::SendError;
use policy::table;
use std::collections::{BTreeMap, BTreeSet};

/// Up to so many books are looked up one by one; for more, the library's list is read first.
const FEW: usize = 20;
/// The list, in so many pages of that size at most. What it does not show is looked up.
const PAGES: usize = 5;
const PAGE: usize = 500;
/// After so many problems no further entry is looked at.
const ENOUGH: usize = 10;

/// Books and episodes do not go together.
pub fn one_kind(entries: &[Entry]) -> Result<(), Failure> {
    let episodes = entries.iter().filter(|entry| is_episode(entry)).count();
    if episodes == 0 || episodes == entries.len() {
        return Ok(());
    }
    Err(Failure::message(
        "Nothing was sent to Audiobookshelf. items: books and episodes cannot be in one playlist. Give episode_id with every \
         entry (podcasts) or with none (books).",
    ))
}

/// Reads what has to be known of the entries, which are of one kind. An error names each that does not fit, and why.
pub fn check(context: &Context<'_>, library: &str, entries: &[Entry]) -> Result<(), Failure> {
    let listed = if !entries.first().is_some_and(is_episode) && entries.len() > FEW {
        books_of(context, library, entries)?
    } else {
        BTreeSet::new()
    };
    let mut items = BTreeMap::new();
    let mut problems = Vec::new();
    for entry in entries.iter().filter(|entry| !listed.contains(&entry.library_item_id)) {
        let id = entry.library_item_id.as_str();
        if !items.contains_key(id) {
            items.insert(id, look_up(context, id)?);
        }
        if let Some(problem) = problem(context, library, entry, &items[id])? {
            problems.push(format!("{}: {problem}", name(entry)));
        }
        if problems.len() == ENOUGH {
            problems.push("and perhaps more".into());
            break;
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::message(format!("Nothing was changed. items: {}.", problems.join("; "))))
}

/// What there is to know of an item.
enum Item {
    None,
    Hidden,
    Book {
        library: String,
    },
    Podcast {
        library: String,
        episodes: BTreeSet<String>,
    },
    /// Too large to be read, as podcasts with very many episodes are. ABS itself refuses those of another library.
    Huge,
}

fn look_up(context: &Context<'_>, id: &str) -> Result<Item, Failure> {
    const ITEM: Keep = keep! { libraryId, mediaType, media { episodes { id } } };
    let item = match context.get(&table::GET_ITEM, &[id], &[], &ITEM) {
        Ok(item) => item,
        Err(failure) if failure.is_not_found() => return Ok(Item::None),
        Err(failure) if failure.is_forbidden() => return Ok(Item::Hidden),
        Err(Failure::Unreachable(SendError::TooLarge)) => return Ok(Item::Huge),
        Err(failure) => return Err(nothing_changed(&failure)),
    };
    let library = text(&item, "libraryId").unwrap_or_default().to_owned();
    match text(&item, "mediaType") {
        Some("book") => Ok(Item::Book { library }),
        Some("podcast") => {
            let episodes = list(&item, "media.episodes").iter().filter_map(|episode| text(episode, "id"));
            Ok(Item::Podcast { library, episodes: episodes.map(str::to_owned).collect() })
        }
        _ => Err(nothing_changed(&Failure::NotAbs { what: "it is neither book nor podcast" })),
    }
}

fn problem(context: &Context<'_>, library: &str, entry: &Entry, item: &Item) -> Result<Option<String>, Failure> {
    const NO_EPISODE: &str = "that podcast has no such episode; get_library_item shows its episodes";
    let problem = match (item, &entry.episode_id) {
        (Item::None, _) => "there is no such item; take ids from search_library or list_library_items".into(),
        (Item::Hidden, _) => "this user may not see that item".into(),
        (Item::Book { library: of, .. } | Item::Podcast { library: of, .. }, _) if of != library => {
            format!("the item is in library {of}, the playlist in {library}")
        }
        (Item::Book { .. }, Some(_)) => "that is a book, leave episode_id out".into(),
        (Item::Podcast { .. }, None) => {
            "that is a podcast, give the episode_id of one of its episodes; get_library_item shows them".into()
        }
        (Item::Podcast { episodes, .. }, Some(episode)) if !episodes.contains(episode) => NO_EPISODE.into(),
        (Item::Huge, None) => "the item is too large to be looked at".into(),
        (Item::Huge, Some(episode)) => {
            const ID: Keep = keep! { id };
            match context.get(&table::GET_EPISODE, &[&entry.library_item_id, episode], &[], &ID) {
                Ok(_) => return Ok(None),
                Err(failure) if failure.is_not_found() => NO_EPISODE.into(),
                Err(failure) => return Err(nothing_changed(&failure)),
            }
        }
        (Item::Book { .. }, None) | (Item::Podcast { .. }, Some(_)) => return Ok(None),
    };
    Ok(Some(problem))
}

/// The books of a library, newest first, as far as a few pages show them and until all that are wanted were there.
fn books_of(context: &Context<'_>, library: &str, wanted: &[Entry]) -> Result<BTreeSet<String>, Failure> {
    const ITEMS: Keep = keep! { results { id, mediaType } };
    let mut books = BTreeSet::new();
    for page in 0..PAGES {
        let (limit, page) = (PAGE.to_string(), page.to_string());
        let query = [("minified", "1"), ("limit", &*limit), ("page", &*page), ("sort", "addedAt"), ("desc", "1")];
        let reply = match context.get(&table::LIST_ITEMS, &[library], &query, &ITEMS) {
            Ok(reply) => reply,
            // Long descriptions are in the list whole.
            Err(Failure::Unreachable(SendError::TooLarge)) => break,
            Err(failure) => return Err(nothing_changed(&failure)),
        };
        let results = entries(&reply, "results").map_err(|failure| nothing_changed(&failure))?;
        let of_page = results.iter().filter(|item| text(item, "mediaType") == Some("book"));
        books.extend(of_page.filter_map(|item| text(item, "id")).map(str::to_owned));
        if results.len() < PAGE || wanted.iter().all(|entry| books.contains(&entry.library_item_id)) {
            break;
        }
    }
    Ok(books)
}
