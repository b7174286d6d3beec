//! The public conformance suite, with `expected-failures.yml`.

use crate::{
    Case,
    bench::{Bench, Server},
    installed,
    table::Progress,
};
use anyhow::{Context, Result, bail, ensure};
use std::{collections::BTreeSet, fs, path::Path};
use tokio::process::Command;

/// Features that this server does not offer: the only reasons for an expected failure.
const FEATURES: [&str; 6] = ["prompts", "resources", "sampling", "logging", "completion", "tasks"];

const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/interop/expected-failures.yml");

const NEW: &str = "@modelcontextprotocol/conformance";
const OLD: &str = "conformance-0.1";

pub fn cases() -> Vec<Case> {
    let steps = &["0.2.0-alpha.12 on 2026-07-28:", "on 2025-11-25:", "0.1.16:", "expected failures"];
    vec![Case::new("conformance", "http", steps, all)]
}

async fn all(progress: Progress) -> Result<()> {
    let component = installed("INTEROP_COMPONENT");
    let bench = Bench::new().await?;
    let server = Server::start(&bench, Some(Path::new(&component))).await?;
    let mut met = BTreeSet::new();
    let runs = tokio::join!(
        run(NEW, &["--requirements", "2026-07-28"], &server.url),
        run(NEW, &["--requirements", "2025-11-25"], &server.url),
        run(OLD, &["--suite", "active"], &server.url),
    );
    for run in [runs.0, runs.1, runs.2] {
        let Ran { passed, expected } = run?;
        progress.done(format!("{passed} scenarios pass, {} fail as expected", expected.len()));
        met.extend(expected);
    }
    let entries = entries(&fs::read_to_string(EXPECTED)?)?;
    let idle: Vec<&String> = entries.iter().filter(|entry| !met.contains(*entry)).collect();
    ensure!(idle.is_empty(), "no run has met {idle:?}");
    progress.done(format!("{}, each with its reason", entries.len()));
    Ok(())
}

struct Ran {
    passed: usize,
    /// Entries of the list that failed.
    expected: Vec<String>,
}

async fn run(version: &str, what: &[&str], url: &str) -> Result<Ran> {
    let mut suite = Command::new(installed("INTEROP_NODE"));
    suite.arg(format!("{}/node_modules/{version}/dist/index.js", installed("INTEROP_CLIENTS")));
    suite.args(["server", "--url", url, "--expected-failures", EXPECTED]).args(what).kill_on_drop(true);
    let output = suite.output().await.context("the conformance suite does not start")?;
    let log = String::from_utf8_lossy(&output.stdout);
    let summary = log.split_once("=== SUMMARY ===").map_or(&*log, |(_, summary)| summary);
    if !output.status.success() {
        bail!("{version} {what:?}: {}\n{summary}{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let passed = summary.lines().filter(|line| line.starts_with('✓')).count();
    let expected = summary.lines().filter_map(|line| line.trim().strip_prefix("~ ")).map(str::to_owned).collect();
    ensure!(passed > 10, "only {passed} scenarios passed");
    Ok(Ran { passed, expected })
}

/// The entries of the list. Each names a feature and a reason.
fn entries(list: &str) -> Result<Vec<String>> {
    let lines = list.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let entry = |line: &str| {
        let (entry, comment) = line.split_once(" # ").with_context(|| format!("without a reason: {line}"))?;
        let (feature, reason) = comment.split_once(": ").with_context(|| format!("without a feature: {line}"))?;
        ensure!(
            FEATURES.contains(&feature) && reason.len() > 10,
            "no feature that may be missing, or no reason: {line}"
        );
        Ok(entry.to_owned())
    };
    lines.map(entry).collect()
}
