//! Requests on their way out: which are let out, and what becomes of their failures.
//!
//! Only scheme, host and port decide. Redirects are answers. The connections of the whole process are kept in one pool.

use crate::manifest::AllowedHost;
use anyhow::Context as _;
use bytes::Bytes;
use http::{Request, Response, Uri, header::HOST};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{self, Client},
    rt::{TokioExecutor, TokioIo, TokioTimer},
};
use rustls_platform_verifier::BuilderVerifierExt;
use std::{
    error::Error as StdError,
    fmt,
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    net::{TcpStream, lookup_host},
    time::{Instant, Sleep, sleep, timeout},
};
use tower_service::Service;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

/// For each phase that the component sets no limit to.
const USUAL: Duration = Duration::from_secs(600);

/// Shared by all instances.
pub struct Outbound {
    /// None: an entry is no host, so nothing is let out.
    allowed: Option<Vec<AllowedHost>>,
    client: Client<HttpsConnector<Tcp>, WasiBody>,
}

impl Outbound {
    pub fn new(allowed: Option<Vec<AllowedHost>>) -> anyhow::Result<Outbound> {
        let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_platform_verifier())
            .context("the certificates of this system cannot be read")?
            .with_no_client_auth();
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
        // Spin keeps idle connections for 90 s. Audiobookshelf closes them after 5 s, and a request in that very moment is lost:
        // a race that docs/deploy/spin.md tells about, and that would make any test fail now and then.
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(4))
            .build(connector.wrap_connector(Tcp));
        Ok(Outbound { allowed, client })
    }

    async fn send(&self, mut request: Request<WasiBody>, options: RequestOptions) -> Result<Response<WasiBody>, Error> {
        let target = request.uri();
        if !self.allowed.iter().flatten().any(|host| host.allows(target)) {
            eprintln!("spin-contract: a request to {} was denied", target.authority().map_or("?", |to| to.as_str()));
            return Err(Error::HttpRequestDenied);
        }
        // Whatever the component wrote; the client makes it from the target.
        request.headers_mut().remove(HOST);
        // The time to connect is a part of it: the component sets both to the same.
        let first = options.first_byte_timeout.unwrap_or(USUAL);
        let response = timeout(first, self.client.request(request)).await;
        let response = response.map_err(|_| Error::ConnectionReadTimeout)?.map_err(|error| of_exchange(&error))?;
        let between = options.between_bytes_timeout.unwrap_or(USUAL);
        Ok(response.map(|inner| Timed { inner, between, silence: Box::pin(sleep(between)) }.boxed_unsync()))
    }
}

/// Spin has few words: what goes wrong while connecting keeps its name, and all the rest is a protocol error, an upstream
/// that closes the connection without an answer included.
fn of_exchange(error: &legacy::Error) -> Error {
    let mut cause = error.source();
    while let Some(error) = cause {
        match error.downcast_ref::<Failed>() {
            Some(Failed::Lookup) => {
                return Error::DnsError { rcode: Some("address not available".into()), info_code: Some(0) };
            }
            Some(Failed::Connect) => return Error::ConnectionRefused,
            None => cause = error.source(),
        }
    }
    if error.is_connect() { Error::TlsProtocolError } else { Error::HttpProtocolError }
}

/// The hooks of one instance.
pub struct Hooks(pub Arc<Outbound>);

type Exchange = Result<(Response<WasiBody>, Box<dyn Future<Output = Result<(), Error>> + Send>), Error>;

impl WasiHttpHooks for Hooks {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _processed: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Exchange> + Send> {
        let outbound = self.0.clone();
        Box::new(async move {
            let response = outbound.send(request, options.unwrap_or_default()).await?;
            Ok((response, Box::new(async { Ok(()) }) as Box<_>))
        })
    }
}

#[derive(Clone)]
struct Tcp;

#[derive(Debug)]
enum Failed {
    Lookup,
    Connect,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no connection")
    }
}

impl StdError for Failed {}

impl Service<Uri> for Tcp {
    type Response = TokioIo<TcpStream>;
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Failed>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        Box::pin(async move {
            let usual = if target.scheme_str() == Some("https") { 443 } else { 80 };
            let host = target.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
            let port = target.port_u16().unwrap_or(usual);
            let addresses: Vec<_> = lookup_host((host, port)).await.map_err(|_| Failed::Lookup)?.collect();
            let stream = TcpStream::connect(&*addresses).await.map_err(|error| match error.kind() {
                io::ErrorKind::AddrNotAvailable => Failed::Lookup,
                _ => Failed::Connect,
            })?;
            let _ = stream.set_nodelay(true);
            Ok(TokioIo::new(stream))
        })
    }
}

/// A body in which no silence may last too long.
struct Timed {
    inner: Incoming,
    between: Duration,
    silence: Pin<Box<Sleep>>,
}

impl Body for Timed {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(frame) => {
                let next = Instant::now() + self.between;
                self.silence.as_mut().reset(next);
                Poll::Ready(frame.map(|frame| frame.map_err(|_| Error::HttpProtocolError)))
            }
            Poll::Pending => {
                ready!(self.silence.as_mut().poll(context));
                Poll::Ready(Some(Err(Error::ConnectionReadTimeout)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
