//! Two replicas, their Redis, and the proxy in front.

use super::{proxy::Proxy, redis::Redis};
use crate::harness::{Http, Secret, Spin};
use std::sync::Arc;
use tokio::sync::Mutex;

pub struct Farm {
    pub proxy: Proxy,
    /// The server as clients see it.
    pub server: Arc<Http>,
    replicas: Vec<Mutex<Http>>,
    settings: [(&'static str, String); 2],
    spin: Spin,
    _redis: Redis,
}

impl Farm {
    pub async fn start(settings: [(&'static str, String); 2]) -> Farm {
        let redis = Redis::start().await;
        let spin = Spin { runtime_config: Some(redis.runtime_config()), ..Spin::default() };
        let (one, other) = tokio::join!(replica(&spin, &settings), replica(&spin, &settings));
        let secret = Secret::new(&settings[1].1);
        let proxy = Proxy::start(vec![one.authority.clone(), other.authority.clone()]).await;
        let server = Arc::new(Http::at(proxy.authority.clone(), secret));
        let replicas = vec![Mutex::new(one), Mutex::new(other)];
        Farm { proxy, server, replicas, settings, spin, _redis: redis }
    }

    /// kill -9.
    pub async fn kill(&self, at: usize) {
        self.replicas[at].lock().await.kill().await;
    }

    /// Another one in its place.
    pub async fn revive(&self, at: usize) {
        let fresh = replica(&self.spin, &self.settings).await;
        self.proxy.replace(at, &fresh.authority);
        *self.replicas[at].lock().await = fresh;
    }
}

async fn replica(spin: &Spin, settings: &[(&'static str, String); 2]) -> Http {
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Http::on(spin, &settings).await
}
