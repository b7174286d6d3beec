//! What the component may import: the interfaces of `wit/imports.txt`, one by one.
//!
//! There is no file system, no socket, no environment and no argument here. A component that imports anything else is not
//! instantiated.

use super::{component::plain, state::State};
use crate::state::{self, HasState};
use anyhow::{Context, Result};
use wasmtime::{
    Engine,
    component::{Component, HasData, Linker, ResourceTable},
};
use wasmtime_wasi::{
    WasiView,
    cli::{WasiCli, WasiCliView},
    clocks::{WasiClocks, WasiClocksView},
    p2::bindings::{cli, clocks, io, random},
    random::WasiRandom,
};
use wasmtime_wasi_http::{
    WasiHttp, WasiHttpView,
    p2::bindings::{LinkOptions, ProxyPre, http},
};

/// `wasi:io` needs nothing but the table of resources.
struct HasTable;

impl HasData for HasTable {
    type Data<'a> = &'a mut ResourceTable;
}

pub(super) fn link(engine: &Engine, component: &Component) -> Result<ProxyPre<State>> {
    let linker = linker(engine).map_err(plain)?;
    linker
        .instantiate_pre(component)
        .and_then(ProxyPre::new)
        .map_err(plain)
        .context("the component does not fit into the sandbox")
}

fn linker(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;

    http::types::add_to_linker::<_, WasiHttp>(l, &LinkOptions::default().into(), State::http)?;
    http::outgoing_handler::add_to_linker::<_, WasiHttp>(l, State::http)?;

    io::error::add_to_linker::<_, HasTable>(l, |state| state.ctx().table)?;
    io::poll::add_to_linker::<_, HasTable>(l, |state| state.ctx().table)?;
    io::streams::add_to_linker::<_, HasTable>(l, |state| state.ctx().table)?;
    clocks::wall_clock::add_to_linker::<_, WasiClocks>(l, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<_, WasiClocks>(l, State::clocks)?;
    random::random::add_to_linker::<_, WasiRandom>(l, |state| state.ctx().ctx.random())?;
    cli::stderr::add_to_linker::<_, WasiCli>(l, State::cli)?;

    state::config::add_to_linker::<_, HasState>(l, State::view)?;
    state::keyvalue::add_to_linker::<_, HasState>(l, State::view)?;
    state::atomics::add_to_linker::<_, HasState>(l, State::view)?;
    Ok(linker)
}
