//! Failures about journals and tournaments.

use duoforge_journal::JournalError;
use duoforge_tournament::{PlanError, TournamentError};

use super::Failure;

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let message = error.to_string();
        let (code, help) = match &error {
            JournalError::Exists(_) => (
                "duoforge::journal::exists",
                "a journal is never overwritten: give another name with --journal",
            ),
            JournalError::Locked(_) => (
                "duoforge::journal::locked",
                "it is played right now: wait for that program, or stop it with Ctrl-C; \
                 `fuser PATH` names it",
            ),
            JournalError::Full(_) => (
                "duoforge::journal::full",
                "make room on the disk and go on with `duoforge resume JOURNAL`: what was written \
                 before is whole",
            ),
            JournalError::Broken(_) | JournalError::Io { .. } => (
                "duoforge::journal::file",
                "is the disk there, and may files be written to it? What was written before is whole",
            ),
            JournalError::NoJournal { .. } => (
                "duoforge::journal::none",
                "journals are made by `duoforge tournament FILE.toml`",
            ),
            JournalError::Version { .. } => (
                "duoforge::journal::version",
                "use the version of duoforge that wrote it",
            ),
            JournalError::Damaged { .. } => (
                "duoforge::journal::damaged",
                "this is no interruption: the file was changed, or the disk lost something; take it \
                 from a copy, or cut it off before that line and go on from there",
            ),
            _ => (
                "duoforge::journal::index",
                "the index holds nothing of its own: make it anew from the journals",
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
