//! The connections to Audiobookshelf: kept alive, HTTP/1.1, TLS with the trust of the platform and of `AUDIOBOOKSHELF_CA_FILE`.
//!
//! rustls with ring: both build with a plain C compiler and nothing else. The verifier of the platform rather than a list of
//! roots, since people add the CA of their home network to the platform, and on macOS and Windows the platform also knows
//! what it distrusts; on Linux it reads the same files as everybody (`SSL_CERT_FILE` and `SSL_CERT_DIR` included).

mod insecure;
mod resolver;

pub(super) use resolver::NameNotResolved;

use super::{budget::Budget, errors};
use crate::settings::Authorities;
use anyhow::Context;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{
        self,
        connect::{HttpConnector, capture_connection},
    },
    rt::{TokioExecutor, TokioTimer},
};
use policy::{Origin, Scheme};
use resolver::Resolver;
use rustls::{ClientConfig, client::danger::ServerCertVerifier, crypto::CryptoProvider};
use rustls_platform_verifier::Verifier;
use std::{sync::Arc, time::Duration};
use tokio::time::{sleep, timeout};
use wasmtime_wasi_http::Error;

/// ABS closes a connection after 5 s without a request; one second less, so that none is closed while a request sets out.
const IDLE: Duration = Duration::from_secs(4);
/// As many as requests run at a time by default. With fewer, a crowd of requests makes most of its connections anew.
const MAX_IDLE: usize = 64;

pub(super) struct Client(legacy::Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>);

impl Client {
    pub(super) fn new(origin: &Origin, insecure_tls: bool, authorities: &Authorities) -> anyhow::Result<Self> {
        let mut tcp = HttpConnector::new_with_resolver(Resolver::new());
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        let tls = tls(origin.scheme() == Scheme::Https, insecure_tls, authorities)?;
        let connector =
            HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
        Ok(Client(
            // Sends a second time only what was never begun, because an idle connection turned out to be closed. What was
            // begun and broke is an error: ABS may have died of it, and it may have been done.
            legacy::Client::builder(TokioExecutor::new())
                .pool_timer(TokioTimer::new())
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(MAX_IDLE)
                .build(connector),
        ))
    }

    /// Up to the head of the response. Follows no redirect.
    pub(super) async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
        budget: &Budget,
    ) -> Result<Response<Incoming>, Error> {
        let mut connection = capture_connection(&mut request);
        let exchange = self.0.request(request);
        tokio::pin!(exchange);
        // 1. A connection, new or from the pool.
        tokio::select! {
            biased;
            outcome = &mut exchange => return outcome.map_err(|error| errors::of_exchange(&error)),
            () = connected(&mut connection) => {}
            () = sleep(budget.connect) => return Err(Error::ConnectionTimeout),
        }
        // 2. The first byte of the answer.
        match timeout(budget.first_byte, exchange).await {
            Ok(outcome) => outcome.map_err(|error| errors::of_exchange(&error)),
            Err(_) => Err(Error::HttpResponseTimeout),
        }
    }
}

async fn connected(connection: &mut legacy::connect::CaptureConnection) {
    if connection.wait_for_connection_metadata().await.is_none() {
        // There will be none; the exchange itself says why.
        std::future::pending::<()>().await;
    }
}

fn tls(needed: bool, insecure: bool, authorities: &Authorities) -> anyhow::Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = verifier(needed, insecure, authorities, &provider)?;
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

fn verifier(
    needed: bool,
    insecure: bool,
    authorities: &Authorities,
    provider: &Arc<CryptoProvider>,
) -> anyhow::Result<Arc<dyn ServerCertVerifier>> {
    if insecure {
        return Ok(insecure::accept_anything(provider));
    }
    if !needed {
        // Plain HTTP: do not read the platform's certificates, and accept none.
        return Ok(insecure::accept_nothing(provider));
    }
    let verifier = Verifier::new_with_extra_roots(authorities.certificates(), provider.clone())
        .context("the certificates of this system cannot be read")?;
    Ok(Arc::new(verifier))
}
