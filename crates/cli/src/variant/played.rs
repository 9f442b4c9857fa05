//! Games of any variant after a list of codes.

use std::fmt;

use duoforge_protocol::MoveCode;
use duoforge_records::{SkippedTurns, read_list};
use duoforge_rules::{Game, GameVariant, IllegalMove, Move};

use crate::failure::{Failure, Result};

/// Game after the moves of a list, up to the first one that is rejected.
pub struct PlayedGame {
    /// The game.
    pub game: Game,
    /// Mobility before each ply of the game.
    pub mobility: Vec<u32>,
    /// First move that was rejected.
    pub rejected: Option<Rejected>,
}

/// Move that was rejected.
pub struct Rejected {
    /// Number of the move in the list, from 1.
    pub number: usize,
    /// Code as given.
    pub code: String,
    /// Reason for the rejection.
    pub reason: String,
}

impl PlayedGame {
    /// Parses the codes of a command line, of which an argument may contain several.
    pub fn parse(codes: &[String]) -> Result<Vec<MoveCode>> {
        let text = codes.join(" ");
        let games = read_list(&text).map_err(|error| Failure::list("moves", text, &error))?;
        let codes = games.iter().flat_map(|game| &game.codes);
        Ok(codes.map(|code| code.bytes).collect())
    }

    /// Plays the moves.
    ///
    /// In `duo`, the first move may cover either start cell. In variants that skip colours without
    /// a placement, a list may have `0000` for such a turn, as records of other programs do.
    pub fn new(variant: &GameVariant, codes: &[MoveCode]) -> Self {
        let variant = with_first_start(variant, codes.first().copied());
        let mut played = Self {
            game: Game::new(&variant),
            mobility: Vec::new(),
            rejected: None,
        };
        let mut turns = SkippedTurns::default();
        for (&code, number) in codes.iter().zip(1..) {
            if turns.contains(&played.game, code == Move::PASS_CODE) {
                continue;
            }
            let mobility = played.game.count_legal();
            match play(&mut played.game, code) {
                Ok(()) => played.mobility.push(mobility),
                Err(reason) => {
                    played.rejected = Some(Rejected {
                        number,
                        code: code.escape_ascii().to_string(),
                        reason,
                    });
                    break;
                }
            }
        }
        played
    }
}

/// Plays a code; returns the reason if it is rejected.
fn play(game: &mut Game, code: MoveCode) -> std::result::Result<(), String> {
    let mv = Move::from_code_bytes(code).map_err(|error| error.to_string())?;
    game.play(mv)
        .map_err(|reason: IllegalMove| reason.to_string())
}

/// Returns the variant of a game that begins with this move: in the contest's game, the first
/// player may start at either start cell.
fn with_first_start(variant: &GameVariant, first: Option<MoveCode>) -> GameVariant {
    let starts: Vec<_> = variant
        .colours()
        .flat_map(|colour| variant.starts(colour).as_slice().to_vec())
        .collect();
    let first = first.map(Move::from_code_bytes);
    if *variant == GameVariant::DUO
        && let Some(Ok(Move::Place(placement))) = first
        && let &[start, other] = &starts[..]
        && placement.cells().any(|cell| cell == other)
        && placement.cells().all(|cell| cell != start)
    {
        return variant.clone().with_starts(&[other, start]);
    }
    variant.clone()
}

/// Writes the move and the reason, for example `move 2, 53e0, is illegal: cell 53 is occupied`.
impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            code,
            reason,
        } = self;
        write!(f, "move {number}, {code}, is illegal: {reason}")
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::Colour;

    use super::*;

    fn played(variant: &GameVariant, codes: &str) -> PlayedGame {
        let codes = PlayedGame::parse(&[codes.to_owned()]).unwrap();
        PlayedGame::new(variant, &codes)
    }

    #[test]
    fn the_first_player_of_duo_starts_at_either_cell() {
        for (codes, starts) in [("55a0", ["55", "aa"]), ("aaa0", ["aa", "55"])] {
            let game = played(&GameVariant::DUO, codes).game;
            assert_eq!(game.plies().len(), 1);
            let found = [0, 1].map(|i| game.variant().starts(Colour(i)).to_string());
            assert_eq!(found, starts);
        }
        let corner = played(&GameVariant::DUO_CORNER, "11a0 11a0");
        let message = corner.rejected.unwrap().to_string();
        assert_eq!(message, "move 2, 11a0, is illegal: cell 11 is occupied");
    }

    /// A list of a variant that skips colours may have a pass for each skipped turn, and no other.
    #[test]
    fn passes_of_skipped_turns_are_accepted() {
        let mut game = Game::new(&GameVariant::CLASSIC);
        let mut explicit = String::new();
        let mut plain = String::new();
        let mut next = 0;
        while let Some(colour) = game.to_move() {
            while next != colour.0 {
                explicit.push_str("0000 ");
                next = (next + 1) % 4;
            }
            let placement = *game.legal().last().expect("a placement");
            game.play(Move::Place(placement)).unwrap();
            for list in [&mut explicit, &mut plain] {
                list.push_str(&format!("{placement} "));
            }
            next = (next + 1) % 4;
        }
        assert!(explicit.len() > plain.len());
        for list in [&explicit, &plain] {
            let played = played(&GameVariant::CLASSIC, list);
            assert!(played.rejected.is_none());
            assert_eq!(
                (&played.game, played.mobility.len()),
                (&game, game.plies().len())
            );
        }
        let begin: Vec<&str> = plain.split(' ').take(5).collect();
        let wrong = played(&GameVariant::CLASSIC, &(begin.join(" ") + " 0000"));
        assert_eq!(
            wrong.rejected.unwrap().to_string(),
            "move 6, 0000, is illegal: a pass is legal only if no tile can be placed"
        );
    }
}
