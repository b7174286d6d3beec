//! An instance while it runs, in the task of whoever asked it.
//!
//! Most instances are over as soon as they are begun, or wait for nothing but Audiobookshelf. A task of their own would wake
//! another thread for each, which costs more than a fresh instance does; only one that is still writing its answer gets it.

use super::{Failure, body::Leaving};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{runtime::Handle, time::timeout};

type Life = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send>>;

pub(super) struct Running {
    /// None once it is over, or somebody else's.
    life: Option<Life>,
    grace: Duration,
}

impl Running {
    pub(super) fn new(life: impl Future<Output = Result<(), Failure>> + Send + 'static, grace: Duration) -> Running {
        Running { life: Some(Box::pin(life)), grace }
    }

    /// What ends it when its reader leaves. Nothing, if it is over.
    pub(super) fn leaving(mut self) -> Leaving {
        match self.life.take() {
            Some(life) => Leaving::new(tokio::spawn(life).abort_handle(), self.grace),
            None => Leaving::over(),
        }
    }
}

impl Future for Running {
    type Output = Result<(), Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(life) = &mut self.life else { return Poll::Pending };
        // What goes wrong in one instance is not for the connection to pay that carries the request, and perhaps others.
        let outcome = catch_unwind(AssertUnwindSafe(|| life.as_mut().poll(context)))
            .unwrap_or(Poll::Ready(Err(Failure::Crashed)));
        if outcome.is_ready() {
            self.life = None;
        }
        outcome
    }
}

/// Whoever asked has left before there was an answer.
impl Drop for Running {
    fn drop(&mut self) {
        let Some(life) = self.life.take().filter(|_| !self.grace.is_zero()) else { return };
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(timeout(self.grace, life));
        }
    }
}
