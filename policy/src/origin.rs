//! The configured Audiobookshelf: scheme, host, port and base path.

use crate::authority::{leaves_the_machine, split_authority};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub const fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    const fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// The one host that may be asked. Rebuilt from its parts, so that nothing of the text it was read from survives unseen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: u16,
    base_path: String,
}

/// Why a text is no address of an Audiobookshelf. Never repeats the text: people paste API keys into the wrong setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginError {
    Empty,
    LooksLikeKey,
    NoScheme,
    OtherScheme,
    UserInfo,
    Query,
    Fragment,
    Authority,
    Path,
}

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self {
            OriginError::Empty => "it is empty",
            OriginError::LooksLikeKey => "it looks like an API key; a key belongs in AUDIOBOOKSHELF_API_KEY",
            OriginError::NoScheme => "it does not start with http:// or https://",
            OriginError::OtherScheme => "its scheme is neither http nor https",
            OriginError::UserInfo => "it carries a user name or password",
            OriginError::Query => "it has a query (a part after ?)",
            OriginError::Fragment => "it has a fragment (a part after #)",
            OriginError::Authority => "its host or port is not valid",
            OriginError::Path => {
                "its path has an empty or dotted segment, or a character other than letters, digits, '.', '_', '~' and '-'"
            }
        };
        write!(
            f,
            "{problem}. Write it like https://abs.example.com, http://192.0.2.7:13378 or https://example.com/audiobookshelf"
        )
    }
}

impl std::error::Error for OriginError {}

impl Origin {
    /// Reads `http(s)://host[:port][/base/path]`. Slashes at the end of the path are dropped.
    pub fn parse(text: &str) -> Result<Origin, OriginError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(OriginError::Empty);
        }
        if looks_like_key(text) {
            return Err(OriginError::LooksLikeKey);
        }
        let (scheme, rest) = text.split_once("://").ok_or(OriginError::NoScheme)?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(OriginError::OtherScheme),
        };
        if rest.contains('#') {
            return Err(OriginError::Fragment);
        }
        if rest.contains('?') {
            return Err(OriginError::Query);
        }
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err(OriginError::UserInfo);
        }
        let (host, port) = split_authority(authority).ok_or(OriginError::Authority)?;
        if all_numeric_but_no_address(&host) {
            return Err(OriginError::Authority);
        }
        Ok(Origin { scheme, host, port: port.unwrap_or(scheme.default_port()), base_path: base_path(path)? })
    }

    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Lower case, an IPv6 address without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Empty, or `/` and segments without a slash at the end.
    pub fn base_path(&self) -> &str {
        &self.base_path
    }

    /// `host[:port]`, without the port where it is the scheme's own.
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        if self.port == self.scheme.default_port() { host } else { format!("{host}:{}", self.port) }
    }

    /// Whether anybody on the way can read what is sent there, the key included.
    pub fn is_open(&self) -> bool {
        self.scheme == Scheme::Http && leaves_the_machine(&self.host)
    }

    /// Whether scheme and authority of a request are this origin's.
    pub fn admits(&self, scheme: &str, authority: &str) -> bool {
        scheme.eq_ignore_ascii_case(self.scheme.as_str())
            && split_authority(authority).is_some_and(|(host, port)| {
                host == self.host && port.unwrap_or(self.scheme.default_port()) == self.port
            })
    }
}

/// Scheme and authority, without the base path.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.authority())
    }
}

fn base_path(path: &str) -> Result<String, OriginError> {
    let path = path.trim_end_matches('/');
    if path.is_empty() {
        return Ok(String::new());
    }
    let plain = |segment: &str| {
        !matches!(segment, "" | "." | "..")
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'~' | b'-'))
    };
    if path[1..].split('/').all(plain) { Ok(path.to_owned()) } else { Err(OriginError::Path) }
}

/// An ABS API key is a JSON Web Token: three base64url parts, the first an encoded `{"`.
pub fn looks_like_key(text: &str) -> bool {
    let bare = text.split_once("://").map_or(text, |(_, rest)| rest);
    bare.starts_with("eyJ") && bare.len() > 60
}

/// `2130706433`, `0x7f.1` and `127.1` are addresses to some resolvers and names to others; nobody means them.
fn all_numeric_but_no_address(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or("");
    let numeric = last.bytes().all(|b| b.is_ascii_digit()) || last.starts_with("0x");
    numeric && host.parse::<std::net::IpAddr>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_people_write() {
        let cases = [
            ("https://abs.example.com", "https://abs.example.com", ""),
            ("  HTTPS://ABS.example.com/ ", "https://abs.example.com", ""),
            ("https://abs.example.com:443", "https://abs.example.com", ""),
            ("http://192.0.2.7:13378", "http://192.0.2.7:13378", ""),
            ("http://[::1]:80", "http://[::1]", ""),
            ("https://h/audiobookshelf", "https://h", "/audiobookshelf"),
            ("https://h/audiobookshelf//", "https://h", "/audiobookshelf"),
            ("https://h/a/b/", "https://h", "/a/b"),
        ];
        for (text, origin, base) in cases {
            let got = Origin::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((got.to_string().as_str(), got.base_path()), (origin, base), "{text}");
        }
    }

    #[test]
    fn plain_http_over_a_network_is_open() {
        for (text, open) in [
            ("http://abs.example.com", Some(true)),
            ("https://abs.example.com", Some(false)),
            ("http://192.0.2.7:13378/audiobookshelf", Some(true)),
            ("http://127.0.0.1:13378", Some(false)),
            ("https://127.0.0.1", Some(false)),
            ("http://[::1]", Some(false)),
            ("http://[::ffff:127.0.0.1]:80", Some(false)),
            ("http://[::ffff:192.0.2.7]", Some(true)),
            ("http://LOCALHOST.:13378", Some(false)),
            ("http://abs.localhost", Some(false)),
            ("http://127.example.com", Some(true)),
            // What some resolvers read as 127.0.0.1 is no address here at all.
            ("http://127.1", None),
            ("http://127.0.1", None),
            ("http://2130706433", None),
            ("http://017700000001", None),
            ("http://0x7f000001", None),
            ("http://0x7f.0.0.1", None),
            ("http://0177.0.0.1", None),
            ("http://127.0.0.1.", None),
            ("http://127.0.0.0x1", None),
        ] {
            assert_eq!(Origin::parse(text).ok().map(|origin| origin.is_open()), open, "{text}");
        }
    }

    #[test]
    fn addresses_that_stop_the_start() {
        let key = format!("eyJ{}", "a.".repeat(60));
        let cases = [
            ("", OriginError::Empty),
            ("nas:13378", OriginError::NoScheme),
            ("192.168.10.173:13378", OriginError::NoScheme),
            ("abs.local", OriginError::NoScheme),
            ("ftp://h", OriginError::OtherScheme),
            ("https://u:p@h", OriginError::UserInfo),
            ("https://h/#x", OriginError::Fragment),
            ("https://h#x", OriginError::Fragment),
            ("https://h?x", OriginError::Query),
            ("https://h:", OriginError::Authority),
            ("https://h:65536", OriginError::Authority),
            ("https://", OriginError::Authority),
            ("http://2130706433", OriginError::Authority),
            ("http://127.1", OriginError::Authority),
            ("https://h/a//b", OriginError::Path),
            ("https://h/../b", OriginError::Path),
            ("https://h/%2e", OriginError::Path),
            (&key, OriginError::LooksLikeKey),
        ];
        for (text, want) in cases {
            let got = Origin::parse(text).unwrap_err();
            assert_eq!(got, want, "{text}");
            assert!(text.len() < 9 || !got.to_string().contains(text), "{text} is echoed");
        }
    }
}
