//! One request to Audiobookshelf and its answer.

use crate::world::{BUDGET_MS, Incoming, Outgoing, SendError};
use policy::CertificateFault;
use std::cell::Cell;
use wasip2::http::types::ErrorCode;
use wstd::future::FutureExt as _;
use wstd::http::{Body, Client, Request, body::util::BodyExt as _};
use wstd::time::Duration;

/// Within the budget, whatever the host and the other side do.
pub(super) async fn within_budget(request: Outgoing, max_body: usize) -> Result<Incoming, SendError> {
    let answering = Cell::new(false);
    match exchange(request, max_body, &answering).timeout(Duration::from_millis(BUDGET_MS)).await {
        Ok(outcome) => outcome,
        Err(_) if answering.get() => Err(SendError::Stalled),
        Err(_) => Err(SendError::Timeout),
    }
}

async fn exchange(request: Outgoing, max_body: usize, answering: &Cell<bool>) -> Result<Incoming, SendError> {
    let uri = format!("{}://{}{}", request.scheme.as_str(), request.authority, request.path_and_query);
    // Fresh headers, always: nothing of what a client sent goes on to ABS.
    let mut builder =
        Request::builder().method(request.route.method.as_str()).uri(uri).header("accept", "application/json");
    if let Some(key) = &request.bearer {
        builder = builder.header("authorization", format!("Bearer {key}"));
    }
    if let Some(body) = &request.body {
        builder = builder.header("content-type", "application/json").header("content-length", body.len());
    }
    let body = request.body.map_or_else(Body::empty, Body::from);
    let outgoing = builder.body(body).map_err(|_| SendError::Other("the request could not be built".into()))?;

    let mut client = Client::new();
    // Less than the rest, so that it is the host that says what was waited for: after this nothing has been sent.
    client.set_connect_timeout(Duration::from_millis(BUDGET_MS - 500));
    client.set_first_byte_timeout(Duration::from_millis(BUDGET_MS));
    client.set_between_bytes_timeout(Duration::from_millis(BUDGET_MS));
    let response = client.send(outgoing).await.map_err(|error| before_head(&error))?;
    answering.set(true);

    let header = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let content_type = header("content-type").unwrap_or_default();
    let plain = header("content-encoding").is_none_or(|encoding| encoding.eq_ignore_ascii_case("identity"));
    let mut incoming = Incoming {
        status: response.status().as_u16(),
        content_type: content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase(),
        retry_after: header("retry-after"),
        encoded: !plain,
        body: Vec::new(),
    };
    let announced = response.body().content_length();
    if announced.is_some_and(|length| length > max_body as u64) {
        return Err(SendError::TooLarge);
    }
    let mut body = response.into_body().into_boxed_body();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| in_body(&error))?;
        if let Some(data) = frame.data_ref() {
            if incoming.body.len() + data.len() > max_body {
                return Err(SendError::TooLarge);
            }
            incoming.body.extend_from_slice(data);
        }
    }
    if announced.is_some_and(|length| length != incoming.body.len() as u64) {
        return Err(SendError::Closed);
    }
    Ok(incoming)
}

fn before_head(error: &wstd::http::Error) -> SendError {
    match error.chain().find_map(|cause| cause.downcast_ref::<ErrorCode>()) {
        Some(code) => of_code(code),
        // wstd reads the head, and finds a length in it that is no number.
        None => SendError::NotHttp,
    }
}

/// A stream that breaks carries no code, only the host's words for it. These are wasmtime's.
fn in_body(error: &wstd::http::Error) -> SendError {
    if let Some(code) = error.chain().find_map(|cause| cause.downcast_ref::<ErrorCode>()) {
        return of_code(code);
    }
    let says = |word: &str| error.chain().any(|cause| cause.to_string().contains(word));
    if says("timeout") {
        SendError::Stalled
    } else if says("protocol error") {
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
