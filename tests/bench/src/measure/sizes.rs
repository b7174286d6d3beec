//! Bytes: of what is shipped, and of what a client reads before anything is asked.

use super::Bench;
use crate::{Figure, Goal, messages, program::Stdio};
use anyhow::{Context, Result};
use serde_json::json;
use std::fs;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let component = fs::metadata(&bench.component).with_context(|| bench.component.display().to_string())?.len();
    let program = fs::metadata(bench.path("audiobookshelf-mcp")?)?.len();
    let mut figures = vec![
        Figure::new("component", component as f64 / 1e3, "kB").goal(Goal::AtMost(700.0)),
        Figure::new("program, the component in it", program as f64 / 1e6, "MB").goal(Goal::AtMost(20.0)),
    ];
    let mut ours = bench.ours(&["stdio"])?;
    let list = messages::request("tools/list", json!({}));
    for (name, choice, most) in
        [("tools/list, all tools", "", 30_000.0), ("tools/list, essential", "essential", 5_500.0)]
    {
        ours.environment.push(("AUDIOBOOKSHELF_ALLOW_TOOLS", choice.to_owned()));
        let answer = Stdio::ready(&ours)?.ask(&list)?;
        figures.push(Figure::new(name, answer.len() as f64, "B").goal(Goal::AtMost(most)));
    }
    Ok(figures)
}
