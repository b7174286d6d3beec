//! One row of the route table, and the requests that can be made from it.

use std::fmt;

/// The methods that any row uses. ABS answers a wrong method with 404, never 405.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Patch,
    Delete,
}

impl Method {
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

/// Whether a row can change anything. With `AUDIOBOOKSHELF_READ_ONLY` only [`Access::Read`] rows leave the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// What a 2xx of this row carries. ABS answers several writes with `text/plain` "OK"; everywhere else a body that is not
/// JSON comes from somebody else, such as a login page in front of ABS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    Json,
    Ok,
}

/// A segment of a path template: fixed text, or a hole with the type of what may stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seg {
    Lit(&'static str),
    /// An identifier, see [`valid_id`].
    Id,
    /// 2000 to 2100, four digits.
    Year,
    /// Seconds in plain decimal notation, for instance `77` or `12.5`; never `1e3` or `-1`.
    Seconds,
}

impl Seg {
    pub fn admits(self, text: &str) -> bool {
        match self {
            Seg::Lit(lit) => lit == text,
            Seg::Id => valid_id(text),
            Seg::Year => text.len() == 4 && text.parse::<u16>().is_ok_and(|y| (2000..=2100).contains(&y)),
            Seg::Seconds => is_decimal(text),
        }
    }
}

impl fmt::Display for Seg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seg::Lit(lit) => lit,
            Seg::Id => "{id}",
            Seg::Year => "{year}",
            Seg::Seconds => "{seconds}",
        })
    }
}

/// Letters, digits, `.`, `_` and `-`, 1 to 255 of them, and neither `.` nor `..`: such a text is the same on the wire and
/// after any number of decodings, so it can never lead out of its segment.
pub fn valid_id(text: &str) -> bool {
    (1..=255).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        && text != "."
        && text != ".."
}

fn is_decimal(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.len() <= 20 && s.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}

/// One row: what may be asked, with which query keys, and what it may do.
#[derive(Debug, PartialEq, Eq)]
pub struct Route {
    pub method: Method,
    pub path: &'static [Seg],
    /// Keys that may be sent, each at most once: ABS 2.36 exits on a repeated key.
    pub query: &'static [&'static str],
    pub access: Access,
    pub reply: Reply,
}

/// Why a request could not be built: a hole got something that its type does not admit. The text is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadHole {
    /// 0-based, among the holes of the template.
    pub hole: usize,
}

impl Route {
    /// Path and query of a request, below the base path. `holes` fill the template's holes in order.
    ///
    /// # Panics
    /// When the number of holes or a query key is not the row's: that is a mistake in the calling code, not in its input.
    pub fn target(&self, holes: &[&str], query: &[(&str, &str)]) -> Result<String, BadHole> {
        let mut out = String::with_capacity(96);
        let mut next = 0;
        for seg in self.path {
            out.push('/');
            if let Seg::Lit(lit) = seg {
                out.push_str(lit);
                continue;
            }
            let text = holes[next];
            if !seg.admits(text) {
                return Err(BadHole { hole: next });
            }
            out.push_str(text);
            next += 1;
        }
        assert_eq!(next, holes.len(), "{self} takes {next} values");
        for (i, (key, value)) in query.iter().enumerate() {
            assert!(self.query.contains(key), "{self} has no query key {key}");
            assert!(!query[..i].iter().any(|(k, _)| k == key), "{key} given twice");
            out.push(if i == 0 { '?' } else { '&' });
            out.push_str(key);
            out.push('=');
            percent_encode(value, &mut out);
        }
        Ok(out)
    }

    /// Whether this row stands for that method and raw path. Nothing is decoded: a percent sign is in no template.
    pub fn matches(&self, method: &str, path: &str) -> bool {
        let Some(rest) = path.strip_prefix('/') else { return false };
        method == self.method.as_str()
            && rest.split('/').count() == self.path.len()
            && rest.split('/').zip(self.path).all(|(text, seg)| seg.admits(text))
    }
}

/// As the documentation writes it: `GET /api/items/{id}`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.as_str())?;
        f.write_str(" ")?;
        self.path.iter().try_for_each(|seg| write!(f, "/{seg}"))
    }
}

/// Everything but the unreserved characters of RFC 3986 is encoded, so that the value stays one value of one key.
fn percent_encode(text: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.extend(['%', char::from(HEX[usize::from(byte >> 4)]), char::from(HEX[usize::from(byte & 15)])]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;

    #[test]
    fn ids_that_stay_in_their_segment() {
        for good in ["a", "li_abc", "0a1b2c3d-0000-4000-8000-000000000000", "...", "a.b"] {
            assert!(valid_id(good), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "a\\b", "%2e%2e", "a%00", "a b", "a;b", "ä", "a?b", "a#b", "a\n"] {
            assert!(!valid_id(bad), "{bad:?}");
        }
        assert!(!valid_id(&"a".repeat(256)));
    }

    #[test]
    fn seconds_are_plain_decimals() {
        for good in ["0", "77", "12.5", "3600.000001"] {
            assert!(Seg::Seconds.admits(good), "{good}");
        }
        for bad in ["", ".", "1.", ".5", "-1", "+1", "1e3", "0x1", "NaN", "1.2.3", " 1"] {
            assert!(!Seg::Seconds.admits(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_query_value_stays_one_value() {
        let target = table::SEARCH_LIBRARY.target(&["lib"], &[("q", "a&b=c +ü%")]).unwrap();
        assert_eq!(target, "/api/libraries/lib/search?q=a%26b%3Dc%20%2B%C3%BC%25");
    }

    #[test]
    fn a_hole_refuses_what_its_type_does_not_admit() {
        assert_eq!(table::GET_PROGRESS_EPISODE.target(&["ok", "../x"], &[]), Err(BadHole { hole: 1 }));
        assert_eq!(table::GET_YEAR_STATS.target(&["1999"], &[]), Err(BadHole { hole: 0 }));
    }

    #[test]
    fn matching_looks_at_the_raw_path() {
        assert!(table::GET_ITEM.matches("GET", "/api/items/abc"));
        for path in [
            "/api/items/",
            "/api/items/abc/",
            "/api//items/abc",
            "/api/items/a%2fb",
            "/api/items/..",
            "api/items/abc",
            "/API/items/abc",
        ] {
            assert!(!table::GET_ITEM.matches("GET", path), "{path}");
        }
        assert!(!table::GET_ITEM.matches("DELETE", "/api/items/abc"));
        assert!(!table::GET_ITEM.matches("get", "/api/items/abc"));
    }
}
