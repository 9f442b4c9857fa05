//! Mock players as real programs.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::time::Duration;

use clap::ValueEnum;
use duoforge_conform::mock::MockKind;
use duoforge_conform::{ConformanceCheck, Opener, Report, Run, RunOptions, StepReport};
use duoforge_links::{ExecLink, LinkError};
use duoforge_referee::Player;

/// Short times and few games, but enough for a busy machine.
pub fn settings() -> RunOptions {
    RunOptions {
        limit: Duration::from_millis(350),
        pause: Duration::from_millis(30),
        reset: Duration::ZERO,
        slow: Duration::from_millis(1400),
        games: 2,
        tries: 4,
        wait: Duration::from_millis(300),
        seed: 1,
    }
}

/// Command line of a mock.
pub fn command(kind: MockKind, limit: Duration) -> Vec<String> {
    let name = kind.to_possible_value().unwrap().get_name().to_owned();
    let program = env!("CARGO_BIN_EXE_mock").to_owned();
    vec![
        program,
        name,
        "--limit".to_owned(),
        limit.as_millis().to_string(),
    ]
}

/// Mock connected by pipes.
pub fn player(kind: MockKind, limit: Duration) -> Result<Player, LinkError> {
    ExecLink::start(&command(kind, limit)).map(Player::board)
}

/// Opens a mock connected by pipes.
pub fn exec(kind: MockKind, limit: Duration) -> Opener<'static> {
    Box::new(move || Ok(player(kind, limit)?))
}

pub fn conform(
    open: Opener<'_>,
    settings: RunOptions,
    steps: &[&'static ConformanceCheck],
) -> Report {
    Run::new(open, settings).steps(steps, |_| ()).unwrap()
}

pub fn word(step: &StepReport) -> &'static str {
    step.verdict.word()
}
