//! Streamable HTTP. What MCP says about it is the component's business; here are sockets, sizes and headers.

mod inbound;

use crate::sandbox::{Failure, OnLeave, Sandbox};
use crate::transport::{INTERNAL_ERROR, error, too_large};
use ::http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{ALLOW, CONNECTION, CONTENT_TYPE},
};
use anyhow::Context;
use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use inbound::Rejected;
use std::{convert::Infallible, net::SocketAddr, time::Duration};
use tokio::net::{TcpListener, TcpStream};

type Body = Either<crate::sandbox::GuestBody, Full<Bytes>>;

/// Serves until the process ends.
pub async fn run(sandbox: Sandbox, listen: SocketAddr) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).await.with_context(|| format!("cannot listen on {listen}"))?;
    eprintln!("audiobookshelf-mcp: listening on http://{}/mcp", listener.local_addr()?);
    serve(sandbox, listener).await;
    Ok(())
}

/// Serves whoever connects, for ever.
pub async fn serve(sandbox: Sandbox, listener: TcpListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(connection(sandbox.clone(), stream))),
            Err(error) => {
                // Such as too many open files. It passes, but not by asking again at once.
                eprintln!("audiobookshelf-mcp: cannot accept a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn connection(sandbox: Sandbox, stream: TcpStream) {
    // Events are small, and each is to arrive when it is written.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let sandbox = sandbox.clone();
        async move { Ok::<_, Infallible>(answer(&sandbox, request).await) }
    });
    // An error here is a client that went away or does not speak HTTP; neither is news for the operator.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(30))
        .serve_connection(TokioIo::new(stream), service)
        .await;
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
        Err(failure) => {
            let status = match failure {
                Failure::Busy => StatusCode::SERVICE_UNAVAILABLE,
                Failure::OutOfTime => StatusCode::GATEWAY_TIMEOUT,
                Failure::Crashed => StatusCode::INTERNAL_SERVER_ERROR,
            };
            json(status, error(None, INTERNAL_ERROR, &failure.to_string()))
        }
    }
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
