//! The limits as flags: what each bounds, its default, and why that is what it is.

use crate::sandbox::Limits;
use clap::Args;
use std::time::Duration;

const MIB: usize = 1024 * 1024;

/// For all commands that run the component.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitFlags {
    /// MiB of memory for one request. An answer of Audiobookshelf may take 5 MB, and several times that once it is read
    #[arg(long, global = true, hide_short_help = true, value_name = "MIB", default_value_t = 128, value_parser = number(8, 4096))]
    max_memory: usize,

    /// Seconds of computing for one request; waiting does not count. The largest answers take a tenth of it on slow machines
    #[arg(long, global = true, hide_short_help = true, value_name = "SECONDS", default_value_t = 5, value_parser = number(1, 600))]
    max_computing: usize,

    /// Seconds for one request in all. Clients give up after a minute. A call that waits for a person gets five minutes more
    #[arg(long, global = true, hide_short_help = true, value_name = "SECONDS", default_value_t = 60, value_parser = number(1, 3600))]
    max_time: usize,

    /// Requests that run at a time, those that wait for a person included. Times --max-memory, it is what can be used at most
    #[arg(long, global = true, hide_short_help = true, value_name = "NUMBER", default_value_t = 64, value_parser = number(2, 1000))]
    max_running: usize,

    /// Requests that wait for their turn; more get "busy" at once (over HTTP 503 with Retry-After)
    #[arg(long, global = true, hide_short_help = true, value_name = "NUMBER", default_value_t = 256, value_parser = number(0, 100_000))]
    max_waiting: usize,

    /// Seconds that a request waits for its turn; after that it gets "busy", while its client still listens
    #[arg(long, global = true, hide_short_help = true, value_name = "SECONDS", default_value_t = 10, value_parser = number(0, 600))]
    max_wait: usize,

    /// Questions that wait for a person at a time [default: half of --max-running, at most 32]. Each keeps a request running,
    /// and the answers have to run too
    #[arg(long, global = true, hide_short_help = true, value_name = "NUMBER", value_parser = number(1, 999))]
    max_questions: Option<usize>,

    /// Bytes of a message of a client. The largest valid call, 200 ids of items and episodes, takes a twentieth of it
    #[arg(long, global = true, hide_short_help = true, value_name = "BYTES", default_value_t = MIB, value_parser = number(1024, 16 * MIB))]
    max_message: usize,

    /// Bytes of an answer of Audiobookshelf. The component itself takes no more than 5 MB; this can only be less
    #[arg(long, global = true, hide_short_help = true, value_name = "BYTES", default_value_t = 5_000_000, value_parser = number(1024, 5_000_000))]
    max_response: usize,

    /// Seconds for a request to Audiobookshelf: to connect, to the first byte, between bytes, and in all. A call may need
    /// several; the component waits no longer than 15
    #[arg(long, global = true, hide_short_help = true, value_name = "SECONDS", default_value_t = 15, value_parser = number(1, 15))]
    max_upstream: usize,

    /// Keys in the store of open questions and used approvals. A household needs a handful; what expired is swept
    #[arg(long, global = true, hide_short_help = true, value_name = "NUMBER", default_value_t = 20_000, value_parser = number(100, 10_000_000))]
    max_state_keys: usize,

    /// Bytes in that store. A full one refuses approvals: what cannot be marked as used is not done
    #[arg(long, global = true, hide_short_help = true, value_name = "BYTES", default_value_t = 8 * MIB, value_parser = number(65_536, 1024 * MIB))]
    max_state_bytes: usize,

    /// Connections of clients to `serve`. One more gets 503 and is closed
    #[arg(long, global = true, hide_short_help = true, value_name = "NUMBER", default_value_t = 512, value_parser = number(1, 100_000))]
    max_connections: usize,
}

/// A number with bounds; clap names the flag and the bounds in its error.
fn number(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("a whole number from {least} to {most} is wanted")),
    }
}

impl Default for LimitFlags {
    fn default() -> Self {
        #[derive(clap::Parser)]
        struct Only {
            #[command(flatten)]
            flags: LimitFlags,
        }
        <Only as clap::Parser>::parse_from([""]).flags
    }
}

impl LimitFlags {
    pub fn limits(&self) -> Limits {
        let seconds = |n: usize| Duration::from_secs(n as u64);
        Limits {
            memory: self.max_memory * MIB,
            computing: seconds(self.max_computing),
            wall: seconds(self.max_time),
            question: Limits::question_time(),
            instances: self.max_running,
            waiting: self.max_waiting,
            slot_wait: seconds(self.max_wait),
            questions: self.max_questions.unwrap_or((self.max_running / 2).min(32)),
            body: self.max_message,
            response: self.max_response,
            upstream: seconds(self.max_upstream),
            state_keys: self.max_state_keys,
            state_bytes: self.max_state_bytes,
            connections: self.max_connections,
        }
    }

    /// What no flag alone can say.
    pub fn check(&self) -> Result<(), String> {
        let limits = self.limits();
        if limits.questions >= limits.instances {
            return Err(format!(
                "--max-questions {} leaves no room for the answers: it must be less than --max-running, which is {}",
                limits.questions, limits.instances
            ));
        }
        Ok(())
    }
}
