//! Everything can be measured, with the programs of this build. What it measures is not looked at.

use bench::{Options, Plan};
use std::{env, path::PathBuf};

#[test]
fn everything_is_measured_once() {
    let hello = PathBuf::from(env!("CARGO_BIN_EXE_hello"));
    let programs = hello.parent().expect("a program lies in a folder").to_owned();
    let ours = programs.join("audiobookshelf-mcp");
    assert!(ours.is_file(), "{} is another package's: cargo build -p audiobookshelf-mcp", ours.display());
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = env::var_os("AUDIOBOOKSHELF_MCP_COMPONENT_DIR").unwrap_or_else(|| "target/component".into());
    let options = Options {
        programs,
        component: root.join(folder).join("audiobookshelf_mcp.wasm"),
        plan: Plan::tiny(),
        filter: None,
        // A server that is measured as somebody else's.
        peer: Some(format!("{} stdio", ours.display())),
    };
    let report = bench::run(&options).expect("everything can be measured");
    let groups: Vec<&str> = report.groups().map(|(group, _)| group).collect();
    assert_eq!(groups, ["sizes", "start", "memory", "instance", "http", "answers", "growth", "peer"]);
    for (group, figures) in report.groups() {
        for figure in figures {
            // What is too quick for its clock is zero: processor time in ticks, and differences.
            let may_be_zero = figure.name.contains("processor") || figure.name.contains("added");
            assert!(figure.value > 0.0 || may_be_zero, "{group}: {figure:?}");
        }
    }
    assert!(report.table().contains("get_library_item, 64 connections: a second"), "{}", report.table());
}
