//! A small MCP client over HTTP, for both eras.

use anyhow::{Context, Result, anyhow, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client as HttpClient, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};

/// How a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// 2026-07-28: each request carries its own metadata.
    Modern,
    /// 2025-11-25: a handshake, then a session.
    Legacy,
}

pub(super) struct Client {
    http: HttpClient<HttpConnector, Full<Bytes>>,
    endpoint: String,
    era: Era,
    next_id: Cell<u32>,
    session: RefCell<Option<String>>,
}

impl Client {
    pub(super) fn new(endpoint: &str, era: Era) -> Client {
        let http = HttpClient::builder(TokioExecutor::new()).build_http();
        Client { http, endpoint: endpoint.to_owned(), era, next_id: Cell::new(1), session: RefCell::new(None) }
    }

    pub(super) fn era(&self) -> Era {
        self.era
    }

    /// `server/discover`, or `initialize` and its notification.
    pub(super) async fn hello(&self) -> Result<Value> {
        match self.era {
            Era::Modern => self.request("server/discover", json!({})).await,
            Era::Legacy => {
                let client = json!({"name": "demo", "version": env!("CARGO_PKG_VERSION")});
                let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
                let result = self.request("initialize", params).await?;
                self.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), &[]).await?;
                Ok(result)
            }
        }
    }

    /// The structured result of a tool call. An `isError` result is an error here.
    pub(super) async fn call(&self, tool: &str, arguments: &Value) -> Result<Value> {
        let mut result = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await?;
        if result["isError"] == true {
            bail!("{tool}: {}", result["content"][0]["text"]);
        }
        Ok(result["structuredContent"].take())
    }

    pub(super) async fn request(&self, method: &str, mut params: Value) -> Result<Value> {
        let id = self.next_id.replace(self.next_id.get() + 1);
        let mut headers = Vec::new();
        if self.era == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            headers.extend([("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]);
        }
        let name = params["name"].as_str().map(str::to_owned);
        if let (Era::Modern, Some(name)) = (self.era, &name) {
            headers.push(("mcp-name", name));
        }
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut answer = self.post(&message, &headers).await?.with_context(|| format!("{method} got no answer"))?;
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(anyhow!("{method}: {}", answer["error"]["message"])),
        }
    }

    async fn post(&self, message: &Value, headers: &[(&str, &str)]) -> Result<Option<Value>> {
        let mut request = hyper::Request::post(&self.endpoint)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(session) = &*self.session.borrow() {
            request = request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
        }
        let response = self.http.request(request.body(Full::from(message.to_string()))?).await?;
        if let Some(session) = response.headers().get("mcp-session-id") {
            *self.session.borrow_mut() = Some(session.to_str()?.to_owned());
        }
        let body = response.into_body().collect().await?.to_bytes();
        Ok(if body.is_empty() { None } else { Some(serde_json::from_slice(&body)?) })
    }
}
