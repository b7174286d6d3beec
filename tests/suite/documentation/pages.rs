//! The pages that people read: those at the top of the repository and those of docs/.

use markdown::{ParseOptions, mdast::Node};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub struct Page {
    /// Below the repository.
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

pub fn all() -> Vec<Page> {
    let root = root();
    let mut paths = Vec::new();
    files(&root, false, &mut paths);
    files(&root.join("docs"), true, &mut paths);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let page = |path: PathBuf| Page {
        name: path.strip_prefix(&root).expect("it lies below").to_string_lossy().replace('\\', "/"),
        text: fs::read_to_string(&path).expect("text"),
        path,
    };
    let pages: Vec<Page> = paths.into_iter().map(page).collect();
    assert!(pages.len() > 10, "{}", pages.len());
    pages
}

pub fn files(folder: &Path, below: bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if !path.is_dir() {
            found.push(path);
        } else if below {
            files(&path, true, found);
        }
    }
}

impl Page {
    /// All nodes of its tree, each before those inside of it.
    pub fn nodes(&self) -> Vec<Node> {
        let tree = markdown::to_mdast(&self.text, &ParseOptions::gfm()).expect("any text is Markdown");
        let mut found = Vec::new();
        flatten(tree, &mut found);
        found
    }

    /// What stands in code: spans, and lines of blocks.
    pub fn code(&self) -> Vec<String> {
        let lines = |node| match node {
            Node::Code(block) => block.value.lines().map(str::to_owned).collect(),
            Node::InlineCode(span) => vec![span.value],
            _ => Vec::new(),
        };
        self.nodes().into_iter().flat_map(lines).collect()
    }

    /// The blocks of code in a language.
    pub fn blocks(&self, language: &str) -> Vec<String> {
        let block = |node| match node {
            Node::Code(block) if block.lang.as_deref() == Some(language) => Some(block.value),
            _ => None,
        };
        self.nodes().into_iter().filter_map(block).collect()
    }

    /// What stands in quotation blocks, each on one line.
    pub fn quotations(&self) -> Vec<String> {
        let quotations = self.nodes().into_iter().filter(|node| matches!(node, Node::Blockquote(_)));
        quotations.map(|node| node.to_string().replace('\n', " ")).collect()
    }

    /// The targets that links can have after `#`.
    pub fn anchors(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for heading in self.nodes().iter().filter(|node| matches!(node, Node::Heading(_))) {
            let slug = slug(&heading.to_string());
            let same = found.iter().filter(|other| **other == slug).count();
            found.push(if same == 0 { slug } else { format!("{slug}-{same}") });
        }
        found
    }
}

fn flatten(mut node: Node, found: &mut Vec<Node>) {
    let inside = node.children_mut().map(|children| children.to_vec()).unwrap_or_default();
    found.push(node);
    inside.into_iter().for_each(|node| flatten(node, found));
}

/// As both GitHub and mdBook make it.
fn slug(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' | '-' => Some('-'),
        c if c.is_alphanumeric() || c == '_' => c.to_lowercase().next(),
        _ => None,
    };
    heading.chars().filter_map(kept).collect()
}

#[test]
fn anchors_are_those_of_github() {
    for (heading, want) in [
        ("Reading (29)", "reading-29"),
        ("`essential`", "essential"),
        ("list_libraries", "list_libraries"),
        ("Over HTTP: 401, 403, 404", "over-http-401-403-404"),
        ("What it reaches", "what-it-reaches"),
    ] {
        let page = Page { name: String::new(), path: PathBuf::new(), text: format!("## {heading}\n\n## {heading}\n") };
        assert_eq!(page.anchors(), [want.to_owned(), format!("{want}-1")], "{heading}");
    }
}
