//! What the host keeps for one instance.

use super::{
    Shared,
    egress::InstanceEgress,
    limits::{Allocation, Computing},
    stderr::Stderr,
};
use crate::state::StateView;
use std::sync::Arc;
use tokio::sync::Notify;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

/// How much one instance may have of what the host keeps for it: header fields, requests, bodies, streams, timers. A tool
/// has a few dozen at a time. Each can hold up to 128 kB of the host's memory, which no limit on linear memory counts.
const RESOURCES: usize = 1000;

pub(super) struct State {
    // First, since fields are dropped in order: once it is gone nothing more of this instance leaves, not even a request
    // body that looks complete because its writer in `table` was dropped.
    egress: InstanceEgress,
    table: ResourceTable,
    wasi: WasiCtx,
    http: WasiHttpCtx,
    pub(super) memory: Allocation,
    pub(super) computing: Computing,
    pub(super) asks: Arc<Notify>,
    pub(super) shared: Arc<Shared>,
}

impl State {
    pub(super) fn new(shared: &Arc<Shared>) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        State {
            egress: InstanceEgress::new(shared.egress.clone()),
            table,
            wasi: WasiCtx::builder().stderr(Stderr::default()).build(),
            http: WasiHttpCtx::new(),
            memory: Allocation::new(&shared.limits, shared.largest_memory.clone()),
            computing: Computing::default(),
            asks: Arc::new(Notify::new()),
            shared: shared.clone(),
        }
    }

    pub(super) fn view(&mut self) -> StateView<'_> {
        StateView {
            table: &mut self.table,
            config: &self.shared.config,
            store: &self.shared.store,
            asks: &self.asks,
            closing: &self.shared.closing,
        }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { hooks: &mut self.egress, table: &mut self.table, ctx: &mut self.http }
    }
}
