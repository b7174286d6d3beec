//! Filters of a library's items: `<group>` or `<group>.<base64url of the value>`.
//!
//! ABS answers a filter that it does not know with the whole library and status 200, and a decade that is no number with its
//! end. So a filter is whole and known before it is sent. All this is of ABS 2.36 and holds since 2.26.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

struct Group {
    name: &'static str,
    takes: Takes,
    /// Whether podcast libraries honour it. They answer all others unfiltered.
    podcasts: bool,
}

enum Takes {
    Nothing,
    /// Compared byte for byte.
    Exact,
    /// The id of an author or a series.
    Id,
    /// The first year.
    Decade,
    OneOf(&'static [&'static str]),
}

use Takes::*;

const GROUPS: [Group; 18] = [
    both("genres", Exact),
    both("tags", Exact),
    books("series", Id),
    books("authors", Id),
    books("progress", OneOf(&PROGRESS)),
    books("narrators", Exact),
    books("publishers", Exact),
    books("publishedDecades", Decade),
    books("missing", OneOf(&MISSING)),
    both("languages", Exact),
    books("tracks", OneOf(&["none", "single", "multi"])),
    books("ebooks", OneOf(&["ebook", "no-ebook", "supplementary", "no-supplementary"])),
    both("issues", Nothing),
    both("feed-open", Nothing),
    books("share-open", Nothing),
    both("recent", Nothing),
    both("explicit", Nothing),
    books("abridged", Nothing),
];

const PROGRESS: [&str; 7] = [
    "finished",
    "in-progress",
    "not-started",
    "not-finished",
    "audio-in-progress",
    "ebook-in-progress",
    "ebook-finished",
];

const MISSING: [&str; 14] = [
    "asin",
    "isbn",
    "subtitle",
    "authors",
    "publishedYear",
    "series",
    "description",
    "genres",
    "tags",
    "narrators",
    "publisher",
    "language",
    "cover",
    "chapters",
];

/// Books that are in no series, as a value of `series`.
const NO_SERIES: &str = "no-series";

const fn both(name: &'static str, takes: Takes) -> Group {
    Group { name, takes, podcasts: true }
}

const fn books(name: &'static str, takes: Takes) -> Group {
    Group { name, takes, podcasts: false }
}

/// The names of the groups.
pub const NAMES: [&str; GROUPS.len()] = {
    let mut names = [""; GROUPS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = GROUPS[i].name;
        i += 1;
    }
    names
};

/// A filter that ABS will honour, in a library of the right kind.
pub struct Filter {
    group: &'static Group,
    value: String,
}

impl Filter {
    /// Reads `filter_group` and `filter_value`. A problem names the argument, what is wrong, and what is right.
    pub fn read(group: Option<&str>, value: Option<&str>) -> Result<Option<Filter>, String> {
        let Some(name) = group else {
            return match value {
                None => Ok(None),
                Some(_) => Err(format!(
                    "filter_group: is missing, while filter_value is given; valid is one of {}",
                    NAMES.join(", ")
                )),
            };
        };
        let Some(group) = GROUPS.iter().find(|group| group.name == name) else {
            return Err(format!("filter_group: is not known; valid is one of {}", NAMES.join(", ")));
        };
        match (&group.takes, value) {
            (Nothing, None) => Ok(Some(Filter { group, value: String::new() })),
            (Nothing, Some(_)) => Err(format!("filter_value: {name} takes no value; leave it out")),
            (takes, None) => Err(format!("filter_value: is missing; {name} takes {}", takes.wanted())),
            (takes, Some(value)) => match takes.read(value) {
                Some(value) => Ok(Some(Filter { group, value })),
                None => Err(format!("filter_value: {name} takes {}", takes.wanted())),
            },
        }
    }

    pub fn group(&self) -> &'static str {
        self.group.name
    }

    pub fn value(&self) -> &str {
        &self.value
    }

    /// As ABS wants it. The URL-safe alphabet needs no escaping: in the other one, a `+` would arrive as a space.
    pub fn query(&self) -> String {
        match self.group.takes {
            Nothing => self.group.name.to_owned(),
            _ => encode(self.group.name, &self.value),
        }
    }

    pub fn is_progress(&self) -> bool {
        self.group.name == "progress"
    }

    /// Whether it selects the books of one series, which alone have a sequence.
    pub fn is_one_series(&self) -> bool {
        self.group.name == "series" && self.value != NO_SERIES
    }

    /// Whether the value has to be an id and is none of ABS's: then it is a name, of one word or more.
    pub fn is_a_name(&self) -> bool {
        matches!(self.group.takes, Id) && self.value != NO_SERIES && !is_uuid(&self.value)
    }

    /// The same filter, by the id of what was named.
    pub fn with_id(self, id: &str) -> Filter {
        Filter { value: id.to_owned(), ..self }
    }

    /// Whether the value is compared byte for byte, so that a wrong case finds nothing.
    pub fn is_exact(&self) -> bool {
        matches!(self.group.takes, Exact)
    }

    /// What ABS makes of a decade that does not begin with a round year.
    pub fn odd_decade(&self) -> Option<String> {
        let first: u16 = self.value.parse().ok().filter(|_| matches!(self.group.takes, Decade))?;
        (!first.is_multiple_of(10))
            .then(|| format!("publishedDecades counts ten years from the given one: {first} to {}.", first + 9))
    }

    /// Why a podcast library does not honour it.
    pub fn problem_with_podcasts(&self) -> Option<String> {
        if self.group.podcasts {
            return None;
        }
        let honoured: Vec<&str> = GROUPS.iter().filter(|group| group.podcasts).map(|group| group.name).collect();
        let instead =
            if self.is_progress() { "; list_items_in_progress shows the episodes that were begun" } else { "" };
        Some(format!(
            "filter_group: this is a podcast library, and Audiobookshelf does not filter those by {}; valid is one of {}{instead}",
            self.group.name,
            honoured.join(", ")
        ))
    }
}

impl Takes {
    fn read(&self, value: &str) -> Option<String> {
        match self {
            Nothing => None,
            Exact => Some(value.to_owned()),
            Id => Some(value.trim().to_owned()),
            Decade => {
                let year = value.trim().trim_end_matches(['s', 'S']);
                let is_year = (1..=4).contains(&year.len()) && year.bytes().all(|b| b.is_ascii_digit());
                is_year.then(|| year.to_owned())
            }
            OneOf(known) => {
                let value = value.trim().replace('_', "-");
                known.iter().find(|known| known.eq_ignore_ascii_case(&value)).map(|known| (*known).to_owned())
            }
        }
    }

    fn wanted(&self) -> String {
        match self {
            Nothing => "no value".into(),
            Exact => "a value exactly as get_library_filter_data shows it".into(),
            Id => "an id or a whole name, as get_library_filter_data shows them".into(),
            Decade => "the first year of a decade, for instance 1990".into(),
            OneOf(known) => format!("one of {}", known.join(", ")),
        }
    }
}

/// As ABS wants it: base64url needs no escaping, and a value can hold no stray percent sign, of which ABS exits.
pub fn encode(group: &str, value: &str) -> String {
    format!("{group}.{}", URL_SAFE_NO_PAD.encode(value))
}

/// The form of ABS's ids.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(group: &str, value: impl Into<Option<&'static str>>) -> Result<String, String> {
        Filter::read(Some(group), value.into()).map(|filter| filter.unwrap().query())
    }

    #[test]
    fn queries() {
        let cases = [
            ("genres", Some("Fantasy"), "genres.RmFudGFzeQ"),
            // The value is compared exactly, spaces and all.
            ("tags", Some(" ~favs~"), "tags.IH5mYXZzfg"),
            // `-` and `_` where the other alphabet has `+` and `/`.
            ("tags", Some("~favs~"), "tags.fmZhdnN-"),
            ("tags", Some("???"), "tags.Pz8_"),
            ("tags", Some("to read 📚"), "tags.dG8gcmVhZCDwn5Oa"),
            (
                "authors",
                Some("12ccd545-a57b-4b69-a546-864efe5242c5"),
                "authors.MTJjY2Q1NDUtYTU3Yi00YjY5LWE1NDYtODY0ZWZlNTI0MmM1",
            ),
            ("series", Some("no-series"), "series.bm8tc2VyaWVz"),
            ("progress", Some("in-progress"), "progress.aW4tcHJvZ3Jlc3M"),
            ("progress", Some(" In_Progress"), "progress.aW4tcHJvZ3Jlc3M"),
            ("missing", Some("publishedyear"), "missing.cHVibGlzaGVkWWVhcg"),
            ("publishedDecades", Some("1990"), "publishedDecades.MTk5MA"),
            ("publishedDecades", Some(" 1990s "), "publishedDecades.MTk5MA"),
            ("issues", None, "issues"),
            ("recent", None, "recent"),
        ];
        for (group, value, want) in cases {
            assert_eq!(query(group, value).as_deref(), Ok(want), "{group} {value:?}");
        }
        assert!(Filter::read(None, None).unwrap().is_none());
    }

    #[test]
    fn what_abs_would_answer_unfiltered_or_not_survive() {
        let cases = [
            ("bogus", None, "filter_group: "),
            ("Genres", Some("Fantasy"), "filter_group: "),
            ("genres", None, "filter_value: is missing; genres takes"),
            ("issues", Some("x"), "filter_value: issues takes no value"),
            (
                "progress",
                Some("done"),
                "filter_value: progress takes one of finished, in-progress, not-started, not-finished",
            ),
            ("missing", Some("title"), "filter_value: missing takes one of asin"),
            ("tracks", Some("many"), "filter_value: tracks takes one of none, single, multi"),
            ("ebooks", Some("epub"), "filter_value: ebooks takes one of ebook, no-ebook"),
            ("publishedDecades", Some("nineties"), "filter_value: publishedDecades takes the first year"),
            ("publishedDecades", Some("19 90"), "filter_value: publishedDecades"),
            ("publishedDecades", Some("-1990"), "filter_value: publishedDecades"),
            ("publishedDecades", Some("s"), "filter_value: publishedDecades"),
            ("publishedDecades", Some("19900"), "filter_value: publishedDecades"),
        ];
        for (group, value, want) in cases {
            let problem = query(group, value).unwrap_err();
            assert!(problem.starts_with(want), "{group} {value:?}: {problem}");
        }
        assert!(Filter::read(None, Some("x")).is_err_and(|problem| problem.starts_with("filter_group: is missing")));
    }

    #[test]
    fn podcast_libraries_honour_seven_groups() {
        let honoured: Vec<&str> = GROUPS.iter().filter(|group| group.podcasts).map(|group| group.name).collect();
        assert_eq!(honoured, ["genres", "tags", "languages", "issues", "feed-open", "recent", "explicit"]);
    }

    #[test]
    fn names_where_ids_belong() {
        let is_a_name = |value| Filter::read(Some("authors"), Some(value)).unwrap().unwrap().is_a_name();
        assert!(is_a_name("Terry Pratchett") && is_a_name("村上春樹") && is_a_name("Wells"));
        assert!(!is_a_name("12ccd545-a57b-4b69-a546-864efe5242c5"));
        assert!(!Filter::read(Some("tags"), Some("two words")).unwrap().unwrap().is_a_name());
    }
}
