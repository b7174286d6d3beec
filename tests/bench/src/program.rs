//! The programs that are measured, as children: what they answer, what they hold, how long they computed.

use crate::messages;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Child, ChildStdin, Command, Stdio as Pipe},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

const PATIENCE: Duration = Duration::from_secs(120);

/// How to start one.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub words: Vec<String>,
    pub environment: Vec<(&'static str, String)>,
}

impl Program {
    fn command(&self) -> Result<Command> {
        let (program, arguments) = self.words.split_first().context("an empty command")?;
        let mut command = Command::new(program);
        command.args(arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    fn start(&self, command: &mut Command) -> Result<Running> {
        Ok(Running(command.spawn().with_context(|| format!("cannot start {}", self.words.join(" ")))?))
    }
}

/// A child that ends with this value.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Of the process itself, not of its children.
    pub fn memory(&self) -> Result<Memory> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).context("this needs Linux")?;
        let kibibytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).with_context(|| name.to_owned())
        };
        let megabytes = |name: &str| Ok::<_, anyhow::Error>(kibibytes(name)? * 1024.0 / 1e6);
        Ok(Memory { resident: megabytes("VmRSS")?, peak: megabytes("VmHWM")?, own: megabytes("RssAnon")? })
    }

    /// Of all its threads together.
    pub fn processor_time(&self) -> Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id())).context("this needs Linux")?;
        let after_name = stat.rsplit_once(')').context("no name in /proc/…/stat")?.1;
        let ticks: u64 = after_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
        // A tick is 10 ms on every Linux there is (USER_HZ).
        Ok(Duration::from_millis(ticks * 10))
    }
}

/// Megabytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    pub resident: f64,
    pub peak: f64,
    /// What no other process shares and no file backs.
    pub own: f64,
}

/// A server over standard input and output.
pub struct Stdio {
    pub running: Running,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Stdio {
    pub fn start(program: &Program) -> Result<Stdio> {
        let mut command = program.command()?;
        let mut running = program.start(command.stdin(Pipe::piped()).stdout(Pipe::piped()).stderr(Pipe::null()))?;
        let stdin = running.0.stdin.take().context("stdin is piped")?;
        let stdout = running.0.stdout.take().context("stdout is piped")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Stdio { running, stdin, lines })
    }

    /// Started and greeted.
    pub fn ready(program: &Program) -> Result<Stdio> {
        let mut stdio = Stdio::start(program)?;
        stdio.ask(&messages::initialize()).with_context(|| format!("{} does not answer initialize", program.name))?;
        stdio.send(&messages::initialized())?;
        Ok(stdio)
    }

    pub fn send(&mut self, message: &Value) -> Result<()> {
        let line = format!("{message}\n");
        Ok(self.stdin.write_all(line.as_bytes())?)
    }

    /// The answer as it came. What else the server says on its own is passed over.
    pub fn ask(&mut self, message: &Value) -> Result<String> {
        self.send(message)?;
        let start = Instant::now();
        while let Some(left) = PATIENCE.checked_sub(start.elapsed()) {
            let line = self.lines.recv_timeout(left).context("no answer")?;
            // A notification has a method; whether this is the answer is seen without parsing a large one.
            if line.contains("\"result\"") || line.contains("\"error\"") {
                return Ok(line);
            }
        }
        bail!("no answer in time")
    }

    /// The result, which is no failure.
    pub fn result(&mut self, message: &Value) -> Result<Value> {
        let line = self.ask(message)?;
        let mut answer: Value = serde_json::from_str(&line)?;
        if answer["result"].is_null() || answer["result"]["isError"] == true {
            bail!("a failure: {}", line.chars().take(300).collect::<String>());
        }
        Ok(answer["result"].take())
    }
}

/// A server over HTTP, which says on stderr where it listens.
pub struct Http {
    pub running: Running,
    pub address: SocketAddr,
}

impl Http {
    pub fn start(program: &Program) -> Result<Http> {
        let mut command = program.command()?;
        let mut running = program.start(command.stdin(Pipe::null()).stdout(Pipe::null()).stderr(Pipe::piped()))?;
        let stderr = running.0.stderr.take().context("stderr is piped")?;
        let (sender, addresses) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                match line.split_once("http://").and_then(|(_, rest)| rest.strip_suffix("/mcp")) {
                    Some(address) => drop(sender.send(address.to_owned())),
                    None => eprintln!("{line}"),
                }
            }
        });
        let address = addresses.recv_timeout(PATIENCE).with_context(|| format!("{} does not listen", program.name))?;
        Ok(Http { running, address: address.parse()? })
    }
}
