//! What may leave: the one place where a request of the component meets the network.
//!
//! 1. `policy::check` looks at method, scheme, authority, path and query. What fails it stays, and is logged.
//! 2. The request is built anew: target from the configured origin and the checked path, headers from a list of two, the
//!    credential from the host. Nothing else that the component wrote is passed on.
//! 3. The answer loses its cookies and every copy of the credential; everything else about it is the component's to judge.
//!    Redirects are answers.
//!
//! Not checked: the values of query keys and the content of bodies.

mod budget;
mod client;
mod errors;
mod redact;

use super::Limits;
use crate::{
    log,
    settings::{Secret, Settings},
};
use budget::Budget;
use bytes::Bytes;
use client::Client;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri,
    header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, SET_COOKIE, TRANSFER_ENCODING},
};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use policy::Origin;
use redact::Redaction;
use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::Semaphore;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

/// As much as an inbound message may have; no request that comes of one is larger.
const MAX_REQUEST_BODY: usize = 1024 * 1024;

/// How much more of an answer than its limit gets in, in bytes. The component stops at the limit and says so in a sentence; it
/// could not tell a stream that is cut here from a connection that broke.
const SLACK: usize = 1024 * 1024;

/// Requests of one instance that are under way, from the first byte sent to the last one read.
const MAX_AT_A_TIME: usize = 8;

/// Lines in the log about requests of one instance that may not leave.
const MAX_LOGGED: usize = 100;

/// The only headers of the component's that are passed on.
const PASSED_ON: [HeaderName; 2] = [ACCEPT, CONTENT_TYPE];

/// What browsers keep and send back. The second is out of use, except by those who still send it.
const COOKIES: [HeaderName; 2] = [SET_COOKIE, HeaderName::from_static("set-cookie2")];

/// Shared by all instances: the rules, the credential, and the connections.
pub(super) struct Egress {
    allowed: Option<Allowed>,
    read_only: bool,
    /// Bytes.
    max_response: usize,
    longest: Duration,
}

struct Allowed {
    origin: Origin,
    credential: Option<HeaderValue>,
    redaction: Option<Redaction>,
    client: Client,
}

impl Egress {
    pub(super) fn new(settings: &Settings, limits: &Limits) -> anyhow::Result<Self> {
        let allowed = match &settings.origin {
            None => None,
            Some(origin) => Some(Allowed {
                origin: origin.clone(),
                credential: settings.api_key.as_ref().map(bearer).transpose()?,
                redaction: settings.api_key.as_ref().and_then(|key| Redaction::new(key.reveal())),
                client: Client::new(origin, settings.insecure_tls, &settings.authorities)?,
            }),
        };
        Ok(Egress {
            allowed,
            read_only: settings.read_only,
            max_response: limits.response + SLACK,
            longest: limits.upstream,
        })
    }

    /// Step 1. Gives the target that is really asked.
    fn check(&self, method: &Method, uri: &Uri) -> Result<(&Allowed, Uri), String> {
        let allowed = self.allowed.as_ref().ok_or("no Audiobookshelf is configured")?;
        let text = |part: Option<&str>| part.unwrap_or("").to_owned();
        let path = text(uri.path_and_query().map(http::uri::PathAndQuery::as_str));
        policy::check(
            &allowed.origin,
            self.read_only,
            method.as_str(),
            &text(uri.scheme_str()),
            &text(uri.authority().map(http::uri::Authority::as_str)),
            &path,
        )
        .map_err(|denied| denied.to_string())?;
        let target = format!("{}{path}", allowed.origin).parse().map_err(|_| "the target is no URI".to_owned())?;
        Ok((allowed, target))
    }
}

fn bearer(key: &Secret) -> anyhow::Result<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Step 2, the headers.
fn fresh_headers(theirs: &HeaderMap, credential: Option<&HeaderValue>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in PASSED_ON {
        if let Some(value) = theirs.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    if let Some(credential) = credential {
        headers.insert(AUTHORIZATION, credential.clone());
    }
    headers
}

/// The hooks of one instance.
pub(super) struct InstanceEgress {
    shared: Arc<Egress>,
    instance: Arc<Instance>,
}

/// What is kept of an instance while its requests are under way.
struct Instance {
    alive: AtomicBool,
    /// Requests at a time. The component sends one after the other; another one is not to flood Audiobookshelf.
    places: Arc<Semaphore>,
    /// Refusals that are still logged.
    refusals: AtomicUsize,
}

impl InstanceEgress {
    pub(super) fn new(shared: Arc<Egress>) -> Self {
        let instance = Instance {
            alive: AtomicBool::new(true),
            places: Arc::new(Semaphore::new(MAX_AT_A_TIME)),
            refusals: AtomicUsize::new(MAX_LOGGED),
        };
        InstanceEgress { shared, instance: Arc::new(instance) }
    }
}

impl Drop for InstanceEgress {
    fn drop(&mut self) {
        self.instance.alive.store(false, Ordering::Release);
    }
}

type Exchange = Result<(Response<WasiBody>, Box<dyn Future<Output = Result<(), Error>> + Send>), Error>;

impl WasiHttpHooks for InstanceEgress {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _processed: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Exchange> + Send> {
        let egress = self.shared.clone();
        let instance = self.instance.clone();
        Box::new(async move {
            let budget = Budget::start(egress.longest, options);
            let response = budget.total(send(&egress, request, &budget, &instance)).await?;
            Ok((response, Box::new(async { Ok(()) }) as Box<_>))
        })
    }
}

async fn send(
    egress: &Egress,
    request: Request<WasiBody>,
    budget: &Budget,
    instance: &Instance,
) -> Result<Response<WasiBody>, Error> {
    let (theirs, body) = request.into_parts();
    let (allowed, target) = egress.check(&theirs.method, &theirs.uri).map_err(|why| {
        instance.denied(&theirs.method, &theirs.uri, &why);
        Error::HttpRequestDenied
    })?;
    let place = instance.places.clone().acquire_owned().await.map_err(|_| Error::HttpRequestDenied)?;
    let body = whole(body).await?;
    if !instance.alive.load(Ordering::Acquire) {
        // The instance died while it wrote; half a body must not look like a whole one.
        return Err(Error::HttpRequestDenied);
    }
    let mut ours = Request::new(Full::new(body));
    *ours.method_mut() = theirs.method;
    *ours.uri_mut() = target;
    *ours.headers_mut() = fresh_headers(&theirs.headers, allowed.credential.as_ref());

    let mut response = allowed.client.send(ours, budget).await?;
    for name in COOKIES {
        response.headers_mut().remove(name);
    }
    if response.headers().contains_key(TRANSFER_ENCODING) {
        // The chunks count (RFC 9112, 6.3); a length beside them is an error or a trick.
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    let bounded = |body| budget.body(body, egress.max_response, place);
    let Some(redaction) = &allowed.redaction else { return Ok(response.map(bounded)) };
    redaction.headers(response.headers_mut());
    Ok(response.map(|body| redaction.body(bounded(body)).boxed_unsync()))
}

impl Instance {
    /// A line for the operator. Without the query: what people search for is nobody's business but theirs.
    fn denied(&self, method: &Method, uri: &Uri, why: &str) {
        let count_down = |left: usize| left.checked_sub(1);
        let Ok(left) = self.refusals.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count_down) else { return };
        let scheme = uri.scheme_str().unwrap_or("");
        let authority = uri.authority().map_or("", http::uri::Authority::as_str);
        let target = format!("{scheme}://{authority}{}", uri.path());
        let more = if left == 1 { "the last one of this instance that is logged" } else { "" };
        let fields = [("method", method.as_str()), ("target", &target), ("why", why), ("note", more)];
        log::event("request_denied", &fields[..fields.len() - usize::from(more.is_empty())]);
    }
}

/// Reads a request body to its end, so that it leaves with its length (not every proxy in front of ABS takes chunks) and
/// only when it is complete.
async fn whole(body: WasiBody) -> Result<Bytes, Error> {
    match Limited::new(body, MAX_REQUEST_BODY).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Error::HttpRequestBodySize(Some(MAX_REQUEST_BODY as u64))),
        Err(error) => Err(error.downcast::<Error>().map_or(Error::HttpProtocolError, |error| *error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::Command, environment::Environment};

    fn egress(pairs: &[(&'static str, &str)]) -> Egress {
        let settings = Settings::validate(&Environment::of(pairs), &Command::Stdio).unwrap();
        Egress::new(&settings, &Limits::default()).unwrap()
    }

    fn target(egress: &Egress, method: Method, uri: &str) -> Result<String, String> {
        egress.check(&method, &uri.parse().unwrap()).map(|(_, target)| target.to_string())
    }

    #[tokio::test]
    async fn only_the_configured_origin() {
        let one =
            egress(&[("AUDIOBOOKSHELF_URL", "http://abs.example.com:80/base"), ("AUDIOBOOKSHELF_READ_ONLY", "1")]);
        assert_eq!(
            target(&one, Method::GET, "http://ABS.example.com:80/base/api/me"),
            Ok("http://abs.example.com/base/api/me".into())
        );
        for (method, uri) in [
            (Method::GET, "https://abs.example.com/base/api/me"),
            (Method::GET, "http://abs.example.com:81/base/api/me"),
            (Method::GET, "http://127.0.0.1/base/api/me"),
            (Method::GET, "http://abs.example.com/api/me"),
            (Method::GET, "http://abs.example.com/base/api/users"),
            (Method::DELETE, "http://abs.example.com/base/api/me"),
            (Method::DELETE, "http://abs.example.com/base/api/playlists/x"),
            (Method::GET, "/base/api/me"),
        ] {
            assert!(target(&one, method.clone(), uri).is_err(), "{method} {uri}");
        }
        assert!(target(&egress(&[]), Method::GET, "http://abs.example.com/api/me").is_err(), "none configured: none");
    }

    #[test]
    fn headers_are_made_anew() {
        let mut theirs = HeaderMap::new();
        for name in [
            "accept",
            "content-type",
            "authorization",
            "cookie",
            "host",
            "proxy-authorization",
            "connection",
            "transfer-encoding",
            "content-length",
            "x-forwarded-for",
            "accept-encoding",
        ] {
            theirs.insert(name, HeaderValue::from_static("theirs"));
        }
        let credential = bearer(&Secret::for_tests("sesame")).unwrap();
        let ours = fresh_headers(&theirs, Some(&credential));
        let mut seen: Vec<_> = ours.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        seen.sort_unstable();
        assert_eq!(seen, [("accept", "theirs"), ("authorization", "Bearer sesame"), ("content-type", "theirs")]);
        assert!(!format!("{ours:?}").contains("sesame"));
        assert!(!fresh_headers(&theirs, None).contains_key(AUTHORIZATION));
    }
}
