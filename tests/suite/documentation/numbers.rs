//! Numbers in sentences are those of the program.

use super::pages;
use policy::{Access, ROUTES};

#[test]
fn tools_and_routes_are_counted_right() {
    let (writing, reading): (Vec<_>, Vec<_>) = guest::tools::all().partition(|tool| tool.writes());
    let asking = guest::tools::all().filter(|tool| tool.asks()).count();
    let routes = ROUTES.len();
    let routes_reading = ROUTES.iter().filter(|route| route.access == Access::Read).count();
    let (writing, reading, essential) = (writing.len(), reading.len(), guest::tools::ESSENTIAL.len());
    assert_eq!((asking, essential), (8, 8), "written as words below");
    let tools = writing + reading;
    for (name, sentence) in [
        ("README.md", format!("by {routes} routes and no others")),
        ("README.md", format!("The [{routes} routes](docs/routes.md)")),
        ("README.md", format!("Read-only mode leaves {routes_reading}.")),
        ("README.md", format!("{tools} [tools](docs/tools.md): {reading} that read, {writing} that write")),
        ("README.md", "Eight operations take something away".to_owned()),
        ("CHANGELOG.md", format!("{tools} tools")),
        ("CHANGELOG.md", format!("{reading} read, {writing} write")),
        ("docs/approval.md", "Eight operations take something away".to_owned()),
        ("docs/configuration.md", "`AUDIOBOOKSHELF_ALLOW_TOOLS=essential` leaves eight".to_owned()),
    ] {
        let page = pages::all().into_iter().find(|page| page.name == name).expect("the page exists");
        assert!(page.text.contains(&sentence), "{name} does not say: {sentence}");
    }
}

#[test]
fn the_tools_that_ask_are_named() {
    let pages = pages::all();
    for name in ["README.md", "docs/approval.md"] {
        let page = pages.iter().find(|page| page.name == name).expect("the page exists");
        for tool in guest::tools::all().filter(|tool| tool.asks()) {
            assert!(page.text.contains(&format!("`{}`", tool.name)), "{name} does not name {}", tool.name);
        }
    }
}
