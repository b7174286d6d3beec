//! What the server costs, beside native programs that do the same on the same machine at the same time.
//!
//! All is measured in pairs, turn by turn: what else the machine does meets both sides alike, so that ratios hold on a
//! busy machine where times do not. `docs/performance.md` says what each figure is.

mod load;
mod measure;
mod messages;
pub mod native;
mod program;
pub mod projection;
mod report;
mod sample;
mod sandboxed;
mod upstream;

pub use measure::Plan;
pub use report::{Figure, Goal, Report};

use anyhow::{Context, Result};
use measure::Bench;
use std::path::PathBuf;

pub struct Options {
    /// Where the programs are: `audiobookshelf-mcp`, `hello` and `native`.
    pub programs: PathBuf,
    /// The component, whose size is a figure.
    pub component: PathBuf,
    pub plan: Plan,
    /// Only groups with this in their names.
    pub filter: Option<String>,
    /// The command of another server over stdio.
    pub peer: Option<String>,
}

/// Measures, and says on stderr what is being measured.
pub fn run(options: &Options) -> Result<Report> {
    let bench = Bench::start(options)?;
    let mut report = Report::default();
    for (group, measure) in measure::GROUPS {
        if options.filter.as_ref().is_some_and(|filter| !group.contains(filter.as_str())) {
            continue;
        }
        eprintln!("{group} …");
        let figures = measure(&bench).with_context(|| group.to_owned())?;
        if !figures.is_empty() {
            report.add(group, figures);
        }
    }
    Ok(report)
}
