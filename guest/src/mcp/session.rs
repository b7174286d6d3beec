//! Sessions of the 2025 revisions: sealed capabilities, not stored rows.
//!
//! After `initialize` only the session says which revision was agreed on and whether the client can ask a person. It is
//! sealed into the session id itself, so any instance can read it and a restart forgets nothing. A session proves no
//! identity; who may call is decided before, by `access`.

use super::{Revision, Serving};
use crate::guard::seal::{Purpose, Sealer};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use serde_json::json;

/// A client that comes back after this long initializes again.
const LIFETIME_MS: u64 = 30 * 24 * 3600 * 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    pub revision: Revision,
    /// The client can show a form.
    pub elicitation: bool,
}

impl Session {
    /// The session id: visible ASCII, with 128 random bits in it.
    pub fn seal(self, serving: &Serving<'_>) -> String {
        let content = json!({
            "v": self.revision.as_str(),
            "e": self.elicitation,
            "n": B64.encode(serving.world.random()),
        });
        let expires = serving.world.now_ms() + LIFETIME_MS;
        sealer(serving).seal(Purpose::Session, expires, content)
    }

    pub fn open(serving: &Serving<'_>, sealed: &str) -> Option<Session> {
        let content = sealer(serving).open(Purpose::Session, serving.world.now_ms(), sealed)?.value;
        Some(Session {
            revision: Revision::parse(content["v"].as_str()?).filter(|r| !r.is_modern())?,
            elicitation: content["e"].as_bool()?,
        })
    }
}

fn sealer<'a>(serving: &Serving<'a>) -> Sealer<'a> {
    Sealer { secret: &serving.settings.session_secret }
}
