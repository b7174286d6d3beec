//! What ABS does to names and descriptions.

/// `The Time Machine` → `Time Machine, The`
pub(crate) fn ignore_prefix(title: &str) -> String {
    match title.split_once(' ') {
        Some((first, rest)) if ["the", "a"].contains(&first.to_lowercase().as_str()) => format!("{rest}, {first}"),
        _ => title.to_owned(),
    }
}

/// `Mary Shelley` → `Shelley, Mary`
pub(crate) fn last_first(name: &str) -> String {
    match name.rsplit_once(' ') {
        Some((first, last)) => format!("{last}, {first}"),
        None => name.to_owned(),
    }
}

/// A description without its markup.
pub(crate) fn plain(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        match rest[open..].find('>') {
            Some(close) => {
                out.push_str(&rest[..open]);
                rest = &rest[open + close + 1..];
            }
            None => break,
        }
    }
    out.push_str(rest);
    decode_entities(&out)
}

/// What is stored of the name of a collection or playlist: no tags, no content of scripts, entities decoded.
pub(crate) fn name(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find("<script") {
        let end = text[start..].find("</script>").map_or(text.len(), |n| start + n + "</script>".len());
        text.replace_range(start..end, "");
    }
    plain(&text)
}

fn decode_entities(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

/// SQLite's `LIKE '%query%'`: `%` and `_` are wildcards, and only ASCII letters match without regard to case.
pub(crate) fn like(text: &str, query: &str) -> bool {
    let fold = |s: &str| s.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<char>>();
    let pattern: Vec<char> = format!("%{query}%").chars().map(|c| c.to_ascii_lowercase()).collect();
    matches(&fold(text), &pattern)
}

/// Greedy with one way back, so that it stays quick on long texts.
fn matches(text: &[char], pattern: &[char]) -> bool {
    let (mut t, mut p) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('%') => {
                back = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '_' || c == text[t] => {
                t += 1;
                p += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    p = star + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '%')
}

/// Compares as SQLite's NOCASE does: bytes, with ASCII letters folded.
pub(crate) fn nocase(a: &str, b: &str) -> std::cmp::Ordering {
    a.bytes().map(|b| b.to_ascii_lowercase()).cmp(b.bytes().map(|b| b.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_one_contiguous_substring_with_wildcards() {
        for (query, hit) in [
            ("pride", true),
            ("PRIDE and", true),
            ("p_ide", true),
            ("pr%dice", true),
            ("%", true),
            ("   ", false),
            (" ", true),
            ("Austen Pride", false),
            ("pride  and", false),
        ] {
            assert_eq!(like("Pride and Prejudice", query), hit, "{query:?}");
        }
        assert!(like("Años", "Años"));
        assert!(!like("Años", "AÑOS"), "only ASCII letters fold");
        assert!(!like("Años", "anos"), "accents stay");
    }

    #[test]
    fn names_lose_their_tags() {
        assert_eq!(name("<b>Bold</b> & <script>x</script>AT&amp;T"), "Bold & AT&T");
        assert_eq!(name("<b></b>"), "");
        assert_eq!(name("a < b"), "a < b");
    }
}
