//! The native server over HTTP. `native FILE URL KEY`: the answer to `tools/list`, and where Audiobookshelf is.

use anyhow::{Context, Result};
use bench::native::{Native, serve};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().with_context(|| format!("{what} is missing"));
    let tools = std::fs::read(next("the file")?)?;
    let native = Native::new(tools.into(), &next("the address")?, &next("the key")?);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("native: listening on http://{}/mcp", listener.local_addr()?);
    serve(native, listener).await
}
