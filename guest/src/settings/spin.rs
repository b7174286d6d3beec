//! What is different about settings on Spin.

use super::Problem;

/// Sentences name settings as our host does, by environment variables. On Spin they are variables of the application, which
/// `SPIN_VARIABLE_…` sets.
const NAMES: [(&str, &str); 9] = [
    ("AUDIOBOOKSHELF_URL", "SPIN_VARIABLE_ORIGIN"),
    ("AUDIOBOOKSHELF_API_KEY", "SPIN_VARIABLE_API_KEY"),
    ("AUDIOBOOKSHELF_READ_ONLY", "SPIN_VARIABLE_READ_ONLY"),
    ("AUDIOBOOKSHELF_ALLOW_TOOLS", "SPIN_VARIABLE_ALLOW_TOOLS"),
    ("AUDIOBOOKSHELF_DENY_TOOLS", "SPIN_VARIABLE_DENY_TOOLS"),
    ("AUDIOBOOKSHELF_MCP_TOKEN", "SPIN_VARIABLE_MCP_TOKEN"),
    ("AUDIOBOOKSHELF_ALLOWED_HOSTS", "SPIN_VARIABLE_ALLOWED_HOSTS"),
    ("AUDIOBOOKSHELF_ALLOWED_ORIGINS", "SPIN_VARIABLE_ALLOWED_ORIGINS"),
    // Only where it is the subject: what the guard says about ELICITATION=false is said under that name everywhere.
    ("ELICITATION must", "SPIN_VARIABLE_ELICITATION must"),
];

pub(super) fn names(sentence: &str) -> String {
    NAMES.iter().fold(sentence.to_owned(), |sentence, (ours, theirs)| sentence.replace(ours, theirs))
}

/// Spin makes the one host that it lets out from the same text, under rules of its own (read from 4.0.2), and denies every
/// request where the text breaks them. Better a sentence than a riddle.
pub(super) fn origin(text: &str) -> Result<(), Problem> {
    let text = text.trim();
    let (_, rest) = text.split_once("://").unwrap_or(("", text));
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    let why = if authority.contains('/') {
        "has a path, and Spin takes none there. Put the path into SPIN_VARIABLE_BASE_PATH"
    } else if text.bytes().any(|b| b.is_ascii_uppercase()) {
        "has capital letters, and Spin compares it letter by letter. Write it in small letters"
    } else if authority.ends_with(']') {
        "is an IPv6 address without a port, which Spin cannot read. Add the port, such as :80"
    } else if !authority.is_ascii() {
        "has letters beyond ASCII. Write the host as xn--…"
    } else {
        return Ok(());
    };
    Err(Problem(format!("AUDIOBOOKSHELF_URL {why}.")))
}
