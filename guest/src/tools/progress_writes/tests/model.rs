//! A model of what ABS does with progress of one book, as measured on 2.36.0; nothing of it comes from the code under test.

use crate::abs::Context;
use crate::guard::Client;
use crate::settings::Settings;
use crate::testing::Fake;
use crate::tools::{all, call};
use crate::world::{Gone, Incoming, Later, Outgoing, SendError, Store, World};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Poll, Waker};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub time: f64,
    pub duration: f64,
    pub share: f64,
    pub finished: bool,
    pub hidden: bool,
}

pub(super) struct Abs {
    pub rows: RefCell<Vec<Row>>,
    pub bodies: RefCell<Vec<Value>>,
    duration: f64,
    /// Of the rest of the world.
    pub inner: Fake,
    /// Another client moves the position by this after each change.
    pub player: Cell<f64>,
}

impl Abs {
    pub(super) fn new(duration: f64, row: Option<Row>) -> Abs {
        Abs {
            rows: RefCell::new(row.into_iter().collect()),
            bodies: RefCell::default(),
            duration,
            inner: Fake::new(),
            player: Cell::new(0.0),
        }
    }

    pub(super) fn row(&self) -> Row {
        self.rows.borrow()[0].clone()
    }

    /// The results of several calls that are made at the same moment.
    pub(super) fn at_once(&self, calls: &[Value]) -> Vec<Value> {
        let settings = Settings::parse(|key| World::config(self, key)).unwrap();
        let context = Context { world: self, settings: &settings, client: &Client::mute(), routes: policy::ROUTES };
        let tool = all().find(|tool| tool.name == "set_media_progress").unwrap();
        let mut running: Vec<_> = calls
            .iter()
            .map(|given| Some(Box::pin(call(&context, tool, given.as_object().unwrap().clone()))))
            .collect();
        let mut results = vec![Value::Null; calls.len()];
        while running.iter().any(Option::is_some) {
            for (slot, result) in running.iter_mut().zip(&mut results) {
                let Some(future) = slot else { continue };
                if let Poll::Ready(done) = future.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) {
                    *result = done.result(true);
                    *slot = None;
                }
            }
        }
        results
    }

    async fn answer(&self, request: Outgoing) -> Incoming {
        // Others come to their turn before ABS looks, and again between its looking and its writing.
        pause().await;
        let reply = |content_type: &str, body: String| Incoming {
            status: 200,
            content_type: content_type.into(),
            body: body.into(),
            ..Incoming::default()
        };
        let asked = format!("{} {}", request.route.method.as_str(), request.path_and_query);
        match asked.as_str() {
            "GET /api/items/book?expanded=1" => {
                let item = json!({"mediaType": "book", "media": {"duration": self.duration}});
                reply("application/json", item.to_string())
            }
            "GET /api/me/progress/book" => match self.rows.borrow().first() {
                Some(row) => reply("application/json", shown(row).to_string()),
                None => Incoming { status: 404, ..reply("text/plain", "Not Found".into()) },
            },
            "PATCH /api/me/progress/book" => {
                let body: Value = serde_json::from_slice(request.body.as_deref().unwrap()).unwrap();
                self.bodies.borrow_mut().push(body.clone());
                let known = !self.rows.borrow().is_empty();
                pause().await;
                if known {
                    update(&mut self.rows.borrow_mut()[0], &body);
                } else {
                    self.rows.borrow_mut().push(create(&body));
                }
                self.rows.borrow_mut()[0].time += self.player.get();
                reply("text/plain", "OK".into())
            }
            other => panic!("{other}"),
        }
    }
}

fn shown(row: &Row) -> Value {
    json!({"id": "record", "libraryItemId": "book", "episodeId": null, "duration": row.duration, "progress": row.share,
        "currentTime": row.time, "isFinished": row.finished, "hideFromContinueListening": row.hidden})
}

fn create(body: &Value) -> Row {
    let number = |name: &str| body.get(name).map_or(0.0, |value| value.as_f64().unwrap());
    let finished = body.get("isFinished").is_some_and(|value| value == true);
    Row {
        time: number("currentTime"),
        duration: number("duration"),
        share: if finished { 1.0 } else { number("progress") },
        finished,
        hidden: body.get("hideFromContinueListening").is_some_and(|value| value == true),
    }
}

fn update(row: &mut Row, body: &Value) {
    let number = |name: &str| body.get(name).map(|value| value.as_f64().unwrap());
    let flag = |name: &str| body.get(name).map(|value| value.as_bool().unwrap());
    let was_at = row.time;
    let mut time = number("currentTime");
    match flag("isFinished") {
        Some(true) if !row.finished => row.share = 1.0,
        Some(false) if row.finished => {
            (row.share, row.time) = (0.0, 0.0);
            time = None;
        }
        Some(_) => {}
        None => {
            let own = if row.duration == 0.0 { 0.0 } else { (row.time / row.duration).clamp(0.0, 1.0) };
            row.share = number("progress").filter(|share| *share != own).unwrap_or(row.share);
        }
    }
    row.time = time.unwrap_or(row.time);
    row.duration = number("duration").unwrap_or(row.duration);
    row.finished = flag("isFinished").unwrap_or(row.finished);
    row.hidden = flag("hideFromContinueListening").unwrap_or(row.hidden);
    let moved = row.time != was_at;
    if moved && flag("hideFromContinueListening") != Some(true) {
        row.hidden = false;
    }
    let near_the_end = row.duration != 0.0 && row.duration - row.time < 10.0;
    if !row.finished && near_the_end {
        (row.finished, row.share) = (true, 1.0);
    } else if row.finished && moved && !near_the_end {
        row.finished = false;
    }
}

/// Lets every other call come to its turn once.
async fn pause() {
    let mut waited = false;
    poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

impl World for Abs {
    fn now_ms(&self) -> u64 {
        self.inner.now_ms()
    }

    fn random(&self) -> [u8; 16] {
        self.inner.random()
    }

    fn config(&self, key: &str) -> Option<String> {
        World::config(&self.inner, key)
    }

    fn log(&self, _: &str) {}

    fn send<'a>(&'a self, request: Outgoing) -> Later<'a, Result<Incoming, SendError>> {
        Box::pin(async { Ok(self.answer(request).await) })
    }

    fn head_with(&self, _headers: Vec<(&'static str, String)>) {}

    fn push<'a>(&'a self, _: &'a str) -> Later<'a, Result<(), Gone>> {
        Box::pin(std::future::ready(Err(Gone)))
    }

    fn sleep(&self, ms: u64) -> Later<'_, ()> {
        self.inner.let_pass(ms);
        Pin::from(Box::new(pause()))
    }

    fn store(&self) -> &dyn Store {
        self.inner.store()
    }
}
