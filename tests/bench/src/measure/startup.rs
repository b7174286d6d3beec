//! From the start of the process to the answer to `initialize`, over stdio.

use super::Bench;
use crate::{
    Figure, Goal, messages,
    program::{Program, Stdio},
    sample::{Sample, milliseconds},
};
use anyhow::Result;
use std::time::Instant;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let (ours, native) = turns(&bench.ours(&["stdio"])?, &bench.program("hello", &[])?, bench.plan.starts)?;
    let median = milliseconds(ours.median());
    Ok(vec![
        Figure::new("spawn to initialize, median", median, "ms").goal(Goal::AtMost(20.0)),
        Figure::new("the same beside a native hello", median, "ms")
            .beside(milliseconds(native.median()))
            .goal(Goal::RatioAtMost(2.5)),
        Figure::new("spawn to initialize, 90 %", milliseconds(ours.quantile(0.9)), "ms")
            .beside(milliseconds(native.quantile(0.9))),
    ])
}

/// Turn by turn; the first of each only warms the file cache.
pub(super) fn turns(one: &Program, other: &Program, starts: usize) -> Result<(Sample, Sample)> {
    let (mut times, mut others) = (Sample::default(), Sample::default());
    start(one)?;
    start(other)?;
    for _ in 0..starts {
        times.push(start(one)?);
        others.push(start(other)?);
    }
    Ok((times, others))
}

fn start(program: &Program) -> Result<std::time::Duration> {
    let begin = Instant::now();
    let mut stdio = Stdio::start(program)?;
    stdio.ask(&messages::initialize())?;
    Ok(begin.elapsed())
}
