//! The process environment, read once. What is secret is also removed from it.
//!
//! Child processes, crash reporters and `/proc/<pid>/environ` hand the environment on; the component never sees it at all.
//! What this does not reach: copies that were made before the program started (the shell's, a container runtime's).

use std::{collections::BTreeMap, fmt};

/// Every variable that the program looks at.
const NAMES: [&str; 13] = [
    "AUDIOBOOKSHELF_URL",
    "AUDIOBOOKSHELF_API_KEY",
    "AUDIOBOOKSHELF_API_KEY_FILE",
    "AUDIOBOOKSHELF_READ_ONLY",
    "AUDIOBOOKSHELF_ALLOW_TOOLS",
    "AUDIOBOOKSHELF_DENY_TOOLS",
    "AUDIOBOOKSHELF_MCP_TOKEN",
    "AUDIOBOOKSHELF_MCP_TOKEN_FILE",
    "AUDIOBOOKSHELF_ALLOWED_HOSTS",
    "AUDIOBOOKSHELF_ALLOWED_ORIGINS",
    "AUDIOBOOKSHELF_CA_FILE",
    "AUDIOBOOKSHELF_INSECURE_TLS",
    "ELICITATION",
];

/// Variables that look like settings of this program and are none. A misspelt `AUDIOBOOKSHELF_READONLY` leaves a library
/// writable, so somebody has to be told.
pub fn unknown_names() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter(|name| name.starts_with("AUDIOBOOKSHELF_") && !NAMES.contains(&name.as_str())).collect()
}

/// Those whose values are secret, and those into which people paste a secret by mistake.
const SECRET: [&str; 3] = ["AUDIOBOOKSHELF_API_KEY", "AUDIOBOOKSHELF_MCP_TOKEN", "AUDIOBOOKSHELF_URL"];

/// The settings as they were written. Deliberately shows no values in `Debug`.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<&'static str, String>);

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
        let read = |name: &&'static str| {
            // Text that is not Unicode is no setting of ours; the replacement characters make it fail its validation.
            std::env::var_os(name).map(|value| (*name, value.to_string_lossy().into_owned()))
        };
        let environment = Environment(NAMES.iter().filter_map(read).collect());
        for name in SECRET {
            // SAFETY: the caller vouches that this is the only thread.
            unsafe {
                block::wipe(name);
                std::env::remove_var(name);
            }
        }
        environment
    }

    /// For tests and embedders.
    pub fn of(pairs: &[(&'static str, &str)]) -> Environment {
        Environment(pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
    }

    /// Absent and empty are the same: container tools and client configurations pass optional settings on as empty texts.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.written(name).filter(|value| !value.is_empty())
    }

    /// As it stands there, empty or not.
    pub fn written(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
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
}
