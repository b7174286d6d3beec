//! One request to Audiobookshelf and its answer.

use crate::world::{BUDGET_MS, Incoming, Outgoing, SendError};
use policy::{CertificateFault, Method, Scheme};
use wasip2::clocks::monotonic_clock;
use wasip2::http::outgoing_handler;
use wasip2::http::types::{
    self as http, ErrorCode, Fields, FutureIncomingResponse, IncomingResponse, OutgoingBody, OutgoingRequest,
    RequestOptions,
};
use wasip2::io::poll::{Pollable, poll};
use wasip2::io::streams::{InputStream, StreamError};

const MILLISECOND: u64 = 1_000_000;

/// Within the budget, whatever the host and the other side do.
pub(super) fn within_budget(request: Outgoing, max_body: usize) -> Result<Incoming, SendError> {
    let deadline = monotonic_clock::subscribe_duration(BUDGET_MS * MILLISECOND);
    let response = send(request, &deadline)?;
    receive(&response, &deadline, max_body)
}

fn send(request: Outgoing, deadline: &Pollable) -> Result<IncomingResponse, SendError> {
    let (outgoing, options) =
        head(&request).ok_or_else(|| SendError::Other("the request could not be built".into()))?;
    let body = outgoing.body().map_err(|()| SendError::Other("the body was taken".into()))?;
    let response = outgoing_handler::handle(outgoing, Some(options)).map_err(|code| of_code(&code))?;
    write(body, &request.body.unwrap_or_default(), &response, deadline);
    if !ready(&response.subscribe(), deadline) {
        return Err(SendError::Timeout);
    }
    match response.get() {
        Some(Ok(Ok(response))) => Ok(response),
        Some(Ok(Err(code))) => Err(of_code(&code)),
        Some(Err(())) | None => Err(SendError::Other("the host gave no answer".into())),
    }
}

/// Nothing if the host takes one of its parts for invalid.
fn head(request: &Outgoing) -> Option<(OutgoingRequest, RequestOptions)> {
    // Fresh headers, always: nothing of what a client sent goes on to ABS.
    let headers = Fields::new();
    headers.append("accept", b"application/json").ok()?;
    if let Some(key) = &request.bearer {
        headers.append("authorization", format!("Bearer {key}").as_bytes()).ok()?;
    }
    if let Some(body) = &request.body {
        headers.append("content-type", b"application/json").ok()?;
        headers.append("content-length", body.len().to_string().as_bytes()).ok()?;
    }
    let outgoing = OutgoingRequest::new(headers);
    outgoing.set_method(&method(request.route.method)).ok()?;
    outgoing.set_scheme(Some(&scheme(request.scheme))).ok()?;
    outgoing.set_authority(Some(&request.authority)).ok()?;
    outgoing.set_path_with_query(Some(&request.path_and_query)).ok()?;

    let options = RequestOptions::new();
    // Less than the rest, so that it is the host that says what was waited for: after this nothing has been sent.
    options.set_connect_timeout(Some((BUDGET_MS - 500) * MILLISECOND)).ok()?;
    options.set_first_byte_timeout(Some(BUDGET_MS * MILLISECOND)).ok()?;
    options.set_between_bytes_timeout(Some(BUDGET_MS * MILLISECOND)).ok()?;
    Some((outgoing, options))
}

fn method(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::Get,
        Method::Post => http::Method::Post,
        Method::Patch => http::Method::Patch,
        Method::Delete => http::Method::Delete,
    }
}

fn scheme(scheme: Scheme) -> http::Scheme {
    match scheme {
        Scheme::Http => http::Scheme::Http,
        Scheme::Https => http::Scheme::Https,
    }
}

/// Says nothing of a failure: the response does, and better.
fn write(body: OutgoingBody, mut bytes: &[u8], response: &FutureIncomingResponse, deadline: &Pollable) {
    let answered = response.subscribe();
    let Ok(stream) = body.write() else { return };
    while !bytes.is_empty() {
        let Ok(room) = stream.check_write() else { return };
        let (now, later) = bytes.split_at(usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len()));
        if now.is_empty() {
            poll(&[&stream.subscribe(), &answered, deadline]);
            if answered.ready() || deadline.ready() {
                return;
            }
        } else if stream.write(now).is_err() {
            return;
        }
        bytes = later;
    }
    // The stream has to be gone before its body is finished.
    drop(stream);
    let _ = OutgoingBody::finish(body, None);
}

fn receive(response: &IncomingResponse, deadline: &Pollable, max_body: usize) -> Result<Incoming, SendError> {
    let headers = response.headers();
    let header = |name: &str| headers.get(name).into_iter().next().and_then(|value| String::from_utf8(value).ok());
    let content_type = header("content-type").unwrap_or_default();
    let plain = header("content-encoding").is_none_or(|encoding| encoding.eq_ignore_ascii_case("identity"));
    let announced = header("content-length").map(|length| length.parse::<u64>()).transpose();
    let announced = match announced.map_err(|_| SendError::NotHttp)? {
        Some(length) if length > max_body as u64 => return Err(SendError::TooLarge),
        length => length.map(|length| length as usize),
    };
    let body = response.consume().map_err(|()| SendError::Closed)?;
    let stream = body.stream().map_err(|()| SendError::Closed)?;
    let bytes = read(&stream, announced, deadline, max_body)?;
    Ok(Incoming {
        status: response.status(),
        content_type: content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase(),
        retry_after: header("retry-after"),
        encoded: !plain,
        body: bytes,
    })
}

fn read(
    stream: &InputStream,
    announced: Option<usize>,
    deadline: &Pollable,
    max_body: usize,
) -> Result<Vec<u8>, SendError> {
    let more = stream.subscribe();
    let mut bytes = Vec::with_capacity(announced.unwrap_or_default());
    loop {
        match stream.read(256 * 1024) {
            Ok(chunk) if chunk.is_empty() => {
                if !ready(&more, deadline) {
                    return Err(SendError::Stalled);
                }
            }
            Ok(chunk) if bytes.len() + chunk.len() > max_body => return Err(SendError::TooLarge),
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(StreamError::Closed) => break,
            Err(StreamError::LastOperationFailed(error)) => return Err(in_body(&error)),
        }
    }
    if announced.is_some_and(|length| length != bytes.len()) {
        return Err(SendError::Closed);
    }
    Ok(bytes)
}

/// Whether it came before the end of the budget.
fn ready(awaited: &Pollable, deadline: &Pollable) -> bool {
    poll(&[awaited, deadline]);
    awaited.ready()
}

/// A stream that breaks need not carry a code: then there are the host's words for it. These are wasmtime's.
fn in_body(error: &wasip2::io::error::Error) -> SendError {
    if let Some(code) = http::http_error_code(error) {
        return of_code(&code);
    }
    let words = error.to_debug_string();
    if words.contains("timeout") {
        SendError::Stalled
    } else if words.contains("protocol error") {
        SendError::NotHttp
    } else {
        SendError::Closed
    }
}

fn of_code(code: &ErrorCode) -> SendError {
    match code {
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => SendError::Denied,
        ErrorCode::DnsError(_) | ErrorCode::DnsTimeout | ErrorCode::DestinationNotFound => SendError::Dns,
        ErrorCode::ConnectionRefused | ErrorCode::DestinationIpUnroutable | ErrorCode::DestinationUnavailable => {
            SendError::Refused
        }
        ErrorCode::TlsProtocolError | ErrorCode::TlsAlertReceived(_) => SendError::Tls,
        ErrorCode::TlsCertificateError => SendError::Certificate(CertificateFault::Other),
        ErrorCode::ConnectionTimeout => SendError::NoConnection,
        ErrorCode::HttpResponseTimeout | ErrorCode::ConnectionWriteTimeout => SendError::Timeout,
        ErrorCode::ConnectionReadTimeout => SendError::Stalled,
        ErrorCode::ConnectionTerminated | ErrorCode::HttpResponseIncomplete => SendError::Closed,
        ErrorCode::HttpResponseBodySize(_) => SendError::TooLarge,
        ErrorCode::HttpProtocolError => SendError::NotHttp,
        ErrorCode::HttpResponseHeaderSectionSize(_) | ErrorCode::HttpResponseHeaderSize(_) => SendError::HeadTooLarge,
        ErrorCode::InternalError(Some(text)) if let Some(fault) = CertificateFault::from_code(text) => {
            SendError::Certificate(fault)
        }
        other => SendError::Other(kind(other)),
    }
}

/// The name of the code alone: its payload is somebody else's text.
fn kind(code: &ErrorCode) -> String {
    let text = format!("{code:?}");
    text.split(['(', ' ', '{']).next().unwrap_or_default().trim_start_matches("ErrorCode::").to_owned()
}
