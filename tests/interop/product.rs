//! The tools of the conformance suite are in the component that was built for it, and not in the product.

use crate::{Case, installed, table::Progress};
use anyhow::{Context, Result, ensure};
use std::{fs, path::Path};

/// Names and words of theirs.
const TRACES: [&str; 5] = [
    "test_simple_text",
    "test_elicitation_sep1330_enums",
    "test_input_required_result_tampered_state",
    "json_schema_2020_12_tool",
    "This tool intentionally returns an error for testing",
];

pub fn cases() -> Vec<Case> {
    vec![Case::new("tools for the suite only", "-", &["in its component", "not in the product's"], look)]
}

/// What the program lists is compared name by name in the step `list` of every client.
async fn look(progress: Progress) -> Result<()> {
    let suite = installed("INTEROP_COMPONENT");
    let product = Path::new(&suite).with_file_name("audiobookshelf_mcp.wasm");
    // A component has its texts in plain sight; otherwise their absence would tell nothing.
    let found = traces(Path::new(&suite))?;
    ensure!(found.len() == TRACES.len(), "the component for the suite has only {found:?}");
    progress.done("ok");
    let found = traces(&product)?;
    ensure!(found.is_empty(), "the product has {found:?}");
    progress.done("ok");
    Ok(())
}

fn traces(file: &Path) -> Result<Vec<&'static str>> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let has = |text: &&str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    Ok(TRACES.into_iter().filter(has).collect())
}
