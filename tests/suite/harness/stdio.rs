//! `audiobookshelf-mcp stdio`, line by line.

use super::{PATIENCE, Process, Secret, program};
use serde_json::Value;
use std::process::Stdio as Pipe;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{ChildStdin, ChildStdout, Command},
    time::timeout,
};

pub struct Stdio {
    process: Process,
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
}

/// How a process ended, and what it had said that was not read before.
pub struct Ended {
    pub code: Option<i32>,
    pub lines: Vec<Value>,
    pub stderr: String,
}

impl Stdio {
    pub fn start(settings: &[(&str, &str)]) -> Stdio {
        Stdio::run(&["stdio"], settings)
    }

    /// Any command of the program.
    pub fn run(arguments: &[&str], settings: &[(&str, &str)]) -> Stdio {
        Stdio::of(program(arguments, settings), Secret::of(settings))
    }

    /// A copy of the program somewhere else.
    pub fn of(mut command: Command, secret: Secret) -> Stdio {
        command.stdin(Pipe::piped()).stdout(Pipe::piped());
        let mut process = Process::start(command, secret);
        let stdin = Some(process.stdin());
        let stdout = BufReader::new(process.stdout()).lines();
        Stdio { process, stdin, stdout }
    }

    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Everything that stdout carries for this input, byte by byte.
    pub async fn bytes(settings: &[(&str, &str)], input: &[u8]) -> Vec<u8> {
        let mut child = program(&["stdio"], settings)
            .stdin(Pipe::piped())
            .stdout(Pipe::piped())
            .stderr(Pipe::null())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        stdin.write_all(input).await.expect("the program reads");
        drop(stdin);
        timeout(PATIENCE, child.wait_with_output()).await.expect("it ends in time").expect("output").stdout
    }

    /// What a command prints that ends by itself.
    pub async fn print(arguments: &[&str]) -> String {
        let output = timeout(PATIENCE, program(arguments, &[]).output()).await.expect("in time").expect("it starts");
        String::from_utf8(output.stdout).expect("text")
    }

    pub async fn send(&mut self, line: impl ToString) {
        self.send_bytes(line.to_string().as_bytes()).await;
    }

    /// A line that need not be text.
    pub async fn send_bytes(&mut self, line: &[u8]) {
        let line = [line, b"\n"].concat();
        self.stdin.as_mut().expect("stdin is open").write_all(&line).await.expect("the program reads");
    }

    /// The next line, which must be one JSON value.
    pub async fn next(&mut self) -> Value {
        let line = timeout(PATIENCE, self.stdout.next_line()).await.expect("a line in time").expect("text");
        self.value(&line.expect("a line before the end"))
    }

    /// Sends a request and reads the answer, which must be the next line.
    pub async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.next().await
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        self.process.signal(name);
    }

    /// Ends the input and waits for the end of the process.
    pub async fn end(mut self) -> Ended {
        drop(self.stdin.take());
        self.ended().await
    }

    /// Waits for the end of the process.
    pub async fn ended(mut self) -> Ended {
        let rest = async {
            let mut lines = Vec::new();
            while let Some(line) = self.stdout.next_line().await.expect("text") {
                lines.push(self.value(&line));
            }
            let status = self.process.wait().await;
            Ended { code: status.code(), lines, stderr: self.process.stderr() }
        };
        timeout(PATIENCE, rest).await.expect("the process ends in time")
    }

    fn value(&self, line: &str) -> Value {
        self.process.secret().must_not_be_in("a line of stdout", line.as_bytes());
        serde_json::from_str(line).unwrap_or_else(|e| panic!("stdout has a line that is not JSON ({e}): {line:?}"))
    }
}
