//! Browser without a window: requests, and an event stream that returns to its position.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Maximum time without data: the service sends a comment every 15 s.
const SILENCE: Duration = Duration::from_secs(60);

/// Sends a request and returns status and body. An error means that the service was killed: the
/// request may have been carried out or not.
pub fn request(address: &str, method: &str, path: &str, body: &str) -> io::Result<(u16, Value)> {
    let mut stream = connect(address)?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all((head + body).as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let text = String::from_utf8(answer).map_err(io::Error::other)?;
    let broken = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(broken)?;
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    // A body that was cut is not an answer.
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.parse().ok())?
    });
    if length != Some(body.len()) {
        return Err(broken());
    }
    let value = serde_json::from_str(body).map_err(io::Error::other)?;
    Ok((status.ok_or_else(broken)?, value))
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(SILENCE))?;
    Ok(stream)
}

/// Event of a stream.
#[derive(Debug, Default)]
pub struct Event {
    pub name: String,
    pub id: Option<String>,
    pub data: Value,
}

/// Open event stream.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// Opens the stream after a position.
    pub fn open(address: &str, position: &str) -> io::Result<Self> {
        let mut stream = connect(address)?;
        let request = format!(
            "GET /api/v1/stream HTTP/1.0\r\nHost: {address}\r\nLast-Event-ID: {position}\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let mut events = Self(BufReader::new(stream));
        let status = events.line()?;
        assert!(status.contains(" 200 "), "{status}");
        while !events.line()?.trim().is_empty() {}
        Ok(events)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        if line.ends_with('\n') {
            return Ok(line);
        }
        Err(io::ErrorKind::UnexpectedEof.into())
    }

    /// Next event; an error means that the service was killed.
    pub fn next(&mut self) -> io::Result<Event> {
        let mut event = Event::default();
        let mut data = None;
        loop {
            let line = self.line()?;
            let line = line.trim_end_matches(['\r', '\n']);
            match line.split_once(": ") {
                Some(("event", name)) => event.name = name.to_owned(),
                Some(("id", id)) => event.id = Some(id.to_owned()),
                Some(("data", text)) => data = Some(text.to_owned()),
                // An empty position is a position too.
                None if line == "id:" => event.id = Some(String::new()),
                _ if line.is_empty() && data.is_some() => {
                    event.data = serde_json::from_str(&data.unwrap_or_default())?;
                    return Ok(event);
                }
                _ => {}
            }
        }
    }
}
