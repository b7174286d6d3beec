//! What was measured: a table for people, JSON for programs.

use serde_json::{Value, json};
use std::fmt::Write as _;

/// One line.
#[derive(Clone, Debug)]
pub struct Figure {
    pub name: String,
    pub unit: &'static str,
    pub value: f64,
    /// The same of the native program or the peer.
    pub beside: Option<f64>,
    pub goal: Option<Goal>,
}

#[derive(Clone, Copy, Debug)]
pub enum Goal {
    AtMost(f64),
    /// Of the value to the one beside it.
    RatioAtMost(f64),
    RatioAtLeast(f64),
}

impl Figure {
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Figure {
        Figure { name: name.into(), unit, value, beside: None, goal: None }
    }

    pub fn beside(mut self, other: f64) -> Figure {
        self.beside = Some(other);
        self
    }

    pub fn goal(mut self, goal: Goal) -> Figure {
        self.goal = Some(goal);
        self
    }

    pub fn ratio(&self) -> Option<f64> {
        self.beside.filter(|beside| *beside > 0.0).map(|beside| self.value / beside)
    }

    /// `None` where there is no goal, or nothing to compare with.
    pub fn is_met(&self) -> Option<bool> {
        Some(match self.goal? {
            Goal::AtMost(most) => self.value <= most,
            Goal::RatioAtMost(most) => self.ratio()? <= most,
            Goal::RatioAtLeast(least) => self.ratio()? >= least,
        })
    }

    fn json(&self, group: &str) -> Value {
        json!({
            "group": group,
            "name": self.name,
            "unit": self.unit,
            "value": self.value,
            "beside": self.beside,
            "ratio": self.ratio(),
            "goal": self.goal.map(|goal| goal.to_string()),
            "met": self.is_met(),
        })
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Goal::AtMost(most) => write!(f, "≤ {}", number(*most)),
            Goal::RatioAtMost(most) => write!(f, "≤ {most} ×"),
            Goal::RatioAtLeast(least) => write!(f, "≥ {least} ×"),
        }
    }
}

/// All lines, by group.
#[derive(Debug, Default)]
pub struct Report(Vec<(&'static str, Vec<Figure>)>);

impl Report {
    pub fn add(&mut self, group: &'static str, figures: Vec<Figure>) {
        self.0.push((group, figures));
    }

    pub fn groups(&self) -> impl Iterator<Item = (&'static str, &[Figure])> {
        self.0.iter().map(|(group, figures)| (*group, figures.as_slice()))
    }

    pub fn table(&self) -> String {
        let widest = self.0.iter().flat_map(|(_, figures)| figures).map(|f| f.name.chars().count()).max().unwrap_or(0);
        let mut table = format!("{:widest$}  {:>12}  {:>12}  {:>8}  {:>10}", "", "value", "beside", "ratio", "goal");
        for (group, figures) in &self.0 {
            let _ = write!(table, "\n{group}\n");
            for figure in figures {
                let beside = figure.beside.map(number).unwrap_or_default();
                let ratio = figure.ratio().map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
                let goal = figure.goal.map(|goal| goal.to_string()).unwrap_or_default();
                let met = figure.is_met().map_or("", |met| if met { "met" } else { "MISSED" });
                let (value, unit) = (number(figure.value), figure.unit);
                let line =
                    format!("  {:widest$}{value:>12} {unit:<4}{beside:>9}  {ratio:>8}  {goal:>10}  {met}", figure.name);
                let _ = writeln!(table, "{}", line.trim_end());
            }
        }
        table
    }

    pub fn json(&self) -> Value {
        self.0.iter().flat_map(|(group, figures)| figures.iter().map(|figure| figure.json(group))).collect()
    }
}

/// Three digits that count, or all of a large number.
fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 || large == 0.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals() {
        let figure = Figure::new("x", 20.0, "ms");
        for (figure, met) in [
            (figure.clone(), None),
            (figure.clone().goal(Goal::AtMost(20.0)), Some(true)),
            (figure.clone().goal(Goal::AtMost(19.9)), Some(false)),
            (figure.clone().goal(Goal::RatioAtLeast(0.5)), None),
            (figure.clone().beside(40.0).goal(Goal::RatioAtLeast(0.5)), Some(true)),
            (figure.clone().beside(50.0).goal(Goal::RatioAtLeast(0.5)), Some(false)),
            (figure.clone().beside(8.0).goal(Goal::RatioAtMost(2.5)), Some(true)),
            (figure.clone().beside(7.0).goal(Goal::RatioAtMost(2.5)), Some(false)),
        ] {
            assert_eq!(figure.is_met(), met, "{figure:?}");
        }
    }
}
