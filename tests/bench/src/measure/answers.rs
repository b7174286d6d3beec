//! Answers of Audiobookshelf of three sizes: time beside native parsing, and the memory that an instance takes for them.

use super::Bench;
use crate::{
    Figure, Goal,
    messages::Modern,
    native::Native,
    sample::{Sample, milliseconds},
    sandboxed::Sandboxed,
    upstream::Upstream,
};
use anyhow::{Result, ensure};
use bytes::Bytes;
use serde_json::{Value, json};
use standin::ids;
use std::time::Instant;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let plan = &bench.plan;
    bench.runtime.block_on(async {
        let upstream = Upstream::start(&bench.standin.url(), &bench.standin.key("root")).await?;
        let path = |id: &str| format!("/api/items/{id}?expanded=1&include=progress");
        let large = upstream.answer(&path(ids::MONTE_CRISTO)).await?;
        upstream.replace(&path(ids::EMMA), grown(&large, plan.largest)?);
        let mut figures = Vec::new();
        for (name, id, calls, goal) in [
            ("small", ids::FRANKENSTEIN, plan.answers, None),
            ("large", ids::MONTE_CRISTO, plan.answers, None),
            ("largest", ids::EMMA, plan.answers.div_ceil(10), Some(Goal::RatioAtMost(3.0))),
        ] {
            let size = upstream.answer(&path(id)).await?.len() as f64 / 1e6;
            let name = format!("{name} answer, {:.0} kB", size * 1e3);
            let message = Modern::call("get_library_item", &json!({"library_item_id": id}));
            // One for each size, since it remembers its largest instance.
            let sandbox = Sandboxed::start(upstream.url(), upstream.key())?;
            let native = Native::new(Bytes::new(), upstream.url(), upstream.key());
            let [one, other] = [sandbox.ask(&message).await?, native.answer(message.body().as_bytes()).await?];
            let read = |body: &[u8]| serde_json::from_slice::<Value>(body);
            ensure!(read(&one)? == read(&other)?, "the native side gives another answer");
            let (mut times, mut others) = (Sample::default(), Sample::default());
            for _ in 0..calls {
                let begin = Instant::now();
                sandbox.ask(&message).await?;
                times.push(begin.elapsed());
                let begin = Instant::now();
                native.answer(message.body().as_bytes()).await?;
                others.push(begin.elapsed());
            }
            let time = Figure::new(format!("{name}: time"), milliseconds(times.median()), "ms");
            figures.push(Figure { goal, ..time.beside(milliseconds(others.median())) });
            let memory = Figure::new(format!("{name}: memory, beside its size"), sandbox.largest_memory(), "MB");
            figures.push(Figure { goal, ..memory.beside(size) });
        }
        Ok(figures)
    })
}

/// The record of a book with more files and chapters, until it is so large.
fn grown(record: &[u8], size: usize) -> Result<Bytes> {
    let mut record: Value = serde_json::from_slice(record)?;
    let lists = ["/media/audioFiles", "/media/chapters", "/media/tracks", "/libraryFiles"];
    let times =
        size.saturating_sub(record.to_string().len()) / lists.iter().map(|list| bytes(&record, list)).sum::<usize>();
    for list in lists {
        if let Some(Value::Array(entries)) = record.pointer_mut(list) {
            let first = entries.clone();
            (0..times).for_each(|_| entries.extend_from_slice(&first));
        }
    }
    Ok(record.to_string().into())
}

fn bytes(record: &Value, list: &str) -> usize {
    record.pointer(list).map_or(0, |list| list.to_string().len())
}
