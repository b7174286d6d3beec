//! The machine code where it lies in the program's own file, instead of a copy of it at each start.
//!
//! The system maps the file's pages when they are first used, shares them between the processes that run this program, and
//! drops them when it needs the room.

use std::{
    ptr::NonNull,
    sync::atomic::{AtomicBool, Ordering},
};
use wasmtime::{Config, Engine, Result, component::Component};

const BYTES: &[u8] = include_bytes!(env!("COMPONENT_CWASM"));

#[cfg_attr(target_arch = "x86_64", repr(C, align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C, align(65536)))]
struct Pages([u8; BYTES.len()]);

/// Built by `cargo xtask component`; see `build.rs`. On Linux it lies among the program's own code, so that nothing has to be
/// made executable that was not executable from the start.
#[cfg_attr(target_os = "linux", unsafe(link_section = ".text.component"))]
static CWASM: Pages = Pages(*include_bytes!(env!("COMPONENT_CWASM")));

/// wasmtime keeps account of all code in a process, and takes each address once. Whoever comes later gets a copy.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// What the engine needs for [`load`].
pub(super) fn executable_in_place(config: &mut Config) {
    #[cfg(target_os = "linux")]
    config.with_custom_code_memory(Some(std::sync::Arc::new(linux::Mapped)));
    #[cfg(not(target_os = "linux"))]
    let _ = config;
}

/// `None` if this program was built without it.
pub(super) fn load(engine: &Engine) -> Option<Result<Component>> {
    if BYTES.is_empty() {
        return None;
    }
    // SAFETY: wasmtime runs what it deserializes, so the bytes must be its own output. They are: the build made them
    // with the program `precompile` of this workspace and put them into this executable, and whoever can change them
    // here can change the rest of the executable too. Version, configuration and processor are checked on loading. They live
    // as long as the program, and nothing writes to them.
    let in_place = cfg!(target_os = "linux") && !TAKEN.swap(true, Ordering::Relaxed);
    Some(unsafe {
        match in_place {
            true => Component::deserialize_raw(engine, NonNull::from(&CWASM.0[..])),
            false => Component::deserialize(engine, &CWASM.0[..]),
        }
    })
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use wasmtime::{CustomCodeMemory, Result};

    /// Code in memory that this process has mapped: from its own file, or made anew by the compiler.
    pub(super) struct Mapped;

    impl CustomCodeMemory for Mapped {
        fn required_alignment(&self) -> usize {
            // SAFETY: sysconf has no preconditions.
            usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
        }

        fn publish_executable(&self, start: *const u8, length: usize) -> Result<()> {
            if super::CWASM.0.as_ptr_range().contains(&start) {
                return Ok(());
            }
            let read_and_run = libc::PROT_READ | libc::PROT_EXEC;
            // SAFETY: wasmtime gives the text of a component, on pages of its own; it is only ever read or executed.
            match unsafe { libc::mprotect(start.cast_mut().cast(), length, read_and_run) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error().into()),
            }
        }

        /// Nothing is ever written there again: what the program's file holds stays, and copies are unmapped right after.
        fn unpublish_executable(&self, _: *const u8, _: usize) -> Result<()> {
            Ok(())
        }
    }
}
