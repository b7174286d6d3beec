//! Sort keys of a library's items. ABS answers a key that it does not know, or not for this kind of library, unsorted.

struct Key {
    name: &'static str,
    books: bool,
    podcasts: bool,
}

const KEYS: [Key; 16] = [
    both(TITLE),
    books("media.metadata.authorName"),
    books("media.metadata.authorNameLF"),
    books("media.metadata.publishedYear"),
    both("addedAt"),
    both("size"),
    books("media.duration"),
    books("progress"),
    books("progress.createdAt"),
    books("progress.finishedAt"),
    books(SEQUENCE),
    podcasts("media.metadata.author"),
    podcasts("media.numTracks"),
    both("birthtimeMs"),
    both("mtimeMs"),
    both("random"),
];

pub const TITLE: &str = "media.metadata.title";

/// A book's place in the series that the filter selects. Without such a filter ABS takes it for the title, and with the
/// filter for books in no series it exits.
pub const SEQUENCE: &str = "sequence";

const fn both(name: &'static str) -> Key {
    Key { name, books: true, podcasts: true }
}

const fn books(name: &'static str) -> Key {
    Key { name, books: true, podcasts: false }
}

const fn podcasts(name: &'static str) -> Key {
    Key { name, books: false, podcasts: true }
}

/// Every key.
pub const NAMES: [&str; KEYS.len()] = {
    let mut names = [""; KEYS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = KEYS[i].name;
        i += 1;
    }
    names
};

/// Whether the order depends on the user's progress.
pub fn is_progress(sort: &str) -> bool {
    sort == "progress" || sort.starts_with("progress.")
}

/// Why a library of that media type cannot be sorted so.
pub fn problem(sort: &str, media_type: &str) -> Option<String> {
    let fits = |key: &Key| if media_type == "podcast" { key.podcasts } else { key.books };
    if KEYS.iter().any(|key| key.name == sort && fits(key)) {
        return None;
    }
    let valid: Vec<&str> = KEYS.iter().filter(|key| fits(key)).map(|key| key.name).collect();
    Some(format!(
        "sort: Audiobookshelf cannot sort a {media_type} library by {sort}; valid is one of {}",
        valid.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_other_kind() {
        assert_eq!(problem("addedAt", "podcast"), None);
        assert_eq!(problem("media.numTracks", "podcast"), None);
        assert_eq!(problem("progress", "book"), None);
        assert!(
            problem("media.numTracks", "book").is_some_and(|p| p.starts_with("sort: ") && p.contains("media.duration"))
        );
        assert!(problem("progress.finishedAt", "podcast").is_some_and(|p| p.ends_with(
            "one of media.metadata.title, addedAt, \
            size, media.metadata.author, media.numTracks, birthtimeMs, mtimeMs, random"
        )));
    }
}
