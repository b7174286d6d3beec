//! What each client goes through by itself: it connects, lists, reads, is asked and declines, is asked and confirms, and is
//! cut off while a question is open.

use crate::Case;
use crate::bench::{Bench, Server, TARGETS, Target};
use crate::clients::{self, Client};
use crate::driven::Driven;
use crate::table::Progress;
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use standin::ids;

const WANTED: Target = TARGETS[0];
const LEFT_OPEN: Target = TARGETS[1];

const STEPS: &[&str] = &["connect", "list", "read", "decline", "confirm", "cut off"];

pub fn cases() -> Vec<Case> {
    let both = clients::ALL.into_iter().flat_map(|client| [(client, "http"), (client, "stdio")]);
    let case = |(client, transport): (Client, &'static str)| {
        Case::new(client.name, transport, STEPS, move |progress| walk(progress, client, transport == "http"))
    };
    both.map(case).collect()
}

async fn walk(progress: Progress, client: Client, http: bool) -> Result<()> {
    let bench = Bench::new().await?;
    let server = if http { Some(Server::start(&bench, None).await?) } else { None };
    let mut driven = connect(client, &bench, server.as_ref()).await?;
    progress.done(client.revision);
    list(&mut driven).await?;
    progress.done("ok");
    read(&bench, &mut driven).await?;
    progress.done("ok");
    decline(&bench, &mut driven).await?;
    progress.done("ok");

    confirm(&bench, &mut driven).await?;
    progress.done("ok");

    driven.ask(LEFT_OPEN).await?;
    driven.kill().await?;
    bench.gone(&[WANTED])?;
    // The question has left nothing behind: the yes of somebody else is what deletes, and it deletes once.
    let mut other = connect(clients::RMCP_LEGACY, &bench, server.as_ref()).await?;
    other.ask(LEFT_OPEN).await?;
    bench.gone(&[WANTED])?;
    done(&other.say_yes().await?)?;
    bench.gone(&[WANTED, LEFT_OPEN])?;
    other.leave().await?;
    progress.done("ok");
    Ok(())
}

pub async fn connect(client: Client, bench: &Bench, server: Option<&Server>) -> Result<Driven> {
    let (driven, version) = Driven::start(client, bench, server).await?;
    ensure!(version == client.revision, "it agreed on {version:?} instead of {}", client.revision);
    Ok(driven)
}

async fn list(driven: &mut Driven) -> Result<()> {
    let listed = driven.list().await?;
    let tools: Vec<&str> = guest::tools::all().map(|tool| tool.name).collect();
    ensure!(listed == tools, "it lists {listed:?}");
    Ok(())
}

async fn read(bench: &Bench, driven: &mut Driven) -> Result<()> {
    let result = driven.call("list_playlists", json!({"library_id": ids::BOOKS})).await?;
    let playlists = result["structuredContent"]["playlists"].as_array();
    let mut read: Vec<&str> = playlists.into_iter().flatten().filter_map(|list| list["id"].as_str()).collect();
    read.sort_unstable();
    let mut stored = vec![ids::ROAD_TRIP, ids::HOSTILE_PLAYLIST];
    stored.sort_unstable();
    ensure!(read == stored, "it reads {result}");
    bench.gone(&[])
}

async fn decline(bench: &Bench, driven: &mut Driven) -> Result<()> {
    driven.ask(WANTED).await?;
    bench.gone(&[])?;
    refused(&driven.decline().await?)?;
    bench.gone(&[])
}

async fn confirm(bench: &Bench, driven: &mut Driven) -> Result<()> {
    driven.ask(WANTED).await?;
    bench.gone(&[])?;
    done(&driven.say_yes().await?)?;
    bench.gone(&[WANTED])
}

pub fn done(result: &Value) -> Result<()> {
    ensure!(result["isError"] != true && result["structuredContent"]["deleted"] == true, "the yes came to {result}");
    Ok(())
}

pub fn refused(result: &Value) -> Result<()> {
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let right = result["isError"] == true && text.starts_with("Nothing was changed") && text.contains("declined");
    ensure!(right, "the no came to {result}");
    Ok(())
}
