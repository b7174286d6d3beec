//! A world whose Audiobookshelf answers anything, and which checks each request that is made of it.

use super::recorded;
use crate::mcp::{self, http::HttpRequest, http::HttpResponse};
use crate::testing::Fake;
use crate::world::{Gone, Incoming, MAX_BODY, Outgoing, SendError, Store, World};
use fuzz::{Result, Unstructured, json, text};
use policy::{Origin, Reply, Route};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};

/// Put into what strangers write, and must not be found where only this server speaks.
pub(super) const CANARY: &str = "Canary";

pub(super) struct Wild<'u> {
    fake: Fake,
    luck: RefCell<Unstructured<'u>>,
    /// One in so many answers is changed.
    pub(super) unruly: u8,
    sent: RefCell<Vec<Sent>>,
    /// The id of the question on the stream of the call.
    question: RefCell<Option<String>>,
    /// The session that may answer it.
    pub(super) session: RefCell<String>,
    /// Whether exactly the right answer was given to it, by the right session.
    said_yes: Cell<bool>,
}

pub(super) struct Sent {
    pub(super) route: &'static Route,
    pub(super) body: Value,
}

impl<'u> Wild<'u> {
    /// Takes half of the random bytes for itself.
    pub(super) fn new(u: &mut Unstructured<'u>, fake: Fake) -> Result<Wild<'u>> {
        Ok(Wild {
            fake,
            luck: RefCell::new(Unstructured::new(u.bytes(u.len() / 2)?)),
            unruly: 2,
            sent: RefCell::default(),
            question: RefCell::default(),
            session: RefCell::default(),
            said_yes: Cell::new(false),
        })
    }

    pub(super) fn post(&self, headers: &[(&str, &str)], body: &[u8]) -> HttpResponse {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        self.serve(HttpRequest {
            method: "POST".into(),
            path: "/mcp".into(),
            authority: Some("localhost".into()),
            headers: headers.chain([("content-type".into(), "application/json".into())]).collect(),
            body: body.to_vec(),
        })
    }

    pub(super) fn serve(&self, request: HttpRequest) -> HttpResponse {
        mcp::serve(self, request)
    }

    /// What was sent since the last time.
    pub(super) fn sent(&self) -> Vec<Sent> {
        self.question.take();
        self.sent.take()
    }

    pub(super) fn said_yes(&self) -> bool {
        self.said_yes.take()
    }

    fn answer(&self, route: &Route) -> Result<std::result::Result<Incoming, SendError>> {
        let u = &mut *self.luck.borrow_mut();
        let known = recorded::answers(route);
        let is_changed = !u.is_empty() && u.ratio(1, self.unruly)?;
        if route.reply == Reply::Ok && !is_changed {
            return Ok(Ok(incoming(200, "text/plain", "OK")));
        }
        let known = if known.is_empty() || is_changed && u.ratio(1, 16)? { recorded::names() } else { known.to_vec() };
        let exchange = recorded::named(u.choose(&known)?);
        if !is_changed {
            return Ok(Ok(incoming(exchange.status, &exchange.content_type, written(&exchange.body))));
        }
        if u.ratio(1, 12)? {
            return failure(u);
        }
        let mut body = exchange.body.clone();
        if u.ratio(1, 3)? {
            plant(&mut body);
        }
        for _ in 0..u.int_in_range(0..=5)? {
            json::change(u, &mut body)?;
        }
        let mut bytes = written(&body);
        if u.ratio(1, 8)? {
            json::change_text(u, &mut bytes)?;
        }
        // As the edge does it.
        Ok(if bytes.len() > MAX_BODY { Err(SendError::TooLarge) } else { Ok(incoming(200, "application/json", bytes)) })
    }

    /// Somebody answers the question that waits, in one way or another.
    fn somebody_answers(&self, id: String) -> Result<()> {
        let (message, session, is_yes) = {
            let u = &mut *self.luck.borrow_mut();
            if u.is_empty() || u.ratio(2, 3)? {
                self.question.replace(Some(id));
                return Ok(());
            }
            let yes =
                json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"decision": "yes"}}});
            let mut message = yes.clone();
            match u.int_in_range(0..=4)? {
                0 => message["result"] = json!({"action": u.choose(&["decline", "cancel", "accept", "yes"])?}),
                1 => json::change(u, &mut message)?,
                2 => message["id"] = text::changed(u, &id)?.into(),
                _ => {}
            }
            let own = self.session.borrow().clone();
            let session = if u.ratio(7, 8)? { own.clone() } else { text::changed(u, &own)? };
            // Members beside it do not make it anything else.
            let said = |message: &Value| {
                ["/id", "/result/action", "/result/content/decision"].map(|place| message.pointer(place).cloned())
            };
            let is_yes = said(&message) == said(&yes) && session.trim() == own;
            (message, session, is_yes)
        };
        if is_yes {
            self.said_yes.set(true);
        }
        self.question.replace(Some(id));
        self.post(&[("mcp-session-id", &session)], message.to_string().as_bytes());
        Ok(())
    }
}

fn incoming(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Incoming {
    Incoming { status, content_type: content_type.into(), body: body.into(), ..Incoming::default() }
}

fn written(body: &Value) -> Vec<u8> {
    match body {
        Value::String(text) => text.clone().into_bytes(),
        json => json.to_string().into_bytes(),
    }
}

fn failure(u: &mut Unstructured<'_>) -> Result<std::result::Result<Incoming, SendError>> {
    if u.ratio(1, 3)? {
        let errors =
            [SendError::Timeout, SendError::Closed, SendError::TooLarge, SendError::Denied, SendError::Refused];
        return Ok(Err(u.choose(&errors)?.clone()));
    }
    let status = *u.choose(&[200, 204, 301, 400, 401, 403, 404, 413, 418, 429, 500, 502, 599, 999])?;
    let content_type = *u.choose(&["", "text/plain", "text/html", "application/json"])?;
    let body = text::odd(u)?;
    let retry_after = if u.arbitrary()? { Some(text::odd(u)?) } else { None };
    Ok(Ok(Incoming { retry_after, ..incoming(status, content_type, body) }))
}

/// Marks the texts that strangers write.
fn plant(value: &mut Value) {
    const THEIRS: [&str; 10] = [
        "title",
        "name",
        "description",
        "subtitle",
        "authorName",
        "narratorName",
        "publisher",
        "tags",
        "genres",
        "author",
    ];
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                match value {
                    Value::String(text) if THEIRS.contains(&name.as_str()) => text.insert_str(0, CANARY),
                    Value::Array(list) if THEIRS.contains(&name.as_str()) => {
                        for text in list.iter_mut().filter(|entry| entry.is_string()) {
                            *text = format!("{CANARY}{}", text.as_str().unwrap_or_default()).into();
                        }
                    }
                    other => plant(other),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(plant),
        _ => {}
    }
}

impl World for Wild<'_> {
    fn now_ms(&self) -> u64 {
        self.fake.now_ms()
    }

    fn random(&self) -> [u8; 16] {
        self.fake.random()
    }

    fn config(&self, key: &str) -> Option<String> {
        World::config(&self.fake, key)
    }

    fn log(&self, _line: &str) {}

    fn send(&self, request: Outgoing) -> std::result::Result<Incoming, SendError> {
        let origin = Origin::parse(&self.config("origin").expect("set")).expect("valid");
        let method = request.route.method.as_str();
        let row =
            policy::check(&origin, false, method, request.scheme.as_str(), &request.authority, &request.path_and_query);
        assert_eq!(row, Ok(request.route), "{method} {}", request.path_and_query);
        assert_eq!(request.bearer, None, "the host adds the key");
        let body = request.body.map_or(Value::Null, |body| serde_json::from_slice(&body).expect("JSON is sent"));
        self.sent.borrow_mut().push(Sent { route: request.route, body });
        self.fake.let_pass(10);
        self.answer(request.route).unwrap_or(Err(SendError::Closed))
    }

    fn head_with(&self, _: Vec<(&'static str, String)>) {}

    fn push(&self, events: &str) -> std::result::Result<(), Gone> {
        let data = events.lines().find_map(|line| line.strip_prefix("data: "));
        let message = data.map(|data| serde_json::from_str::<Value>(data).expect("JSON is pushed"));
        if let Some(message) = message
            && message["method"] == "elicitation/create"
        {
            assert!(!events.contains(CANARY), "a question has words of strangers: {events}");
            self.question.replace(message["id"].as_str().map(str::to_owned));
        }
        self.fake.push(events)
    }

    fn sleep(&self, ms: u64) {
        if let Some(id) = self.question.take() {
            let _ = self.somebody_answers(id);
        }
        self.fake.sleep(ms)
    }

    fn store(&self) -> &dyn Store {
        self.fake.store()
    }
}
