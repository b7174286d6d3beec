//! The sandbox: one request in, one fresh instance of the component, one answer out.
//!
//! * [`component`] loads the machine code; [`linker`] decides what may be imported.
//! * [`egress`] decides what may leave, and adds the credential to it.
//! * [`running`] is an instance while it runs; [`limits`] decides how much an instance may take.
//!
//! An instance that trapped or ran out of something is dropped with everything it held; no instance serves two requests.

mod body;
mod code;
mod component;
mod egress;
mod limits;
mod linker;
mod running;
mod state;
mod stderr;

pub use body::GuestBody;
pub use component::component_sha256;
pub use limits::Limits;

use crate::{
    log,
    settings::{Config, Settings},
    state::store,
};
use body::Ending;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use limits::{Metered, Slots, Ticker, deadline};
use running::Running;
use state::State;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};
use wasmtime::{Engine, MemoryCreator, Store, UpdateDeadline};
use wasmtime_wasi_http::{
    WasiHttpView,
    p2::{
        bindings::{ProxyPre, http::types::ErrorCode, http::types::Scheme},
        body::HyperOutgoingBody,
    },
};

/// Cheap to clone; all clones are the same sandbox.
#[derive(Clone)]
pub struct Sandbox(Arc<Shared>);

/// What all instances have in common.
struct Shared {
    engine: Engine,
    component: ProxyPre<State>,
    egress: Arc<egress::Egress>,
    config: Config,
    store: store::Store,
    slots: Slots,
    ticker: Ticker,
    limits: Limits,
    largest_memory: Arc<AtomicUsize>,
    closing: AtomicBool,
    stopped: watch::Sender<bool>,
}

/// Why a request got no answer from the component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Too many requests run and wait.
    Busy,
    /// It ran into the wall-clock limit.
    OutOfTime,
    /// The server had to end first.
    Stopped,
    /// It trapped, was stopped for computing or allocating too much, or returned without an answer.
    Crashed,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::Busy => "the server is busy: too many requests are running or waiting for an answer",
            Failure::OutOfTime => "the request took too long and was stopped",
            Failure::Stopped => {
                "the server is being stopped, and this had no answer yet. It is not known whether Audiobookshelf did what was asked"
            }
            Failure::Crashed => "the server failed on this request",
        })
    }
}

/// What happens to an instance whose client went away before the answer was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLeave {
    /// It ends at once.
    Stop,
    /// It gets a moment to notice that its stream is closed, so that it can put its things in order.
    Grace,
}

impl OnLeave {
    fn grace(self) -> Duration {
        match self {
            OnLeave::Stop => Duration::ZERO,
            OnLeave::Grace => Duration::from_secs(2),
        }
    }
}

impl Sandbox {
    /// Loads the embedded component. Needs a tokio runtime.
    pub fn start(settings: &Settings, limits: Limits) -> anyhow::Result<Sandbox> {
        let engine = component::engine(&limits)?;
        let component = component::embedded(&engine)?;
        Sandbox::with(settings, limits, engine, &component)
    }

    /// Runs another component in the same sandbox, compiled here and now.
    pub fn start_with_component(settings: &Settings, limits: Limits, wasm: &[u8]) -> anyhow::Result<Sandbox> {
        let engine = component::engine(&limits)?;
        let component = component::compile(&engine, wasm)?;
        Sandbox::with(settings, limits, engine, &component)
    }

    /// The same component in another sandbox, for other settings.
    pub fn beside(&self, settings: &Settings) -> anyhow::Result<Sandbox> {
        let Shared { limits, engine, component, .. } = &*self.0;
        Sandbox::with(settings, limits.clone(), engine.clone(), component.instance_pre().component())
    }

    /// The embedded component, with linear memories that somebody else makes. For tests that look into them.
    pub fn start_with_memories(settings: &Settings, memories: Arc<dyn MemoryCreator>) -> anyhow::Result<Sandbox> {
        let (engine, component) = component::embedded_with(memories)?;
        Sandbox::with(settings, Limits::default(), engine, &component)
    }

    fn with(
        settings: &Settings,
        limits: Limits,
        engine: Engine,
        component: &wasmtime::component::Component,
    ) -> anyhow::Result<Sandbox> {
        let mut config = settings.config.0.clone();
        config.insert("max_questions", limits.questions.to_string());
        config.insert("max_response", limits.response.to_string());
        config.insert("max_message", limits.body.to_string());
        Ok(Sandbox(Arc::new(Shared {
            component: linker::link(&engine, component)?,
            egress: Arc::new(egress::Egress::new(settings, &limits)?),
            config,
            store: store::Store::new(limits.state_keys, limits.state_bytes),
            slots: Slots::new(&limits),
            ticker: Ticker::start(&engine)?,
            largest_memory: Arc::default(),
            closing: AtomicBool::new(false),
            stopped: watch::Sender::new(false),
            limits,
            engine,
        })))
    }

    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Bytes of the largest linear memory that an instance has had so far.
    pub fn largest_memory(&self) -> usize {
        self.0.largest_memory.load(Ordering::Relaxed)
    }

    /// The server is about to end: what waits for a person waits no longer, since the answer could not get in any more.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
    }

    /// The server ends now: whatever has no answer yet gets [`Failure::Stopped`].
    pub fn stop(&self) {
        self.0.stopped.send_replace(true);
    }

    /// What the component imports, read from the component itself.
    pub fn imports(&self) -> Vec<String> {
        let component = self.0.component.instance_pre().component().component_type();
        component.imports(&self.0.engine).map(|(name, _)| name.to_owned()).collect()
    }

    /// Gives one request to a fresh instance. The answer comes as soon as the component has begun it; its body streams.
    pub async fn handle(
        &self,
        request: Request<Full<Bytes>>,
        on_leave: OnLeave,
    ) -> Result<Response<GuestBody>, Failure> {
        let slot = self.0.slots.take().await.ok_or(Failure::Busy)?;
        let (answer, mut answered) = oneshot::channel();
        let ending = Ending::default();
        let mut running = Running::new(run(self.0.clone(), request, answer, ending.clone(), slot), on_leave.grace());
        let mut stopped = self.0.stopped.subscribe();
        let (answer, outcome) = tokio::select! {
            biased;
            Ok(answer) = &mut answered => (Some(answer), Ok(())),
            outcome = &mut running => (answered.try_recv().ok(), outcome),
            _ = stopped.wait_for(|stopped| *stopped) => (None, Err(Failure::Stopped)),
        };
        match answer {
            Some(Ok(response)) => Ok(response.map(|body| GuestBody::new(body, ending, running.leaving()))),
            Some(Err(code)) => {
                log::event("answer_failed", &[("why", &format!("{code:?}"))]);
                Err(Failure::Crashed)
            }
            None => {
                outcome?;
                log::event("answer_missing", &[]);
                Err(Failure::Crashed)
            }
        }
    }
}

/// The life of one instance.
async fn run(
    shared: Arc<Shared>,
    request: Request<Full<Bytes>>,
    answer: oneshot::Sender<Result<Response<HyperOutgoingBody>, ErrorCode>>,
    ending: Ending,
    _slot: OwnedSemaphorePermit,
) -> Result<(), Failure> {
    let _ticking = shared.ticker.tick();
    let mut store = Store::new(&shared.engine, State::new(&shared));
    store.limiter(|state| &mut state.memory);
    store.set_epoch_deadline(1);
    // Each tick the instance gives way to others, and is stopped once it has computed too long in all.
    store.epoch_deadline_callback(|context| {
        let state = context.data();
        Ok(if state.computing.exceeds(state.shared.limits.computing) {
            UpdateDeadline::Interrupt
        } else {
            UpdateDeadline::Yield(1)
        })
    });
    // Declared after the store and therefore dropped before it, also when this future is aborted: whoever reads the body
    // must not take the end of a broken instance for the end of its answer.
    let mut unfinished = ending.armed();

    let asks = store.data().asks.clone();
    let computing = store.data().computing.clone();
    let work = async {
        let instance = shared.component.instantiate_async(&mut store).await?;
        let mut http = store.data_mut().http();
        let request = http.new_incoming_request(Scheme::Http, request)?;
        let answer = http.new_response_outparam(answer)?;
        instance.wasi_http_incoming_handler().call_handle(&mut store, request, answer).await
    };
    let outcome = tokio::select! {
        outcome = Metered::new(work, computing.clone()) => outcome,
        () = deadline(&shared.limits, &asks) => {
            log::event("request_stopped", &[("why", "it ran into the time limit")]);
            return Err(Failure::OutOfTime);
        }
    };
    match outcome {
        Ok(()) => {
            unfinished.disarm();
            Ok(())
        }
        Err(error) => {
            let why = if computing.exceeds(shared.limits.computing) {
                "it computed for too long".to_owned()
            } else {
                error.root_cause().to_string()
            };
            log::event("request_stopped", &[("why", &why)]);
            Err(Failure::Crashed)
        }
    }
}
