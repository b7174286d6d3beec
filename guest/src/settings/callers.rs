//! Who may call over HTTP: the token, and the hosts and web pages that are answered.

use super::{Problem, secret};
use policy::split_authority;

/// A shorter token can be guessed by trying. `openssl rand -hex 32` makes 64 characters.
pub const MIN_TOKEN: usize = 16;

#[derive(Debug, Default)]
pub struct Callers {
    pub token: Option<String>,
    /// Without a token, on a host that cannot vouch for where a caller sits.
    pub allow_unauthenticated: bool,
    /// Empty: see `mcp::access`.
    pub hosts: Vec<Host>,
    /// Pages that may call from a browser.
    pub origins: Vec<WebOrigin>,
}

impl Callers {
    pub(super) fn parse(get: impl Fn(&str) -> Option<String>, problems: &mut Vec<Problem>) -> Callers {
        Callers {
            token: token(get("mcp_token")).unwrap_or_else(|problem| {
                problems.push(problem);
                None
            }),
            allow_unauthenticated: get("allow_unauthenticated").as_deref() == Some("true"),
            hosts: list("AUDIOBOOKSHELF_ALLOWED_HOSTS", get("allowed_hosts"), Host::parse, HOST_FORM, problems),
            origins: list(
                "AUDIOBOOKSHELF_ALLOWED_ORIGINS",
                get("allowed_origins"),
                WebOrigin::parse_entry,
                ORIGIN_FORM,
                problems,
            ),
        }
    }
}

const HOST_FORM: &str = "a host name or address, with a port or without, such as mcp.example.com or 192.0.2.7:8787";
const ORIGIN_FORM: &str = "scheme, host and port of a page, such as https://chat.example.com or http://localhost:6274";

fn token(text: Option<String>) -> Result<Option<String>, Problem> {
    const NAME: &str = "AUDIOBOOKSHELF_MCP_TOKEN";
    match secret::read(text, NAME)? {
        Some(token) if token.len() < MIN_TOKEN => Err(Problem(format!(
            "{NAME} is shorter than {MIN_TOKEN} characters and could be guessed. Make one with: openssl rand -hex 32"
        ))),
        token => Ok(token),
    }
}

/// Entries are not repeated in the error: people paste keys into the wrong setting.
fn list<T>(
    variable: &str,
    text: Option<String>,
    parse: fn(&str) -> Option<T>,
    form: &str,
    problems: &mut Vec<Problem>,
) -> Vec<T> {
    let Some(text) = text else { return Vec::new() };
    let entries: Vec<&str> = text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
    if entries.is_empty() {
        problems.push(Problem(format!("{variable} has no entry. Write {form}, or do not set it at all.")));
    }
    let mut parsed = Vec::with_capacity(entries.len());
    for (position, entry) in entries.iter().enumerate() {
        match parse(entry) {
            Some(entry) => parsed.push(entry),
            None => problems.push(Problem(format!(
                "{variable}: entry {} is not valid. Write {form}, separated by commas; there is no wildcard.",
                position + 1
            ))),
        }
    }
    parsed
}

/// A `Host` that is answered. Without a port: on any.
#[derive(Debug, PartialEq, Eq)]
pub struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    fn parse(text: &str) -> Option<Host> {
        split_authority(text).map(|(name, port)| Host { name, port })
    }

    /// A final dot is another way to write the same name.
    pub fn admits(&self, name: &str, port: Option<u16>) -> bool {
        let bare = |name: &str| name.strip_suffix('.').unwrap_or(name).to_owned();
        bare(&self.name) == bare(name) && (self.port.is_none() || self.port == port)
    }
}

/// What a browser sends as `Origin`. Not only http and https: applications that are a browser inside have schemes of their
/// own, such as `app://obsidian.md`.
#[derive(Debug, PartialEq, Eq)]
pub struct WebOrigin {
    scheme: String,
    host: String,
    port: Option<u16>,
}

impl WebOrigin {
    /// `None` for `null` too, which stands for every page that hides where it comes from.
    pub fn parse(text: &str) -> Option<WebOrigin> {
        let (scheme, authority) = text.split_once("://")?;
        let plain = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
        if !plain || !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let (host, port) = split_authority(authority)?;
        let usual = match scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        Some(WebOrigin { scheme, host, port: port.or(usual) })
    }

    /// Address bars show a slash at the end, and people copy it.
    fn parse_entry(text: &str) -> Option<WebOrigin> {
        WebOrigin::parse(text.strip_suffix('/').unwrap_or(text))
    }

    /// A page of this machine.
    pub fn is_loopback(&self) -> bool {
        matches!(self.scheme.as_str(), "http" | "https") && policy::is_loopback(&self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pairs: &[(&str, &str)]) -> Result<Callers, String> {
        let mut problems = Vec::new();
        let get = |key: &str| pairs.iter().find(|(k, _)| *k == key).map(|(_, v)| (*v).to_owned());
        let callers = Callers::parse(get, &mut problems);
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        if said.is_empty() { Ok(callers) } else { Err(said.join(" ")) }
    }

    #[test]
    fn a_token_is_long_and_fits_a_header() {
        let long = "0123456789abcdef";
        for good in [long, " 0123456789abcdef\n", "0123456789abcdef\r\n"] {
            assert_eq!(parse(&[("mcp_token", good)]).unwrap().token.as_deref(), Some(long), "{good:?}");
        }
        for (bad, why) in [
            ("0123456789abcde", "shorter than 16"),
            (" \n", "blank"),
            ("0123456789 abcdef", "blank inside"),
            ("0123456789abcdéf", "cannot carry"),
        ] {
            let problem = parse(&[("mcp_token", bad)]).unwrap_err();
            assert!(problem.contains(why) && problem.contains("AUDIOBOOKSHELF_MCP_TOKEN"), "{bad:?}: {problem}");
            assert!(bad.len() < 9 || !problem.contains(&bad[..9]), "{problem}");
        }
    }

    #[test]
    fn hosts() {
        let callers = parse(&[("allowed_hosts", "MCP.example.com, 192.0.2.7:8787 ,[::1]:80,")]).unwrap();
        for (name, port, want) in [
            ("mcp.example.com", None, true),
            ("mcp.example.com.", Some(1), true),
            ("192.0.2.7", Some(8787), true),
            ("192.0.2.7", Some(80), false),
            ("192.0.2.7", None, false),
            ("::1", Some(80), true),
            ("example.com", None, false),
            ("x.mcp.example.com", None, false),
        ] {
            assert_eq!(callers.hosts.iter().any(|host| host.admits(name, port)), want, "{name} {port:?}");
        }
        for bad in ["*", "*.example.com", "http://h", "h/", "h:", "h:0", "h:65536", "::1", "a b", " , ", "u@h"] {
            let problem = parse(&[("allowed_hosts", bad)]).unwrap_err();
            assert!(problem.contains("AUDIOBOOKSHELF_ALLOWED_HOSTS") && !problem.contains(bad), "{bad}: {problem}");
        }
        assert!(parse(&[("allowed_hosts", "h, eyJhbGciOi/secret")]).unwrap_err().contains("entry 2"));
    }

    #[test]
    fn origins() {
        let list = "https://Chat.example.com/, http://localhost:6274, app://obsidian.md, http://[::1]:5173";
        let callers = parse(&[("allowed_origins", list)]).unwrap();
        for (text, want) in [
            ("https://chat.example.com", true),
            ("https://chat.example.com:443", true),
            ("http://chat.example.com", false),
            ("https://chat.example.com:8443", false),
            ("https://chat.example.com.evil", false),
            ("https://evil/?https://chat.example.com", false),
            ("http://localhost:6274", true),
            ("http://localhost", false),
            ("app://obsidian.md", true),
            ("http://[::1]:5173", true),
            ("null", false),
            ("", false),
        ] {
            let listed = WebOrigin::parse(text).is_some_and(|origin| callers.origins.contains(&origin));
            assert_eq!(listed, want, "{text}");
        }
        for bad in ["*", "null", "chat.example.com", "https://*.example.com", "https://h/path", "https://", "1x://h"] {
            let problem = parse(&[("allowed_origins", bad)]).unwrap_err();
            assert!(problem.contains("AUDIOBOOKSHELF_ALLOWED_ORIGINS"), "{bad}: {problem}");
        }
    }

    #[test]
    fn unauthenticated_is_exactly_true() {
        for (text, want) in [("true", true), ("TRUE", false), ("1", false), ("yes", false), (" true", false)] {
            assert_eq!(parse(&[("allow_unauthenticated", text)]).unwrap().allow_unauthenticated, want, "{text}");
        }
    }
}
