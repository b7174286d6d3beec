//! The sandbox within this process: instances without sockets in front of them.

use crate::messages::Modern;
use anyhow::{Result, anyhow, ensure};
use audiobookshelf_mcp::{
    cli::Command,
    environment::Environment,
    sandbox::{Limits, OnLeave, Sandbox},
    settings::Settings,
};
use bytes::Bytes;
use http::{Request, header};
use http_body_util::{BodyExt, Full};

pub struct Sandboxed(Sandbox);

impl Sandboxed {
    pub fn start(url: &str, key: &str) -> Result<Sandboxed> {
        let environment = Environment::of(&[("AUDIOBOOKSHELF_URL", url), ("AUDIOBOOKSHELF_API_KEY", key)]);
        let settings = Settings::validate(&environment, &Command::Stdio).map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            anyhow!(problems.join(" "))
        })?;
        Ok(Sandboxed(Sandbox::start(&settings, Limits::default())?))
    }

    /// One instance, to the last byte of its answer.
    pub async fn ask(&self, message: &Modern) -> Result<Bytes> {
        let mut request = Request::post("/mcp").header(header::HOST, "localhost");
        for (name, value) in message.headers() {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::copy_from_slice(message.body().as_bytes())))?;
        let response = self.0.handle(request, OnLeave::Stop).await.map_err(|failure| anyhow!("{failure}"))?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        ensure!(status == 200, "{status}: {}", String::from_utf8_lossy(&body));
        Ok(body)
    }

    /// Megabytes of the largest linear memory so far.
    pub fn largest_memory(&self) -> f64 {
        self.0.largest_memory() as f64 / 1e6
    }
}
