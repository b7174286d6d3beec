//! Every link leads somewhere, every page is in the book, every picture can be read by those who do not see it.

use super::pages::{self, Page};
use markdown::mdast::Node;
use std::path::{Path, PathBuf};

/// Links and pictures, in Markdown and in HTML.
fn targets(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    for node in page.nodes() {
        match node {
            Node::Link(link) => found.push(link.url),
            Node::Image(image) => found.push(image.url),
            Node::Definition(definition) => found.push(definition.url),
            Node::Html(html) => {
                for attribute in ["href", "src", "srcset"] {
                    found.extend(values(&html.value, attribute));
                }
            }
            _ => {}
        }
    }
    found
}

/// Of an attribute of the elements in a piece of HTML.
fn values(html: &str, attribute: &str) -> Vec<String> {
    let start = format!(" {attribute}=\"");
    let value = |(at, text): (usize, &str)| html[at + text.len()..].split('"').next().unwrap_or_default().to_owned();
    html.match_indices(&start).map(value).collect()
}

/// What is wrong with a link, if anything.
fn fault(page: &Page, target: &str, pages: &[Page]) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    // Draft chapters of the book: they have a name, and no page yet.
    if target.is_empty() {
        return (page.name != "docs/SUMMARY.md").then(|| "it is empty".to_owned());
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let path = if file.is_empty() { page.path.clone() } else { page.path.with_file_name("").join(file) };
    let Ok(path) = path.canonicalize() else { return Some("there is no such file".to_owned()) };
    if page.name.starts_with("docs/") && !path.starts_with(pages::root().join("docs")) {
        return Some("it leads out of the book".to_owned());
    }
    let anchor = anchor?;
    let Some(target) = pages.iter().find(|page| page.path == path) else {
        return Some("only pages have places to link to".to_owned());
    };
    (!target.anchors().iter().any(|known| known == anchor)).then(|| "there is no such heading".to_owned())
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages::all();
    let mut faults = Vec::new();
    let mut links = 0;
    for page in &pages {
        for target in targets(page) {
            links += 1;
            faults.extend(fault(page, &target, &pages).map(|why| format!("{}: {target}: {why}", page.name)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(links > 100, "{links}");
}

#[test]
fn a_broken_link_is_found() {
    let mut pages = pages::all();
    let at = pages.iter().position(|page| page.name == "docs/http.md").expect("it exists");
    for (text, want) in [
        ("[a](security.md)", None),
        ("[a](security.md#limits)", None),
        ("[a](https://example.com/nowhere)", None),
        ("[a](securitty.md)", Some("there is no such file")),
        ("[a](security.md#limit)", Some("there is no such heading")),
        ("[a](#here)", Some("there is no such heading")),
        ("[a](../README.md)", Some("it leads out of the book")),
        ("[a]()", Some("it is empty")),
        ("![a](images/none.svg)", Some("there is no such file")),
        ("<img src=\"images/none.svg\" alt=\"a\">", Some("there is no such file")),
        ("<picture><source srcset=\"images/none.svg\"></picture>", Some("there is no such file")),
    ] {
        pages[at].text = text.to_owned();
        let found = targets(&pages[at]);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(fault(&pages[at], &found[0], &pages).as_deref(), want, "{text}");
    }
}

/// The book shows nothing that its summary does not name, and would leave a new page out without a word.
#[test]
fn every_page_of_docs_is_in_the_book() {
    let pages = pages::all();
    let summary = pages.iter().find(|page| page.name == "docs/SUMMARY.md").expect("the book has a summary");
    let listed = targets(summary);
    for page in pages.iter().filter(|page| page.name.starts_with("docs/") && page.name != summary.name) {
        let name = &page.name["docs/".len()..];
        assert!(listed.iter().any(|target| target == name), "docs/SUMMARY.md does not have {name}");
    }
}

#[test]
fn every_picture_has_words() {
    let pages = pages::all();
    let mut pictures = 0;
    for page in &pages {
        for node in page.nodes() {
            let words = match node {
                Node::Image(image) => vec![image.alt],
                Node::Html(html) if html.value.contains("<img") => values(&html.value, "alt"),
                _ => continue,
            };
            pictures += 1;
            assert!(words.iter().any(|words| words.len() > 20), "{}: a picture without words", page.name);
        }
    }
    assert!(pictures >= 2, "{pictures}");
    let mut drawings: Vec<PathBuf> = Vec::new();
    pages::files(&pages::root().join("docs/images"), true, &mut drawings);
    for drawing in drawings {
        let text = std::fs::read_to_string(&drawing).expect("an SVG is text");
        let has = |what: &str| text.contains(what);
        let name = Path::new(&drawing).display();
        assert!(has("<title") && has("<desc") && has("role=\"img\"") && has("viewBox"), "{name}");
    }
}
