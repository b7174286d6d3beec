//! A stand-in Audiobookshelf 2.36: a server with state, for tests and for the demo.
//!
//! It answers the routes a client of ours uses with the bodies, texts, content types and oddities that were recorded from a real
//! server, and it dies of the requests that a real one dies of: the connection is dropped without an answer, and so is every
//! further one until [`Standin::reset`] or [`Standin::restart`].
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! let abs = standin::Standin::start().await?;
//! let url = format!("{}/api/items/{}", abs.url(), standin::ids::DRACULA);
//! let authorization = format!("Bearer {}", abs.key("root"));
//! # let _ = (url, authorization);
//! // … talk to it, then look behind its back:
//! assert!(abs.state().progress_of("root", standin::ids::DRACULA, None).is_some());
//! assert!(!abs.is_dead(), "{:?}", abs.cause_of_death());
//! # Ok(())
//! # }
//! ```
//!
//! What it does not do: writes to metadata, users, keys or the file system; playback; covers; feeds; sockets. Those routes are 404 here.

mod auth;
mod authors;
mod bookmarks;
mod call;
mod clock;
mod collapse;
mod collections;
mod filter;
mod items;
mod js;
mod libraries;
mod me;
mod model;
mod playlist_entries;
mod playlists;
mod progress;
mod progress_patch;
mod reply;
mod routes;
pub mod sample;
mod search;
mod series;
mod server;
mod sessions;
mod shapes;
mod shelves;
mod sort;
mod state;
mod stats;
mod text;
mod year;

use std::{io, net::SocketAddr, sync::Arc};

use tokio::task::JoinHandle;

use crate::{auth::Keys, server::Shared, state::State};
pub use crate::{
    model::{Bookmark, Library, Progress},
    sample::ids,
    state::{CollectionState, PlaylistState, Request, Snapshot},
};

/// How to start one.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it pretends to be mounted, `/books` for instance. Without one it answers below `/` and below `/audiobookshelf`, as ABS does.
    pub base_path: Option<String>,
    pub library: Library,
    /// Before 2.36 the routes `/api/me/progress` and `/api/me/bookmarks` are missing; before 2.33 nothing is cached.
    pub version: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { base_path: None, library: Library::sample(), version: "2.36.0".into() }
    }
}

/// A running server. Dropping it stops it.
#[derive(Debug)]
pub struct Standin {
    shared: Arc<Shared>,
    addr: SocketAddr,
    base_path: String,
    library: Library,
    task: JoinHandle<std::convert::Infallible>,
}

impl Standin {
    /// With the sample library, on a free port of the loopback interface.
    pub async fn start() -> io::Result<Self> {
        Self::start_with(Options::default()).await
    }

    /// Needs a tokio runtime, with I/O and time, that lives as long as the stand-in.
    pub async fn start_with(options: Options) -> io::Result<Self> {
        let Options { base_path, library, version } = options;
        let base_path = base_path.unwrap_or_default().trim_end_matches('/').to_owned();
        let keys = Keys::make(&library.users);
        let shared = Arc::new(Shared::new(State::new(library.clone(), keys, version)));
        let (listener, addr) = server::bind().await?;
        let task = tokio::spawn(server::serve(listener, Arc::clone(&shared), base_path.clone()));
        Ok(Self { shared, addr, base_path, library, task })
    }

    /// `http://127.0.0.1:<port>`, and the base path when there is one.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.addr, self.base_path)
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The API key of a role: `root`, `admin`, `editor`, `kid`, `tagged`, `guest`, `nolib`, or `inactive`, which opens nothing.
    ///
    /// # Panics
    /// For any other role.
    pub fn key(&self, role: &str) -> String {
        let state = self.shared.state();
        state.keys.key(role).unwrap_or_else(|| panic!("no user has the role {role:?}")).to_owned()
    }

    /// The secret that `GET /api/me` carries and that must not get out.
    ///
    /// # Panics
    /// For a role that does not exist.
    pub fn token(&self, role: &str) -> String {
        let state = self.shared.state();
        state.keys.token(role).unwrap_or_else(|| panic!("no user has the role {role:?}")).to_owned()
    }

    /// What is stored now.
    pub fn state(&self) -> Snapshot {
        self.shared.state().snapshot()
    }

    /// Every request since the start or the last [`reset`](Self::reset), in order of arrival; none while it is dead.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.state().log.clone()
    }

    pub fn clear_requests(&self) {
        self.shared.state().log.clear();
    }

    pub fn is_dead(&self) -> bool {
        self.shared.is_dead()
    }

    /// The request that killed it, and why.
    pub fn cause_of_death(&self) -> Option<String> {
        self.shared.state().cause_of_death.clone()
    }

    /// As if started anew: first data, empty log, alive. Keys and address stay.
    pub fn reset(&self) {
        {
            let mut state = self.shared.state();
            let keys = state.keys.clone();
            let version = state.version.clone();
            *state = State::new(self.library.clone(), keys, version);
        }
        self.shared.revive();
    }

    /// Alive again with the data it has: what a process manager does. Rows that no reader survives are cleaned away, as ABS does at a start.
    pub fn restart(&self) {
        self.shared.state().restart();
        self.shared.revive();
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        self.task.abort();
    }
}
