//! Checks of the handshake and of the first game. Five checks examine one aspect of that game each,
//! so that the report names what is wrong.

use std::time::Duration;

use duoforge_protocol::StartCell;

use crate::conversation::Conversation;
use crate::device::CheckError;
use crate::fault::Aspect;
use crate::hosted_game::{Script, Until};
use crate::opponent::Sparring;
use crate::seen::FirstGame;

/// Time for unsolicited bytes after a reply.
const AFTER: Duration = Duration::from_millis(20);

/// Sends `0` three times; each must get a reply `1XX`.
pub fn handshake(conversation: &mut Conversation) -> Result<String, CheckError> {
    let mut team = conversation.handshake()?;
    for _ in 0..2 {
        team = conversation.handshake()?;
    }
    Ok(format!("team {team}"))
}

fn first_game(conversation: &mut Conversation) -> Result<FirstGame, CheckError> {
    if let Some(game) = &conversation.first_game {
        return Ok(game.clone());
    }
    let before = conversation.answers;
    let mut opponent = Sparring::new(conversation.settings.seed);
    let played = conversation.play(Script {
        after: AFTER,
        until: Until::Pass,
        ..Script::new(StartCell::Five, false, &mut opponent)
    });
    let cut = match played {
        Ok(_) => None,
        Err(CheckError::Fault(fault)) => Some(fault),
        Err(error) => return Err(error),
    };
    let game = FirstGame {
        faults: conversation
            .non_fatal
            .clone()
            .into_iter()
            .chain(cut.clone())
            .collect(),
        cut,
        answers: conversation.answers - before,
        slowest: conversation.slowest,
        wire: conversation.device.take_log(),
    };
    conversation.first_game = Some(game.clone());
    Ok(game)
}

/// Returns the first fault of one aspect of the first game, if any.
fn aspect(conversation: &mut Conversation, aspect: Aspect) -> Result<FirstGame, CheckError> {
    let game = first_game(conversation)?;
    match game.faults.iter().find(|fault| fault.aspect() == aspect) {
        Some(fault) => Err(fault.clone().into()),
        // A game without a reply shows nothing of the aspect.
        None => match &game.cut {
            Some(cut) if game.answers == 0 => Err(CheckError::NotReached(format!(
                "a fault ended the game before the first reply: {}",
                cut.kind()
            ))),
            _ => Ok(game),
        },
    }
}

/// Describes the extent of the game.
fn extent(game: &FirstGame) -> String {
    match &game.cut {
        None => format!("{} replies", game.answers),
        Some(cut) => format!(
            "{} replies before a fault ended the game: {}",
            game.answers,
            cut.kind()
        ),
    }
}

pub fn answers(conversation: &mut Conversation) -> Result<String, CheckError> {
    aspect(conversation, Aspect::Answers).map(|game| extent(&game))
}

pub fn timing(conversation: &mut Conversation) -> Result<String, CheckError> {
    let game = aspect(conversation, Aspect::Timing)?;
    let slowest = game.slowest.as_secs_f64() * 1000.0;
    Ok(format!("{}; slowest reply {slowest:.3} ms", extent(&game)))
}

pub fn codes(conversation: &mut Conversation) -> Result<String, CheckError> {
    aspect(conversation, Aspect::Codes).map(|game| extent(&game))
}

pub fn rules(conversation: &mut Conversation) -> Result<String, CheckError> {
    aspect(conversation, Aspect::Rules).map(|game| extent(&game))
}

pub fn quiet(conversation: &mut Conversation) -> Result<String, CheckError> {
    aspect(conversation, Aspect::Quiet).map(|game| extent(&game))
}
