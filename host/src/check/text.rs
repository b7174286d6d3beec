//! What `check` found, for a person.

use super::report::{Account, Audiobookshelf, LimitFacts, Report, SandboxFacts, ToolList};
use crate::style::Style;
use std::fmt::{self, Display, Formatter};

pub(super) fn of(report: &Report, style: Style) -> String {
    Page(report, style).to_string()
}

struct Page<'a>(&'a Report, Style);

impl Display for Page<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Page(report, style) = self;
        let verdict = if report.works { style.good("It works.") } else { style.bad("It does not work.") };
        writeln!(f, "{verdict}")?;
        for problem in &report.problems {
            writeln!(f, "  {} {problem}", style.bad("✗"))?;
        }
        for warning in &report.warnings {
            writeln!(f, "  {} {warning}", style.odd("!"))?;
        }
        if let Some(found) = &report.audiobookshelf {
            audiobookshelf(f, found, *style)?;
        }
        if let Some(found) = &report.account {
            account(f, found, *style)?;
        }
        if let Some(list) = &report.tools {
            tools(f, list, *style)?;
        }
        sandbox(f, &report.sandbox, *style)
    }
}

fn audiobookshelf(f: &mut Formatter<'_>, found: &Audiobookshelf, style: Style) -> fmt::Result {
    let version = found.version.as_deref().unwrap_or("of unknown version");
    let keys = if found.knows_api_keys { "new enough for API keys (2.26.0)" } else { "too old for API keys (2.26.0)" };
    writeln!(f, "\n{}  {version}, {keys}", style.bold("Audiobookshelf"))
}

fn account(f: &mut Formatter<'_>, found: &Account, style: Style) -> fmt::Result {
    let Account { username, kind, libraries, .. } = found;
    let all = if found.sees_all_libraries { "all libraries" } else { "selected libraries" };
    let explicit = if found.sees_explicit { "explicit content too" } else { "no explicit content" };
    let number = libraries.map(|n| format!(" ({n})")).unwrap_or_default();
    writeln!(f, "{}             of {username}, type {kind}; sees {all}{number}, {explicit}", style.bold("Key"))?;
    let may = |yes, what: &str| format!("{} {what}", if yes { "may" } else { "may not" });
    writeln!(f, "                {}, {}", may(found.may_update, "update"), may(found.may_delete, "delete"))
}

fn tools(f: &mut Formatter<'_>, list: &ToolList, style: Style) -> fmt::Result {
    writeln!(
        f,
        "{}           {} that read, {} that write",
        style.bold("Tools"),
        list.reading.len(),
        list.writing.len()
    )?;
    for refused in &list.refused {
        writeln!(
            f,
            "                {}: Audiobookshelf will refuse it, the user may not {}",
            refused.tool, refused.needs
        )?;
    }
    Ok(())
}

fn sandbox(f: &mut Formatter<'_>, facts: &SandboxFacts, style: Style) -> fmt::Result {
    let read_only = if facts.read_only { ", read-only" } else { "" };
    match &facts.origin {
        Some(origin) => writeln!(f, "\nThe sandbox reaches {origin}{}{read_only}, and nothing else.", facts.base_path)?,
        None => writeln!(f, "\nThe sandbox reaches nothing.")?,
    }
    for (name, routes) in [("reading", &facts.routes_reading), ("writing", &facts.routes_writing)] {
        writeln!(f, "\n{}", style.bold(format_args!("Routes, {name} ({})", routes.len())))?;
        for route in routes {
            writeln!(f, "  {route}")?;
        }
    }
    writeln!(f, "\n{}", style.bold(format_args!("What the component imports ({})", facts.imports.len())))?;
    for import in &facts.imports {
        writeln!(f, "  {import}")?;
    }
    limits(f, &facts.limits, style)
}

fn limits(f: &mut Formatter<'_>, limits: &LimitFacts, style: Style) -> fmt::Result {
    writeln!(f, "\n{} (audiobookshelf-mcp --help has the flags)", style.bold("Limits"))?;
    let mut row = |what: &str, value: String| writeln!(f, "  {what:<34}{value}");
    row("memory of a request", format!("{} MiB", limits.memory_bytes / (1024 * 1024)))?;
    row("computing of a request", format!("{} s", limits.computing_seconds))?;
    row("time of a request", format!("{} s, {} s more for a question", limits.time_seconds, limits.question_seconds))?;
    row("requests running, waiting", format!("{}, {} for {} s", limits.running, limits.waiting, limits.wait_seconds))?;
    row("questions waiting for a person", limits.questions.to_string())?;
    row("message of a client", format!("{} bytes", limits.message_bytes))?;
    row("answer of Audiobookshelf", format!("{} bytes, in {} s", limits.response_bytes, limits.upstream_seconds))?;
    row("state", format!("{} keys, {} bytes", limits.state_keys, limits.state_bytes))?;
    row("connections of clients", limits.connections.to_string())
}
