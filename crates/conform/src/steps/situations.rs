//! Checks of situations that depend on the device's moves. The opponent leads the device into them,
//! in several games if necessary.

use duoforge_protocol::StartCell;

use crate::conversation::Conversation;
use crate::device::CheckError;
use crate::hosted_game::{Played, Script, Until};
use crate::opponent::{Blocker, Opponent, Passer};
use crate::seen::Alone;

/// Start cell, and true if the device moves second.
const CASES: [(StartCell, bool); 4] = [
    (StartCell::Five, false),
    (StartCell::A, true),
    (StartCell::Five, true),
    (StartCell::A, false),
];

fn play(
    conversation: &mut Conversation,
    game: u32,
    opponent: &mut dyn Opponent,
    until: Until,
) -> Result<Played, CheckError> {
    let (start, second) = CASES[game as usize % CASES.len()];
    conversation.play(Script {
        until,
        ..Script::new(start, second, opponent)
    })
}

/// Plays against a blocking opponent until `count` is positive, or the games are used up. Returns
/// the number of games played, and the count.
fn cornered(
    conversation: &mut Conversation,
    until: Until,
    count: impl Fn(&Played) -> usize,
) -> Result<(u32, usize), CheckError> {
    let tries = conversation.settings.tries;
    for game in 0..tries {
        let seed = conversation.settings.seed.wrapping_add(u64::from(game));
        let played = play(conversation, game, &mut Blocker::new(seed, game), until)?;
        if count(&played) > 0 {
            return Ok((game + 1, count(&played)));
        }
    }
    Ok((tries, 0))
}

pub fn forced_pass(conversation: &mut Conversation) -> Result<String, CheckError> {
    match cornered(conversation, Until::Passed, |played| played.forced)? {
        (games, 0) => {
            let text = format!("the device had a legal placement at every prompt of {games} games");
            Err(CheckError::NotReached(text))
        }
        (games, _) => Ok(format!("forced pass in game {games}")),
    }
}

pub fn pass_after_pass(conversation: &mut Conversation) -> Result<String, CheckError> {
    match cornered(conversation, Until::End, |played| played.forced_again)? {
        (games, 0) => {
            let text =
                format!("the device was never prompted after a forced pass in {games} games");
            Err(CheckError::NotReached(text))
        }
        (games, count) => Ok(format!("{count} further forced passes in game {games}")),
    }
}

/// Plays against a passing opponent until `enough` returns true, or the games are used up.
fn alone(
    conversation: &mut Conversation,
    enough: impl Fn(&Alone) -> bool,
) -> Result<Alone, CheckError> {
    let mut seen = conversation.alone.clone().unwrap_or_default();
    while !enough(&seen) && seen.games < conversation.settings.tries.min(4) {
        let played = play(conversation, seen.games, &mut Passer, Until::DevicePasses)?;
        seen.games += 1;
        seen.moves = seen.moves.max(played.alone);
        seen.early_pass = seen.early_pass.or_else(|| played.early_pass.clone());
        if played.has_placed_all(played.device) {
            let last = played.codes.last().map(|code| char::from(code[2]));
            let score = played.board().score(played.device);
            let last = last.unwrap_or_default();
            seen.all = Some(format!("last tile {last}, score {score}"));
        }
        conversation.alone = Some(seen.clone());
    }
    Ok(seen)
}

/// A device that passes in each of these games, although it has tiles and space for them, does not
/// play on. The advisory check reports a single such pass, which may end its game.
pub fn opponent_finished(conversation: &mut Conversation) -> Result<String, CheckError> {
    let seen = alone(conversation, |seen| seen.moves > 1)?;
    if seen.moves <= 1 {
        let text = "the device placed at most one tile after the opponent's last one";
        return Err(seen.early_pass.map_or_else(
            || CheckError::NotReached(text.to_owned()),
            CheckError::Fault,
        ));
    }
    Ok(format!(
        "{} tiles placed while the opponent passed",
        seen.moves
    ))
}

/// After its last tile the device receives `9`, and then `0`.
pub fn last_tile(conversation: &mut Conversation) -> Result<String, CheckError> {
    let seen = alone(conversation, |seen| seen.all.is_some())?;
    let Some(text) = seen.all else {
        let text = format!(
            "the device did not place all its tiles in {} games against a passing opponent",
            seen.games
        );
        return Err(CheckError::NotReached(text));
    };
    conversation.handshake()?;
    Ok(text)
}
