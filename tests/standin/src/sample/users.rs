//! One user of every kind that the recordings know.

use super::ids;
use crate::{
    clock,
    model::{Permissions, User},
};

const NOTHING: Permissions =
    Permissions { update: false, delete: false, upload: false, all_libraries: true, all_tags: true, explicit: false };

pub(super) fn all() -> Vec<User> {
    let everything = Permissions { update: true, delete: true, upload: true, explicit: true, ..NOTHING };
    let user = |id: &str, role: &str, username: &str, kind, can| User {
        id: id.to_owned(),
        role: role.to_owned(),
        username: username.to_owned(),
        kind,
        active: true,
        can,
        libraries: Vec::new(),
        tags: Vec::new(),
        created_at: clock::EPOCH,
        bookmarks: Vec::new(),
        progress: Vec::new(),
        sessions: Vec::new(),
    };
    let mut kid = user(ids::KID, "kid", "kid", "user", Permissions { all_libraries: false, ..NOTHING });
    kid.libraries = vec![ids::BOOKS.to_owned()];
    let mut tagged = user(ids::TAGGED, "tagged", "tagged", "user", Permissions { all_tags: false, ..NOTHING });
    tagged.tags = vec!["kids".to_owned()];
    let mut inactive = user(ids::INACTIVE, "inactive", "former", "user", NOTHING);
    inactive.active = false;
    vec![
        user(ids::ROOT, "root", "root", "root", everything),
        user(ids::ADMIN, "admin", "anna", "admin", Permissions { delete: false, ..everything }),
        user(ids::EDITOR, "editor", "editor", "user", Permissions { upload: false, ..everything }),
        kid,
        tagged,
        user(ids::GUEST, "guest", "guest1", "guest", NOTHING),
        user(ids::NOLIB, "nolib", "nolib", "user", Permissions { all_libraries: false, ..NOTHING }),
        inactive,
    ]
}
