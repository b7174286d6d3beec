//! What the suite prints.

use anyhow::{Result, anyhow};
use std::{
    fmt, mem,
    sync::{Arc, Mutex},
};

/// A client on a transport, and how it fared.
pub struct Row {
    name: String,
    transport: &'static str,
    steps: &'static [&'static str],
    /// For each step that was taken, a word or two.
    taken: Vec<String>,
    /// Why the next one was not.
    failure: Option<String>,
}

/// Counts the steps while they are taken.
#[derive(Clone, Default)]
pub struct Progress(Arc<Mutex<Vec<String>>>);

impl Progress {
    /// The next step is taken.
    pub fn done(&self, word: impl Into<String>) {
        self.0.lock().expect("nobody panics with it").push(word.into());
    }
}

impl Row {
    pub fn new(name: String, transport: &'static str, steps: &'static [&'static str]) -> Row {
        Row { name, transport, steps, taken: Vec::new(), failure: None }
    }

    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.transport)
    }

    pub fn finish(&mut self, progress: Progress, outcome: Result<()>) {
        self.taken = mem::take(&mut *progress.0.lock().expect("nobody panics with it"));
        let outcome = match outcome {
            Ok(()) if self.taken.len() != self.steps.len() => Err(anyhow!("this step was left out")),
            outcome => outcome,
        };
        self.failure = outcome.err().map(|error| format!("{error:#}"));
    }
}

/// The line of the table.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<width$}  {:<5}", self.name, self.transport, width = f.width().unwrap_or(0))?;
        for (place, step) in self.steps.iter().enumerate() {
            let missing = if place == self.taken.len() { "FAILED" } else { "not reached" };
            write!(f, " | {step} {}", self.taken.get(place).map_or(missing, String::as_str))?;
        }
        Ok(())
    }
}

/// Prints the lines as they come, and what is wrong with some of them at the end.
pub struct Table {
    width: usize,
    rows: Vec<Row>,
}

impl Table {
    pub fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Table {
        Table { width: rows.map(|row| row.name.chars().count()).max().unwrap_or(0), rows: Vec::new() }
    }

    pub fn print(&mut self, row: Row) {
        println!("{row:width$}", width = self.width);
        self.rows.push(row);
    }

    /// Whether every step was taken. One that was not failed, as did those after it.
    pub fn sum(&self) -> bool {
        for row in &self.rows {
            if let Some(why) = &row.failure {
                println!("\n{}, {}: {why}", row.title(), row.steps.get(row.taken.len()).unwrap_or(&"after the last"));
            }
        }
        let all: usize = self.rows.iter().map(|row| row.steps.len()).sum();
        let passed: usize = self.rows.iter().map(|row| row.taken.len()).sum();
        let verdict = if passed == all { "ok" } else { "FAILED" };
        println!("test result: {verdict}. {passed} passed; {} failed; 0 ignored", all.saturating_sub(passed));
        passed == all
    }
}
