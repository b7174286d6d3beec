//! `demo`: a whole working set-up in one process, and a conversation with it that a newcomer can read.
//!
//! The library is the stand-in Audiobookshelf of the tests; everything else is real: the component in its sandbox, asked by
//! a client over HTTP on the loopback interface.

mod client;
mod progress;
mod script;

use crate::{
    cli::Command,
    environment::Environment,
    log,
    sandbox::{Limits, Sandbox},
    settings::Settings,
    style::Style,
    transport,
};
use anyhow::{Context, Result, anyhow};
use progress::Progress;
use std::{io, net::SocketAddr, process::ExitCode};
use tokio::net::TcpListener;

/// Where a client's configuration would point; another port is taken when this one is not free.
const USUAL: &str = "127.0.0.1:8787";

pub fn run(once: bool) -> ExitCode {
    let outcome = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)
        .and_then(|runtime| runtime.block_on(demo(once)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error(&format!("the demo failed: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn demo(once: bool) -> Result<()> {
    let style = Style::of(&io::stdout());
    let progress = Progress::start();
    progress.show("building the demo library");
    let library = standin::Standin::start().await.context("the demo library did not start")?;
    let listener = match TcpListener::bind(USUAL).await {
        Ok(listener) if !once => listener,
        _ => TcpListener::bind("127.0.0.1:0").await.context("no free port on the loopback interface")?,
    };
    let listen = listener.local_addr()?;
    progress.show("starting the server in its sandbox");
    let sandbox = Sandbox::start(&settings(&library, listen)?, Limits::default())?;
    let serving = tokio::spawn(transport::http::serve(sandbox, listener));

    drop(progress);
    let endpoint = format!("http://{listen}/mcp");
    println!("A demo library with made-up listening habits is running in this process; nothing leaves this machine.");
    println!("The MCP server, a WebAssembly component in its sandbox, answers at {endpoint}.\n");
    script::converse(&endpoint, style).await?;
    if once {
        return Ok(());
    }
    println!("{}", still_serving(&endpoint));
    serving.await.context("the server stopped")
}

/// As if somebody had set them for their own Audiobookshelf.
fn settings(library: &standin::Standin, listen: SocketAddr) -> Result<Settings> {
    let environment =
        Environment::of(&[("AUDIOBOOKSHELF_URL", &library.url()), ("AUDIOBOOKSHELF_API_KEY", &library.key("root"))]);
    Settings::validate(&environment, &Command::Serve { listen }).map_err(|problems| {
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        anyhow!(list.join(" "))
    })
}

fn still_serving(endpoint: &str) -> String {
    format!(
        "The server keeps running for you to try. Most MCP clients take this in their configuration:\n\n  \
         {{ \"mcpServers\": {{ \"abs\": {{ \"type\": \"http\", \"url\": \"{endpoint}\" }} }} }}\n\n\
         Claude Code: claude mcp add --transport http abs {endpoint}\n\
         For others, audiobookshelf-mcp config CLIENT --http {endpoint} prints it.\n\
         Ctrl-C ends it, and the demo library with it."
    )
}
