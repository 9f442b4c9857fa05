//! Checks of the handshake and of the first game. Five checks examine one aspect of that game each,
//! so that the report names what is wrong.

use std::time::Duration;

use duoforge_protocol::StartCell;
use duoforge_protocol::wirelog::WireEntry;

use crate::Fault;
use crate::device::Trouble;
use crate::fault::Aspect;
use crate::game::{Script, Until};
use crate::rival::Sparring;
use crate::table::Table;

/// Time for unsolicited bytes after a reply.
const AFTER: Duration = Duration::from_millis(20);

/// Record of the first game, up to its end or first fatal fault.
#[derive(Clone, Debug)]
pub struct FirstGame {
    faults: Vec<Fault>,
    /// Fault that ended the game early.
    cut: Option<Fault>,
    answers: usize,
    slowest: Duration,
    /// Log of the traffic.
    pub wire: Vec<WireEntry>,
}

/// Sends `0` three times; each must get a reply `1XX`.
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

/// Returns the first fault of one aspect of the first game, if any.
fn aspect(table: &mut Table, aspect: Aspect) -> Result<FirstGame, Trouble> {
    let game = first_game(table)?;
    match game.faults.iter().find(|fault| fault.aspect() == aspect) {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(game),
    }
}

/// Describes the extent of the game.
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
