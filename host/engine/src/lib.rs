//! The wasmtime configuration that the host and the ahead-of-time compiler share.
//!
//! Machine code made under one configuration runs under an equal one only; wasmtime checks that when it loads the code. So
//! there is one function, and both call it.

use wasmtime::{Config, OptLevel};

/// What decides the machine code, and nothing else: how memory is allocated is the host's business.
///
/// Every WebAssembly proposal that the component does not use is off: what cannot be expressed need not be trusted.
pub fn config() -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        // Lets the host stop a component that computes for ever.
        .epoch_interruption(true)
        .cranelift_opt_level(OptLevel::Speed)
        // For backtraces and profilers: a sixth of the machine code's bytes, which are part of the program.
        .generate_address_map(false)
        .native_unwind_info(false)
        // Fresh instances start from a copy-on-write image of the initial memory.
        .memory_init_cow(true)
        // Relaxed SIMD builds on SIMD and has to go first.
        .wasm_relaxed_simd(false)
        .wasm_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_extended_const(false);
    config
}
