//! `check`: would the server work with these settings, and what could it do?
//!
//! Asked through the component in its sandbox, by the tools that every client has: what is found to work is what a client will
//! use, credential, certificates and route table included.

mod permissions;
mod report;
mod text;

use crate::{
    cli::Launch,
    settings::{Problem, Settings},
    style::Style,
    tools,
    transport::in_process::InProcess,
};
use anyhow::Result;
use report::{Account, Audiobookshelf, Report, ToolList};
use serde_json::{Value, json};
use std::io;

/// Prints what was found. Whether the server would work.
pub async fn run(settings: &Settings, launch: &Launch, as_json: bool) -> Result<bool> {
    let report = examine(settings, launch).await?;
    let text = |style| text::of(&report, style);
    tools::print(&if as_json {
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        text(Style::of(&io::stdout()))
    })?;
    Ok(report.works)
}

/// The report of settings that cannot even be tried.
pub(crate) fn refused(problems: &[Problem]) -> Value {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    json!({ "works": false, "problems": problems, "version": env!("CARGO_PKG_VERSION") })
}

async fn examine(settings: &Settings, launch: &Launch) -> Result<Report> {
    let sandbox = launch.start(settings)?;
    let offered = tools::list(&InProcess::new(sandbox.clone())).await?;
    let mut report = Report::new(settings, &launch.limits, sandbox.imports());

    // The operator may have hidden the tools that this asks with.
    let client = InProcess::new(sandbox.beside(&settings.with_all_tools())?);
    tools::hello(&client).await?;
    if report.is_configured() {
        match call(&client, "get_server_status").await? {
            Ok(status) => report.audiobookshelf(Audiobookshelf::read(&status)),
            Err(why) => report.problem(why),
        }
    }
    let mut account = None;
    if report.is_configured() && report.problems.is_empty() {
        match call(&client, "get_me").await? {
            Ok(me) => account = Some(Account::read(&me["user"])),
            Err(why) => report.problem(why),
        }
    }
    if let Some(account) = &mut account {
        match call(&client, "list_libraries").await? {
            Ok(libraries) => account.libraries = libraries["libraries"].as_array().map(Vec::len),
            Err(why) => report.problem(why),
        }
    }
    report.tools(ToolList::of(&offered, account.as_ref()));
    report.account(account);
    Ok(report.conclude())
}

/// The structured result, or the sentence that says what is wrong.
async fn call(client: &InProcess, tool: &str) -> Result<Result<Value, String>> {
    let mut result = tools::ask(client, "tools/call", json!({ "name": tool, "arguments": {} })).await?;
    if result["isError"] == true {
        let text = result["content"][0]["text"].as_str().unwrap_or("no reason was given");
        // What Audiobookshelf said itself follows behind a label for models.
        return Ok(Err(text.split("The following is untrusted").next().unwrap_or(text).trim().to_owned()));
    }
    Ok(Ok(result["structuredContent"].take()))
}
