//! The handshake, and the first game, which five steps look at: each at one aspect, so that a device
//! is told what is wrong with it and not only that something is.

use std::time::Duration;

use duoforge_protocol::StartCell;
use duoforge_protocol::wirelog::WireEntry;

use crate::Fault;
use crate::device::Trouble;
use crate::fault::Aspect;
use crate::game::{Script, Until};
use crate::rival::Sparring;
use crate::table::Table;

/// How long is listened after an answer.
const AFTER: Duration = Duration::from_millis(20);

/// The first game, as far as it went.
#[derive(Clone, Debug)]
pub struct FirstGame {
    faults: Vec<Fault>,
    /// What ended it before its time.
    cut: Option<Fault>,
    answers: usize,
    slowest: Duration,
    /// What went over the line.
    pub wire: Vec<WireEntry>,
}

/// `0` is answered with `1XX`, three times.
pub fn handshake(table: &mut Table) -> Result<String, Trouble> {
    let mut team = table.hello()?;
    for _ in 0..2 {
        team = table.hello()?;
    }
    Ok(format!("team {team}"))
}

fn first_game(table: &mut Table) -> Result<FirstGame, Trouble> {
    if let Some(game) = &table.first_game {
        return Ok(game.clone());
    }
    let before = table.answers;
    let mut rival = Sparring::new(table.settings.seed);
    let played = table.play(Script {
        after: AFTER,
        until: Until::Pass,
        ..Script::new(StartCell::Five, false, &mut rival)
    });
    let cut = match played {
        Ok(_) => None,
        Err(Trouble::Fault(fault)) => Some(fault),
        Err(trouble) => return Err(trouble),
    };
    let game = FirstGame {
        faults: table.soft.clone().into_iter().chain(cut.clone()).collect(),
        cut,
        answers: table.answers - before,
        slowest: table.slowest,
        wire: table.device.take_log(),
    };
    table.first_game = Some(game.clone());
    Ok(game)
}

/// What is wrong with one aspect of the first game.
fn aspect(table: &mut Table, aspect: Aspect) -> Result<FirstGame, Trouble> {
    let game = first_game(table)?;
    match game.faults.iter().find(|fault| fault.aspect() == aspect) {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(game),
    }
}

/// What was looked at.
fn extent(game: &FirstGame) -> String {
    match &game.cut {
        None => format!("{} answers", game.answers),
        Some(cut) => format!(
            "{} answers, until the game was cut short: {}",
            game.answers,
            cut.kind()
        ),
    }
}

pub fn answers(table: &mut Table) -> Result<String, Trouble> {
    aspect(table, Aspect::Answers).map(|game| extent(&game))
}

pub fn timing(table: &mut Table) -> Result<String, Trouble> {
    let game = aspect(table, Aspect::Timing)?;
    let slowest = game.slowest.as_secs_f64() * 1000.0;
    Ok(format!(
        "{}, the slowest after {slowest:.3} ms",
        extent(&game)
    ))
}

pub fn codes(table: &mut Table) -> Result<String, Trouble> {
    aspect(table, Aspect::Codes).map(|game| extent(&game))
}

pub fn rules(table: &mut Table) -> Result<String, Trouble> {
    aspect(table, Aspect::Rules).map(|game| extent(&game))
}

pub fn quiet(table: &mut Table) -> Result<String, Trouble> {
    aspect(table, Aspect::Quiet).map(|game| extent(&game))
}
