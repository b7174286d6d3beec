//! Sockets: accepting, answering, and dying as a process does.

use std::{convert::Infallible, fmt, io, net::SocketAddr, sync::Arc, sync::Mutex, sync::MutexGuard, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

use crate::{
    reply::Reply,
    routes::{self, Head},
    state::State,
};

/// express.json's limit.
const BODY_LIMIT: usize = 10 * 1024 * 1024;
/// Node's limit for URL and headers together.
const HEAD_LIMIT: usize = 16 * 1024;
/// ABS closes idle connections after this long.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    dead: watch::Sender<bool>,
}

impl Shared {
    pub(crate) fn new(state: State) -> Self {
        Self { state: Mutex::new(state), dead: watch::Sender::new(false) }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn is_dead(&self) -> bool {
        *self.dead.borrow()
    }

    pub(crate) fn revive(&self) {
        self.dead.send_replace(false);
    }

    fn die(&self, cause: String) {
        self.state().cause_of_death = Some(cause);
        self.dead.send_replace(true);
    }
}

pub(crate) async fn bind() -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let addr = listener.local_addr()?;
    Ok((listener, addr))
}

/// Runs until it is dropped; its connections go with it.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>, base_path: String) -> Infallible {
    let base_path: Arc<str> = base_path.into();
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        while connections.try_join_next().is_some() {}
        if shared.is_dead() {
            continue; // accepted and closed
        }
        connections.spawn(connection(stream, Arc::clone(&shared), Arc::clone(&base_path)));
    }
}

async fn connection(stream: TcpStream, shared: Arc<Shared>, base_path: Arc<str>) {
    let mut death = shared.dead.subscribe();
    let service = service_fn(|request| respond(request, &shared, &base_path));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(KEEP_ALIVE)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        _ = connection => {}
        _ = death.wait_for(|dead| *dead) => {}
    }
}

/// The error that makes hyper close the connection without an answer.
#[derive(Debug)]
struct Died;

impl fmt::Display for Died {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stand-in died of this request")
    }
}

impl std::error::Error for Died {}

async fn respond(
    request: http::Request<Incoming>,
    shared: &Shared,
    base_path: &str,
) -> Result<Response<Full<Bytes>>, Died> {
    let (parts, body) = request.into_parts();
    let head = Head::new(&parts, base_path);
    let reply = if head.size > HEAD_LIMIT {
        Reply::empty(431)
    } else {
        match Limited::new(body, BODY_LIMIT).collect().await {
            Ok(body) => routes::answer(&head, &body.to_bytes(), &mut shared.state()),
            Err(_) => Reply::page(413, "Payload Too Large"),
        }
    };
    match reply {
        Reply::Crash(cause) => {
            shared.die(format!("{} {}: {cause}", head.method, head.url));
            Err(Died)
        }
        Reply::Http { status, content_type, body } => Ok(response(&head, status, content_type, body)),
    }
}

fn response(head: &Head, status: u16, content_type: Option<&'static str>, body: Vec<u8>) -> Response<Full<Bytes>> {
    let etag = etag(&body);
    let unchanged = status == 200 && head.header("if-none-match") == Some(&etag);
    let mut response = Response::new(Full::new(if unchanged { Bytes::new() } else { body.into() }));
    *response.status_mut() = http::StatusCode::from_u16(if unchanged { 304 } else { status }).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert("x-powered-by", HeaderValue::from_static("Express"));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, etag);
    }
    if let Some(content_type) = content_type.filter(|_| !unchanged) {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    response
}

/// Weak, as express makes them; only equality matters.
fn etag(body: &[u8]) -> String {
    let hash = body.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    format!("W/\"{:x}-{hash:016x}\"", body.len())
}
