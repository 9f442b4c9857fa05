//! Players that are absent when their game begins, and the times that a journal keeps.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use common::journals::{directory, go_on, plan, prepared};
use duoforge_journal::read;
use duoforge_tournament::{Control, Notice};

/// Held by the running test, since a starting child process inherits the file locks of its parent.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Action when a player is absent.
enum Then {
    /// The program appears.
    Create(PathBuf),
    /// The tournament is stopped.
    Stop,
    /// The tournament is stopped, but for the next question only.
    StopOnce,
    Nothing,
}

struct Watcher {
    then: Then,
    stops: AtomicBool,
    notices: Mutex<Vec<Notice>>,
}

impl Watcher {
    fn new(then: Then) -> Self {
        Self {
            then,
            stops: AtomicBool::new(false),
            notices: Mutex::default(),
        }
    }

    fn gone(&self) -> usize {
        let notices = self.notices.lock().unwrap();
        let gone = |notice: &&Notice| matches!(notice, Notice::Gone { .. });
        notices.iter().filter(gone).count()
    }
}

impl Control for Watcher {
    fn stops(&self) -> bool {
        match self.then {
            Then::StopOnce => self.stops.swap(false, Ordering::SeqCst),
            _ => self.stops.load(Ordering::SeqCst),
        }
    }

    fn notice(&self, notice: &Notice) {
        self.notices.lock().unwrap().push(notice.clone());
        if !matches!(notice, Notice::Gone { .. }) {
            return;
        }
        match &self.then {
            // A script written here might still be open for writing when it is executed.
            Then::Create(path) => symlink("/bin/cat", path).unwrap(),
            Then::Stop | Then::StopOnce => self.stops.store(true, Ordering::SeqCst),
            Then::Nothing => {}
        }
    }
}

/// Plan with a program that does not exist yet.
fn text(program: &str, reconnect: &str) -> String {
    planned("format = \"round-robin\"", program, reconnect)
}

fn planned(format: &str, program: &str, reconnect: &str) -> String {
    let head = format!(
        "{format}\nlimit = \"100ms\"\nreconnect = \"{reconnect}\"\nevidence = \"violations\""
    );
    plan(&head, &["random:1", &format!("exec:{program}")])
}

#[test]
fn a_program_that_appears_late_is_waited_for() {
    let _alone = alone();
    let directory = directory();
    let program = directory.path().join("late");
    let path = directory.path().join("test.journal");
    prepared(&path, &text(program.to_str().unwrap(), "60s"));
    let watcher = Watcher::new(Then::Create(program));
    assert!(go_on(&path, &watcher).unwrap());
    assert_eq!(watcher.gone(), 1);
    // The program echoes its input, which is not a handshake.
    let history = read(&path).unwrap().history;
    for game in history.games.values() {
        assert_eq!(game.ended.as_ref().unwrap().ending, "no-handshake");
    }
}

#[test]
fn a_stop_ends_the_wait_for_a_program() {
    let _alone = alone();
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text("/nonexistent/program", "60s"));
    let watcher = Watcher::new(Then::Stop);
    let begun = Instant::now();
    assert!(!go_on(&path, &watcher).unwrap());
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_eq!(watcher.gone(), 1);
    assert!(read(&path).unwrap().history.games.is_empty());
}

/// A game that was given up leaves a round without its results: no game follows, and the run ends.
#[test]
fn a_round_that_cannot_be_completed_ends_the_run() {
    let _alone = alone();
    let directory = directory();
    let path = directory.path().join("test.journal");
    let swiss = "format = \"swiss\"\nrounds = 1";
    prepared(&path, &planned(swiss, "/nonexistent/program", "60s"));
    let watcher = Watcher::new(Then::StopOnce);
    assert!(!go_on(&path, &watcher).unwrap());
    assert!((1..=2).contains(&watcher.gone()));
}

#[test]
fn a_program_that_never_appears_ends_the_tournament_with_its_name() {
    let _alone = alone();
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text("/nonexistent/program", "300ms"));
    let watcher = Watcher::new(Then::Nothing);
    let begun = Instant::now();
    let error = go_on(&path, &watcher).unwrap_err().to_string();
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert!(error.contains("P2"), "{error}");
    assert_eq!(watcher.gone(), 1);
}

/// The program fails at its first prompt for a move; journal and evidence have its last words.
#[test]
fn the_last_words_of_a_program_are_kept() {
    let _alone = alone();
    let directory = directory();
    let program = directory.path().join("failing");
    let script = "head -c 1 >/dev/null\nprintf 1XX\nhead -c 2 >/dev/null\n\
                  echo 'no model' >&2\nexit 3\n";
    fs::write(&program, script).unwrap();
    let path = directory.path().join("test.journal");
    let head = "format = \"round-robin\"\nlimit = \"5s\"\nevidence = \"violations\"";
    let program = format!("exec:/bin/sh {}", program.display());
    prepared(&path, &plan(head, &["random:1", &program]));
    assert!(go_on(&path, &()).unwrap());
    let history = read(&path).unwrap().history;
    for (number, game) in &history.games {
        let ended = game.ended.as_ref().unwrap();
        let lost = "lost: the program ended with exit status 3; its last lines on standard \
                    error:\nno model";
        assert!(ended.detail.ends_with(lost), "{}", ended.detail);
        let place = format!("test.evidence/game-{number:05}-attempt-1");
        assert_eq!(ended.evidence.as_deref(), Some(&*place));
        let list = fs::read_to_string(directory.path().join(place).join("moves.txt")).unwrap();
        let comment = lost.replace('\n', "\\n");
        assert!(list.lines().any(|line| line.ends_with(&comment)), "{list}");
    }
}

/// Program whose only reply, as second player, is the smallest tile on its start cell, after 20 ms.
#[test]
fn the_times_of_replies_are_kept_in_microseconds() {
    let _alone = alone();
    let directory = directory();
    let program = directory.path().join("slow");
    let script = "head -c 1 >/dev/null\nprintf 1XX\nhead -c 6 >/dev/null\nsleep 0.02\nprintf aaa0\ncat >/dev/null\n";
    fs::write(&program, script).unwrap();
    let path = directory.path().join("test.journal");
    let head = "format = \"round-robin\"\nlimit = \"2s\"\nevidence = \"violations\"";
    let program = format!("exec:/bin/sh {}", program.display());
    prepared(&path, &plan(head, &["random:1", &program]));
    let begun = Instant::now();
    assert!(go_on(&path, &()).unwrap());
    let most = begun.elapsed().as_micros();
    let history = read(&path).unwrap().history;
    let moved = &history.games[&1].moves[1];
    assert_eq!(moved.code, "aaa0");
    assert!((20_000..most).contains(&u128::from(moved.us)), "{moved:?}");
}
