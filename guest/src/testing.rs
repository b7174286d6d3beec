//! A world for unit tests: recorded or made-up answers of ABS, and a log of what was asked.

use crate::mcp::{self, http::HttpRequest, http::HttpResponse};
use crate::world::{Gone, Incoming, Outgoing, SendError, Store, StoreError, World};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

type Act = Box<dyn Fn(&Fake) + Send>;

/// Answers requests in the order of its script, and panics on a request that is not the next one.
#[derive(Default)]
pub struct Fake {
    config: Vec<(&'static str, String)>,
    script: RefCell<Vec<(String, Result<Incoming, SendError>)>>,
    asked: RefCell<Vec<String>>,
    bodies: RefCell<Vec<Value>>,
    clock: Cell<u64>,
    /// How long each answer takes, in milliseconds.
    pace: u64,
    random: Cell<u8>,
    store: RefCell<BTreeMap<String, Vec<u8>>>,
    store_fails: Cell<bool>,
    config_fails: Cell<bool>,
    pushed: RefCell<Vec<String>>,
    stream_closed: Cell<bool>,
    head: RefCell<Vec<(&'static str, String)>>,
    /// Done once, at the first time that the server waits.
    when_waiting: RefCell<Option<Act>>,
}

impl Fake {
    /// Set up for an ABS at `http://abs`, as our host does it, over stdio.
    pub fn new() -> Fake {
        Fake::default()
            .config("origin", "http://abs")
            .config("credential", "host")
            .config("session_secret", "secret")
            .config("surface", "stdio")
    }

    pub fn config(mut self, key: &'static str, value: &str) -> Fake {
        self.config.retain(|(known, _)| *known != key);
        self.config.push((key, value.to_owned()));
        self
    }

    /// The next request must be `asked` (`GET /path?query`; the value of a `_` key is left out), and is answered with JSON.
    pub fn json(self, asked: &str, body: Value) -> Fake {
        self.reply(asked, 200, "application/json", body.to_string())
    }

    /// Likewise with an exchange from `guest/recorded`: a file `{"status", "content_type", "body"}`.
    pub fn recorded(self, asked: &str, file: &str) -> Fake {
        let path = format!("{}/recorded/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let exchange: Value = serde_json::from_str(&text).unwrap();
        let body = match &exchange["body"] {
            Value::String(text) => text.clone(),
            json => json.to_string(),
        };
        let status = exchange["status"].as_u64().unwrap() as u16;
        self.reply(asked, status, exchange["content_type"].as_str().unwrap(), body)
    }

    pub fn reply(self, asked: &str, status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Fake {
        let incoming = Incoming { status, content_type: content_type.into(), body: body.into(), ..Incoming::default() };
        self.script.borrow_mut().push((asked.to_owned(), Ok(incoming)));
        self
    }

    pub fn fails(self, asked: &str, error: SendError) -> Fake {
        self.script.borrow_mut().push((asked.to_owned(), Err(error)));
        self
    }

    /// Each answer takes so long.
    pub fn slow(self, ms: u64) -> Fake {
        Fake { pace: ms, ..self }
    }

    /// What was asked so far, and the JSON bodies that were sent.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }

    pub fn bodies(&self) -> Vec<Value> {
        self.bodies.borrow().clone()
    }

    /// What went out on the stream of the call that is being served.
    pub fn pushed(&self) -> Vec<String> {
        self.pushed.borrow().clone()
    }

    pub fn let_pass(&self, ms: u64) {
        self.clock.set(self.clock.get() + ms);
    }

    /// As another instance sees the time, whose clock is behind.
    pub fn turn_back(&self, ms: u64) {
        self.clock.set(self.clock.get() - ms);
    }

    /// From now on a setting cannot be read.
    pub fn break_config(&self) {
        self.config_fails.set(true);
    }

    pub fn close_stream(&self) {
        self.stream_closed.set(true);
    }

    pub fn break_store(&self) {
        self.store_fails.set(true);
    }

    pub fn stored(&self) -> Vec<String> {
        self.store.borrow().keys().cloned().collect()
    }

    /// What happens while a call waits for its answer.
    pub fn when_waiting(&self, act: impl Fn(&Fake) + Send + 'static) {
        *self.when_waiting.borrow_mut() = Some(Box::new(act));
    }

    /// One HTTP request to the server.
    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> HttpResponse {
        let mut all = vec![("content-type".to_owned(), "application/json".to_owned())];
        all.extend(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self.serve(HttpRequest {
            method: "POST".into(),
            path: "/mcp".into(),
            authority: Some("localhost".into()),
            headers: all,
            body: body.as_bytes().to_vec(),
        })
    }

    /// Any HTTP request, and the whole head of its answer.
    pub fn serve(&self, request: HttpRequest) -> HttpResponse {
        let mut response = mcp::serve(self, request);
        response.headers.extend(self.head.take());
        response
    }

    /// A modern `tools/call`; the whole `CallToolResult`. Panics when the script was not played to its end.
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.play(tool, arguments);
        let left: Vec<String> = self.script.borrow().iter().map(|(asked, _)| asked.clone()).collect();
        assert!(left.is_empty(), "{tool} did not ask for {left:?}; it answered {result}");
        result
    }

    fn play(&self, tool: &str, arguments: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments,
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}});
        let response = self.post(&[], &body.to_string());
        let mut message: Value = serde_json::from_slice(&response.body).unwrap();
        message["result"].take()
    }

    /// The arguments of a call that is approved: with the token that a first call of the same arguments got. The script has
    /// the reads of that first call, then all that the second one asks.
    pub fn approve(&self, tool: &str, mut arguments: Value) -> Value {
        let result = self.play(tool, arguments.clone());
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let Some((_, token)) = text.split_once("confirm_token=\"") else { panic!("{tool} did not ask: {result}") };
        arguments["confirm_token"] = token.split('"').next().into();
        arguments
    }

    /// The structured result of a call that must succeed, without the label members.
    pub fn ok(&self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert!(result.get("isError").is_none(), "{result}");
        let mut structured = result["structuredContent"].take();
        if let Some(object) = structured.as_object_mut() {
            object.remove("untrusted");
            object.remove("source");
        }
        structured
    }

    /// The text of a call that must fail.
    pub fn error(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

impl World for Fake {
    /// 2026-08-01T00:00:00Z, until somebody waits.
    fn now_ms(&self) -> u64 {
        1_785_542_400_000 + self.clock.get()
    }

    /// Never the same twice.
    fn random(&self) -> [u8; 16] {
        self.random.set(self.random.get().wrapping_add(1));
        [self.random.get(); 16]
    }

    fn config_failed(&self) -> bool {
        self.config_fails.get()
    }

    fn config(&self, key: &str) -> Option<String> {
        self.config.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())
    }

    fn log(&self, _line: &str) {}

    fn send(&self, request: Outgoing) -> Result<Incoming, SendError> {
        let asked = format!("{} {}", request.route.method.as_str(), without_freshness(&request.path_and_query));
        self.asked.borrow_mut().push(asked.clone());
        self.let_pass(self.pace);
        self.bodies.borrow_mut().extend(request.body.as_deref().map(|body| serde_json::from_slice(body).unwrap()));
        let mut script = self.script.borrow_mut();
        assert!(!script.is_empty(), "nothing more was to be asked, but {asked} was");
        let (wanted, reply) = script.remove(0);
        assert_eq!(asked, wanted);
        reply
    }

    fn head_with(&self, headers: Vec<(&'static str, String)>) {
        self.head.replace(headers);
    }

    fn push(&self, events: &str) -> Result<(), Gone> {
        if self.stream_closed.get() {
            return Err(Gone);
        }
        self.pushed.borrow_mut().push(events.to_owned());
        Ok(())
    }

    fn sleep(&self, ms: u64) {
        self.let_pass(ms);
        if let Some(act) = self.when_waiting.take() {
            act(self);
        }
    }

    fn store(&self) -> &dyn Store {
        self
    }
}

impl Store for Fake {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.check_store()?;
        Ok(self.store.borrow().get(key).cloned())
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        self.check_store()?;
        self.store.borrow_mut().insert(key.to_owned(), value.to_vec());
        Ok(())
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.check_store()?;
        self.store.borrow_mut().remove(key);
        Ok(())
    }

    fn keys(&self) -> Result<Vec<String>, StoreError> {
        self.check_store()?;
        Ok(self.stored())
    }

    /// Counts are eight bytes, as in Spin's default store, which panics for good on anything else.
    fn increment(&self, key: &str) -> Result<i64, StoreError> {
        self.check_store()?;
        let mut store = self.store.borrow_mut();
        let count =
            store.get(key).map_or(0, |bytes| i64::from_le_bytes(bytes.as_slice().try_into().expect("a counter"))) + 1;
        store.insert(key.to_owned(), count.to_le_bytes().to_vec());
        Ok(count)
    }
}

impl Fake {
    fn check_store(&self) -> Result<(), StoreError> {
        if self.store_fails.get() { Err(StoreError) } else { Ok(()) }
    }
}

fn without_freshness(target: &str) -> String {
    match target.find("&_=").or_else(|| target.find("?_=")) {
        Some(at) => format!("{}_", &target[..=at]),
        None => target.to_owned(),
    }
}
