//! The bridge between standard input and output and the component: a line in is a request to it, its messages are lines out.
//!
//! * `initialize` is finished before the next line is read, since it opens the session; everything else runs side by side.
//! * The end of standard input ends the program once what runs is done; a signal does the same, with less patience.
//! * A request that gets no answer from the component gets one from the bridge: a client may wait for ever.
//! * Standard output carries JSON lines only. What there is to say to a person goes to stderr.

#[cfg(test)]
mod fuzz;
mod lines;
mod message;
mod output;

use super::{INTERNAL_ERROR, error, in_process::InProcess, too_large};
use crate::{
    log,
    sandbox::{Failure, Sandbox},
    shutdown::{GRACE, LAST_WORDS, Shutdown},
};
use lines::{Line, Lines};
use message::{Message, answers, asks};
use output::Output;
use serde_json::Value;
use std::{
    collections::HashMap,
    io::{self, BufReader},
    sync::{Arc, Mutex, PoisonError},
    thread,
};
use tokio::{
    sync::{mpsc, watch},
    task::{AbortHandle, JoinSet},
    time::{sleep, timeout},
};

/// Runs until standard input ends or nobody reads standard output any more.
pub async fn run(sandbox: Sandbox) -> anyhow::Result<()> {
    let wall = sandbox.limits().wall;
    // A client that writes and does not read has to wait in the end: its lines are not read on.
    let most_calls = sandbox.limits().instances + sandbox.limits().waiting + 16;
    let mut shutdown = Shutdown::on_signals()?;
    let mut lines = read_lines(sandbox.limits().body)?;
    let (output, written) = Output::start()?;
    let bridge = Arc::new(Bridge {
        component: InProcess::new(sandbox),
        output,
        running: Mutex::default(),
        over: watch::Sender::new(false),
    });
    let mut calls = JoinSet::new();
    loop {
        tokio::select! {
            line = lines.recv(), if calls.len() < most_calls => match line {
                Some(line) => bridge.clone().take(line, &mut calls).await,
                None => break,
            },
            Some(_) = calls.join_next() => {}
            () = bridge.output.closed() => return Ok(()),
            () = shutdown.requested() => break,
        }
    }
    // The client has said all it will, or is not listened to any longer. What waits for an answer of it will not get one.
    bridge.over.send_replace(true);
    let all = async { while calls.join_next().await.is_some() {} };
    tokio::select! {
        _ = timeout(wall, all) => {}
        () = async { shutdown.requested().await; sleep(GRACE).await } => {}
    }
    let end = async {
        bridge.component.sandbox().stop();
        while calls.join_next().await.is_some() {}
        drop(bridge);
        written.wait().await;
    };
    tokio::select! {
        () = end => {}
        () = async { shutdown.requested().await; sleep(LAST_WORDS).await } => {}
    }
    Ok(())
}

/// Standard input cannot be waited for in a way that can be given up; a thread of its own does not hold up the exit.
fn read_lines(limit: usize) -> io::Result<mpsc::Receiver<Line>> {
    let (sender, receiver) = mpsc::channel(16);
    thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, io::stdin()), limit);
        loop {
            match lines.next() {
                Ok(Some(line)) => match sender.blocking_send(line) {
                    Ok(()) => {}
                    Err(_) => return,
                },
                Ok(None) => return,
                Err(error) => return log::error(&format!("standard input cannot be read: {error}")),
            }
        }
    })?;
    Ok(receiver)
}

/// Waits for the end of standard input. What it waits for holds a lock, which must not outlive this.
async fn ended(over: &mut watch::Receiver<bool>) {
    let _ = over.wait_for(|over| *over).await;
}

struct Bridge {
    component: InProcess,
    output: Output,
    /// Requests without an answer so far, by their id.
    running: Mutex<HashMap<String, AbortHandle>>,
    /// Whether standard input has ended.
    over: watch::Sender<bool>,
}

impl Bridge {
    async fn take(self: Arc<Self>, line: Line, calls: &mut JoinSet<()>) {
        let Line::Message(line) = line else {
            return self.output.line(too_large(self.component.sandbox().limits().body)).await;
        };
        let message = Message::read(&line);
        if let Some(id) = &message.cancels {
            self.cancel(id);
        }
        if message.is_initialize {
            return self.call(line, message.request).await;
        }
        let key = message.request.as_ref().map(Value::to_string);
        // Held until the handle is in the map, so that a call cannot end before it is known to run.
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let bridge = self.clone();
        let task = calls.spawn({
            let key = key.clone();
            async move {
                bridge.call(line, message.request).await;
                if let Some(key) = key {
                    bridge.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
                }
            }
        });
        if let Some(key) = key {
            running.insert(key, task);
        }
    }

    /// Drops the call, and its instance with it. The component hears of it too, as of every line.
    fn cancel(&self, id: &Value) {
        if let Some(call) = self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.to_string()) {
            call.abort();
        }
    }

    /// One message to the component, and its messages to the client.
    async fn call(&self, line: Vec<u8>, request: Option<Value>) {
        let mut replies = match self.component.post(line.into()).await {
            Ok(replies) => replies,
            Err(failure) => return self.failed(request.as_ref(), &failure).await,
        };
        let mut over = self.over.subscribe();
        let (mut answered, mut asking) = (false, false);
        loop {
            let text = tokio::select! {
                reply = replies.next() => match reply {
                    Ok(Some(text)) => text,
                    Ok(None) | Err(_) => break,
                },
                () = ended(&mut over), if asking => return self.unanswered(request.as_ref()).await,
            };
            asking = asks(&text);
            // An error without an id is what can be said to a message that is no request.
            answered |= request.as_ref().is_none_or(|id| answers(&text, id));
            self.output.line(text).await;
        }
        if !answered {
            self.failed(request.as_ref(), &Failure::Crashed).await;
        }
    }

    /// The question of a call was never answered. Dropping the call ends its instance, which waits and has done nothing.
    async fn unanswered(&self, request: Option<&Value>) {
        if let Some(id) = request {
            let why = "nothing was changed: the session ended before the question was answered";
            self.output.line(error(Some(id), INTERNAL_ERROR, why)).await;
        }
    }

    async fn failed(&self, request: Option<&Value>, failure: &Failure) {
        if let Some(id) = request {
            self.output.line(error(Some(id), INTERNAL_ERROR, &failure.to_string())).await;
        }
    }
}
