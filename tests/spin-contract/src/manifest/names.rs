//! Which names Spin takes.

/// `lower_snake_case`, for variables: words of letters and digits, joined by single underscores, and a letter first.
pub fn is_variable(name: &str) -> bool {
    words(name, '_')
}

/// `kebab-case`, for components.
pub fn is_component(name: &str) -> bool {
    words(name, '-')
}

fn words(name: &str, joint: char) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.split(joint).all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in ["origin", "api_key", "a1_b2"] {
            assert!(is_variable(good), "{good}");
        }
        for bad in ["", "Origin", "api-key", "api__key", "_key", "key_", "1key", "mcp.url", "schl\u{fc}ssel"] {
            assert!(!is_variable(bad), "{bad}");
        }
        assert!(is_component("audiobookshelf-mcp") && !is_component("audiobookshelf_mcp") && !is_component("Mcp"));
    }
}
