//! Terminal of this program: persons that play, and notices while players are opened.

use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use duoforge_players::{MoveError, Mover, OpenContext, PlayerSpec, Resigned};
use duoforge_referee::Seat;
use duoforge_rules::{DuoBoard, IllegalMove, Move, Placement};

use crate::output::Style;
use crate::play::seeds::GamesPlayed;
use crate::text_board::by_tile;

/// Terminal of this program. Its messages go to standard error, so that standard output contains
/// only results.
#[derive(Debug)]
pub struct Terminal {
    seed: u64,
    style: Style,
    /// Finished games of a match, for the seeds of its players.
    played: Option<GamesPlayed>,
}

impl Terminal {
    /// Creates a terminal. Random players without a seed get theirs from `seed`, or from the time.
    pub fn new(seed: Option<u64>, style: Style) -> Self {
        Self {
            seed: seed.unwrap_or_else(seed_of_clock),
            style,
            played: None,
        }
    }

    /// Seeds the players before each game of a match.
    pub fn seeding(mut self, played: &GamesPlayed) -> Self {
        self.played = Some(played.clone());
        self
    }
}

/// Returns a seed from the time.
pub fn seed_of_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    // Five digits are easy to type again.
    since.map_or(0, |time| (time.as_nanos() / 1000 % 100_000) as u64)
}

impl OpenContext for Terminal {
    fn person(&mut self, seat: Seat) -> Box<dyn Mover> {
        Box::new(Person {
            seat,
            style: self.style,
        })
    }

    fn seed(&mut self, seat: Seat) -> u64 {
        self.seed.wrapping_add(seat as u64)
    }

    fn mover(&mut self, seat: Seat, spec: &PlayerSpec, mover: Box<dyn Mover>) -> Box<dyn Mover> {
        match &self.played {
            Some(played) => played.seeding(mover, spec, seat),
            None => mover,
        }
    }

    fn on_build(&mut self, seat: Seat, board: &str) {
        note!("{seat}: building {board}");
    }

    fn on_wait(&mut self, seat: Seat, place: &str) {
        note!("waiting for {seat} at {place}");
    }
}

/// Help of the prompt.
pub const HELP: &str = "\
CODE  play a placement by its four-letter code, such as 53e0; 0000 passes
?     list the legal codes; ?t lists those of tile t
help  print this help
q     resign";

/// Reads a line that a person typed; `None` at the end of the input, or if it fails: the person
/// resigns. Bytes that are not UTF-8 are replaced, so that such a line is answered as a wrong one.
pub fn typed_line() -> Option<String> {
    let mut line = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).into_owned()),
    }
}

/// Person that types moves.
#[derive(Debug)]
struct Person {
    seat: Seat,
    style: Style,
}

impl Mover for Person {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let legal: Vec<Placement> = board.legal().collect();
        if legal.is_empty() {
            note!("{}: no placement is legal: pass with 0000", self.seat);
        }
        loop {
            note_part!(
                "{} ({} legal; ? lists them, q resigns, help explains): ",
                self.seat,
                legal.len()
            );
            // A prompt that cannot be shown loses nothing.
            let _ = io::stderr().flush();
            let Some(line) = typed_line() else {
                note!("");
                return Err(Resigned.into());
            };
            match answer(line.trim(), board) {
                Answer::Play(mv) => return Ok(mv),
                Answer::Resign => return Err(Resigned.into()),
                Answer::Help => note!("{HELP}"),
                Answer::List(tile) => list(&legal, tile, self.style),
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

fn answer(text: &str, board: &DuoBoard) -> Answer {
    match text {
        "" => return Answer::Again("expected a four-letter code, such as 53e0".to_owned()),
        "h" | "help" => return Answer::Help,
        "q" | "quit" => return Answer::Resign,
        "?" => return Answer::List(None),
        _ => {}
    }
    if let Some(tile) = text.strip_prefix('?') {
        return Answer::List(tile.trim().chars().next());
    }
    let mv = match text.parse::<Move>() {
        Ok(mv) => mv,
        Err(error) => return Answer::Again(error.to_string()),
    };
    // The board of a software player accepts a pass in every turn; the contest does not.
    let legal = match mv {
        Move::Pass if board.ply() < 2 && board.has_legal() => Err(IllegalMove::PassOnFirstTurn),
        mv => board.check(mv),
    };
    match legal {
        Ok(()) => Answer::Play(mv),
        Err(reason) => Answer::Again(format!("{text} is illegal: {reason}")),
    }
}

/// Prints legal codes by tile.
fn list(legal: &[Placement], tile: Option<char>, style: Style) {
    let lines = by_tile(legal, tile, style);
    if lines.is_empty() {
        note!("no placement of this tile is legal");
    }
    for line in lines {
        note!("{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_inputs_are_explained() {
        let board = DuoBoard::duo();
        let again = |text| match answer(text, &board) {
            Answer::Again(message) => message,
            other => panic!("{text}: {other:?}"),
        };
        assert!(again("0000").contains("may not pass"));
        assert!(again("53E0").contains("not a tile"));
        assert!(again("11a0").contains("start cell"));
        assert!(again("").contains("four-letter"));
    }

    #[test]
    fn inputs_play_ask_and_resign() {
        let board = DuoBoard::duo();
        let play = Answer::Play("53e0".parse().unwrap());
        assert_eq!(answer("53e0", &board), play);
        assert_eq!(answer("q", &board), Answer::Resign);
        assert_eq!(answer("help", &board), Answer::Help);
        assert_eq!(answer("?", &board), Answer::List(None));
        assert_eq!(answer("? t", &board), Answer::List(Some('t')));
    }
}
