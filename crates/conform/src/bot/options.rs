//! Options of a run of checks on a text bot.

use std::time::Duration;

use duoforge_process::Limits;

/// Options of a run of checks on a text bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotOptions {
    /// Command line: the program, then its arguments.
    pub words: Vec<String>,
    /// Limits of the operating system.
    pub limits: Limits,
    /// Capacity of the time bank.
    pub timebank: Duration,
    /// Time that each request adds to the bank.
    pub move_time: Duration,
    /// Time limit of the input test.
    pub warmup: Duration,
    /// Waiting time after the time limit of an answer: a late answer is distinguished from a
    /// missing one.
    pub grace: Duration,
    /// Silence before the input test, in which no `ready` may arrive.
    pub quiet: Duration,
    /// Time limit of the exit after `quit`.
    pub quit: Duration,
    /// Pause between the pieces of a line that is sent in pieces.
    pub pause: Duration,
    /// Seed of the positions and of the opponents' moves.
    pub seed: u64,
}

impl BotOptions {
    /// Creates the default options for a command line: the times of `docs/bots.md`.
    #[must_use]
    pub fn new(words: Vec<String>) -> Self {
        Self {
            words,
            limits: Limits::default(),
            timebank: Duration::from_secs(10),
            move_time: Duration::from_millis(500),
            warmup: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            quiet: Duration::from_millis(500),
            quit: Duration::from_millis(500),
            pause: Duration::from_millis(15),
            seed: 1,
        }
    }
}
