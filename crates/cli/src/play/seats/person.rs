//! Person at the terminal in games of every variant.

use std::io::{self, Write};

use duoforge_players::VariantContext;
use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
use duoforge_rules::{Game, Move};

use crate::output::Style;
use crate::terminal::{HELP, seed_of_clock, typed_line};
use crate::text_board::by_tile;
use crate::variant::GameView;

/// Services of the terminal for players of variants.
pub struct SeatContext {
    style: Style,
    seed: u64,
}

impl SeatContext {
    /// Creates the services. Random players without a seed get theirs from `seed`, or from the
    /// time.
    pub fn new(seed: Option<u64>, style: Style) -> Self {
        Self {
            style,
            seed: seed.unwrap_or_else(seed_of_clock),
        }
    }
}

impl VariantContext for SeatContext {
    fn person(&mut self) -> Box<dyn VariantMover> {
        Box::new(SeatPerson { style: self.style })
    }

    fn seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed.wrapping_sub(1)
    }
}

/// Person that types moves.
struct SeatPerson {
    style: Style,
}

impl VariantMover for SeatPerson {
    fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        let (Some(colour), Some(seat)) = (game.to_move(), game.seat_to_move()) else {
            return Ok(Move::Pass);
        };
        let marked = game.corner_points(colour).iter().collect();
        let view = GameView { game, marked };
        note!("{}", view.text(self.style));
        let legal = game.legal();
        if legal.is_empty() {
            note!("colour {colour}: no placement is legal: pass with 0000");
        }
        loop {
            note_part!(
                "seat {seat}, colour {colour} ({} legal; ? lists them, q resigns, help explains): ",
                legal.len()
            );
            // A prompt that cannot be shown loses nothing.
            let _ = io::stderr().flush();
            let Some(line) = typed_line() else {
                note!("");
                return Err(MoverFault::Resigned);
            };
            match answer(line.trim(), game) {
                Answer::Play(mv) => return Ok(mv),
                Answer::Resign => return Err(MoverFault::Resigned),
                Answer::Help => note!("{HELP}"),
                Answer::List(tile) => {
                    let lines = by_tile(&legal, tile, self.style);
                    if lines.is_empty() {
                        note!("no placement of this tile is legal");
                    }
                    lines.iter().for_each(|line| note!("{line}"));
                }
                Answer::Again(message) => note!("{message}"),
            }
        }
    }
}

/// Input of a person.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Play(Move),
    Resign,
    /// Request for the help.
    Help,
    /// Request for the legal codes, of one tile or of all.
    List(Option<char>),
    /// Invalid input, with the message for the person.
    Again(String),
}

fn answer(text: &str, game: &Game) -> Answer {
    match text {
        "" => return Answer::Again("expected a four-letter code, such as 11a0".to_owned()),
        "h" | "help" => return Answer::Help,
        "q" | "quit" => return Answer::Resign,
        "?" => return Answer::List(None),
        _ => {}
    }
    if let Some(tile) = text.strip_prefix('?') {
        return Answer::List(tile.trim().chars().next());
    }
    match text.parse::<Move>() {
        Ok(mv) => match game.check(mv) {
            Ok(()) => Answer::Play(mv),
            Err(reason) => Answer::Again(format!("{text} is illegal: {reason}")),
        },
        Err(error) => Answer::Again(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::GameVariant;

    use super::*;

    #[test]
    fn inputs_play_ask_resign_or_are_explained() {
        let game = Game::new(&GameVariant::CLASSIC);
        let play = Answer::Play("11a0".parse().unwrap());
        assert_eq!(answer("11a0", &game), play);
        assert_eq!(answer("q", &game), Answer::Resign);
        assert_eq!(answer("help", &game), Answer::Help);
        assert_eq!(answer("?", &game), Answer::List(None));
        assert_eq!(answer("? t", &game), Answer::List(Some('t')));
        for (text, part) in [
            ("", "four-letter"),
            ("0000", "a pass is legal only if"),
            ("53e0", "start cell"),
            ("11A0", "not a tile"),
        ] {
            match answer(text, &game) {
                Answer::Again(message) => assert!(message.contains(part), "{text}: {message}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
