//! The edge: the only module that touches WASI. One HTTP request in, one HTTP response out.

mod exchange;

use crate::mcp::http::{HttpRequest, HttpResponse, MAX_MESSAGE};
use crate::world::{Gone, Incoming, MAX_BODY, Outgoing, SendError, Store, StoreError, World};
use std::cell::{Cell, OnceCell, RefCell};
use wasip2::clocks::monotonic_clock;
use wasip2::exports::http::incoming_handler::Guest;
use wasip2::http::types::{Fields, IncomingRequest, Method, OutgoingBody, OutgoingResponse, ResponseOutparam};
use wasip2::io::streams::{OutputStream, StreamError};

mod bindings {
    wit_bindgen::generate!({ path: "../wit", world: "server", generate_all });
}

use bindings::wasi::keyvalue::store as keyvalue;

struct Component;

wasip2::http::proxy::export!(Component with_types_in wasip2);

impl Guest for Component {
    fn handle(request: IncomingRequest, outparam: ResponseOutparam) {
        std::panic::set_hook(Box::new(|info| {
            // Only where: a panic's message can carry content.
            stderr(&format!("panic at {}", info.location().map_or_else(|| "?".into(), ToString::to_string)));
        }));
        let request = read(request);
        let wasi = Wasi::new(outparam);
        let response = match request {
            Ok(request) => crate::mcp::serve(&wasi, request),
            Err(Unread::Broken) => HttpResponse::refuse(400, "Bad request: the body did not arrive whole"),
            Err(Unread::TooLarge) => HttpResponse::refuse(413, "Content too large: the message is too long"),
        };
        wasi.finish(response);
    }
}

/// Why a request cannot be served.
enum Unread {
    Broken,
    TooLarge,
}

fn read(request: IncomingRequest) -> Result<HttpRequest, Unread> {
    let body = request.consume().map_err(|()| Unread::Broken)?;
    let stream = body.stream().map_err(|()| Unread::Broken)?;
    let most = number("max_message").unwrap_or(MAX_MESSAGE);
    let mut bytes = Vec::new();
    loop {
        match stream.blocking_read(64 * 1024) {
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(StreamError::Closed) => break,
            Err(StreamError::LastOperationFailed(_)) => return Err(Unread::Broken),
        }
        if bytes.len() > most {
            return Err(Unread::TooLarge);
        }
    }
    let target = request.path_with_query().unwrap_or_default();
    let headers = request.headers().entries();
    Ok(HttpRequest {
        method: method(&request.method()),
        path: target.split('?').next().unwrap_or_default().to_owned(),
        authority: request.authority(),
        headers: headers
            .into_iter()
            .map(|(name, value)| (name.to_ascii_lowercase(), String::from_utf8_lossy(&value).into_owned()))
            .collect(),
        body: bytes,
    })
}

fn setting(key: &str) -> Option<String> {
    bindings::wasi::config::store::get(key).ok().flatten().filter(|value| !value.is_empty())
}

fn number(key: &str) -> Option<usize> {
    setting(key)?.parse().ok()
}

fn method(method: &Method) -> String {
    match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(other) => other,
    }
    .to_owned()
}

/// WASI, as the rest of the server sees it, for one request.
struct Wasi {
    outcome: RefCell<Outcome>,
    /// Go into the head of the answer, whichever way it goes out.
    head: RefCell<Vec<(&'static str, String)>>,
    bucket: OnceCell<Option<keyvalue::Bucket>>,
    /// Whether the host failed to give a setting: on Spin, each look-up may ask a provider somewhere else.
    unread: Cell<bool>,
}

/// Where the response of this request stands.
enum Outcome {
    Owed(ResponseOutparam),
    /// Events have gone out; the answer will be the last one.
    Streaming(OutgoingBody, OutputStream),
    /// The client has left, or everything was said.
    Over,
}

impl Wasi {
    fn new(outparam: ResponseOutparam) -> Wasi {
        Wasi {
            outcome: RefCell::new(Outcome::Owed(outparam)),
            head: RefCell::default(),
            bucket: OnceCell::new(),
            unread: Cell::new(false),
        }
    }

    fn finish(&self, response: HttpResponse) {
        match self.outcome.replace(Outcome::Over) {
            Outcome::Owed(outparam) => {
                let mut headers = [self.head.take(), response.headers].concat();
                if response.status != 204 {
                    headers.push(("content-length", response.body.len().to_string()));
                }
                let (body, stream) = start(outparam, response.status, &headers);
                end(body, stream, &response.body);
            }
            Outcome::Streaming(body, stream) => {
                let event = [b"event: message\ndata: ".as_slice(), &response.body, b"\n\n"].concat();
                end(body, stream, &event);
            }
            Outcome::Over => {}
        }
    }
}

/// Sends the head. A body of more than a few kilobytes is only taken once somebody reads it, so this comes first.
fn start(outparam: ResponseOutparam, status: u16, headers: &[(&'static str, String)]) -> (OutgoingBody, OutputStream) {
    let fields = Fields::new();
    for (name, value) in headers {
        fields.append(name, value.as_bytes()).expect("our own header names and values are valid");
    }
    let head = OutgoingResponse::new(fields);
    head.set_status_code(status).expect("our own status codes are valid");
    let body = head.body().expect("the body is taken once");
    ResponseOutparam::set(outparam, Ok(head));
    let stream = body.write().expect("the stream is taken once");
    (body, stream)
}

fn end(body: OutgoingBody, stream: OutputStream, last: &[u8]) {
    let written = write_all(&stream, last);
    // The stream has to be gone before its body is finished.
    drop(stream);
    // A caller who has left is none of our business.
    if written.is_ok() {
        let _ = OutgoingBody::finish(body, None);
    }
}

/// Waits for room as often as it takes.
fn write_all(stream: &OutputStream, mut bytes: &[u8]) -> Result<(), StreamError> {
    while !bytes.is_empty() {
        let room = usize::try_from(stream.check_write()?).unwrap_or(usize::MAX).min(bytes.len());
        if room == 0 {
            stream.subscribe().block();
            continue;
        }
        let (now, later) = bytes.split_at(room);
        stream.write(now)?;
        bytes = later;
    }
    Ok(())
}

impl World for Wasi {
    fn now_ms(&self) -> u64 {
        let now = wasip2::clocks::wall_clock::now();
        now.seconds * 1000 + u64::from(now.nanoseconds / 1_000_000)
    }

    fn random(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&wasip2::random::random::get_random_bytes(16));
        bytes
    }

    fn config(&self, key: &str) -> Option<String> {
        match bindings::wasi::config::store::get(key) {
            Ok(value) => value.filter(|value| !value.is_empty()),
            Err(_) => {
                self.unread.set(true);
                None
            }
        }
    }

    fn config_failed(&self) -> bool {
        self.unread.get()
    }

    fn log(&self, line: &str) {
        stderr(line);
    }

    fn send(&self, request: Outgoing) -> Result<Incoming, SendError> {
        exchange::within_budget(request, self.max_body())
    }

    fn head_with(&self, headers: Vec<(&'static str, String)>) {
        self.head.replace(headers);
    }

    fn push(&self, events: &str) -> Result<(), Gone> {
        let (body, stream) = match self.outcome.replace(Outcome::Over) {
            Outcome::Owed(outparam) => start(outparam, 200, &[self.head.take(), event_stream().into()].concat()),
            Outcome::Streaming(body, stream) => (body, stream),
            Outcome::Over => return Err(Gone),
        };
        write_all(&stream, events.as_bytes()).and_then(|()| stream.blocking_flush()).map_err(|_| Gone)?;
        self.outcome.replace(Outcome::Streaming(body, stream));
        Ok(())
    }

    fn sleep(&self, ms: u64) {
        monotonic_clock::subscribe_duration(ms * 1_000_000).block();
    }

    fn store(&self) -> &dyn Store {
        self
    }
}

fn event_stream() -> [(&'static str, String); 3] {
    [
        ("content-type", "text/event-stream".to_owned()),
        ("cache-control", "no-store".to_owned()),
        // Or nginx keeps the question to itself until the call is over.
        ("x-accel-buffering", "no".to_owned()),
    ]
}

impl Store for Wasi {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.bucket()?.get(key).map_err(|_| StoreError)
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        self.bucket()?.set(key, value).map_err(|_| StoreError)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.bucket()?.delete(key).map_err(|_| StoreError)
    }

    fn keys(&self) -> Result<Vec<String>, StoreError> {
        // Without a cursor, always: Spin refuses one and answers with everything.
        self.bucket()?.list_keys(None).map(|response| response.keys).map_err(|_| StoreError)
    }

    fn increment(&self, key: &str) -> Result<i64, StoreError> {
        bindings::wasi::keyvalue::atomics::increment(self.bucket()?, key, 1).map_err(|_| StoreError)
    }
}

impl Wasi {
    /// [`MAX_BODY`], or less where the host says so.
    fn max_body(&self) -> usize {
        number("max_response").unwrap_or(MAX_BODY).min(MAX_BODY)
    }

    fn bucket(&self) -> Result<&keyvalue::Bucket, StoreError> {
        self.bucket.get_or_init(|| keyvalue::open("default").ok()).as_ref().ok_or(StoreError)
    }
}

fn stderr(line: &str) {
    let stream = wasip2::cli::stderr::get_stderr();
    let line = format!("{}\n", line.replace('\n', " "));
    for chunk in line.as_bytes().chunks(4096) {
        if stream.blocking_write_and_flush(chunk).is_err() {
            return;
        }
    }
}
