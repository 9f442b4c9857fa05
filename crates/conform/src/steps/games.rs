//! Checks that play games.

use duoforge_protocol::{HostCode, MoveCode, StartCell};

use crate::Fault;
use crate::conversation::Conversation;
use crate::device::{CheckError, Pacing};
use crate::hosted_game::{Played, Script, Until};
use crate::opponent::{Aliaser, Lister, Sparring};

/// Both start cells and both orders.
const CASES: [(StartCell, bool); 4] = [
    (StartCell::Five, false),
    (StartCell::A, true),
    (StartCell::A, false),
    (StartCell::Five, true),
];

/// Number of moves of a game that only shows that the device plays.
const SHORT: usize = 8;

fn short(
    conversation: &mut Conversation,
    start: StartCell,
    second: bool,
    seed: u64,
) -> Result<Played, CheckError> {
    let mut opponent = Sparring::new(conversation.settings.seed.wrapping_add(seed));
    conversation.play(Script::short(start, second, &mut opponent, SHORT))
}

/// The first game ends with `9`. The second begins at the other start cell, so that remains of the
/// first are visible.
pub fn next_game(conversation: &mut Conversation) -> Result<String, CheckError> {
    let one = short(conversation, StartCell::Five, false, 1)?;
    let two = short(conversation, StartCell::A, true, 2)?;
    Ok(format!(
        "two games of {} and {} moves",
        one.codes.len(),
        two.codes.len()
    ))
}

pub fn starts(conversation: &mut Conversation) -> Result<String, CheckError> {
    first_moves(conversation, false)
}

pub fn orders(conversation: &mut Conversation) -> Result<String, CheckError> {
    first_moves(conversation, true)
}

fn first_moves(conversation: &mut Conversation, second: bool) -> Result<String, CheckError> {
    let mut seen = Vec::new();
    for start in [StartCell::Five, StartCell::A] {
        let played = short(conversation, start, second, 3)?;
        let code = played.codes[usize::from(second)].escape_ascii().to_string();
        seen.push(format!("{code} from {start}"));
    }
    Ok(seen.join(", "))
}

/// The opponent's placements come in all of their codes. A device that misreads one sooner or later
/// plays an illegal move. A deterministic device shows the fault at once, since its replies to the
/// canonical codes differ.
pub fn aliases(conversation: &mut Conversation) -> Result<String, CheckError> {
    let mut opponent = Aliaser::new();
    let mut compared = 0;
    for game in 0..conversation.settings.tries {
        let (start, second) = CASES[game as usize % CASES.len()];
        opponent.plain.clear();
        let said = conversation.play(Script {
            until: Until::Pass,
            ..Script::new(start, second, &mut opponent)
        })?;
        if game == 0 {
            compared = compare(conversation, (start, second), &said, &opponent.plain)?;
        }
    }
    // The remaining codes are sent in short games. The last move is the device's: the host does not
    // send a code after it.
    let mut games = conversation.settings.tries;
    while opponent.sent() < 168 && games < conversation.settings.tries * 10 {
        let (start, second) = CASES[games as usize % CASES.len()];
        let moves = if second { 6 } else { 7 };
        conversation.play(Script::short(start, second, &mut opponent, moves))?;
        games += 1;
    }
    let sent = opponent.sent();
    let repeats = match compared {
        0 => "the device does not repeat its moves".to_owned(),
        count => format!("{count} replies equal those to canonical codes"),
    };
    Ok(format!("{sent} of 168 codes in {games} games; {repeats}"))
}

/// Plays a game twice more with canonical codes. Returns the number of replies compared, which are
/// those that the device repeats.
fn compare(
    conversation: &mut Conversation,
    (start, second): (StartCell, bool),
    said: &Played,
    plain: &[MoveCode],
) -> Result<usize, CheckError> {
    let mut again = || {
        let mut opponent = Lister(plain.to_vec());
        let script = Script::short(start, second, &mut opponent, said.codes.len());
        conversation.play(script).map(|played| played.codes)
    };
    let (one, two) = (again()?, again()?);
    let mine = (0..said.codes.len()).filter(|ply| ply % 2 == usize::from(second));
    let mut compared = 0;
    for ply in mine {
        if one.get(ply).is_none() || one.get(ply) != two.get(ply) {
            break;
        }
        if one[ply] != said.codes[ply] {
            let asked = said.codes[..ply]
                .last()
                .map_or_else(String::new, |code| code.escape_ascii().to_string());
            let fault = Fault::Differs {
                asked,
                plain: one[ply],
                got: said.codes[ply],
            };
            return Err(fault.into());
        }
        compared += 1;
    }
    Ok(compared)
}

/// `0` without a `9` before it, with tiles on the board.
pub fn reset(conversation: &mut Conversation) -> Result<String, CheckError> {
    conversation.handshake()?;
    let mut opponent = Sparring::new(conversation.settings.seed.wrapping_add(5));
    conversation.moves(Script::short(StartCell::Five, false, &mut opponent, SHORT))?;
    let played = short(conversation, StartCell::A, true, 6)?;
    Ok(format!(
        "a game of {} moves after the reset",
        played.codes.len()
    ))
}

/// `2A` after `9`, without a `0`.
pub fn no_handshake(conversation: &mut Conversation) -> Result<String, CheckError> {
    let mut opponent = Sparring::new(conversation.settings.seed.wrapping_add(7));
    let script = Script::short(StartCell::A, false, &mut opponent, SHORT);
    let played = conversation.moves(script)?;
    conversation.end()?;
    Ok(format!("a game of {} moves", played.codes.len()))
}

pub fn series(conversation: &mut Conversation) -> Result<String, CheckError> {
    let (mut moves, mut won) = (0, 0);
    let games = conversation.settings.games;
    for game in 0..games {
        let (start, second) = CASES[game as usize % CASES.len()];
        let mut opponent = Sparring::new(
            conversation
                .settings
                .seed
                .wrapping_add(100 + u64::from(game)),
        );
        let played = conversation.play(Script::new(start, second, &mut opponent))?;
        moves += played.codes.len();
        let board = played.board();
        won += u32::from(board.score(played.device) > board.score(played.opponent()));
    }
    Ok(format!(
        "{games} games, {moves} moves; the device won {won} games"
    ))
}

/// Prompts for a first move, after the preparation of a check.
pub fn first_move(
    conversation: &mut Conversation,
    start: StartCell,
) -> Result<MoveCode, CheckError> {
    conversation.request(HostCode::First { start }, Pacing::Whole)
}
