//! The manual page. clap_mangen writes its options; it would write a page for each command too, and here one is enough.

use super::help;
use clap::Command;
use clap_mangen::Man;
use std::io::{self, Write};

pub(super) fn page(program: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(program.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    writeln!(page, ".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]", escaped(program.get_name()))?;
    commands(program, &mut page)?;
    man.render_options_section(&mut page)?;
    let (places, rest) = help::LONG.split_once("\n\nExamples:\n").unwrap_or((help::LONG, ""));
    writeln!(page, ".SH SETTINGS AND EXAMPLES\n.nf\n{}\n\nExamples:\n{}\n.fi", escaped(places), escaped(rest))?;
    Ok(page)
}

fn commands(program: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    writeln!(page, ".SH COMMANDS")?;
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        write!(page, ".TP\n\\fB{}\\fR", escaped(command.get_name()))?;
        for arg in command.get_positionals() {
            write!(page, " \\fI{}\\fR", escaped(&arg.get_id().as_str().to_uppercase()))?;
        }
        let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
        writeln!(page, "\n{}", escaped(&about))?;
        for arg in command.get_opts().filter(|arg| !arg.is_global_set()) {
            let flag = escaped(&format!("--{}", arg.get_long().unwrap_or_default()));
            let text = arg.get_help().map(ToString::to_string).unwrap_or_default();
            writeln!(page, ".br\n\\fB{flag}\\fR: {}", escaped(&text))?;
        }
    }
    Ok(())
}

/// Text that roff leaves as it is.
fn escaped(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}
