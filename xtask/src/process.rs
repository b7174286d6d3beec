//! Child processes: short progress lines, their output only when it says why something failed.

use std::ffi::OsStr;
use std::io::{IsTerminal, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// A command in the repository, without stdin and without what `cargo run` told xtask about xtask:
/// build scripts that watch such variables would otherwise run again each time.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root()).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let about_xtask = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];
        if name.to_str().is_some_and(|name| about_xtask.iter().any(|prefix| name.starts_with(prefix))) {
            command.env_remove(name);
        }
    }
    command
}

/// The cargo that runs xtask, for everything but the component.
pub(crate) fn cargo(subcommand: &str) -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(subcommand);
    cargo
}

/// Runs a step under a name. Returns what it printed; prints that itself when the step fails.
pub(crate) fn step(name: &str, command: &mut Command) -> Result<String> {
    eprint!("{name} … ");
    std::io::stderr().flush()?;
    let start = Instant::now();
    let (status, output) = counting(name, || captured(command))?;
    if status.success() {
        eprintln!("{:.1} s", start.elapsed().as_secs_f32());
        return Ok(output);
    }
    eprintln!("failed\n{}", output.trim_end());
    bail!("{name} failed ({status})");
}

/// Counts the seconds on a terminal, where a first build is minutes of silence.
fn counting<T>(name: &str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, ticks) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let start = Instant::now();
            while ticks.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                eprint!("\r{name} … {} s", start.elapsed().as_secs());
            }
            eprint!("\r{name} … ");
        });
        let result = work();
        drop(done);
        result
    })
}

/// Runs a command to its end with stdout and stderr in one stream, in the order in which they were written.
fn captured(command: &mut Command) -> Result<(ExitStatus, String)> {
    let (mut child, mut reader) = merged(command)?;
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    Ok((child.wait()?, String::from_utf8_lossy(&output).into_owned()))
}

/// Starts a command whose stdout and stderr are the same pipe.
pub(crate) fn merged(command: &mut Command) -> Result<(Child, std::io::PipeReader)> {
    let (reader, writer) = std::io::pipe()?;
    let child = command.stdout(writer.try_clone()?).stderr(writer).spawn();
    // The command still owns the writing ends, and the reader would wait for them.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child.with_context(|| format!("cannot start {}", command.get_program().display()))?, reader))
}

/// What a short question to a program answers, on stdout.
pub(crate) fn answer(command: &mut Command) -> Result<String> {
    let name = command.get_program().display().to_string();
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{name} answers: {}", reason(&String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command that may hang, such as a download without a network. The error is the line that says why, or that it took too long.
pub(crate) fn bounded(command: &mut Command, limit: Duration) -> Result<()> {
    let (mut child, mut reader) = merged(command)?;
    let output = thread::spawn(move || {
        let mut output = String::new();
        // Only the words of an error are lost when this is not text.
        let _ = reader.read_to_string(&mut output);
        output
    });
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            let output = output.join().unwrap_or_default();
            if status.success() {
                return Ok(());
            }
            bail!("{}", reason(&output));
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    bail!("no result within {} s", limit.as_secs());
}

/// The line of an output that says why a program failed: the first that calls itself an error, or else the last.
fn reason(output: &str) -> &str {
    // npm begins with a code, and ends with the name of a log file.
    let prefixes = ["error", "ERROR", "npm error network", "npm error 4", "npm error code"];
    let mut errors = prefixes.iter().filter_map(|prefix| output.lines().find(|line| line.starts_with(prefix)));
    errors.next().or_else(|| output.lines().rev().find(|line| !line.trim().is_empty())).unwrap_or("nothing").trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_is_ended() {
        let error = bounded(command("sleep").arg("60"), Duration::from_millis(100)).unwrap_err();
        assert_eq!(error.to_string(), "no result within 0 s");
    }

    #[test]
    fn a_bounded_command_that_fails_says_why() {
        for (script, why) in [
            ("echo one; echo two >&2; exit 1", "two"),
            ("echo error: no network; echo 15: unknown; exit 1", "error: no network"),
            (
                "echo npm error code E1; echo npm error network down; echo npm error log; exit 1",
                "npm error network down",
            ),
            ("exit 1", "nothing"),
        ] {
            let error = bounded(command("sh").args(["-c", script]), Duration::from_secs(10));
            assert_eq!(error.unwrap_err().to_string(), why, "{script}");
        }
    }
}
