//! Checks of situations that depend on the device's moves. The opponent leads the device into them,
//! in several games if necessary.

use duoforge_protocol::StartCell;

use crate::Fault;
use crate::device::Trouble;
use crate::game::{Played, Script, Until};
use crate::rival::{Blocker, Passer, Rival};
use crate::table::Table;

/// Start cell, and true if the device moves second.
const CASES: [(StartCell, bool); 4] = [
    (StartCell::Five, false),
    (StartCell::A, true),
    (StartCell::Five, true),
    (StartCell::A, false),
];

/// Results of games against an opponent that passes.
#[derive(Clone, Debug, Default)]
pub struct Alone {
    games: u32,
    moves: usize,
    /// Last tile, if the device placed all its tiles.
    all: Option<String>,
    /// First voluntary pass.
    early_pass: Option<Fault>,
}

fn play(
    table: &mut Table,
    game: u32,
    rival: &mut dyn Rival,
    until: Until,
) -> Result<Played, Trouble> {
    let (start, second) = CASES[game as usize % CASES.len()];
    table.play(Script {
        until,
        ..Script::new(start, second, rival)
    })
}

/// Plays against a blocking opponent until `count` is positive, or the games are used up. Returns
/// the number of games played, and the count.
fn cornered(
    table: &mut Table,
    until: Until,
    count: impl Fn(&Played) -> usize,
) -> Result<(u32, usize), Trouble> {
    let tries = table.settings.tries;
    for game in 0..tries {
        let seed = table.settings.seed.wrapping_add(u64::from(game));
        let played = play(table, game, &mut Blocker::new(seed, game), until)?;
        if count(&played) > 0 {
            return Ok((game + 1, count(&played)));
        }
    }
    Ok((tries, 0))
}

pub fn forced_pass(table: &mut Table) -> Result<String, Trouble> {
    match cornered(table, Until::Passed, |played| played.forced)? {
        (games, 0) => {
            let text = format!("it could place a tile whenever it was asked, in {games} games");
            Err(Trouble::NotReached(text))
        }
        (games, _) => Ok(format!("it had to pass, and did, in game {games}")),
    }
}

pub fn pass_after_pass(table: &mut Table) -> Result<String, Trouble> {
    match cornered(table, Until::End, |played| played.forced_again)? {
        (games, 0) => {
            let text = format!("the rival never moved on after a forced pass, in {games} games");
            Err(Trouble::NotReached(text))
        }
        (games, count) => Ok(format!("it passed {count} times more, in game {games}")),
    }
}

/// Plays against a passing opponent until `enough` returns true, or the games are used up.
fn alone(table: &mut Table, enough: impl Fn(&Alone) -> bool) -> Result<Alone, Trouble> {
    let mut seen = table.alone.clone().unwrap_or_default();
    while !enough(&seen) && seen.games < table.settings.tries.min(4) {
        let played = play(table, seen.games, &mut Passer, Until::DevicePasses)?;
        seen.games += 1;
        seen.moves = seen.moves.max(played.alone);
        seen.early_pass = seen.early_pass.or_else(|| played.early_pass.clone());
        if played.has_placed_all(played.device) {
            let last = played.codes.last().map(|code| char::from(code[2]));
            let score = played.board().score(played.device);
            let last = last.unwrap_or_default();
            seen.all = Some(format!("the last tile was {last}, for a score of {score}"));
        }
        table.alone = Some(seen.clone());
    }
    Ok(seen)
}

/// A device that passes in each of these games, although it has tiles and space for them, does not
/// play on. The advisory check reports a single such pass, which may end its game.
pub fn rival_finished(table: &mut Table) -> Result<String, Trouble> {
    let seen = alone(table, |seen| seen.moves > 1)?;
    if seen.moves <= 1 {
        let text = "it had no more than one tile to place after the rival's last";
        return Err(seen
            .early_pass
            .map_or_else(|| Trouble::NotReached(text.to_owned()), Trouble::Fault));
    }
    Ok(format!(
        "{} tiles placed while the rival passed",
        seen.moves
    ))
}

/// After its last tile the device receives `9`, and then `0`.
pub fn bonus(table: &mut Table) -> Result<String, Trouble> {
    let seen = alone(table, |seen| seen.all.is_some())?;
    let Some(text) = seen.all else {
        let text = format!(
            "it did not place all its tiles, in {} games alone on the board",
            seen.games
        );
        return Err(Trouble::NotReached(text));
    };
    table.hello()?;
    Ok(text)
}
