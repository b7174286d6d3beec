//! A client of either era on either transport, which can be asked, and answers as it is told.

use super::{Events, Http, PATIENCE, Stdio, initialize, modern, modern_headers, stdio::Ended};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use tokio::sync::Mutex;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Era {
    Modern,
    /// The revision that `initialize` asks for.
    Legacy(&'static str),
}

/// The capability of a client that can show a form.
pub fn form() -> Value {
    json!({"elicitation": {"form": {}}})
}

pub struct Client {
    line: Line,
    era: Era,
    capabilities: Value,
    next: AtomicU64,
}

enum Line {
    Http { server: Arc<Http>, session: String },
    Stdio(Box<Mutex<Stdio>>),
}

/// What came of a tool call, up to now.
#[derive(Debug)]
pub enum Step {
    /// The `CallToolResult`.
    Done(Value),
    Asked(Box<Question>),
}

/// A question to a person that was put to the client.
#[derive(Debug)]
pub struct Question {
    /// `elicitation/create`.
    pub params: Value,
    pub way: Way,
    tool: String,
    arguments: Value,
}

pub enum Way {
    /// The call is over; it is made again with the answer.
    Retry { state: String },
    /// The call waits. Over HTTP on a stream of its own.
    Push { id: Value, call: Value, events: Option<Box<Events>> },
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Way::Retry { .. } => "Retry",
            Way::Push { .. } => "Push",
        })
    }
}

impl Question {
    pub fn text(&self) -> &str {
        self.params["message"].as_str().expect("a question has a text")
    }

    /// The sealed state of a modern one.
    pub fn state(&self) -> &str {
        match &self.way {
            Way::Retry { state } => state,
            Way::Push { .. } => panic!("a pushed question has no state"),
        }
    }

    /// The id of a pushed one.
    pub fn id(&self) -> &Value {
        match &self.way {
            Way::Push { id, .. } => id,
            Way::Retry { .. } => panic!("a modern question has no id"),
        }
    }

    /// Whether the stream of the call that waits ends without an answer.
    pub async fn broke_off(&mut self) -> bool {
        match &mut self.way {
            Way::Push { events: Some(events), .. } => events.breaks_off().await,
            _ => panic!("no stream waits"),
        }
    }

    /// The id of the call that waits.
    pub fn call(&self) -> &Value {
        match &self.way {
            Way::Push { call, .. } => call,
            Way::Retry { .. } => panic!("no call waits"),
        }
    }
}

impl Step {
    pub fn asked(self) -> Question {
        match self {
            Step::Asked(question) => *question,
            Step::Done(result) => panic!("nobody was asked: {result}"),
        }
    }

    pub fn done(self) -> Value {
        match self {
            Step::Done(result) => result,
            Step::Asked(question) => panic!("somebody was asked: {}", question.params),
        }
    }

    /// The text of a result that is an error.
    pub fn refused(self) -> String {
        let result = self.done();
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().expect("text").to_owned()
    }
}

impl Client {
    pub async fn http(server: &Arc<Http>, era: Era, capabilities: Value) -> Client {
        let mut session = String::new();
        if let Era::Legacy(version) = era {
            let hello = server.post(&[], &hello(version, &capabilities)).await;
            assert_eq!(hello.json()["result"]["protocolVersion"], version);
            session = hello.header("mcp-session-id").to_owned();
        }
        Client::resume(server, era, capabilities, session)
    }

    /// A client that comes back with a session it has.
    pub fn resume(server: &Arc<Http>, era: Era, capabilities: Value, session: String) -> Client {
        let line = Line::Http { server: Arc::clone(server), session };
        Client { line, era, capabilities, next: AtomicU64::new(1) }
    }

    /// A client of the same HTTP server that says it cannot be asked.
    pub async fn mute(&self) -> Client {
        let Line::Http { server, .. } = &self.line else { panic!("stdio has one client") };
        Client::http(server, self.era, json!({})).await
    }

    pub async fn stdio(settings: &[(&str, &str)], era: Era, capabilities: Value) -> Client {
        let mut program = Stdio::start(settings);
        if let Era::Legacy(version) = era {
            let answer = program.ask(&hello(version, &capabilities)).await;
            assert_eq!(answer["result"]["protocolVersion"], version);
        }
        Client { line: Line::Stdio(Box::new(Mutex::new(program))), era, capabilities, next: AtomicU64::new(1) }
    }

    /// Of an HTTP client of the older era.
    pub fn session(&self) -> &str {
        match &self.line {
            Line::Http { session, .. } => session,
            Line::Stdio(_) => panic!("the bridge keeps the session"),
        }
    }

    pub async fn call(&self, tool: &str, arguments: &Value) -> Step {
        self.call_with(tool, arguments, json!({})).await
    }

    /// A tool call with further members of `params`.
    pub async fn call_with(&self, tool: &str, arguments: &Value, mut params: Value) -> Step {
        params["name"] = tool.into();
        params["arguments"] = arguments.clone();
        let call = self.request("tools/call", params);
        let (first, events) = self.first(&call).await;
        self.step(tool, arguments, &call["id"], first, events)
    }

    /// The next id, and a message with it.
    fn request(&self, method: &str, params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        match self.era {
            Era::Modern => {
                let mut message = modern(id, method, params);
                message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
                message
            }
            Era::Legacy(_) => json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
        }
    }

    fn headers(&self, message: &Value) -> Vec<(&'static str, String)> {
        match (&self.line, self.era) {
            (Line::Http { .. }, Era::Modern) => modern_headers(message),
            (Line::Http { session, .. }, Era::Legacy(version)) => {
                vec![("mcp-session-id", session.clone()), ("mcp-protocol-version", version.to_owned())]
            }
            (Line::Stdio(_), _) => Vec::new(),
        }
    }

    /// Sends a request; the first message that comes of it, and the stream where there is one.
    async fn first(&self, message: &Value) -> (Value, Option<Box<Events>>) {
        match &self.line {
            Line::Http { server, .. } => {
                let mut events = server.open(&self.headers(message), message).await;
                if events.is_stream() {
                    (events.message().await, Some(Box::new(events)))
                } else {
                    (events.json().await, None)
                }
            }
            Line::Stdio(program) => (program.lock().await.ask(message).await, None),
        }
    }

    fn step(&self, tool: &str, arguments: &Value, call: &Value, mut first: Value, events: Option<Box<Events>>) -> Step {
        let question = |params: Value, way| {
            Step::Asked(Box::new(Question { params, way, tool: tool.to_owned(), arguments: arguments.clone() }))
        };
        if first["method"] == "elicitation/create" {
            let way = Way::Push { id: first["id"].take(), call: call.clone(), events };
            return question(first["params"].take(), way);
        }
        assert_eq!((&first["id"], &first["error"]), (call, &Value::Null), "{first}");
        let mut result = first["result"].take();
        if result["resultType"] != "input_required" {
            return Step::Done(result);
        }
        let request = &mut result["inputRequests"]["approval"];
        assert_eq!(request["method"], "elicitation/create");
        let params = request["params"].take();
        question(params, Way::Retry { state: result["requestState"].as_str().expect("a state").to_owned() })
    }

    /// Answers with an `ElicitResult` and reads what comes of it.
    pub async fn answer(&self, question: Question, result: &Value) -> Step {
        if let Way::Retry { state } = &question.way {
            return self.retry(&question, state, result).await;
        }
        self.post(&json!({"jsonrpc": "2.0", "id": question.id(), "result": result})).await;
        self.outcome(question).await
    }

    /// Makes the call of a modern question again. `state` and `result` are whatever the client pretends.
    pub async fn retry(&self, question: &Question, state: &str, result: &Value) -> Step {
        let params = json!({"requestState": state, "inputResponses": {"approval": result}});
        self.call_with(&question.tool, &question.arguments, params).await
    }

    /// What the call that waited ends with.
    pub async fn outcome(&self, question: Question) -> Step {
        let Question { way: Way::Push { call, events, .. }, tool, arguments, .. } = question else {
            panic!("no call waits")
        };
        match (events, &self.line) {
            (Some(mut events), _) => {
                let last = events.message().await;
                assert_eq!(events.next().await, None, "the answer is the last event");
                self.step(&tool, &arguments, &call, last, None)
            }
            (None, Line::Stdio(program)) => {
                let last = program.lock().await.next().await;
                self.step(&tool, &arguments, &call, last, None)
            }
            (None, Line::Http { .. }) => panic!("over HTTP a call waits on a stream"),
        }
    }

    /// A message that gets no answer: a response or a notification. Over HTTP on a connection of its own.
    pub async fn post(&self, message: &Value) {
        match &self.line {
            Line::Http { server, .. } => {
                let reply = server.post(&self.headers(message), message).await;
                assert_eq!((reply.status, reply.body.len()), (202, 0), "{message}");
            }
            Line::Stdio(program) => program.lock().await.send(message).await,
        }
    }

    /// `notifications/cancelled` for a call.
    pub async fn cancel(&self, call: &Value) {
        self.post(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})).await;
    }

    /// Over stdio: ends the input and waits for the end of the process.
    pub async fn end(self) -> Ended {
        match self.line {
            Line::Stdio(program) => program.into_inner().end().await,
            Line::Http { .. } => panic!("a server goes on"),
        }
    }

    /// Over stdio: sends a request and reads its answer, whatever else waits.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let request = self.request(method, params);
        let (mut answer, _) = tokio::time::timeout(PATIENCE, self.first(&request)).await.expect("an answer in time");
        assert_eq!((&answer["id"], &answer["error"]), (&request["id"], &Value::Null), "{answer}");
        answer["result"].take()
    }
}

fn hello(version: &str, capabilities: &Value) -> Value {
    let mut message = initialize(version);
    message["params"]["capabilities"] = capabilities.clone();
    message
}
