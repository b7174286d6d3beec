//! The key and the token as a person hands them over.

use super::Problem;

/// Without the blanks around it: Spin's `--variable api_key=@file` takes the line end of the file along. What is left has to
/// fit into a header; it is not repeated.
pub(super) fn read(text: Option<String>, name: &str) -> Result<Option<String>, Problem> {
    let Some(text) = text else { return Ok(None) };
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem(format!("{name} holds only blanks.")));
    }
    if text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer ")) {
        return Err(Problem(format!("{name} starts with the word Bearer. Leave it out; it is added.")));
    }
    if !text.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(Problem(format!(
            "{name} has a blank inside or a character that an HTTP header cannot carry. Was it copied whole and alone?"
        )));
    }
    Ok(Some(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trimmed_and_fit_for_a_header() {
        let read = |text: &str| read(Some(text.to_owned()), "NAME");
        assert_eq!(read("k3y\n"), Ok(Some("k3y".into())));
        for bad in ["hunter 2", "hunter\n2", "hunter\u{fc}2", "Bearer hunter2", " "] {
            let Problem(text) = read(bad).unwrap_err();
            assert!(text.starts_with("NAME ") && !text.contains("hunter"), "{text}");
        }
    }
}
