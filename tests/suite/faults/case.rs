//! One fault, what is said of it, and what must be as before afterwards.

use crate::harness::{
    Embedded,
    certificates::Authority,
    faulty::{Fault, Faulty, KEY},
};
use audiobookshelf_mcp::sandbox::Limits;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::task::JoinSet;
use tokio_rustls::rustls::ServerConfig;

/// In place of 15 s, so that many can be waited for. What these take for real is in `slow`.
const SHORT: Duration = Duration::from_secs(3);
/// On top, on a machine that has other things to do.
const NOISE: Duration = Duration::from_secs(10);

pub struct Case {
    name: String,
    fault: Fault,
    wants: Vec<&'static str>,
    /// The fault is that nothing comes: only time ends it.
    waits: bool,
    tls: Option<Tls>,
}

pub struct Tls {
    pub honest: Arc<ServerConfig>,
    /// Trusted, or else nothing is looked at.
    pub authority: Option<Authority>,
    /// The name by which the upstream is asked.
    pub host: &'static str,
}

impl Case {
    /// The tool must fail with a text that has each of the words; without words it must succeed.
    pub fn new(name: impl Into<String>, fault: Fault, wants: &[&'static str]) -> Case {
        Case { name: name.into(), fault, wants: wants.to_vec(), waits: false, tls: None }
    }

    pub fn waits(self) -> Case {
        Case { waits: true, ..self }
    }

    pub fn tls(self, tls: Tls) -> Case {
        Case { tls: Some(tls), ..self }
    }

    async fn start(self) -> Started {
        let honest = self.tls.as_ref().map(|tls| Arc::clone(&tls.honest));
        let upstream = Faulty::start(self.fault.clone(), honest).await;
        let mut url = upstream.url();
        let mut settings = vec![("AUDIOBOOKSHELF_API_KEY", KEY)];
        if let Some(tls) = &self.tls {
            url = url.replace("127.0.0.1", tls.host);
            settings.push(match &tls.authority {
                Some(authority) => ("AUDIOBOOKSHELF_CA_FILE", authority.file().to_str().expect("a path")),
                None => ("AUDIOBOOKSHELF_INSECURE_TLS", "true"),
            });
        }
        settings.push(("AUDIOBOOKSHELF_URL", &url));
        // One instance: were that of the faulty call left behind, the next call would find no room.
        let mut limits = Limits { instances: 1, slot_wait: NOISE, ..Limits::default() };
        if self.waits {
            limits.upstream = SHORT;
        }
        let host = Embedded::start(&settings, limits);
        Started { case: self, upstream, host }
    }
}

struct Started {
    case: Case,
    upstream: Faulty,
    host: Embedded,
}

impl Started {
    async fn run(self) {
        let Started { case, mut upstream, host } = self;
        let name = &case.name;
        let begin = Instant::now();
        let result = host.call("list_libraries").await;
        let took = begin.elapsed();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        println!("{name} ({took:.1?}): {text}");

        // 1. What is said, and when.
        assert_eq!(result["isError"] == true, !case.wants.is_empty(), "{name}: {result}");
        for want in &case.wants {
            assert!(text.contains(want), "{name} does not say {want:?}: {text}");
        }
        assert!(!result.to_string().contains(KEY), "{name}: {result}");
        if case.waits {
            // Connecting has a little less than all of it.
            assert!(took >= SHORT * 28 / 30, "{name} was not waited for: {took:?}");
            assert!(took < SHORT + NOISE, "{name} took {took:?}");
        }
        // 2. What is left behind: no connection, and no second attempt.
        upstream.quiet().await;
        assert!(upstream.heads().len() <= 1, "{name} was asked again: {:?}", upstream.heads());
        // 3. The next request finds everything as it was.
        upstream.heal();
        let result = host.call("list_libraries").await;
        assert_eq!(result["structuredContent"]["libraries"][0]["id"], "honest", "after {name}: {result}");
        upstream.quiet().await;
    }
}

/// All at once, since most of them wait. Started one after the other, since that is work.
pub async fn run(cases: Vec<Case>) {
    let mut started = Vec::new();
    for case in cases {
        started.push(case.start().await);
    }
    let count = started.len();
    let mut running: JoinSet<()> = started.into_iter().map(Started::run).collect();
    let mut failed = Vec::new();
    while let Some(outcome) = running.join_next().await {
        failed.extend(outcome.err().map(|error| error.to_string()));
    }
    assert!(failed.is_empty(), "{} of {count}: {failed:#?}", failed.len());
}
