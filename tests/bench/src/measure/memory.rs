//! Resident memory: of a server that was only started, one that listed its tools, and one that has worked.

use super::Bench;
use crate::{
    Figure, Goal, load, messages,
    messages::Modern,
    program::{Memory, Program, Running, Stdio},
};
use anyhow::Result;
use serde_json::{Value, json};
use standin::ids;
use std::time::Duration;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let item = json!({"library_item_id": ids::DRACULA});
    let stdio = on_stdio(&bench.ours(&["stdio"])?, bench.plan.calls, "get_library_item", &item)?;
    let http = on_http(bench, &item)?;
    let hello = Stdio::ready(&bench.program("hello", &[])?)?.running.memory()?;
    let mut figures = Vec::new();
    for (way, stages) in [("stdio", stdio), ("HTTP", http)] {
        for (stage, memory) in ["idle", "after tools/list", "after calls"].into_iter().zip(stages) {
            let peak = Figure::new(format!("{way}, {stage}: peak"), memory.peak, "MB");
            let is_named = stage == "after tools/list";
            figures.push(if is_named { peak.goal(Goal::AtMost(30.0)) } else { peak.beside(hello.peak) });
            figures
                .push(Figure::new(format!("{way}, {stage}: resident"), memory.resident, "MB").beside(hello.resident));
            figures.push(Figure::new(format!("{way}, {stage}: no file behind it"), memory.own, "MB").beside(hello.own));
        }
    }
    Ok(figures)
}

/// Idle, after `tools/list`, after so many calls.
pub(super) fn on_stdio(program: &Program, calls: usize, tool: &str, arguments: &Value) -> Result<[Memory; 3]> {
    let mut stdio = Stdio::ready(program)?;
    let idle = stdio.running.memory()?;
    stdio.result(&messages::request("tools/list", json!({})))?;
    let listed = stdio.running.memory()?;
    for _ in 0..calls {
        stdio.result(&messages::call(tool, arguments))?;
    }
    Ok([idle, listed, stdio.running.memory()?])
}

fn on_http(bench: &Bench, item: &Value) -> Result<[Memory; 3]> {
    let server = bench.served()?;
    let host = server.address.to_string();
    let ask = |message: &Modern| load::run(server.address, &message.bytes(&host), 1, Duration::ZERO).map(drop);
    let memory = |running: &Running| running.memory();
    let idle = memory(&server.running)?;
    ask(&Modern::list())?;
    let listed = memory(&server.running)?;
    let call = Modern::call("get_library_item", item);
    for _ in 0..bench.plan.calls {
        ask(&call)?;
    }
    bench.standin.clear_requests();
    Ok([idle, listed, memory(&server.running)?])
}
