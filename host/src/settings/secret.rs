//! Keys and tokens: read from a variable or from a file, derived, never shown.

use super::{
    Problem,
    path::{self, Shown},
};
use crate::environment::Environment;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// More than any key, and little enough to read a wrong path's file by mistake.
const MAX_FILE: u64 = 16 * 1024;

#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }

    #[cfg(test)]
    pub(crate) fn for_tests(text: &str) -> Self {
        Secret(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// Reads a secret from variable `name` or from the file that `file_name` points to.
pub(super) fn read(environment: &Environment, name: &str, file_name: &str) -> Result<Option<Secret>, Problem> {
    let (source, text) = match (environment.get(name), environment.get(file_name)) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(Problem(format!("{name} and {file_name} are both set. Set one of them."))),
        (Some(text), None) => (name, text.to_owned()),
        (None, Some(path)) => (file_name, read_file(file_name, path)?),
    };
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem(format!("{source} holds only blanks.")));
    }
    if text.len() > 7 && text.as_bytes()[..7].eq_ignore_ascii_case(b"bearer ") {
        return Err(Problem(format!("{source} starts with the word Bearer. Leave it out; it is added.")));
    }
    if text.len() > 1 && ['"', '\''].iter().any(|quote| text.starts_with(*quote) && text.ends_with(*quote)) {
        return Err(Problem(format!(
            "{source} stands in quotation marks, which would be taken for a part of it. Leave them out."
        )));
    }
    if !text.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(Problem(format!(
            "{source} has a blank inside or a character that an HTTP header cannot carry. Was it copied whole and alone?"
        )));
    }
    Ok(Some(Secret(text.to_owned())))
}

fn read_file(variable: &str, path: &str) -> Result<String, Problem> {
    let cannot =
        |why: String| Problem(format!("the file that {variable} points to{} cannot be used: {why}.", Shown(path)));
    path::text(path.as_ref(), MAX_FILE, "a key").map(|(text, _)| text).map_err(cannot)
}

/// What seals the sessions of HTTP clients. Made from the API key, so that sessions survive a restart and end with the key;
/// without a key, from randomness.
pub(super) fn session_secret(api_key: Option<&Secret>) -> String {
    let random;
    let key = match api_key {
        Some(key) => key.reveal().as_bytes(),
        None => {
            random = random_bytes();
            &random
        }
    };
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(b"audiobookshelf-mcp session v1");
    hex(&mac.finalize().into_bytes())
}

pub(super) fn random_hex() -> String {
    hex(&random_bytes())
}

fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives randomness; nothing could be sealed without it");
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(pairs: &[(&'static str, &str)]) -> Result<Option<String>, String> {
        read(&Environment::of(pairs), "AUDIOBOOKSHELF_API_KEY", "AUDIOBOOKSHELF_API_KEY_FILE")
            .map(|secret| secret.map(|s| s.reveal().to_owned()))
            .map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_key_is_trimmed_and_must_fit_a_header() {
        assert_eq!(key(&[("AUDIOBOOKSHELF_API_KEY", " k1\n")]), Ok(Some("k1".into())));
        assert_eq!(key(&[("AUDIOBOOKSHELF_API_KEY", "")]), Ok(None));
        for bad in [" ", "a b", "a\nb", "kéy", "Bearer k1", "\"k1\"", "'k1'"] {
            let problem = key(&[("AUDIOBOOKSHELF_API_KEY", bad)]).unwrap_err();
            assert!(problem.starts_with("AUDIOBOOKSHELF_API_KEY "), "{problem}");
            assert!(!problem.contains("k1") && !problem.contains("kéy"), "{problem}");
        }
    }

    #[test]
    fn a_key_may_lie_in_a_file() {
        let path = std::env::temp_dir().join(format!("audiobookshelf-mcp-key-{}", std::process::id()));
        std::fs::write(&path, "from-file\n").unwrap();
        let file = path.to_str().unwrap();
        assert_eq!(key(&[("AUDIOBOOKSHELF_API_KEY_FILE", file)]), Ok(Some("from-file".into())));
        assert!(
            key(&[("AUDIOBOOKSHELF_API_KEY_FILE", file), ("AUDIOBOOKSHELF_API_KEY", "x")])
                .unwrap_err()
                .contains("both")
        );
        std::fs::remove_file(&path).unwrap();
        let problem = key(&[("AUDIOBOOKSHELF_API_KEY_FILE", "/run/secrets/nowhere")]).unwrap_err();
        assert!(problem.contains("AUDIOBOOKSHELF_API_KEY_FILE points to (/run/secrets/nowhere)"), "{problem}");
        let problem = key(&[("AUDIOBOOKSHELF_API_KEY_FILE", "eyJpasted")]).unwrap_err();
        assert!(problem.contains("AUDIOBOOKSHELF_API_KEY_FILE") && !problem.contains("eyJpasted"), "{problem}");
    }

    #[test]
    fn the_session_secret_is_hmac_sha256_of_the_key() {
        let of = |key: &str| session_secret(Some(&Secret(key.to_owned())));
        assert_eq!(of("k"), of("k"));
        assert_ne!(of("k"), of("l"));
        assert_eq!(of("k").len(), 64);
        assert_ne!(session_secret(None), session_secret(None));
    }
}
