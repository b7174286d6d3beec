//! A hostile component, the Audiobookshelf that it may reach, and what is to be true of both after each attack.

use super::{
    fixtures::Fixture,
    host::{self, Short},
};
use crate::harness::{Http, Reply, Scripted};
use std::{
    fs,
    time::{Duration, Instant},
};

/// The answer to everything. No test needs more of Audiobookshelf.
const STATUS: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

pub const KEY: &str = "a-key-of-some-length-that-nobody-else-writes-0123456789abcdefghij";

pub struct Bench {
    pub server: Http,
    pub target: Scripted,
    /// What components are told, which need not be how the target is reached.
    url: String,
}

impl Bench {
    pub async fn start(fixture: Fixture, settings: &[(&str, &str)], limits: Short) -> Bench {
        let target = Scripted::start(STATUS).await;
        let url = target.url.clone();
        Bench::against(target, &url, fixture, settings, limits).await
    }

    pub async fn against(
        target: Scripted,
        url: &str,
        fixture: Fixture,
        settings: &[(&str, &str)],
        limits: Short,
    ) -> Bench {
        let mut all = vec![("AUDIOBOOKSHELF_URL", url), ("AUDIOBOOKSHELF_API_KEY", KEY)];
        all.extend(settings);
        let (command, secret) = host::command(fixture, &all, limits);
        Bench { server: Http::of(command, secret).await, target, url: url.to_owned() }
    }

    /// Makes the component misbehave. The answer, as far as there is one, and whether it is whole.
    pub async fn attack(&self, text: &str) -> (Reply, bool) {
        self.ask("/", text).await
    }

    /// Likewise, where it answers with a line for each attempt: what it tried and what came of it.
    pub async fn attempts(&self, text: &str) -> Vec<(String, String)> {
        let (reply, whole) = self.attack(text).await;
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        assert_eq!((reply.status, whole), (200, true), "{text}");
        let line = |line: &str| line.split_once('\t').map(|(what, came)| (what.to_owned(), came.to_owned()));
        text.lines().map(|text| line(text).unwrap_or_else(|| panic!("no report: {text}"))).collect()
    }

    /// The next request of an honest client is answered within a second, out of a request to the target.
    pub async fn honest(&self) {
        self.answers_honestly("status 200").await;
    }

    /// Likewise, where the target is one that gives another outcome.
    pub async fn answers_honestly(&self, outcome: &str) {
        let start = Instant::now();
        let (reply, whole) = self.ask("/honest", "").await;
        let took = start.elapsed();
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        assert_eq!((reply.status, text.as_str(), whole), (200, format!("honest: {outcome}").as_str(), true));
        assert!(took < Duration::from_secs(1), "an honest request took {took:?}");
    }

    async fn ask(&self, path: &str, text: &str) -> (Reply, bool) {
        self.server.attempt("POST", path, &[("x-audiobookshelf-url", &self.url)], text.to_owned()).await
    }

    /// Waits until the log has as many lines with all of these parts, and checks that it has no more.
    pub async fn logged(&self, parts: &[&str], times: usize) {
        let is_one = |line: &&str| parts.iter().all(|part| line.contains(part));
        let count = |log: &String| log.lines().filter(is_one).count();
        let log = self.server.process().stderr_when(|log| count(log) >= times).await;
        assert_eq!(count(&log), times, "{parts:?}:\n{log}");
    }

    /// Attacks in rounds, each of them followed by an honest request. The first rounds fill what is filled once: the pool of
    /// instances, caches, the allocator's arenas. After that the memory of the process has to stay where it is. What is
    /// counted is anonymous resident memory, since code is read in whenever it is first needed.
    pub async fn memory_returns(&self, attacks: impl AsyncFn(&Bench)) {
        // Less than a single instance of the large bombs, and less than a few of the small attacks would leave.
        self.memory_returns_within(6 << 20, attacks).await;
    }

    /// Likewise, for attacks on the heap of the host, of which the allocator keeps pages for the next time.
    pub async fn memory_returns_within(&self, tolerance: usize, attacks: impl AsyncFn(&Bench)) {
        const ROUNDS: usize = 4;
        let mut seen = Vec::new();
        for _ in 0..2 + ROUNDS {
            attacks(self).await;
            self.honest().await;
            seen.extend(resident(self.server.process().id()));
        }
        if let [_, before, .., after] = seen[..] {
            assert!(after < before + tolerance, "resident bytes after each round: {seen:?}");
        }
    }
}

/// Of a process, in bytes. Nothing where the system does not tell.
fn resident(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("Linux tells");
    let kilobytes: usize = line.trim().strip_suffix(" kB").expect("in kB").parse().expect("a number");
    Some(kilobytes * 1024)
}
