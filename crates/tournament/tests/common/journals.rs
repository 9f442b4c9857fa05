//! Tournaments on real journals.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use duoforge_journal::{Header, Journal, Kind, read};
use duoforge_tournament::{
    Control, Fixture, Notice, Plan, Played, Progress, Report, TournamentError, run,
};
use tempfile::TempDir;

/// Directory in memory if the system has one. The disk is not under test, and there are thousands
/// of syncs.
pub fn directory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

pub fn plan(head: &str, players: &[&str]) -> String {
    let mut text = format!("event = \"Test\"\n{head}\n");
    for (number, spec) in players.iter().enumerate() {
        text += &format!(
            "[[player]]\nname = \"P{}\"\nspec = \"{spec}\"\n",
            number + 1
        );
    }
    text
}

/// Creates a journal for a plan.
pub fn prepared(path: &Path, text: &str) {
    drop(Journal::create(path, Header::new(Kind::Tournament, "Test", text)).unwrap());
}

/// Resumes a tournament from its journal; true if the tournament is finished.
pub fn go_on(path: &Path, control: &dyn Control) -> Result<bool, TournamentError> {
    let (journal, history, _) = Journal::open(path)?;
    let plan = Plan::read(&history.header.plan)?;
    run(&plan, &journal, &history, control).map(|left| left.finished)
}

pub fn report(path: &Path) -> Report {
    let history = read(path).unwrap().history;
    Report::new(&Plan::read(&history.header.plan).unwrap(), &history)
}

/// Plays a tournament without disturbance.
pub fn played(text: &str) -> Report {
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, text);
    assert!(go_on(&path, &()).unwrap());
    report(&path)
}

/// Observer that stops the tournament after some games and keeps the notices.
#[derive(Default)]
pub struct Stopper {
    pub after: usize,
    pub games: AtomicUsize,
    pub notices: Mutex<Vec<Notice>>,
}

impl Control for Stopper {
    fn stops(&self) -> bool {
        self.games.load(Ordering::SeqCst) >= self.after
    }

    fn notice(&self, notice: &Notice) {
        self.notices.lock().unwrap().push(notice.clone());
    }

    fn ended(&self, _: &Fixture, _: &Played, _: Progress) {
        self.games.fetch_add(1, Ordering::SeqCst);
    }
}
