//! The parameters that tools take, each with its type, bounds and default.

pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    /// Empty where name and type say all.
    pub about: &'static str,
    pub required: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// See `policy::valid_id`.
    Id,
    /// Free text without control characters; length in characters.
    Text {
        max: usize,
    },
    /// Text that this server made. Blank is none: models fill in every argument that they see.
    Token {
        max: usize,
    },
    /// Free text that may be empty and have line feeds and tabs.
    Prose {
        max: usize,
    },
    Integer {
        min: i64,
        max: i64,
        default: Option<i64>,
    },
    /// Finite.
    Number {
        min: f64,
        max: f64,
    },
    Flag {
        default: Option<bool>,
    },
    Choice {
        of: &'static [&'static str],
        default: Option<&'static str>,
    },
    /// 1 to [`MAX_LIST`] different ids.
    Ids,
    /// 1 to [`MAX_LIST`] different entries of a playlist.
    Entries,
}

/// More entries than this in one call are refused: each is checked, and most are a request to ABS.
pub const MAX_LIST: usize = 200;

impl Param {
    pub const fn id(name: &'static str, about: &'static str) -> Param {
        Param { name, kind: Kind::Id, about, required: true }
    }

    pub const fn text(name: &'static str, max: usize, about: &'static str) -> Param {
        Param { name, kind: Kind::Text { max }, about, required: true }
    }

    pub const fn number(name: &'static str, min: f64, max: f64, about: &'static str) -> Param {
        Param { name, kind: Kind::Number { min, max }, about, required: true }
    }

    pub const fn ids(name: &'static str, about: &'static str) -> Param {
        Param { name, kind: Kind::Ids, about, required: true }
    }

    pub const fn integer(name: &'static str, min: i64, max: i64, about: &'static str) -> Param {
        Param { name, kind: Kind::Integer { min, max, default: None }, about, required: true }
    }

    /// An optional integer with a default.
    pub const fn count(name: &'static str, min: i64, max: i64, default: i64, about: &'static str) -> Param {
        Param { name, kind: Kind::Integer { min, max, default: Some(default) }, about, required: false }
    }

    /// Optional, false by default.
    pub const fn flag(name: &'static str, about: &'static str) -> Param {
        Param { name, kind: Kind::Flag { default: Some(false) }, about, required: false }
    }

    /// Optional, and absent is neither true nor false.
    pub const fn switch(name: &'static str, about: &'static str) -> Param {
        Param { name, kind: Kind::Flag { default: None }, about, required: false }
    }

    pub const fn choice(name: &'static str, of: &'static [&'static str], about: &'static str) -> Param {
        Param { name, kind: Kind::Choice { of, default: None }, about, required: true }
    }

    pub const fn optional(self) -> Param {
        Param { required: false, ..self }
    }
}

pub const DETAIL: Param = Param {
    name: "detail",
    kind: Kind::Choice { of: &["compact", "full"], default: Some("compact") },
    about: "",
    required: false,
};
pub const LIBRARY_ID: Param = Param::id("library_id", "");
pub const LIBRARY_ITEM_ID: Param = Param::id("library_item_id", "");
/// Makes a tool one that asks a person; see the guard.
pub const CONFIRM_TOKEN: Param = Param {
    name: "confirm_token",
    kind: Kind::Token { max: 1024 },
    about: "Only from this tool's last result",
    required: false,
};
pub const NAME: Param = Param::text("name", 255, "");
pub const DESCRIPTION: Param =
    Param { name: "description", kind: Kind::Prose { max: 4000 }, about: "", required: false };
/// Entries of a playlist: books, or episodes with their podcast.
pub const ITEMS: Param =
    Param { name: "items", kind: Kind::Entries, about: "episode_id for podcasts only", required: true };
pub const PAGE: Param = Param::count("page", 0, 1_000_000, 0, "");

/// `limit`, 1 to 100: bounded because ABS returns everything for 0 and exits on a huge one.
pub const fn limit(default: i64) -> Param {
    Param::count("limit", 1, 100, default, "")
}
