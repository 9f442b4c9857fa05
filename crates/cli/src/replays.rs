//! Replays of games as single HTML files, for several commands.

use duoforge_page::{RefusedMove, ReplayGame, ReplayResult};
use duoforge_referee::{Ending, Outcome, Replay, Seat};
use duoforge_rules::{Colour, GameVariant, Move};

/// Creates the replay of a list of moves in Blokus Duo. Player 1 moves first; an empty name is
/// unknown. A move that was refused is shown after the last one.
pub fn of_list(list: &Replay, names: &[String]) -> ReplayGame {
    let variant = GameVariant::DUO.with_starts(&list.setup.start_cells());
    let moves = list.board.moves().iter().copied();
    let mut game = ReplayGame::new(&variant, names, moves);
    let ending = &list.ending;
    if *ending != Ending::Unfinished {
        let score = list.score();
        let winners = match ending.outcome(score) {
            Outcome::Win(seat) => vec![seat as u8],
            Outcome::Draw => vec![0, 1],
            Outcome::Open => Vec::new(),
        };
        game.result = Some(ReplayResult {
            scores: score.0.to_vec(),
            draw: winners.len() > 1,
            winners,
            ending: ending.word().to_owned(),
            detail: ending.to_string(),
        });
    }
    if let Ending::Illegal { seat, code, reason } = ending
        && let Ok(mv) = Move::from_code_bytes(*code)
    {
        game.refused = Some(RefusedMove::new(colour(*seat), mv, reason));
    }
    game
}

/// Colour of a seat in a list of moves, in which player 1 moves first.
fn colour(seat: Seat) -> Colour {
    Colour(seat as u8)
}
