//! The component as machine code.

use super::{Limits, code};
use crate::log;
use anyhow::{Context, Result, bail};
use std::sync::Arc;
use wasmtime::{
    Enabled, Engine, InstanceAllocationStrategy, MemoryCreator, PoolingAllocationConfig, component::Component,
};

/// Built by `cargo xtask component`; see `build.rs`.
static WASM: &[u8] = include_bytes!(env!("COMPONENT_WASM"));

/// SHA-256 of the embedded component in hexadecimal: of the very bytes that `cargo xtask component` prints it for and that
/// Spin loads.
pub const fn component_sha256() -> &'static str {
    env!("COMPONENT_SHA256")
}

/// The engine, with room for all instances set aside where the system allows it.
pub(super) fn engine(limits: &Limits) -> Result<Engine> {
    let mut config = engine::config();
    code::executable_in_place(&mut config);
    let mut pooled = config.clone();
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits)));
    // A pool reserves address space (not memory) for the largest instances there can be; some containers do not grant it.
    Engine::new(&pooled).or_else(|_| Engine::new(&config)).map_err(plain).context("wasmtime does not start")
}

/// An engine for tests that look into the memories of instances: somebody else makes them. The ahead-of-time code needs
/// those that wasmtime makes itself, which start as a copy-on-write image; so this engine compiles anew.
pub(super) fn embedded_with(memories: Arc<dyn MemoryCreator>) -> Result<(Engine, Component)> {
    let mut config = engine::config();
    config.memory_init_cow(false).with_host_memory(memories);
    let engine = Engine::new(&config).map_err(plain).context("wasmtime does not start")?;
    let component = compile(&engine, WASM)?;
    Ok((engine, component))
}

/// Bytes of a memory that stay with its slot. Requests rarely write more; what one had beyond that goes back to the system.
const KEPT: usize = 1024 * 1024;

fn pool(limits: &Limits) -> PoolingAllocationConfig {
    let instances = u32::try_from(limits.instances).unwrap_or(u32::MAX);
    let mut pool = PoolingAllocationConfig::new();
    // The componentizer makes up to three small modules around the one that matters; only that one has a memory.
    pool.total_component_instances(instances)
        .total_core_instances(instances.saturating_mul(6))
        .max_core_instances_per_component(6)
        .total_memories(instances)
        .max_memories_per_component(1)
        .total_tables(instances.saturating_mul(4))
        .max_tables_per_component(4)
        .total_stacks(instances)
        .max_memory_size(limits.memory)
        // A slot that was used keeps its pages, and only those that were written are made as new again: less than to give
        // them back to the system and to fault them in for the next request.
        .linear_memory_keep_resident(KEPT)
        .table_keep_resident(KEPT)
        .pagemap_scan(Enabled::Auto);
    pool
}

/// The embedded component.
pub(super) fn embedded(engine: &Engine) -> Result<Component> {
    if WASM.is_empty() {
        bail!("this program was built without the component. Build that first: cargo xtask component");
    }
    match code::load(engine) {
        Some(Ok(component)) => return Ok(component),
        Some(Err(error)) => log::warning(&format!(
            "compiling the component, since its machine code does not fit here: {}",
            error.root_cause()
        )),
        None => {}
    }
    compile(engine, WASM)
}

pub(super) fn compile(engine: &Engine, wasm: &[u8]) -> Result<Component> {
    Component::new(engine, wasm).map_err(plain).context("the component does not compile")
}

/// wasmtime has an error type of its own.
pub(super) fn plain(error: wasmtime::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_hash_is_that_of_the_bytes_inside() {
        let hash: String = Sha256::digest(WASM).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(component_sha256(), hash);
    }
}
