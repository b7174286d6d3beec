//! The end of the program when it is asked to end: SIGTERM from a service manager or container, SIGINT from a terminal.
//!
//! The first signal ends it in good order, within [`GRACE`]; a second one at once. Elsewhere than on Unix the system ends the
//! process. Nothing is lost by that but what was running: approvals and questions live in memory, and a deed is marked as done
//! before it is sent.

use std::time::Duration;
use tokio::sync::watch;

/// How long what runs may go on. Container runtimes kill ten seconds after they asked.
pub const GRACE: Duration = Duration::from_secs(8);

/// How long it then takes at most to say that it is over, to clients that may read slowly.
pub const LAST_WORDS: Duration = Duration::from_secs(1);

/// Cheap to clone; all clones are the same request.
#[derive(Clone)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// That of the process. To be called once.
    pub fn on_signals() -> std::io::Result<Shutdown> {
        let (sender, receiver) = watch::channel(false);
        signals::watch(sender)?;
        Ok(Shutdown(receiver))
    }

    /// One that is asked for by sending `true`.
    pub fn when(receiver: watch::Receiver<bool>) -> Shutdown {
        Shutdown(receiver)
    }

    /// For a server that ends with its process.
    pub fn never() -> Shutdown {
        Shutdown(watch::channel(false).1)
    }

    /// Completes when the program is to end.
    pub async fn requested(&mut self) {
        if self.0.wait_for(|requested| *requested).await.is_err() {
            // Nobody is left who could ask for it.
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
mod signals {
    use signal_hook::{
        consts::{SIGINT, SIGTERM},
        iterator::Signals,
        low_level,
    };
    use std::{io, thread};
    use tokio::sync::watch;

    pub(super) fn watch(sender: watch::Sender<bool>) -> io::Result<()> {
        let mut signals = Signals::new([SIGTERM, SIGINT])?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if sender.send_replace(true) {
                    let _ = low_level::emulate_default_handler(signal);
                }
            }
        })?;
        Ok(())
    }
}

#[cfg(not(unix))]
mod signals {
    use tokio::sync::watch;

    pub(super) fn watch(sender: watch::Sender<bool>) -> std::io::Result<()> {
        // The receivers wait as long as there is a sender, and this one never asks.
        std::mem::forget(sender);
        Ok(())
    }
}
