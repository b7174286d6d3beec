//! Requests over HTTP, beside a native server that gives the same answers: the price of the sandbox.

use super::Bench;
use crate::{
    Figure, Goal, load,
    messages::Modern,
    program::{Http, Program},
    sample::{Sample, median, microseconds},
};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use standin::ids;
use std::{fs, time::Duration};

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let ours = bench.served()?;
    let first = load::run(ours.address, &Modern::list().bytes(&ours.address.to_string()), 1, Duration::ZERO)?;
    let native = native(bench, &first.body)?;
    let mut figures = Vec::new();
    let item = json!({"library_item_id": ids::DRACULA});
    for (name, message, least) in
        [("tools/list", Modern::list(), 0.25), ("get_library_item", Modern::call("get_library_item", &item), 0.5)]
    {
        ensure!(
            answer(bench, &ours, &message)? == answer(bench, &native, &message)?,
            "the native server gives another answer, or asks Audiobookshelf something else"
        );
        for connections in [1, 64] {
            let [sandboxed, plain] = turns(bench, [&ours, &native], &message, connections)?;
            let name = format!("{name}, {connections:>2} connections");
            let rate = Figure::new(format!("{name}: a second"), sandboxed.rate, "").beside(plain.rate);
            figures.push(if connections == 64 { rate.goal(Goal::RatioAtLeast(least)) } else { rate });
            for (quantile, part) in [("50 %", 0.5), ("99 %", 0.99)] {
                let [one, other] = [&sandboxed, &plain].map(|side| microseconds(side.times.quantile(part)));
                figures.push(Figure::new(format!("{name}: {quantile}"), one, "µs").beside(other));
                if connections == 1 && part > 0.9 {
                    let added = Figure::new(format!("{name}: {quantile}, added"), (one - other).max(0.0), "µs");
                    figures.push(added.goal(Goal::AtMost(1000.0)));
                }
            }
            let processor = Figure::new(format!("{name}: processor"), sandboxed.processor, "µs");
            figures.push(processor.beside(plain.processor));
        }
    }
    Ok(figures)
}

/// The native server, with the bytes that ours gives to `tools/list`.
fn native(bench: &Bench, tools: &[u8]) -> Result<Http> {
    let file = std::env::temp_dir().join(format!("bench-tools-{}.json", std::process::id()));
    fs::write(&file, tools).with_context(|| file.display().to_string())?;
    let words = [file.display().to_string(), bench.standin.url(), bench.standin.key("root")];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let program = Program { environment: Vec::new(), ..bench.program("native", &words)? };
    let started = Http::start(&program);
    let _ = fs::remove_file(&file);
    started
}

/// What is answered, and what was asked of Audiobookshelf for it.
fn answer(bench: &Bench, server: &Http, message: &Modern) -> Result<(Value, Vec<String>)> {
    bench.standin.clear_requests();
    let answer = load::run(server.address, &message.bytes(&server.address.to_string()), 1, Duration::ZERO)?;
    let asked = bench.standin.requests().into_iter().map(|request| request.path).collect();
    Ok((serde_json::from_slice(&answer.body)?, asked))
}

struct Side {
    times: Sample,
    rate: f64,
    /// Microseconds a request, on all threads of the server.
    processor: f64,
}

/// Turn by turn, with the middle of the rates.
fn turns(bench: &Bench, servers: [&Http; 2], message: &Modern, connections: usize) -> Result<[Side; 2]> {
    let mut sides = servers.map(|_| (Sample::default(), Vec::new(), Duration::ZERO));
    for _ in 0..bench.plan.turns {
        for (server, (times, rates, processor)) in servers.iter().zip(&mut sides) {
            let request = message.bytes(&server.address.to_string());
            let before = server.running.processor_time()?;
            let load = load::run(server.address, &request, connections, bench.plan.turn)?;
            *processor += server.running.processor_time()?.saturating_sub(before);
            rates.push(load.per_second());
            times.extend(load.times);
            bench.standin.clear_requests();
        }
    }
    Ok(sides.map(|(times, rates, processor)| Side {
        processor: microseconds(processor) / times.len() as f64,
        rate: median(rates),
        times,
    }))
}
