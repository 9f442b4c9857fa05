//! Failures of journals and tournaments.

use std::io::ErrorKind;

use duoforge_journal::JournalError;
use duoforge_tournament::{PlanError, TournamentError};

use super::Failure;
use crate::players::names;

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
            JournalError::Io { action, source, .. }
                if *action == "read" && source.kind() == ErrorKind::NotFound =>
            {
                (
                    "duoforge::journal::file",
                    "name an existing journal; `duoforge tournament FILE.toml` and \
                     `duoforge match --journal JOURNAL` create one",
                )
            }
            JournalError::TooLong { .. } => (
                "duoforge::journal::record",
                "shorten what the players write to their logs; records written before are intact",
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
                "the file was edited, or the disk lost data: restore a copy, or remove this line \
                 and all later ones and continue with `duoforge resume JOURNAL`",
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
        let help = match error {
            PlanError::Spec { .. } => {
                format!(
                    "{};\na plan permits all of these except profiles and human",
                    names()
                )
            }
            PlanError::Toml(_) => {
                "the keys of a plan are event, format (round-robin, gauntlet, swiss, knockout), \
                 pairs, rounds, seed, concurrency, limit, opening, evidence, reconnect, [sprt], \
                 and for each player [[player]] with name, spec, version, reset, limit or bank, \
                 increment; those of a plan of a variant are event, variant, rounds, seed, \
                 concurrency, limit and [[player]]"
                    .to_owned()
            }
            _ => "the section Plan of docs/formats.md lists all keys and their values".to_owned(),
        };
        Self::new("duoforge::tournament::plan", error.to_string()).help(help)
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
            TournamentError::Player { source, .. } => Self {
                message,
                ..(*source).into()
            },
            TournamentError::Referee { source, .. } => Self {
                message,
                ..(*source).into()
            },
            TournamentError::Host { .. } => Self::new("duoforge::host", message)
                .help(
                "find what stops or suspends this machine; `duoforge doctor` prints its host latency",
            ),
            TournamentError::TooFew { .. } => Self::new("duoforge::tournament::players", message)
                .help(
                "correct the excluded players, and start the event again with another journal",
            ),
            TournamentError::Evidence { .. } => Self::new("duoforge::file", message)
                .help("free space in the directory of the journal, which holds the evidence"),
            _ => Self::new("duoforge::tournament", message)
                .help("resume the journal with the plan and the version that created it"),
        }
    }
}
