//! What a component may import: names, versions and functions of Spin 4.0.2.

use crate::{config::Config, host::State, keyvalue::KeyValue};
use anyhow::{Context, bail};
use bindings::wasi::{
    config::store as config,
    keyvalue::{atomics, store as keyvalue},
};
use wasmtime::{
    Engine,
    component::{Component, HasData, Linker, types::ComponentItem},
};

pub mod bindings {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "server",
        imports: { default: async | trappable },
        require_store_data_send: true,
        with: { "wasi:keyvalue/store.bucket": crate::keyvalue::Bucket },
    });
}

/// `interface function`, one a line.
const FUNCTIONS: &str = include_str!("wasi-0.2.6.txt");

struct HasConfig;

impl HasData for HasConfig {
    type Data<'a> = Config<'a>;
}

struct HasKeyValue;

impl HasData for HasKeyValue {
    type Data<'a> = KeyValue<'a>;
}

/// Everything of WASI 0.2, whether this server wants it or not, and the two proposals under the names of their drafts.
pub fn linker(engine: &Engine) -> anyhow::Result<Linker<State>> {
    fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
        wasmtime_wasi::p2::add_to_linker_async(linker)?;
        wasmtime_wasi_http::p2::add_only_http_to_linker_async(linker)?;
        config::add_to_linker::<_, HasConfig>(linker, State::config)?;
        keyvalue::add_to_linker::<_, HasKeyValue>(linker, State::keyvalue)?;
        atomics::add_to_linker::<_, HasKeyValue>(linker, State::keyvalue)
    }
    let mut linker = Linker::new(engine);
    link(&mut linker).map_err(|error| anyhow::anyhow!("{error:#}"))?;
    Ok(linker)
}

/// wasmtime matches versions of WASI 0.2 as Spin does, but this one knows later functions than Spin's. A component that
/// imports one of those would run here and not there.
pub fn check(engine: &Engine, component: &Component) -> anyhow::Result<()> {
    for (name, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(instance) = item.ty else { bail!("the import {name} is no interface") };
        let (interface, version) = name.split_once('@').with_context(|| format!("the import {name} has no version"))?;
        if !version.split('.').take(2).eq(["0", "2"]) || version.contains('-') {
            continue;
        }
        for (function, item) in instance.exports(engine) {
            if matches!(item.ty, ComponentItem::ComponentFunc(_)) && !is_known(interface, function) {
                bail!("the component imports {function} of {name}, which Spin 4.0.2 does not have");
            }
        }
    }
    Ok(())
}

/// Interfaces that the list does not speak about are the linker's business.
fn is_known(interface: &str, function: &str) -> bool {
    let mut of_interface = FUNCTIONS.lines().filter_map(|line| line.split_once(' ')).filter(|(of, _)| *of == interface);
    let first = of_interface.clone().next();
    first.is_none() || of_interface.any(|(_, known)| known == function)
}
