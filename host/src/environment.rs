//! The settings as somebody wrote them: on the command line, in the process environment, in a file; in this order where several
//! have the same one.
//!
//! The environment is read once. What is secret is also removed from it: child processes, crash reporters and
//! `/proc/<pid>/environ` hand it on; the component never sees it at all. What this does not reach: copies that were made before
//! the program started (the shell's, a container runtime's).

use crate::settings::table::{self, Kind, SETTINGS};
use std::{collections::BTreeMap, fmt};

/// Where a setting was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Variable,
    Flag,
    File,
}

/// The settings as they were written. Deliberately shows no values in `Debug`.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<&'static str, (Source, String)>);

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Environment {
    /// Reads the settings and takes the secret ones out of the process environment.
    ///
    /// # Safety
    /// No other thread may exist: the environment is changed, in place where the system shows it to others.
    pub unsafe fn take() -> Environment {
        let read = |name: &'static str| {
            // Text that is not Unicode is no setting of ours; the replacement characters make it fail its validation.
            std::env::var_os(name).map(|value| (name, value.to_string_lossy().into_owned()))
        };
        let environment = Environment::from(Source::Variable, table::names().filter_map(read));
        // The address too: people paste a key into it by mistake.
        let secret = SETTINGS.iter().filter(|setting| matches!(setting.kind, Kind::Secret { .. }));
        for name in secret.map(|setting| setting.name).chain(["AUDIOBOOKSHELF_URL"]) {
            // SAFETY: the caller vouches that this is the only thread.
            unsafe {
                block::wipe(name);
                std::env::remove_var(name);
            }
        }
        environment
    }

    pub(crate) fn from(source: Source, pairs: impl IntoIterator<Item = (&'static str, String)>) -> Environment {
        Environment(pairs.into_iter().map(|(name, value)| (name, (source, value))).collect())
    }

    /// For tests and embedders.
    pub fn of(pairs: &[(&'static str, &str)]) -> Environment {
        Environment::from(Source::Variable, pairs.iter().map(|(name, value)| (*name, (*value).to_owned())))
    }

    /// These settings, and those of `less` that are not among them.
    ///
    /// A secret in one place and the file of one in the other are the same setting.
    pub(crate) fn over(mut self, mut less: Environment) -> Environment {
        for setting in &SETTINGS {
            if setting.names().all(|name| self.get(name).is_none()) {
                for name in setting.names() {
                    if let Some(value) = less.0.remove(name) {
                        self.0.insert(name, value);
                    }
                }
            }
        }
        self
    }

    /// Absent and empty are the same: container tools and client configurations pass optional settings on as empty texts.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.written(name).filter(|value| !value.is_empty())
    }

    /// As it stands there, empty or not.
    pub fn written(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn source(&self, name: &str) -> Option<Source> {
        self.0.get(name).map(|(source, _)| *source)
    }

    /// Sentences name variables. One about a setting that was not written there says where to look, too.
    pub(crate) fn located(&self, sentence: &str) -> String {
        let mut located = sentence.to_owned();
        let words: Vec<&str> = sentence.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
        for (setting, name) in SETTINGS.iter().flat_map(|setting| setting.names().map(move |name| (setting, name))) {
            if words.contains(&name) {
                match self.source(name) {
                    Some(Source::Flag) => located += &format!(" ({name} was set by --{}.)", setting.flag),
                    Some(Source::File) => located += &format!(" ({name} was set in the settings file.)"),
                    Some(Source::Variable) | None => {}
                }
            }
        }
        located
    }
}

/// A variable that looks like a setting of this program and is none, and what to say about it. A misspelt
/// `AUDIOBOOKSHELF_READONLY` leaves a library writable, so somebody has to be told.
pub fn unknown_names() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter_map(|name| unknown(&name)).collect()
}

fn unknown(name: &str) -> Option<String> {
    use crate::settings::near;
    // The one name without the prefix. A variable of another program is rarely a letter away from it.
    let other = || (name.len() > 8).then(|| near::nearest(name, ["ELICITATION"])).flatten().is_some();
    if table::names().any(|known| known == name) || !(name.starts_with("AUDIOBOOKSHELF_") || other()) {
        return None;
    }
    let question = near::question(name, table::names());
    Some(format!("{name} is no setting of this program and is ignored; --help lists the settings.{question}"))
}

/// The block of memory in which the system handed the environment over, which `/proc/<pid>/environ` shows for ever.
#[cfg(target_os = "linux")]
mod block {
    use std::ffi::{CStr, c_char};

    unsafe extern "C" {
        static environ: *const *mut c_char;
    }

    /// Overwrites the value of a variable where it lies.
    ///
    /// # Safety
    /// No other thread may exist.
    pub(super) unsafe fn wipe(name: &str) {
        // SAFETY: `environ` is null or a null-terminated array of C strings. They lie in the writable memory that the
        // kernel filled at the start, or in memory of the C library; no Rust value borrows them, and no other thread reads
        // them (the caller vouches for that). Exactly the bytes before the terminating zero are written.
        unsafe {
            let mut entry = environ;
            while !entry.is_null() && !(*entry).is_null() {
                let text = CStr::from_ptr(*entry).to_bytes();
                let value = text.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
                if let Some(length) = value.map(<[u8]>::len) {
                    (*entry).add(name.len() + 1).write_bytes(b'x', length);
                }
                entry = entry.add(1);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod block {
    /// # Safety
    /// None needed; the signature is that of the other systems.
    pub(super) unsafe fn wipe(_name: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_absent_and_values_are_not_shown() {
        let environment = Environment::of(&[("AUDIOBOOKSHELF_URL", ""), ("AUDIOBOOKSHELF_API_KEY", "sesame")]);
        assert_eq!(environment.get("AUDIOBOOKSHELF_URL"), None);
        assert_eq!(environment.written("AUDIOBOOKSHELF_URL"), Some(""));
        assert_eq!(environment.get("ELICITATION"), None);
        assert!(!format!("{environment:?}").contains("sesame"));
    }

    #[test]
    fn the_nearer_place_wins_setting_by_setting() {
        let layer = |source, pairs: &[(&'static str, &str)]| {
            Environment::from(source, pairs.iter().map(|(name, value)| (*name, (*value).to_owned())))
        };
        let flags = layer(Source::Flag, &[("AUDIOBOOKSHELF_URL", "flag"), ("AUDIOBOOKSHELF_API_KEY_FILE", "flag")]);
        let variables = layer(
            Source::Variable,
            &[("AUDIOBOOKSHELF_URL", "variable"), ("AUDIOBOOKSHELF_API_KEY", "variable"), ("ELICITATION", "")],
        );
        let file = layer(
            Source::File,
            &[("AUDIOBOOKSHELF_URL", "file"), ("ELICITATION", "file"), ("AUDIOBOOKSHELF_CA_FILE", "file")],
        );
        let all = flags.over(variables).over(file);
        assert_eq!(all.get("AUDIOBOOKSHELF_URL"), Some("flag"));
        assert_eq!((all.get("AUDIOBOOKSHELF_API_KEY_FILE"), all.get("AUDIOBOOKSHELF_API_KEY")), (Some("flag"), None));
        assert_eq!((all.get("ELICITATION"), all.source("ELICITATION")), (Some("file"), Some(Source::File)));
        assert_eq!(
            all.located("AUDIOBOOKSHELF_URL is wrong."),
            "AUDIOBOOKSHELF_URL is wrong. (AUDIOBOOKSHELF_URL was set by --url.)"
        );
        assert_eq!(all.located("AUDIOBOOKSHELF_API_KEY is wrong."), "AUDIOBOOKSHELF_API_KEY is wrong.");
        assert!(
            all.located("AUDIOBOOKSHELF_CA_FILE's file")
                .ends_with("(AUDIOBOOKSHELF_CA_FILE was set in the settings file.)")
        );
    }

    #[test]
    fn names_that_are_near() {
        for (name, want) in [
            ("AUDIOBOOKSHELF_URL", None),
            ("ELICITATION", None),
            ("PATH", None),
            ("EDITION", None),
            ("AUDIOBOOKSHELF_READONLY", Some("Did you mean AUDIOBOOKSHELF_READ_ONLY?")),
            ("AUDIOBOOKSHELF_UID", Some("--help lists the settings.")),
            ("ELICITATON", Some("Did you mean ELICITATION?")),
        ] {
            let said = unknown(name);
            assert_eq!(said.is_some(), want.is_some(), "{said:?}");
            assert!(said.is_none_or(|said| said.contains(want.unwrap())), "{name}");
        }
    }
}
