//! What people would write without a sandbox: a handler on hyper that answers the same requests with the same bytes.
//!
//! It is measured as the other side of the comparison, so it does what a native server has to and no more: it parses the
//! message, asks Audiobookshelf by the same request over a kept connection, parses the answer with serde_json, and makes the
//! same result of it. A framework on top of hyper would only make it slower.

use crate::projection;
use anyhow::Result;
use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo},
};
use serde_json::{Value, json};
use std::{convert::Infallible, sync::Arc};
use tokio::net::TcpListener;

pub struct Native {
    tools: Bytes,
    url: String,
    authorization: String,
    client: Client<HttpConnector, Full<Bytes>>,
}

impl Native {
    pub fn new(tools: Bytes, url: &str, key: &str) -> Native {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).build(tcp);
        Native { tools, url: url.to_owned(), authorization: format!("Bearer {key}"), client }
    }

    /// The body of the answer to one message; empty for what it does not know.
    pub async fn answer(&self, message: &[u8]) -> Result<Bytes> {
        let message: Value = serde_json::from_slice(message)?;
        match message["method"].as_str() {
            Some("tools/list") => Ok(self.tools.clone()),
            Some("tools/call") => {
                let id = message["params"]["arguments"]["library_item_id"].as_str().unwrap_or_default();
                let item = self.get(&format!("/api/items/{id}?expanded=1&include=progress")).await?;
                let result = projection::result(&serde_json::from_slice(&item)?);
                Ok(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string().into())
            }
            _ => Ok(Bytes::new()),
        }
    }

    async fn get(&self, path: &str) -> Result<Bytes> {
        let request = Request::get(format!("{}{path}", self.url))
            .header(header::AUTHORIZATION, &self.authorization)
            .header(header::ACCEPT, "application/json")
            .body(Full::default())?;
        Ok(self.client.request(request).await?.into_body().collect().await?.to_bytes())
    }
}

pub async fn serve(native: Native, listener: TcpListener) -> Result<()> {
    let native = Arc::new(native);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let native = native.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let native = native.clone();
                async move { Ok::<_, Infallible>(respond(&native, request).await) }
            });
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn respond(native: &Native, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let failed = |status: StatusCode| {
        let mut response = Response::new(Full::default());
        *response.status_mut() = status;
        response
    };
    if request.method() != Method::POST || request.uri().path() != "/mcp" {
        return failed(StatusCode::NOT_FOUND);
    }
    let Ok(message) = request.into_body().collect().await else { return failed(StatusCode::BAD_REQUEST) };
    match native.answer(&message.to_bytes()).await {
        Ok(body) => {
            let mut response = Response::new(Full::new(body));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => {
            eprintln!("native: {error:#}");
            failed(StatusCode::BAD_GATEWAY)
        }
    }
}
