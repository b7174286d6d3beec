//! The ways of asking: eras and transports, and the two reasons for a token.

use super::Bench;
use crate::harness::{Client, Era, Host, form};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// The call ends with a question.
    Retry,
    /// The call waits for the answer.
    Push,
    /// Called twice, since this client cannot be asked.
    TokenOfClient,
    /// Called twice, since the operator said so.
    TokenOfOperator,
}

#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub era: Era,
    pub transport: Transport,
    pub capabilities: fn() -> Value,
    pub how: How,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transport {
    Http,
    Stdio,
}

use Era::{Legacy, Modern};
use How::{Push, Retry, TokenOfClient, TokenOfOperator};
use Transport::{Http, Stdio};

const fn way(era: Era, transport: Transport, capabilities: fn() -> Value, how: How) -> Way {
    Way { era, transport, capabilities, how }
}

/// Elicitation without a mode, as before there were modes: a form.
fn plain() -> Value {
    json!({"elicitation": {}})
}

/// Can open an address and show no form.
fn address() -> Value {
    json!({"elicitation": {"url": {}}})
}

fn none() -> Value {
    json!({})
}

const DIALOGS_OVER_HTTP: usize = 3;
const TOKENS_OVER_HTTP: usize = 7;

/// All, or on a host without stdio those over HTTP, which come first.
const fn here(all: usize, over_http: usize) -> usize {
    if matches!(crate::HOST, Host::Own) { all } else { over_http }
}

const fn first<const N: usize>(ways: &[Way]) -> [Way; N] {
    match ways.first_chunk() {
        Some(first) => *first,
        None => panic!("there are not so many"),
    }
}

/// Those in which somebody is asked.
pub const DIALOGS: [Way; here(6, DIALOGS_OVER_HTTP)] = first(&[
    way(Modern, Http, form, Retry),
    way(Legacy("2025-11-25"), Http, form, Push),
    way(Legacy("2025-06-18"), Http, plain, Push),
    way(Modern, Stdio, plain, Retry),
    way(Legacy("2025-11-25"), Stdio, plain, Push),
    way(Legacy("2025-06-18"), Stdio, plain, Push),
]);

/// Those with a token.
pub const TOKENS: [Way; here(11, TOKENS_OVER_HTTP)] = first(&[
    MODERN_TOKEN,
    LEGACY_TOKEN,
    OPERATORS_TOKEN,
    way(Modern, Http, address, TokenOfClient),
    way(Legacy("2025-11-25"), Http, address, TokenOfClient),
    // This revision has no elicitation, whatever its client says.
    way(Legacy("2025-03-26"), Http, plain, TokenOfClient),
    way(Legacy("2025-11-25"), Http, form, TokenOfOperator),
    way(Modern, Stdio, none, TokenOfClient),
    way(Legacy("2025-06-18"), Stdio, none, TokenOfClient),
    way(Modern, Stdio, form, TokenOfOperator),
    way(Legacy("2025-06-18"), Stdio, plain, TokenOfOperator),
]);

/// Three that differ in all but the transport.
pub const MODERN_TOKEN: Way = way(Modern, Http, none, TokenOfClient);
pub const LEGACY_TOKEN: Way = way(Legacy("2025-11-25"), Http, none, TokenOfClient);
pub const OPERATORS_TOKEN: Way = way(Modern, Http, form, TokenOfOperator);

impl Way {
    /// A client, and a server of its own for it.
    pub async fn client(&self, bench: &Bench) -> Client {
        self.clients(bench, 1).await.remove(0)
    }

    /// A client of a server that is not to know what this one's servers sealed.
    pub async fn client_elsewhere(&self, bench: &Bench) -> Client {
        self.client(&bench.elsewhere()).await
    }

    /// So many clients, all of one server where that is possible.
    pub async fn clients(&self, bench: &Bench, count: usize) -> Vec<Client> {
        let switch: &[(&str, &str)] = if self.how == TokenOfOperator { &[("ELICITATION", "false")] } else { &[] };
        let mut clients = Vec::new();
        if self.transport == Http {
            let server = bench.serve(switch).await;
            for _ in 0..count {
                clients.push(Client::http(&server, self.era, (self.capabilities)()).await);
            }
            return clients;
        }
        let abs = bench.settings();
        let mut settings: Vec<(&str, &str)> = abs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        settings.extend(switch);
        for _ in 0..count {
            clients.push(Client::stdio(&settings, self.era, (self.capabilities)()).await);
        }
        clients
    }
}
