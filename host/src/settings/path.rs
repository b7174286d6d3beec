//! Paths that people set, as far as they may be repeated, and the files there.

use std::{
    fmt,
    fs::{File, Metadata},
    io::Read,
    path::Path,
};

/// Reads a file that should be small, whole: the beginning of one alone would be taken for all of it. The error says why not,
/// and nothing of a path or of what is in the file, since keys get pasted in place of either.
pub(super) fn contents(path: &Path, most: u64, what: &str) -> Result<(Vec<u8>, Metadata), String> {
    let mut bytes = Vec::new();
    let mut read = || {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        file.take(most + 1).read_to_end(&mut bytes)?;
        Ok(metadata)
    };
    let metadata = read().map_err(|error: std::io::Error| error.kind().to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("it is far too large for {what}"));
    }
    Ok((bytes, metadata))
}

/// The same of a file with text.
pub(super) fn text(path: &Path, most: u64, what: &str) -> Result<(String, Metadata), String> {
    let (bytes, metadata) = contents(path, most, what)?;
    let text = String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8")?;
    // Some editors begin a file with a mark of its encoding.
    Ok((text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text), metadata))
}

/// Longer than the paths people write, shorter than a certificate in one line.
const MAX: usize = 300;

/// The path in brackets, or nothing when the text may be something else: keys and certificates get pasted in place of the
/// path of the file that they should lie in.
pub(super) struct Shown<'a>(pub(super) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plausible(self.0) { write!(f, " ({})", self.0) } else { Ok(()) }
    }
}

fn is_plausible(text: &str) -> bool {
    let bytes = text.as_bytes();
    let rooted = ["/", "./", "../", "~/", ".\\", "..\\", "\\\\"].iter().any(|start| text.starts_with(start))
        || matches!(bytes, [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let lower = text.to_ascii_lowercase();
    let named = [".pem", ".crt", ".cer", ".txt", ".key", ".env"].iter().any(|end| lower.ends_with(end));
    (rooted || named) && text.len() <= MAX && !text.chars().any(char::is_control) && !policy::looks_like_key(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_and_a_key_is_not() {
        let key = format!("eyJhbGciOiJIUzI1NiJ9.{}.pem", "c2VjcmV0".repeat(12));
        for (text, shown, why) in [
            ("/run/secrets/abs", true, "from the root"),
            ("./abs", true, "from here"),
            ("C:\\abs\\ca", true, "of a drive"),
            ("ca.pem", true, "by its ending"),
            ("certs/CA.CRT", true, "likewise"),
            ("sesame", false, "may be a key"),
            ("c2Vj/cmV0+abc", false, "may be base64"),
            (&key, false, "begins like a key"),
            ("/x\n-----BEGIN CERTIFICATE-----", false, "has lines"),
            (&format!("/{}", "a".repeat(400)), false, "is too long"),
            ("", false, "is nothing"),
        ] {
            assert_eq!(is_plausible(text), shown, "{text}: {why}");
        }
        assert_eq!(format!("the file{} is", Shown("/a b")), "the file (/a b) is");
        assert_eq!(format!("the file{} is", Shown("eyJ")), "the file is");
    }
}
