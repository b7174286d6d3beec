//! "Did you mean": what is nearest to a name that does not exist, if it is near enough to be meant.

/// The candidate that was probably meant.
pub(crate) fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = stem(written);
    candidates.into_iter().filter_map(|name| Some((distance(&written, &stem(name))?, name))).min().map(|(_, name)| name)
}

/// What tells names apart: not the prefix that nearly all of them have, nor the letters' size.
fn stem(name: &str) -> String {
    let name = name.to_ascii_uppercase();
    name.strip_prefix("AUDIOBOOKSHELF_").unwrap_or(&name).to_owned()
}

/// Less is nearer; none is too far.
fn distance(written: &str, name: &str) -> Option<usize> {
    let typing = strsim::damerau_levenshtein(written, name);
    // A third of the letters may be wrong, or words left out: KEY for API_KEY.
    let part =
        !written.is_empty() && (name.ends_with(&format!("_{written}")) || name.starts_with(&format!("{written}_")));
    (part || typing * 3 <= written.len().max(name.len())).then_some(typing)
}

/// ` Did you mean X?`, or nothing.
pub(crate) fn question<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, candidates).map(|name| format!(" Did you mean {name}?")).unwrap_or_default()
}

/// The component names an entry that matches no tool, in quotation marks. What it may have meant is the host's to say: there it
/// costs each request nothing.
pub(super) fn with_tool(sentence: &str) -> String {
    let names = guest::tools::all().map(|tool| tool.name).chain(["essential"]);
    let entry = sentence.split('"').nth(1).filter(|_| sentence.contains("matches no tool"));
    format!("{sentence}{}", entry.map(|entry| question(entry, names)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::table;

    #[test]
    fn what_was_meant() {
        for (written, want) in [
            ("AUDIOBOOKSHELF_READONLY", Some("AUDIOBOOKSHELF_READ_ONLY")),
            ("AUDIOBOOKSHELF_KEY", Some("AUDIOBOOKSHELF_API_KEY")),
            ("AUDIOBOOKSHELF_TOKEN", Some("AUDIOBOOKSHELF_MCP_TOKEN")),
            ("AUDIOBOOKSHELF_APIKEY_FILE", Some("AUDIOBOOKSHELF_API_KEY_FILE")),
            ("AUDIOBOOKSHELF_ALLOWED_HOST", Some("AUDIOBOOKSHELF_ALLOWED_HOSTS")),
            ("AUDIOBOOKSHELF_DENY", Some("AUDIOBOOKSHELF_DENY_TOOLS")),
            ("audiobookshelf_url", Some("AUDIOBOOKSHELF_URL")),
            ("ELICITATON", Some("ELICITATION")),
            ("AUDIOBOOKSHELF_SERVER", None),
            ("AUDIOBOOKSHELF_FOO", None),
            ("AUDIOBOOKSHELF_", None),
            ("PATH", None),
        ] {
            assert_eq!(nearest(written, table::names()), want, "{written}");
        }
        assert_eq!(question("list_librarys", ["list_libraries", "get_me"]), " Did you mean list_libraries?");
        assert_eq!(question("delete_everything", ["list_libraries", "get_me"]), "");
    }
}
