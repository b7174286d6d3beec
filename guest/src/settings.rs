//! Settings: raw texts in, validated values out. Used by the component on each request and by the host at its start.

mod callers;
mod secret;
mod spin;

pub use callers::{Callers, WebOrigin};

use crate::tools;
use policy::{Origin, OriginError};
use std::fmt;

/// The value that `spin.toml` gives `origin` until somebody sets it: Spin 4.0.2 refuses an empty default in
/// `allowed_outbound_hosts`.
const UNSET_ORIGIN: &str = "http://unset.invalid";

/// More than any household asks; a bound on what clients can make the store hold.
const MAX_QUESTIONS: usize = 32;

/// Validated settings.
#[derive(Debug)]
pub struct Settings {
    /// Absent until somebody sets it: the server then lists its tools, and each call says how to set it up.
    pub origin: Option<Origin>,
    pub credential: Credential,
    pub read_only: bool,
    pub selection: Selection,
    /// Whether guarded tools may ask by dialog.
    pub elicitation: bool,
    pub surface: Surface,
    /// Whether this host is Spin, where settings have other names. Ours says where its callers sit.
    pub on_spin: bool,
    pub callers: Callers,
    /// Questions to a person that may wait at a time, of all clients together. Each keeps an instance waiting, and the answers
    /// need instances too, so that our host says how many it has room for.
    pub max_questions: usize,
    /// Seals sessions; empty where there is neither a host that gives one nor an API key.
    pub session_secret: Vec<u8>,
    /// Seals approvals. Where the ledger of used ones lives in memory, the host adds a value that ends with it.
    pub approval_secret: Vec<u8>,
}

/// Who holds the ABS API key.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    Missing,
    /// Our host adds it to requests that may leave; the component never sees it.
    Host,
    /// Spin has nobody else to hold it.
    Key(String),
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credential::Missing => "Missing",
            Credential::Host => "Host",
            Credential::Key(_) => "Key(…)",
        })
    }
}

/// Where the caller sits, as far as the host can vouch for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Whoever started the process. There are no MCP headers to check.
    Stdio,
    /// Our host, bound to a loopback address.
    Loopback,
    /// Our host on another address, or Spin, which cannot vouch for anything.
    Network,
}

/// A setting that cannot be used. Displays as one sentence that names the setting and the valid choice.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Problem {
    fn on_spin(&self) -> Problem {
        Problem(spin::names(&self.0))
    }
}

impl Problem {
    /// For when it is not known what is set.
    pub fn unreadable() -> Problem {
        Problem(
            "The settings cannot be read at the moment, and some of them could forbid this. Try again later.".into(),
        )
    }
}

impl Settings {
    /// Reads the settings by their `wasi:config` keys. All problems are reported, not just the first.
    pub fn parse(get: impl Fn(&str) -> Option<String>) -> Result<Settings, Vec<Problem>> {
        // The line end of a file that a value was read from is no part of it.
        let line =
            |text: String| text.strip_suffix('\n').map(|text| text.trim_end_matches('\r').to_owned()).unwrap_or(text);
        let get = |key: &str| get(key).map(line).filter(|text| !text.is_empty());
        let mut problems = Vec::new();
        let origin = origin(get("origin"), get("base_path")).unwrap_or_else(|e| {
            problems.push(Problem(format!("AUDIOBOOKSHELF_URL is not the address of an Audiobookshelf: {e}.")));
            None
        });
        let on_spin = get("surface").is_none();
        if on_spin && let Some(text) = get("origin").filter(|_| origin.is_some()) {
            problems.extend(spin::origin(&text).err());
        }
        let api_key = secret::read(get("api_key"), "AUDIOBOOKSHELF_API_KEY").unwrap_or_else(|problem| {
            problems.push(problem);
            None
        });
        let credential = match (get("credential"), api_key) {
            (Some(_), _) => Credential::Host,
            (None, Some(key)) => Credential::Key(key),
            (None, None) => Credential::Missing,
        };
        let read_only = read_only(get("read_only").as_deref()).unwrap_or_else(|problem| {
            problems.push(problem);
            true
        });
        let elicitation = elicitation(get("elicitation").as_deref()).unwrap_or_else(|problem| {
            problems.push(problem);
            true
        });
        let selection = Selection::parse(get("allow_tools").as_deref(), get("deny_tools").as_deref(), &mut problems);
        let callers = Callers::parse(get, &mut problems);
        let surface = match get("surface").as_deref() {
            Some("stdio") => Surface::Stdio,
            Some("loopback") => Surface::Loopback,
            _ => Surface::Network,
        };
        let max_questions = max_questions(get("max_questions").as_deref()).unwrap_or_else(|problem| {
            problems.push(problem);
            MAX_QUESTIONS
        });
        let session_secret = match (get("session_secret"), &credential) {
            (Some(secret), _) => secret.into_bytes(),
            (None, Credential::Key(key)) => key.clone().into_bytes(),
            (None, _) => Vec::new(),
        };
        let approval_secret =
            [session_secret.as_slice(), get("approval_secret").unwrap_or_default().as_bytes()].concat();
        if !problems.is_empty() {
            return Err(if on_spin { problems.iter().map(Problem::on_spin).collect() } else { problems });
        }
        Ok(Settings {
            origin,
            credential,
            read_only,
            selection,
            elicitation,
            surface,
            on_spin,
            callers,
            max_questions,
            session_secret,
            approval_secret,
        })
    }

    /// Whether a tool is offered. A tool that is not is unknown, not refused.
    pub fn offers(&self, tool: &tools::Tool) -> bool {
        !(self.read_only && tool.writes()) && self.selection.admits(tool.name)
    }

    pub fn is_configured(&self) -> bool {
        self.origin.is_some() && self.credential != Credential::Missing
    }

    /// What to set, for a server that nobody has set up yet.
    pub fn set_up(&self) -> String {
        let missing = match (self.origin.is_some(), self.credential != Credential::Missing) {
            (true, true) => return "The server is set up.".into(),
            (false, false) => {
                "AUDIOBOOKSHELF_URL (the address, for instance http://192.0.2.7:13378) and AUDIOBOOKSHELF_API_KEY"
            }
            (false, true) => "AUDIOBOOKSHELF_URL (the address, for instance http://192.0.2.7:13378)",
            (true, false) => "AUDIOBOOKSHELF_API_KEY",
        };
        self.naming(&format!(
            "This server is not connected to an Audiobookshelf yet. The person who runs it has to set {missing} and start it \
             again. The key comes from Audiobookshelf 2.26 or newer: Settings, Users, API Keys; the server can do what that \
             key's user may do."
        ))
    }

    /// A sentence of ours that names settings, in the names that this host has for them.
    pub fn naming(&self, sentence: &str) -> String {
        if self.on_spin { spin::names(sentence) } else { sentence.to_owned() }
    }
}

fn origin(origin: Option<String>, base_path: Option<String>) -> Result<Option<Origin>, OriginError> {
    match origin {
        None => Ok(None),
        Some(text) if text == UNSET_ORIGIN => Ok(None),
        Some(text) => {
            let base = base_path.as_deref().unwrap_or("").trim_start_matches('/');
            let whole = if base.is_empty() { text } else { format!("{}/{base}", text.trim_end_matches('/')) };
            Origin::parse(&whole).map(Some)
        }
    }
}

fn read_only(text: Option<&str>) -> Result<bool, Problem> {
    match text.map(|text| text.trim().to_ascii_lowercase()).as_deref() {
        None | Some("false" | "0" | "no") => Ok(false),
        Some("true" | "1" | "yes") => Ok(true),
        Some(_) => Err(Problem(
            "AUDIOBOOKSHELF_READ_ONLY must be true, 1 or yes, or false, 0 or no. It is something else, and guessing could \
             leave a library writable that was meant to be read-only."
                .into(),
        )),
    }
}

/// The only setting here that defaults to on: a typing error that fell back to the default would leave the dialog running
/// while the operator believes it is off.
fn elicitation(text: Option<&str>) -> Result<bool, Problem> {
    match text {
        None | Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(_) => Err(Problem("ELICITATION must be exactly true or false, in small letters.".into())),
    }
}

fn max_questions(text: Option<&str>) -> Result<usize, Problem> {
    let number = text.map_or(Ok(MAX_QUESTIONS), str::parse);
    number
        .ok()
        .filter(|n| (1..1000).contains(n))
        .ok_or_else(|| Problem("max_questions must be a whole number from 1 to 999.".into()))
}

/// `AUDIOBOOKSHELF_ALLOW_TOOLS` and `AUDIOBOOKSHELF_DENY_TOOLS`: names, `prefix*`, or `essential`, comma-separated.
#[derive(Debug, Default)]
pub struct Selection {
    /// Empty: all.
    allow: Vec<String>,
    deny: Vec<String>,
}

impl Selection {
    fn parse(allow: Option<&str>, deny: Option<&str>, problems: &mut Vec<Problem>) -> Selection {
        let mut entries = |variable: &str, text: Option<&str>| -> Vec<String> {
            let entries: Vec<String> = text
                .unwrap_or("")
                .split(',')
                .map(str::trim)
                .filter(|entry| !entry.is_empty())
                .map(str::to_owned)
                .collect();
            if entries.is_empty() && text.is_some_and(|text| !text.is_empty()) {
                problems.push(Problem(format!("{variable} names no tool. Leave it out where it is to mean nothing.")));
            }
            for entry in &entries {
                if !tools::all().any(|tool| names(entry, tool.name)) {
                    problems.push(unknown_entry(variable, entry));
                }
            }
            entries
        };
        let allow = entries("AUDIOBOOKSHELF_ALLOW_TOOLS", allow);
        let deny = entries("AUDIOBOOKSHELF_DENY_TOOLS", deny);
        Selection { allow, deny }
    }

    fn admits(&self, name: &str) -> bool {
        let in_list = |list: &[String]| list.iter().any(|entry| names(entry, name));
        (self.allow.is_empty() || in_list(&self.allow)) && !in_list(&self.deny)
    }
}

fn names(entry: &str, tool: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(prefix) => tool.starts_with(prefix),
        None if entry == "essential" => tools::ESSENTIAL.contains(&tool),
        None => entry == tool,
    }
}

/// People paste keys here; what does not look like a tool's name is not repeated.
fn unknown_entry(variable: &str, entry: &str) -> Problem {
    let like_a_name = entry.len() <= 40 && entry.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'*'));
    let shown = if like_a_name {
        format!("\"{entry}\"")
    } else {
        "an entry (not shown, it does not look like a tool name)".into()
    };
    Problem(format!(
        "{variable} has {shown}, which matches no tool. Valid are the tools' names, a prefix followed by *, and essential, \
         separated by commas."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On Spin, unless a surface is given.
    fn parse(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::parse(|key| pairs.iter().find(|(k, _)| *k == key).map(|(_, v)| (*v).to_owned()))
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn address_and_path_fit_together_however_they_are_written() {
        for (origin, base_path) in [
            ("https://abs.example.com", "/audiobookshelf"),
            ("https://abs.example.com/", "/audiobookshelf"),
            ("https://abs.example.com", "audiobookshelf/"),
            ("https://abs.example.com\n", "/audiobookshelf\n"),
        ] {
            let settings = parse(&[("origin", origin), ("base_path", base_path), ("elicitation", "false\n")]).unwrap();
            let origin = settings.origin.unwrap();
            assert_eq!(
                (origin.to_string().as_str(), origin.base_path()),
                ("https://abs.example.com", "/audiobookshelf")
            );
            assert!(!settings.elicitation);
        }
    }

    #[test]
    fn nothing_set_is_a_server_that_only_lists() {
        let settings = parse(&[]).unwrap();
        assert!(!settings.is_configured() && !settings.read_only && settings.elicitation);
        assert!(!parse(&[("origin", UNSET_ORIGIN), ("api_key", "k")]).unwrap().is_configured());
        assert!(parse(&[("origin", "http://abs:1"), ("credential", "host")]).unwrap().is_configured());
    }

    #[test]
    fn read_only_is_not_guessed() {
        for (text, want) in [
            ("true", true),
            ("1", true),
            ("YES", true),
            (" true ", true),
            ("false", false),
            ("0", false),
            ("no", false),
        ] {
            assert_eq!(parse(&[("read_only", text)]).unwrap().read_only, want, "{text}");
        }
        for text in ["on", "ture", "2"] {
            assert!(parse(&[("read_only", text)]).unwrap_err().contains("SPIN_VARIABLE_READ_ONLY"), "{text}");
        }
    }

    #[test]
    fn elicitation_is_exact() {
        for text in ["1", "off", "yes", "False", " true"] {
            let problem = parse(&[("elicitation", text)]).unwrap_err();
            assert!(problem.contains("ELICITATION") && problem.contains("true or false"), "{text}");
        }
    }

    #[test]
    fn on_spin_problems_have_the_names_of_spin() {
        for (key, value, name) in [
            ("origin", "nas:1", "SPIN_VARIABLE_ORIGIN"),
            ("api_key", "a b", "SPIN_VARIABLE_API_KEY"),
            ("read_only", "on", "SPIN_VARIABLE_READ_ONLY"),
            ("elicitation", "maybe", "SPIN_VARIABLE_ELICITATION"),
            ("allow_tools", "none", "SPIN_VARIABLE_ALLOW_TOOLS"),
        ] {
            let problem = parse(&[(key, value)]).unwrap_err();
            assert!(problem.contains(name) && !problem.contains("AUDIOBOOKSHELF_"), "{problem}");
            let problem = parse(&[(key, value), ("surface", "loopback")]).unwrap_err();
            assert!(!problem.contains("SPIN_"), "{problem}");
        }
    }

    /// What Spin's list of allowed hosts cannot take, it answers by denying every request.
    #[test]
    fn on_spin_the_origin_fits_its_rules_too() {
        for (origin, why) in [
            ("https://abs.example.com", ""),
            ("https://abs.example.com/", ""),
            ("http://192.0.2.7:13378", ""),
            ("http://[::1]:80", ""),
            ("http://[::1]", "Add the port"),
            ("https://example.com/audiobookshelf", "SPIN_VARIABLE_BASE_PATH"),
            ("https://ABS.example.com", "small letters"),
        ] {
            let problem = parse(&[("origin", origin)]).err().unwrap_or_default();
            assert!(problem.contains(why) && problem.is_empty() == why.is_empty(), "{origin}: {problem}");
            assert!(!problem.contains("example.com"), "{problem}");
            assert!(parse(&[("origin", origin), ("surface", "stdio")]).is_ok(), "{origin}");
        }
        assert!(parse(&[("origin", "https://example.com"), ("base_path", "/audiobookshelf")]).is_ok());
    }

    #[test]
    fn tools_are_chosen_by_name_prefix_and_essential() {
        let offered = |pairs: &[(&str, &str)]| -> Vec<&str> {
            let settings = parse(pairs).unwrap();
            tools::all().filter(|t| settings.offers(t)).map(|t| t.name).collect()
        };
        assert_eq!(offered(&[("allow_tools", " get_me , list_libraries")]), ["list_libraries", "get_me"]);
        assert_eq!(offered(&[("allow_tools", "list_lib*"), ("deny_tools", "list_library_items")]), ["list_libraries"]);
        assert!(offered(&[("deny_tools", "*")]).is_empty());
        assert!(offered(&[("allow_tools", "essential"), ("read_only", "1")]).contains(&"search_library"));
    }

    #[test]
    fn an_entry_that_matches_nothing_is_named_unless_it_may_be_a_key() {
        assert!(parse(&[("deny_tools", "delete_everything")]).unwrap_err().contains("\"delete_everything\""));
        let problem = parse(&[("allow_tools", "eyJhbGciOi.secret.key")]).unwrap_err();
        assert!(problem.contains("SPIN_VARIABLE_ALLOW_TOOLS") && !problem.contains("secret"), "{problem}");
    }
}
