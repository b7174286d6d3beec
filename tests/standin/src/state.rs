//! The one mutable thing: data, cache, log and whether the process lives.

use std::collections::HashMap;

use crate::{
    auth::Keys,
    call::Call,
    clock,
    model::{Bookmark, Item, Library, Progress, User},
    reply::Reply,
};

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) data: Library,
    pub(crate) keys: Keys,
    pub(crate) version: String,
    pub(crate) cause_of_death: Option<String>,
    pub(crate) log: Vec<Request>,
    /// Columns that a progress body named and that no client should send.
    pub(crate) foreign_columns: Vec<String>,
    cache: HashMap<(usize, String), Reply>,
    created: u32,
}

/// One request that arrived, whatever became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub method: String,
    /// Path and query, exactly as received.
    pub path: String,
    /// The role whose key it carried.
    pub user: Option<String>,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl State {
    pub(crate) fn new(data: Library, keys: Keys, version: String) -> Self {
        Self {
            data,
            keys,
            version,
            cause_of_death: None,
            log: Vec::new(),
            foreign_columns: Vec::new(),
            cache: HashMap::new(),
            created: 0,
        }
    }

    pub(crate) fn me(&self, call: &Call) -> &User {
        &self.data.users[call.user]
    }

    pub(crate) fn me_mut(&mut self, call: &Call) -> &mut User {
        &mut self.data.users[call.user]
    }

    /// An id for a new row.
    pub(crate) fn new_id(&mut self) -> String {
        self.created += 1;
        crate::sample::ids::numbered("created", self.created)
    }

    /// Never the same twice, so that what was written later is later.
    pub(crate) fn now(&mut self) -> i64 {
        self.created += 1;
        clock::now().max(clock::EPOCH + i64::from(self.created))
    }

    /// An item this user may open: 404 before 403.
    pub(crate) fn item_for(&self, call: &Call, id: &str) -> Result<&Item, Reply> {
        let item = self.data.item(id).ok_or_else(Reply::not_found)?;
        if self.me(call).sees(item) { Ok(item) } else { Err(Reply::forbidden()) }
    }

    pub(crate) fn at_least(&self, minor: u32) -> bool {
        let mut parts = self.version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= (2, minor)
    }

    pub(crate) fn cached(&self, call: &Call) -> Option<Reply> {
        self.cache.get(&(call.user, call.url.clone())).cloned()
    }

    pub(crate) fn keep(&mut self, call: &Call, reply: &Reply) {
        if self.at_least(33) && reply.is_ok() && !call.query.is("sort", "random") {
            self.cache.insert((call.user, call.url.clone()), reply.clone());
        }
    }

    /// Any row but a progress or a session was written: the whole cache goes.
    pub(crate) fn wrote(&mut self) {
        self.cache.clear();
    }

    /// A progress was written: only two kinds of answer go, the rest is stale from now on.
    pub(crate) fn wrote_progress(&mut self) {
        self.cache.retain(|(_, url), _| !url.contains("/personalized") && !url.contains("/recent-episodes"));
    }

    /// What a restart of ABS does: rows that no reader survives are cleaned away, memory is gone.
    pub(crate) fn restart(&mut self) {
        self.cause_of_death = None;
        self.cache.clear();
        for playlist in &mut self.data.playlists {
            playlist.entries.retain(|entry| !entry.poisoned);
        }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let users = &self.data.users;
        Snapshot {
            progress: users.iter().map(|u| (u.role.clone(), u.progress.clone())).collect(),
            bookmarks: users.iter().map(|u| (u.role.clone(), u.bookmarks.clone())).collect(),
            collections: self
                .data
                .collections
                .iter()
                .map(|c| CollectionState {
                    id: c.id.clone(),
                    name: c.name.clone(),
                    description: c.description.clone(),
                    books: c.books.clone(),
                })
                .collect(),
            playlists: self
                .data
                .playlists
                .iter()
                .map(|p| PlaylistState {
                    id: p.id.clone(),
                    owner: users.iter().find(|u| u.id == p.user_id).map_or_else(String::new, |u| u.role.clone()),
                    name: p.name.clone(),
                    description: p.description.clone(),
                    items: p.in_order().into_iter().map(|e| (e.item_id.clone(), e.episode_id.clone())).collect(),
                })
                .collect(),
            foreign_columns: self.foreign_columns.clone(),
        }
    }
}

/// What is stored at one moment, for tests to look at behind the server's back.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    progress: HashMap<String, Vec<Progress>>,
    bookmarks: HashMap<String, Vec<Bookmark>>,
    collections: Vec<CollectionState>,
    playlists: Vec<PlaylistState>,
    foreign_columns: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CollectionState {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    /// Item ids in order.
    pub books: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlaylistState {
    pub id: String,
    /// Role of the user whose it is.
    pub owner: String,
    pub name: String,
    pub description: Option<String>,
    /// Item id and episode id, in the order in which a GET would list them.
    pub items: Vec<(String, Option<String>)>,
}

impl Snapshot {
    /// All progress records of a user.
    pub fn progress(&self, role: &str) -> &[Progress] {
        self.progress.get(role).map_or(&[], Vec::as_slice)
    }

    pub fn progress_of(&self, role: &str, item: &str, episode: Option<&str>) -> Option<&Progress> {
        self.progress(role).iter().find(|p| p.library_item_id == item && p.episode_id.as_deref() == episode)
    }

    pub fn bookmarks(&self, role: &str) -> &[Bookmark] {
        self.bookmarks.get(role).map_or(&[], Vec::as_slice)
    }

    pub fn collections(&self) -> &[CollectionState] {
        &self.collections
    }

    pub fn collection(&self, id: &str) -> Option<&CollectionState> {
        self.collections.iter().find(|c| c.id == id)
    }

    pub fn playlists(&self) -> &[PlaylistState] {
        &self.playlists
    }

    pub fn playlist(&self, id: &str) -> Option<&PlaylistState> {
        self.playlists.iter().find(|p| p.id == id)
    }

    /// Columns named by progress bodies that a careful client never sends (`userId`, `mediaItemId`, `extraData`, …).
    /// ABS would write them; the stand-in only remembers.
    pub fn foreign_columns(&self) -> &[String] {
        &self.foreign_columns
    }
}
