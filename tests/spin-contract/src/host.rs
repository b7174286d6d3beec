//! The host itself: one application, a fresh instance of its component for each request, no limits.

use crate::{
    config::Config,
    inbound::{self, Rejected},
    keyvalue::{Backend, KeyValue},
    manifest::Resolved,
    outbound::{Hooks, Outbound},
    surface,
};
use anyhow::{Context, Result};
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{fmt, fs, net::SocketAddr, path::Path, sync::Arc};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use wasmtime::{
    Engine, Store,
    component::{Component, ResourceTable},
};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{
    WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpView,
    p2::bindings::{ProxyPre, http::types::Scheme},
};

pub struct App {
    engine: Engine,
    component: ProxyPre<State>,
    resolved: Resolved,
    outbound: Arc<Outbound>,
    backend: Backend,
}

/// What is kept for one instance.
pub struct State {
    table: ResourceTable,
    wasi: WasiCtx,
    http: WasiHttpCtx,
    hooks: Hooks,
    app: Arc<App>,
}

impl State {
    fn new(app: &Arc<App>) -> State {
        let mut wasi = WasiCtx::builder();
        wasi.inherit_stdout().inherit_stderr();
        for (name, value) in &app.resolved.environment {
            wasi.env(name, value);
        }
        State {
            table: ResourceTable::new(),
            wasi: wasi.build(),
            http: WasiHttpCtx::new(),
            hooks: Hooks(app.outbound.clone()),
            app: app.clone(),
        }
    }

    pub(crate) fn config(&mut self) -> Config<'_> {
        Config(&self.app.resolved.config)
    }

    pub(crate) fn keyvalue(&mut self) -> KeyValue<'_> {
        KeyValue { table: &mut self.table, labels: &self.app.resolved.stores, backend: &self.app.backend }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { hooks: &mut self.hooks, table: &mut self.table, ctx: &mut self.http }
    }
}

impl App {
    pub fn load(mut resolved: Resolved, backend: Backend) -> Result<Arc<App>> {
        // Fewer proposals of WebAssembly than Spin has, so that the machine code made for our own host serves here too.
        let engine = Engine::new(&engine::config()).map_err(plain)?;
        let component = component(&engine, &resolved.source)?;
        surface::check(&engine, &component)?;
        let linked = surface::linker(&engine)?.instantiate_pre(&component).and_then(ProxyPre::new);
        let outbound = Arc::new(Outbound::new(resolved.allowed_hosts.take())?);
        Ok(Arc::new(App { component: linked.map_err(plain)?, engine, resolved, outbound, backend }))
    }

    /// Serves whoever connects, for ever.
    pub async fn serve(self: Arc<App>, listener: TcpListener) {
        while let Ok((stream, client)) = listener.accept().await {
            tokio::spawn(self.clone().connection(stream, client));
        }
    }

    async fn connection(self: Arc<App>, stream: TcpStream, client: SocketAddr) {
        let _ = stream.set_nodelay(true);
        let service = service_fn(|request| self.answer(request, client));
        let _ = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(
        self: &Arc<App>,
        request: Request<Incoming>,
        client: SocketAddr,
    ) -> Result<Response<WasiBody>, Closed> {
        let path = request.uri().path().to_owned();
        let Some(matched) = self.resolved.routes.find(&path) else { return Ok(empty(StatusCode::NOT_FOUND)) };
        let request = match inbound::prepare(request, &matched, client) {
            Ok(request) => request,
            Err(Rejected::NoHost) => return Err(Closed),
            Err(Rejected::NotText) => return Ok(empty(StatusCode::INTERNAL_SERVER_ERROR)),
        };
        let (answer, answered) = oneshot::channel();
        // It goes on when its client leaves: it learns of that when it writes.
        tokio::spawn(run(self.clone(), request, answer));
        match answered.await {
            Ok(Ok(response)) => Ok(response),
            // It trapped, or it returned without an answer.
            Ok(Err(_)) | Err(_) => Ok(empty(StatusCode::INTERNAL_SERVER_ERROR)),
        }
    }
}

type Answer = Result<Response<WasiBody>, wasmtime_wasi_http::p2::bindings::http::types::ErrorCode>;

async fn run(app: Arc<App>, request: Request<Incoming>, answer: oneshot::Sender<Answer>) {
    let mut store = Store::new(&app.engine, State::new(&app));
    // There is no limit on computing.
    store.set_epoch_deadline(u64::MAX / 2);
    let work = async {
        let instance = app.component.instantiate_async(&mut store).await?;
        let mut http = store.data_mut().http();
        let request = http.new_incoming_request(Scheme::Http, request)?;
        let answer = http.new_response_outparam(answer)?;
        instance.wasi_http_incoming_handler().call_handle(&mut store, request, answer).await
    };
    if let Err(error) = work.await {
        eprintln!("spin-contract: an instance trapped: {}", error.root_cause());
    }
}

fn empty(status: StatusCode) -> Response<WasiBody> {
    let mut response = Response::new(Empty::<Bytes>::new().map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = status;
    response
}

/// Makes hyper close the connection without an answer.
#[derive(Debug)]
struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("closed without an answer")
    }
}

impl std::error::Error for Closed {}

/// Compiled, unless its machine code lies beside it and is newer.
fn component(engine: &Engine, wasm: &Path) -> Result<Component> {
    let compiled = wasm.with_extension("cwasm");
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    if time(&compiled).is_some_and(|compiled| time(wasm).is_some_and(|wasm| compiled > wasm)) {
        // SAFETY: the bytes have to be wasmtime's own output. They are what `cargo xtask component` wrote there, and whoever
        // can change them can change this program too.
        if let Ok(component) = unsafe { Component::deserialize_file(engine, &compiled) } {
            return Ok(component);
        }
    }
    let bytes = fs::read(wasm).with_context(|| format!("{}: `cargo xtask component` builds it", wasm.display()))?;
    Component::new(engine, bytes).map_err(plain).context("the component does not compile")
}

/// wasmtime has an error type of its own.
fn plain(error: wasmtime::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}")
}
