//! The eight effects that ask a person: the call, what may be sent for it, and what must be different afterwards.

use serde_json::{Value, json};
use standin::{Bookmark, CollectionState, PlaylistState, Progress, Snapshot, Standin, ids};

pub struct Effect {
    pub tool: &'static str,
    pub arguments: Value,
    /// Ids and counts that the question must name.
    pub says: Vec<String>,
    /// What is sent to Audiobookshelf, and nothing more.
    pub writes: Vec<String>,
    /// What it does to what was there before.
    pub change: fn(&mut Kept),
}

const ROLES: [&str; 7] = ["root", "admin", "editor", "kid", "tagged", "guest", "nolib"];

/// All that the stand-in keeps. Roles stand in the order of [`ROLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    pub progress: Vec<Vec<Progress>>,
    pub bookmarks: Vec<Vec<Bookmark>>,
    pub collections: Vec<CollectionState>,
    pub playlists: Vec<PlaylistState>,
}

impl Kept {
    pub fn of(abs: &Standin) -> Kept {
        let state: Snapshot = abs.state();
        Kept {
            progress: ROLES.iter().map(|role| state.progress(role).to_vec()).collect(),
            bookmarks: ROLES.iter().map(|role| state.bookmarks(role).to_vec()).collect(),
            collections: state.collections().to_vec(),
            playlists: state.playlists().to_vec(),
        }
    }

    pub fn collection(&mut self, id: &str) -> &mut CollectionState {
        self.collections.iter_mut().find(|collection| collection.id == id).expect("the sample library has it")
    }

    pub fn playlist(&mut self, id: &str) -> &mut PlaylistState {
        self.playlists.iter_mut().find(|playlist| playlist.id == id).expect("the sample library has it")
    }
}

/// One each, and no two of them about the same thing.
pub fn all() -> Vec<Effect> {
    let progress = ids::progress("root", ids::FRANKENSTEIN);
    vec![
        Effect {
            tool: "delete_collection",
            arguments: json!({"collection_id": ids::ADULTS_ONLY}),
            says: vec![ids::ADULTS_ONLY.into(), " 1 book(s)".into()],
            writes: vec![format!("DELETE /api/collections/{}", ids::ADULTS_ONLY)],
            change: |kept| kept.collections.retain(|collection| collection.id != ids::ADULTS_ONLY),
        },
        Effect {
            tool: "delete_playlist",
            arguments: json!({"playlist_id": ids::EPISODE_QUEUE}),
            says: vec![ids::EPISODE_QUEUE.into(), " 4 entries".into()],
            writes: vec![format!("DELETE /api/playlists/{}", ids::EPISODE_QUEUE)],
            change: |kept| kept.playlists.retain(|playlist| playlist.id != ids::EPISODE_QUEUE),
        },
        Effect {
            tool: "delete_media_progress",
            arguments: json!({"media_progress_id": progress}),
            says: vec![progress.clone(), ids::FRANKENSTEIN.into()],
            writes: vec![format!("DELETE /api/me/progress/{progress}")],
            change: |kept| kept.progress[0].retain(|record| record.library_item_id != ids::FRANKENSTEIN),
        },
        Effect {
            tool: "delete_bookmark",
            arguments: json!({"library_item_id": ids::DRACULA, "time": 4321.5}),
            says: vec![ids::DRACULA.into(), " 4321.5 seconds".into()],
            writes: vec![format!("DELETE /api/me/item/{}/bookmark/4321.5", ids::DRACULA)],
            change: |kept| kept.bookmarks[0].retain(|bookmark| bookmark.time != json!(4321.5)),
        },
        Effect {
            tool: "remove_books_from_collection",
            arguments: json!({"collection_id": ids::SEA_AND_SHORE,
                "library_item_ids": [ids::EIGHTY_DAYS, ids::MYSTERIOUS_ISLAND]}),
            says: vec![ids::SEA_AND_SHORE.into(), " 2 book(s)".into()],
            writes: [ids::EIGHTY_DAYS, ids::MYSTERIOUS_ISLAND]
                .map(|book| format!("DELETE /api/collections/{}/book/{book}", ids::SEA_AND_SHORE))
                .into(),
            change: |kept| {
                kept.collection(ids::SEA_AND_SHORE)
                    .books
                    .retain(|book| book != ids::EIGHTY_DAYS && book != ids::MYSTERIOUS_ISLAND);
            },
        },
        Effect {
            tool: "remove_items_from_playlist",
            arguments: json!({"playlist_id": ids::ROAD_TRIP, "items": [{"library_item_id": ids::ALICE}]}),
            says: vec![ids::ROAD_TRIP.into(), " 1 of the 4 entries".into()],
            writes: vec![format!("DELETE /api/playlists/{}/item/{}", ids::ROAD_TRIP, ids::ALICE)],
            change: |kept| kept.playlist(ids::ROAD_TRIP).items.retain(|(item, _)| item != ids::ALICE),
        },
        Effect {
            tool: "update_collection",
            arguments: json!({"collection_id": ids::BAKER_STREET_IN_ORDER, "library_item_ids": BAKER_STREET_BACKWARDS}),
            says: vec![ids::BAKER_STREET_IN_ORDER.into(), " 5 book(s)".into()],
            writes: vec![format!("PATCH /api/collections/{}", ids::BAKER_STREET_IN_ORDER)],
            change: |kept| kept.collection(ids::BAKER_STREET_IN_ORDER).books.reverse(),
        },
        Effect {
            tool: "update_playlist",
            arguments: json!({"playlist_id": ids::HOSTILE_PLAYLIST,
                "items": [{"library_item_id": ids::MARKUP}, {"library_item_id": ids::INJECTION}]}),
            says: vec![ids::HOSTILE_PLAYLIST.into(), " 2 entries".into()],
            writes: vec![format!("PATCH /api/playlists/{}", ids::HOSTILE_PLAYLIST)],
            change: |kept| kept.playlist(ids::HOSTILE_PLAYLIST).items.reverse(),
        },
    ]
}

pub const BAKER_STREET_BACKWARDS: [&str; 5] = [
    ids::HOUND_OF_THE_BASKERVILLES,
    ids::MEMOIRS_OF_SHERLOCK_HOLMES,
    ids::ADVENTURES_OF_SHERLOCK_HOLMES,
    ids::SIGN_OF_THE_FOUR,
    ids::STUDY_IN_SCARLET,
];

/// The effect of one tool.
pub fn of(tool: &str) -> Effect {
    all().into_iter().find(|effect| effect.tool == tool).expect("it is one of the eight")
}
