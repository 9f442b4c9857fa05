//! Events in separate directories, and their journals.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_journal::{Ended, read};

/// Command of the program in a directory.
pub fn duoforge(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duoforge"));
    command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Returns the finished games of a journal, which may be in use or torn.
pub fn ended(journal: &Path) -> BTreeMap<u32, Ended> {
    let Ok(scan) = read(journal) else {
        return BTreeMap::new();
    };
    let games = scan.history.ended();
    games
        .map(|(_, ended)| (ended.game, ended.clone()))
        .collect()
}

pub fn wait_for(mut there: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !there() {
        assert!(Instant::now() < deadline, "it never comes");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends SIGINT to a program.
pub fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.unwrap().success());
}

/// Returns the lines of a stream as they arrive. A thread reads the stream to its end.
pub fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // A test that has seen enough drops the receiver.
            let _ = sender.send(line);
        }
    });
    lines
}
