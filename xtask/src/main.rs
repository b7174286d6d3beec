//! Every chore of the repository. `cargo xtask` alone lists them.

mod bench;
mod book;
mod component;
mod demo;
mod dist;
mod docs;
mod hostile;
mod imports;
mod interop;
mod lints;
mod load;
mod process;
mod questions;
mod recording;
mod redis;
mod reproducible;
mod setup;
mod test;
mod toolchain;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  setup [--way 1|2|3]  find or install a compiler for the component, and say which
  component            build the component, check what it imports, compile it ahead of time
  hostile              build the components of tests/hostile, which `test` does as well
  demo [arguments]     build everything and run the demonstration
  test [filter]        formatting, lints, component (twice, in two folders), documentation, every test, interop;
                       with a filter only the component and the tests that match
  load [requests]      200 000 requests, or so many, at once, with faults; prints what the server held
  bench [filter] [--peer COMMAND] [--json FILE]
                       what the optimised program costs, beside native ones; a table, and JSON in target/bench.json;
                       with a filter only the groups that have it in their names
  interop [filter]     independent MCP clients and the public conformance suite against the program;
                       with a filter only the lines of its table that have it in their names
  dist [--out DIR] [--repository URL]
                       the files of a release, in target/dist or there: program, component, bundle for desktop clients,
                       server.json, list of packages, checksums
  docs [--check]       write the pages and pictures of docs that the program makes, or fail when one is out of date
  book                 docs as a book of web pages, where mdbook is installed

XTASK_WAY=1|2|3 forces a way of setup on every command.
XTASK_INTEROP=off leaves interop out of test, where the registries cannot be reached.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["setup"] => setup::run(None),
        ["setup", "--way", way] => setup::run(Some(way)),
        ["component"] => component::run(),
        ["hostile"] => setup::toolchain().and_then(|toolchain| hostile::build(&toolchain)),
        ["demo", rest @ ..] => demo::run(rest),
        ["test"] => test::run(None),
        ["test", filter] => test::run(Some(filter)),
        ["load"] => load::run(None),
        ["load", requests] => load::run(Some(requests)),
        ["bench", rest @ ..] => bench::run(rest),
        ["dist", rest @ ..] => dist::run(rest),
        ["interop"] => interop::run(None),
        ["interop", filter] => interop::run(Some(filter)),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["book"] => book::run(),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("error: no such command: {}\n\n{USAGE}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
