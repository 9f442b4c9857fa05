//! Service in a process, and a plain HTTP client.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod records;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Service that is killed when this value is dropped.
pub struct Service {
    child: Child,
    pub address: String,
}

/// Answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .next()
    }

    /// Code of a problem, whose form is checked.
    pub fn code(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self:?}"
        );
        let problem = self.json();
        assert_eq!(problem["status"], self.status);
        assert_eq!(problem["type"], "about:blank");
        problem["code"].as_str().unwrap().to_owned()
    }
}

impl Service {
    /// Starts a service of a directory.
    pub fn start(directory: &Path) -> Self {
        Self::with(directory, &[])
    }

    /// Starts a service with further options.
    pub fn with(directory: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_serve-games"));
        command.arg(directory).args(arguments);
        Self::run(directory, command)
    }

    /// Starts a service through a script of the shell, which executes its arguments.
    pub fn through(directory: &Path, script: &str) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_serve-games")]);
        command.arg(directory);
        Self::run(directory, command)
    }

    fn run(directory: &Path, mut command: Command) -> Self {
        fs::create_dir_all(directory.join("events")).unwrap();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        assert!(!address.is_empty(), "the service did not start");
        Self { child, address }
    }

    /// Kills the service with SIGKILL.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Number of journals that the process has open.
    #[cfg(target_os = "linux")]
    pub fn open_journals(&self) -> usize {
        let files = fs::read_dir(format!("/proc/{}/fd", self.id())).unwrap();
        // A file may be closed meanwhile.
        let paths = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
        let is_journal = |path: &PathBuf| path.extension().is_some_and(|it| it == "journal");
        paths.filter(is_journal).count()
    }

    /// Memory of the process in KiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let words = line.unwrap().split_whitespace().next();
        words.unwrap().parse().unwrap()
    }

    /// Lets the service end; returns its exit status.
    pub fn end(&mut self) -> Option<i32> {
        drop(self.child.stdin.take());
        self.child.wait().unwrap().code()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
    }

    /// Sends bytes and returns the answer.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The service may answer and close before it has read everything.
        let _ = stream.write_all(request);
        answer(&mut stream)
    }

    /// Sends a request with further headers, each with its newline.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let address = &self.address;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(request.as_bytes())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    /// Value of a resource, which must exist.
    pub fn value(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let kind = "Content-Type: application/json\r\n";
        self.send("POST", path, kind, &body.to_string())
    }

    /// Opens the event stream after a position.
    pub fn stream(&self, path: &str, position: &str) -> Events {
        let mut stream = self.connect();
        // Without chunks, as a browser's reader sees it.
        let request = format!(
            "GET {path} HTTP/1.0\r\nHost: {}\r\nLast-Event-ID: {position}\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream);
        let mut status = String::new();
        lines.read_line(&mut status).unwrap();
        assert!(status.contains(" 200 "), "{status}");
        loop {
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                return Events { lines };
            }
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer to its end.
pub fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    // A connection that is reset after the answer has still brought it.
    while let Ok(read @ 1..) = stream.read(&mut part) {
        bytes.extend_from_slice(&part[..read]);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

/// Event of a stream.
#[derive(Clone, Debug, Default)]
pub struct Event {
    pub name: String,
    pub id: Option<String>,
    pub data: Value,
}

/// Open event stream.
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// Next event; `None` if the stream has ended.
    pub fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            match self.lines.read_line(&mut line) {
                Ok(1..) => {}
                _ => return None,
            }
            match line.trim_end().split_once(": ") {
                Some(("event", name)) => event.name = name.to_owned(),
                Some(("id", id)) => event.id = Some(id.to_owned()),
                Some(("data", data)) => event.data = serde_json::from_str(data).unwrap(),
                _ if line.trim().is_empty() && !event.name.is_empty() => return Some(event),
                _ => {}
            }
        }
    }

    /// Next event of a name.
    pub fn until(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().expect("the stream goes on");
            if event.name == name {
                return event;
            }
        }
    }
}

/// Waits until a value is there.
pub fn wait_for<T>(mut find: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never comes");
        thread::sleep(Duration::from_millis(10));
    }
}
