//! An Audiobookshelf that takes no time: it asks the stand-in once for each path, and repeats the answer from then on.
//!
//! What the stand-in needs to make an answer would otherwise be most of what is measured where answers are large.

use anyhow::{Context, Result};
use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo},
};
use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{net::TcpListener, task::JoinHandle};

pub struct Upstream {
    shared: Arc<Shared>,
    url: String,
    task: JoinHandle<()>,
}

struct Shared {
    behind: String,
    key: String,
    client: Client<HttpConnector, Full<Bytes>>,
    known: Mutex<HashMap<String, (StatusCode, Bytes)>>,
}

impl Upstream {
    /// In front of the stand-in at `behind`.
    pub async fn start(behind: &str, key: &str) -> Result<Upstream> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let client = Client::builder(TokioExecutor::new()).build_http();
        let shared =
            Arc::new(Shared { behind: behind.to_owned(), key: key.to_owned(), client, known: Mutex::default() });
        let task = tokio::spawn(serve(listener, shared.clone()));
        Ok(Upstream { shared, url, task })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn key(&self) -> &str {
        &self.shared.key
    }

    /// What is answered to a path, made up or not.
    pub async fn answer(&self, path: &str) -> Result<Bytes> {
        Ok(self.shared.answer(path).await?.1)
    }

    pub fn replace(&self, path: &str, body: Bytes) {
        let mut known = self.shared.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.to_owned(), (StatusCode::OK, body));
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    async fn answer(&self, path: &str) -> Result<(StatusCode, Bytes)> {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(known.clone());
        }
        let request = Request::get(format!("{}{path}", self.behind))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .body(Full::default())?;
        let response = self.client.request(request).await.context("the stand-in does not answer")?;
        let status = response.status();
        let answer = (status, response.into_body().collect().await?.to_bytes());
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), answer.clone());
        Ok(answer)
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let (status, body) = match self.answer(&path).await {
            Ok(answer) => answer,
            Err(error) => (StatusCode::BAD_GATEWAY, format!("{error:#}").into()),
        };
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = status;
        let json = HeaderValue::from_static("application/json; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let shared = shared.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let shared = shared.clone();
                async move { Ok::<_, Infallible>(shared.respond(request).await) }
            });
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
