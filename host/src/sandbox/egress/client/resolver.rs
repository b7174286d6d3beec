//! Looks host names up as the system does, and makes a failure recognizable in the chain of errors.

use hyper_util::client::legacy::connect::dns::{GaiAddrs, GaiResolver, Name};
use std::{
    fmt,
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
};
use tower_service::Service;

#[derive(Clone)]
pub(in super::super) struct Resolver(GaiResolver);

impl Resolver {
    pub(super) fn new() -> Self {
        Resolver(GaiResolver::new())
    }
}

/// The host name could not be resolved.
#[derive(Debug)]
pub(in super::super) struct NameNotResolved(io::Error);

impl fmt::Display for NameNotResolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host name could not be resolved")
    }
}

impl std::error::Error for NameNotResolved {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl Service<Name> for Resolver {
    type Response = GaiAddrs;
    type Error = NameNotResolved;
    type Future = Pin<Box<dyn Future<Output = Result<GaiAddrs, NameNotResolved>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), NameNotResolved>> {
        self.0.poll_ready(context).map_err(NameNotResolved)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let lookup = self.0.call(name);
        Box::pin(async { lookup.await.map_err(NameNotResolved) })
    }
}
