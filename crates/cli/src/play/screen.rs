//! A match on the terminal: the board after every move, a line for every game.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use duoforge_arena::{Game, Outcome, Ply, Seat, Seats, Setup, Time};
use duoforge_rules::DuoBoard;

use crate::failure::Result;
use crate::output::{self, Style, seconds};
use crate::text_board::View;

/// Lines of a board.
const HEIGHT: u16 = 15;

/// Draws games while they are played.
pub struct Screen {
    style: Style,
    names: Seats<String>,
    /// Games in the match.
    games: u32,
    /// Number of the game that is shown, from 1.
    game: u32,
    setup: Setup,
    /// Whether the board is drawn over the one before.
    in_place: bool,
    /// The least time that a position is shown.
    pace: Duration,
    /// Lines on the terminal that the next position is drawn over.
    drawn: usize,
}

impl Screen {
    /// A screen for a match of so many games. Where a person plays too, `in_place` must be
    /// false, since the person's lines are in between.
    pub fn new(
        style: Style,
        names: Seats<String>,
        games: u32,
        in_place: bool,
        pace: Duration,
    ) -> Self {
        // Drawing over lines that have scrolled away would leave a mess.
        let tall = terminal_size::terminal_size().is_none_or(|(_, height)| height.0 > HEIGHT);
        Self {
            style,
            names,
            games,
            game: 0,
            setup: Setup::default(),
            in_place: in_place && tall,
            pace,
            drawn: 0,
        }
    }

    /// A game begins; its empty board is drawn if `draw` holds.
    pub fn begin(&mut self, setup: Setup, draw: bool) -> Result<()> {
        self.game += 1;
        self.setup = setup;
        if !draw {
            return Ok(());
        }
        let board = DuoBoard::with_starts(&duoforge_rules::Variant::DUO, &setup.start_cells());
        self.draw(&board, vec![format!("{} moves first", setup.first)])
    }

    /// A move was made.
    pub fn moved(&mut self, ply: &Ply, board: &DuoBoard) -> Result<()> {
        let code = ply.code.escape_ascii();
        let number = board.ply();
        let remarks = vec![
            format!("move {number}: {} played {code}", ply.seat),
            format!("one of {} legal, {}", ply.legal, answered(ply.time)),
        ];
        self.draw(board, remarks)
    }

    /// A game has ended.
    pub fn ended(&mut self, game: &Game) -> Result<()> {
        let last = game.plies.last();
        let last = last.map(|ply| format!("last move {}", ply.code.escape_ascii()));
        let mut remarks = vec![last.unwrap_or_default()];
        remarks.push(verdict(game.outcome));
        self.draw(&game.board, remarks)?;
        self.drawn = 0;
        output::line("")
    }

    fn draw(&mut self, board: &DuoBoard, mut remarks: Vec<String>) -> Result<()> {
        if self.games > 1 {
            remarks.insert(0, format!("game {} of {}", self.game, self.games));
        }
        let view = View {
            board,
            first: self.setup.first,
            names: Seats::each(|seat| self.names[seat].as_str()),
            remarks,
        };
        let lines = view.lines(self.style);
        let mut out = io::stdout().lock();
        if self.in_place {
            let up = self.drawn;
            if up > 0 {
                write!(out, "\x1b[{up}A")?;
            }
            // Lines that are too long for the terminal are cut instead of wrapped, since a
            // wrapped one would take two lines.
            write!(out, "\x1b[?7l")?;
            for line in &lines {
                writeln!(out, "{line}\x1b[K")?;
            }
            write!(out, "\x1b[?7h\x1b[J")?;
            self.drawn = lines.len();
        } else {
            writeln!(out, "\n{}", lines.join("\n"))?;
        }
        out.flush()?;
        thread::sleep(self.pace);
        Ok(())
    }
}

/// How long an answer took, in words.
pub fn answered(time: Time) -> String {
    let wall = seconds(time.wall);
    match time.simulated {
        Some(simulated) => format!("{} simulated ({wall})", seconds(simulated)),
        None => wall,
    }
}

/// An outcome in words.
pub fn verdict(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(seat) => format!("{seat} wins"),
        Outcome::Draw => "draw".to_owned(),
        Outcome::Open => "not decided".to_owned(),
    }
}

/// A game in one line.
pub fn game_line(game: &Game, number: u32) -> String {
    let [one, two] = [game.score[Seat::One], game.score[Seat::Two]];
    format!(
        "game {number}: {}, {one}:{two} after {} moves; {}",
        verdict(game.outcome),
        game.plies.len(),
        game.ending
    )
}
