//! Audiobookshelf itself, past the server under test: to prepare, to look behind the server's back, to clean up.

use super::{Abs, PATIENCE};
use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Bytes};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

pub struct Direct {
    url: String,
    key: String,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Direct {
    pub fn to(abs: &Abs) -> Direct {
        let [(_, url), (_, key)] = abs.settings();
        let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_platform_verifier())
            .expect("the certificates of this system")
            .with_no_client_auth();
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().build();
        // ABS closes idle connections after 5 s.
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(4))
            .build(connector);
        Direct { url: url.trim_end_matches('/').to_owned(), key, client }
    }

    /// Status and body, which is null where it is no JSON; nothing where the connection was closed without an answer.
    pub async fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Option<(u16, Value)> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .body(Full::new(body.map_or_else(String::new, Value::to_string).into()))
            .expect("a valid request");
        let exchange = async {
            let response = self.client.request(request).await.ok()?;
            let status = response.status().as_u16();
            let body = response.into_body().collect().await.ok()?.to_bytes();
            Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
        };
        timeout(PATIENCE, exchange).await.expect("Audiobookshelf answers in time")
    }

    /// The answer, which must be a success. Null is no body.
    pub async fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        match self.ask(method, path, Some(body).filter(|body| !body.is_null())).await {
            Some((status, answer)) if status < 300 => answer,
            other => panic!("{method} {path} {body}: {other:?}"),
        }
    }

    pub async fn get(&self, path: &str) -> Value {
        self.find(path).await.unwrap_or_else(|| panic!("GET {path}: 404"))
    }

    /// Nothing where there is nothing.
    pub async fn find(&self, path: &str) -> Option<Value> {
        match self.ask("GET", path, None).await {
            Some((200, answer)) => Some(answer),
            Some((404, _)) => None,
            other => panic!("GET {path}: {other:?}"),
        }
    }

    /// Whether it answers.
    pub async fn is_up(&self) -> bool {
        matches!(self.ask("GET", "/status", None).await, Some((200, _)))
    }
}
