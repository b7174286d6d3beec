//! A fresh instance that answers `ping`, within this process: what every request pays before it is one.

use super::Bench;
use crate::{
    Figure, Goal,
    messages::Modern,
    sample::{Sample, microseconds},
    sandboxed::Sandboxed,
};
use anyhow::Result;
use std::time::Instant;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    bench.runtime.block_on(async {
        let sandbox = Sandboxed::start(&bench.standin.url(), &bench.standin.key("root"))?;
        let mut figures = Vec::new();
        for (name, message, goal) in
            [("ping", Modern::ping(), Some(Goal::AtMost(100.0))), ("tools/list", Modern::list(), None)]
        {
            let mut times = Sample::default();
            for _ in 0..bench.plan.pings {
                let begin = Instant::now();
                sandbox.ask(&message).await?;
                times.push(begin.elapsed());
            }
            let median = Figure::new(format!("instance and {name}, median"), microseconds(times.median()), "µs");
            figures.push(Figure { goal, ..median });
            let late = microseconds(times.quantile(0.99));
            figures.push(Figure::new(format!("instance and {name}, 99 %"), late, "µs"));
        }
        Ok(figures)
    })
}
