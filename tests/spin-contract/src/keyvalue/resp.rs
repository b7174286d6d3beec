//! RESP2, the protocol of Redis, as far as six commands need it.

use std::io;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream},
    net::TcpStream,
};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Status(String),
    Error(String),
    Integer(i64),
    Bulk(Option<Vec<u8>>),
    Array(Vec<Reply>),
}

/// One connection, one command at a time.
pub(super) struct Connection(BufStream<TcpStream>);

impl Connection {
    pub(super) async fn open(address: &str) -> io::Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection(BufStream::new(stream)))
    }

    pub(super) async fn ask(&mut self, words: &[&[u8]]) -> io::Result<Reply> {
        let mut command = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            command.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
            command.extend_from_slice(word);
            command.extend_from_slice(b"\r\n");
        }
        self.0.write_all(&command).await?;
        self.0.flush().await?;
        self.reply().await
    }

    async fn reply(&mut self) -> io::Result<Reply> {
        let line = self.line().await?;
        let (kind, rest) = line.split_at_checked(1).ok_or_else(|| broken("an empty line"))?;
        let number = || rest.parse::<i64>().map_err(|_| broken("no number where one belongs"));
        Ok(match kind {
            "+" => Reply::Status(rest.to_owned()),
            "-" => Reply::Error(rest.to_owned()),
            ":" => Reply::Integer(number()?),
            "$" => match usize::try_from(number()?) {
                Err(_) => Reply::Bulk(None),
                Ok(length) => {
                    let mut bytes = vec![0; length + 2];
                    self.0.read_exact(&mut bytes).await?;
                    bytes.truncate(length);
                    Reply::Bulk(Some(bytes))
                }
            },
            "*" => {
                let mut replies = Vec::new();
                for _ in 0..number()? {
                    replies.push(Box::pin(self.reply()).await?);
                }
                Reply::Array(replies)
            }
            _ => return Err(broken("an unknown kind of reply")),
        })
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.0.read_line(&mut line).await?;
        line.strip_suffix("\r\n").map(str::to_owned).ok_or_else(|| broken("the end in the middle of a line"))
    }
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
