//! Streamable HTTP. What MCP says about it is the component's business; here are sockets, sizes and headers.

mod connections;
#[cfg(test)]
mod fuzz;
mod inbound;
mod linger;

use crate::log;
use crate::sandbox::{Failure, OnLeave, Sandbox};
use crate::shutdown::Shutdown;
use crate::transport::{INTERNAL_ERROR, error, too_large};
use ::http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER},
};
use anyhow::Context;
use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use inbound::Rejected;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// Seconds after which a client that found the server busy may try again. Most requests take less than one.
const COME_AGAIN: &str = "2";

type Body = Either<crate::sandbox::GuestBody, Full<Bytes>>;

/// Serves until the process is asked to end.
pub async fn run(sandbox: Sandbox, listen: SocketAddr) -> anyhow::Result<()> {
    let shutdown = Shutdown::on_signals()?;
    let listener = TcpListener::bind(listen).await.with_context(|| format!("cannot listen on {listen}"))?;
    log::say("listening", &format!("listening on http://{}/mcp", listener.local_addr()?));
    serve_until(sandbox, listener, shutdown).await;
    Ok(())
}

/// Serves whoever connects, for ever.
pub async fn serve(sandbox: Sandbox, listener: TcpListener) {
    serve_until(sandbox, listener, Shutdown::never()).await;
}

/// Serves whoever connects, and ends in good order.
pub async fn serve_until(sandbox: Sandbox, listener: TcpListener, shutdown: Shutdown) {
    connections::serve(sandbox, listener, shutdown).await;
}

async fn answer(sandbox: &Sandbox, request: Request<Incoming>) -> Response<Body> {
    if request.uri().path() == "/healthz" {
        return health(request.method());
    }
    let request = match inbound::prepare(request, sandbox.limits().body).await {
        Ok(request) => request,
        Err(rejected) => return reject(&rejected, sandbox.limits().body),
    };
    match sandbox.handle(request, OnLeave::Grace).await {
        Ok(response) => response.map(Either::Left),
        Err(Failure::Busy) => busy(),
        Err(Failure::Stopped) => {
            json(StatusCode::SERVICE_UNAVAILABLE, error(None, INTERNAL_ERROR, &Failure::Stopped.to_string()))
        }
        Err(failure) => json(
            if failure == Failure::OutOfTime { StatusCode::GATEWAY_TIMEOUT } else { StatusCode::INTERNAL_SERVER_ERROR },
            error(None, INTERNAL_ERROR, &failure.to_string()),
        ),
    }
}

/// Nothing was begun, so that it is safe to come again.
fn busy() -> Response<Body> {
    let mut response = json(StatusCode::SERVICE_UNAVAILABLE, error(None, INTERNAL_ERROR, &Failure::Busy.to_string()));
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(COME_AGAIN));
    response
}

/// Whether the process answers. Says nothing about Audiobookshelf.
fn health(method: &Method) -> Response<Body> {
    if method != Method::GET && method != Method::HEAD {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    plain(StatusCode::OK, "ok")
}

fn reject(rejected: &Rejected, limit: usize) -> Response<Body> {
    let mut response = match rejected {
        Rejected::TooLarge => json(StatusCode::PAYLOAD_TOO_LARGE, too_large(limit)),
        Rejected::Authority => plain(StatusCode::BAD_REQUEST, "the request needs exactly one valid Host"),
        Rejected::TooSlow => plain(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"),
        Rejected::Broken => plain(StatusCode::BAD_REQUEST, "the body did not arrive whole"),
    };
    // What is left of the body is not read, so that the connection is of no more use.
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn json(status: StatusCode, text: String) -> Response<Body> {
    with_type(status, "application/json", text.into())
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    with_type(status, "text/plain; charset=utf-8", Bytes::from_static(text.as_bytes()))
}

fn with_type(status: StatusCode, content_type: &'static str, body: Bytes) -> Response<Body> {
    let mut response = Response::new(Either::Right(Full::new(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
