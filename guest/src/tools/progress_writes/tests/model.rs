//! A model of what ABS does with progress of one book, as measured on 2.36.0; nothing of it comes from the code under test.

use crate::abs::Context;
use crate::guard::Client;
use crate::settings::Settings;
use crate::testing::Fake;
use crate::tools::{all, call};
use crate::world::{Gone, Incoming, Outgoing, SendError, Store, StoreError, World};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

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
    pub(super) fn at_once(&mut self, calls: &[Value]) -> Vec<Value> {
        let settings = Settings::parse(|key| World::config(&self.inner, key)).unwrap();
        let tool = all().find(|tool| tool.name == "set_media_progress").unwrap();
        let table =
            Table { abs: Mutex::new(self), rounds: Mutex::new((0..calls.len()).collect()), next: Condvar::new() };
        let (table, settings) = (&table, &settings);
        let run = |seat: usize, given: &Value| {
            let seat = Seat { number: seat, table };
            table.wait_for(seat.number);
            let context = Context { world: &seat, settings, client: &Client::mute(), routes: policy::ROUTES };
            call(&context, tool, given.as_object().unwrap().clone()).result(true)
        };
        thread::scope(|scope| {
            let running: Vec<_> =
                calls.iter().enumerate().map(|(seat, given)| scope.spawn(move || run(seat, given))).collect();
            running.into_iter().map(|call| call.join().expect("a call does not panic")).collect()
        })
    }
}

/// Where calls sit that are made at the same moment. One at a time does something; who waits lets all others come first.
struct Table<'a> {
    abs: Mutex<&'a mut Abs>,
    /// The numbers of the seats, whose turn it is first.
    rounds: Mutex<VecDeque<usize>>,
    next: Condvar,
}

impl Table<'_> {
    fn wait_for(&self, seat: usize) {
        let rounds = self.rounds.lock().unwrap();
        drop(self.next.wait_while(rounds, |rounds| rounds.front() != Some(&seat)).unwrap());
    }
}

struct Seat<'a> {
    number: usize,
    table: &'a Table<'a>,
}

/// Also when the call panics: the others must not wait for it.
impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.table.rounds.lock().unwrap().retain(|seat| *seat != self.number);
        self.table.next.notify_all();
    }
}

impl<'a> Seat<'a> {
    fn abs(&self) -> MutexGuard<'_, &'a mut Abs> {
        self.table.abs.lock().unwrap()
    }

    /// Lets every other call come to its turn once.
    fn pause(&self) {
        self.table.rounds.lock().unwrap().rotate_left(1);
        self.table.next.notify_all();
        self.table.wait_for(self.number);
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        // Others come to their turn before ABS looks, and again between its looking and its writing.
        self.pause();
        let reply = |content_type: &str, body: String| Incoming {
            status: 200,
            content_type: content_type.into(),
            body: body.into(),
            ..Incoming::default()
        };
        let asked = format!("{} {}", request.route.method.as_str(), request.path_and_query);
        match asked.as_str() {
            "GET /api/items/book?expanded=1" => {
                let item = json!({"mediaType": "book", "media": {"duration": self.abs().duration}});
                reply("application/json", item.to_string())
            }
            "GET /api/me/progress/book" => match self.abs().rows.borrow().first() {
                Some(row) => reply("application/json", shown(row).to_string()),
                None => Incoming { status: 404, ..reply("text/plain", "Not Found".into()) },
            },
            "PATCH /api/me/progress/book" => {
                let body: Value = serde_json::from_slice(request.body.as_deref().unwrap()).unwrap();
                let known = {
                    let abs = self.abs();
                    abs.bodies.borrow_mut().push(body.clone());
                    !abs.rows.borrow().is_empty()
                };
                self.pause();
                let abs = self.abs();
                let mut rows = abs.rows.borrow_mut();
                if known {
                    update(&mut rows[0], &body);
                } else {
                    rows.push(create(&body));
                }
                rows[0].time += abs.player.get();
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

impl World for Seat<'_> {
    fn now_ms(&self) -> u64 {
        self.abs().inner.now_ms()
    }

    fn random(&self) -> [u8; 16] {
        self.abs().inner.random()
    }

    fn config(&self, key: &str) -> Option<String> {
        World::config(&self.abs().inner, key)
    }

    fn log(&self, _: &str) {}

    fn send(&self, request: Outgoing) -> Result<Incoming, SendError> {
        Ok(self.answer(&request))
    }

    fn head_with(&self, _headers: Vec<(&'static str, String)>) {}

    fn push(&self, _: &str) -> Result<(), Gone> {
        Err(Gone)
    }

    fn sleep(&self, ms: u64) {
        self.abs().inner.let_pass(ms);
        self.pause();
    }

    fn store(&self) -> &dyn Store {
        self
    }
}

impl Store for Seat<'_> {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.abs().inner.get(key)
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        self.abs().inner.set(key, value)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.abs().inner.delete(key)
    }

    fn keys(&self) -> Result<Vec<String>, StoreError> {
        self.abs().inner.keys()
    }

    fn increment(&self, key: &str) -> Result<i64, StoreError> {
        self.abs().inner.increment(key)
    }
}
