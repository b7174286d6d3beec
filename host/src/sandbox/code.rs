//! The machine code where it lies in the program's own file, instead of a copy of it at each start.
//!
//! The system maps the file's pages when they are first used, shares them between the processes that run this program, and
//! drops them when it needs the room.

use std::ptr::NonNull;
use wasmtime::{Config, Engine, Result, component::Component};

#[cfg_attr(target_arch = "x86_64", repr(C, align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C, align(65536)))]
struct Pages<Bytes: ?Sized>(Bytes);

/// Built by `cargo xtask component`; see `build.rs`.
static CWASM: &Pages<[u8]> = &Pages(*include_bytes!(env!("COMPONENT_CWASM")));

/// What the engine needs for [`load`].
pub(super) fn executable_in_place(config: &mut Config) {
    #[cfg(target_os = "linux")]
    config.with_custom_code_memory(Some(std::sync::Arc::new(linux::Mapped)));
    #[cfg(not(target_os = "linux"))]
    let _ = config;
}

/// `None` if this program was built without it.
pub(super) fn load(engine: &Engine) -> Option<Result<Component>> {
    if CWASM.0.is_empty() {
        return None;
    }
    // SAFETY: wasmtime runs what it deserializes, so the bytes must be its own output. They are: the build made them
    // with the program `precompile` of this workspace and put them into this executable, and whoever can change them
    // here can change the rest of the executable too. Version, configuration and processor are checked on loading. They live
    // as long as the program, and nothing writes to them.
    Some(unsafe {
        match cfg!(target_os = "linux") {
            true => Component::deserialize_raw(engine, NonNull::from(&CWASM.0)),
            false => Component::deserialize(engine, &CWASM.0),
        }
    })
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use wasmtime::{CustomCodeMemory, Result};

    /// Code in memory that this process has mapped: from its own file, or made anew by the compiler.
    pub(super) struct Mapped;

    impl Mapped {
        fn protect(start: *const u8, length: usize, how: libc::c_int) -> Result<()> {
            // SAFETY: wasmtime gives the text of a component, on pages of its own; it is only ever read or executed.
            match unsafe { libc::mprotect(start.cast_mut().cast(), length, how) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error().into()),
            }
        }
    }

    impl CustomCodeMemory for Mapped {
        fn required_alignment(&self) -> usize {
            // SAFETY: sysconf has no preconditions.
            usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
        }

        fn publish_executable(&self, start: *const u8, length: usize) -> Result<()> {
            Mapped::protect(start, length, libc::PROT_READ | libc::PROT_EXEC)
        }

        fn unpublish_executable(&self, start: *const u8, length: usize) -> Result<()> {
            Mapped::protect(start, length, libc::PROT_READ)
        }
    }
}
