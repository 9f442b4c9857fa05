//! Failures of journals and tournaments.

use duoforge_journal::JournalError;
use duoforge_tournament::{PlanError, TournamentError};

use super::Failure;

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let message = error.to_string();
        let (code, help) = match &error {
            JournalError::Exists(_) => (
                "duoforge::journal::exists",
                "--journal names another file; a journal is never overwritten",
            ),
            JournalError::Locked(_) => (
                "duoforge::journal::locked",
                "wait for the program that writes it, or stop that program with Ctrl-C; \
                 `fuser PATH` names the program",
            ),
            JournalError::Full(_) => (
                "duoforge::journal::full",
                "free space on the disk, then continue with `duoforge resume JOURNAL`; all earlier \
                 records are intact",
            ),
            JournalError::Broken(_) | JournalError::Io { .. } => (
                "duoforge::journal::file",
                "check the path, its permissions and the disk; records written before are intact",
            ),
            JournalError::NoJournal { .. } => (
                "duoforge::journal::none",
                "`duoforge tournament FILE.toml` creates a journal",
            ),
            JournalError::Version { .. } => (
                "duoforge::journal::version",
                "use the version of duoforge that wrote it",
            ),
            JournalError::Damaged { .. } => (
                "duoforge::journal::damaged",
                "the file was edited, or the disk lost data: restore a copy, or remove this line and \
                 all later ones and continue with `duoforge resume JOURNAL`",
            ),
            _ => (
                "duoforge::journal::index",
                "rebuild the index from the journals; it holds no other data",
            ),
        };
        Self::new(code, message).help(help)
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Self::new("duoforge::tournament::plan", error.to_string()).help(
            "a tournament is TOML: event, format (round-robin, gauntlet, swiss, knockout), pairs, \
             rounds, seed, concurrency, limit, opening, evidence, [sprt], and a [[player]] with \
             name and spec for each player",
        )
    }
}

impl From<TournamentError> for Failure {
    fn from(error: TournamentError) -> Self {
        let message = error.to_string();
        match error {
            TournamentError::Journal(error) => error.into(),
            TournamentError::Plan(error) => Self {
                message,
                ..error.into()
            },
            TournamentError::Player { source, .. } | TournamentError::Referee { source, .. } => {
                Self {
                    message,
                    ..(*source).into()
                }
            }
            TournamentError::Host { .. } => Self::new("duoforge::host", message)
                .help("what stops or suspends this machine? `duoforge doctor` shows what it adds to times"),
            TournamentError::Evidence { .. } => Self::new("duoforge::file", message)
                .help("evidence lies beside the journal; make room there"),
            _ => Self::new("duoforge::tournament", message)
                .help("a journal goes with the tournament that it was made for"),
        }
    }
}
