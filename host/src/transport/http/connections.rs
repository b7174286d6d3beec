//! The connections of clients: how many there may be, and how they end.

use super::{answer, busy, linger::Linger};
use crate::{
    log,
    sandbox::Sandbox,
    shutdown::{GRACE, LAST_WORDS, Shutdown},
};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    convert::Infallible,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};

/// Those that are one too many and are told so. Beyond these, connections are closed without a word.
const TURNED_AWAY: usize = 64;
const TURNED_AWAY_TIME: Duration = Duration::from_secs(2);

/// Serves whoever connects, until it is time to end; then what runs has [`GRACE`].
pub(super) async fn serve(sandbox: Sandbox, listener: TcpListener, mut shutdown: Shutdown) {
    let most = sandbox.limits().connections;
    let places = Arc::new(Semaphore::new(most));
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY));
    let mut said = None;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.requested() => break,
        };
        match accepted {
            Ok((stream, _)) => match (places.clone().try_acquire_owned(), turned_away.clone().try_acquire_owned()) {
                (Ok(place), _) => drop(tokio::spawn(connection(sandbox.clone(), stream, shutdown.clone(), place))),
                (Err(_), Ok(place)) => drop(tokio::spawn(turn_away(stream, place))),
                (Err(_), Err(_)) => {}
            },
            Err(error) => {
                // Such as too many open files. It passes, but not by asking again at once.
                if said.is_none_or(|said: Instant| said.elapsed() > Duration::from_secs(60)) {
                    log::event("accept_failed", &[("why", &error.to_string())]);
                    said = Some(Instant::now());
                }
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    // Nobody new gets in, and a client that tries another server at once finds this one gone.
    drop(listener);
    sandbox.close();
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    if timeout(GRACE, places.acquire_many(all)).await.is_err() {
        sandbox.stop();
        let _ = timeout(LAST_WORDS, places.acquire_many(all)).await;
    }
}

async fn connection(sandbox: Sandbox, stream: TcpStream, mut shutdown: Shutdown, _place: OwnedSemaphorePermit) {
    // Events are small, and each is to arrive when it is written.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let sandbox = sandbox.clone();
        async move { Ok::<_, Infallible>(answer(&sandbox, request).await) }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(30))
            .serve_connection(TokioIo::new(Linger::new(stream)), service)
    );
    // An error here is a client that went away or does not speak HTTP; neither is news for the operator.
    tokio::select! {
        _ = &mut connection => return,
        () = shutdown.requested() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// One connection too many: an answer that says so to whoever can read one, and no more.
async fn turn_away(stream: TcpStream, _place: OwnedSemaphorePermit) {
    let service = service_fn(|_| async { Ok::<_, Infallible>(busy()) });
    let exchange = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service);
    let _ = timeout(TURNED_AWAY_TIME, exchange).await;
}
