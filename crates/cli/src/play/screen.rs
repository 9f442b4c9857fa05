//! Display of a match: the board after every move, a line for every game.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use duoforge_referee::{Ending, Game, Outcome, Ply, Seat, Seats, Setup, Time};
use duoforge_rules::DuoBoard;

use crate::failure::Result;
use crate::output::{self, Style, seconds};
use crate::text_board::View;

/// Number of lines of a board.
const HEIGHT: u16 = 15;

/// Display of games in progress.
pub struct Screen {
    style: Style,
    names: Seats<String>,
    /// Number of games in the match.
    games: u32,
    /// Number of the displayed game, from 1.
    game: u32,
    setup: Setup,
    /// True if a board replaces the previous one.
    in_place: bool,
    /// Minimum display time of a position.
    pace: Duration,
    /// Number of lines on the terminal that the next position replaces.
    drawn: usize,
}

impl Screen {
    /// Creates the display of a match of `games` games. `in_place` must be false if a person plays,
    /// since the lines of the person are between the boards.
    pub fn new(
        style: Style,
        names: Seats<String>,
        games: u32,
        in_place: bool,
        pace: Duration,
    ) -> Self {
        // Lines that have scrolled off the terminal cannot be replaced.
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

    /// Begins a game, of this number from 1; draws its empty board if `draw` is true.
    pub fn begin(&mut self, game: u32, setup: Setup, draw: bool) -> Result<()> {
        self.game = game;
        self.setup = setup;
        if !draw {
            return Ok(());
        }
        let board = DuoBoard::with_starts(&duoforge_rules::Variant::DUO, &setup.start_cells());
        self.draw(&board, vec![format!("{} moves first", setup.first)])
    }

    /// Draws the board after a move.
    pub fn moved(&mut self, ply: &Ply, board: &DuoBoard) -> Result<()> {
        let code = ply.code.escape_ascii();
        let number = board.ply();
        let remarks = vec![
            format!("move {number}: {} played {code}", ply.seat),
            format!("{} legal, reply after {}", ply.legal, answered(ply.time)),
        ];
        self.draw(board, remarks)
    }

    /// Draws the last board of a game.
    pub fn ended(&mut self, game: &Game) -> Result<()> {
        let last = game.plies.last();
        let last = last.map(|ply| format!("last move {}", ply.code.escape_ascii()));
        let mut remarks = vec![last.unwrap_or_default()];
        remarks.push(match game.ending {
            Ending::Annulled { .. } => "annulled".to_owned(),
            _ => verdict(game.outcome),
        });
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
            // Without wrapping, a line that is too long for the terminal still takes one line.
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

/// Formats the time of a reply.
pub fn answered(time: Time) -> String {
    let wall = seconds(time.wall);
    match time.simulated {
        Some(simulated) => format!("{} simulated ({wall})", seconds(simulated)),
        None => wall,
    }
}

/// Formats an outcome.
pub fn verdict(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(seat) => format!("{seat} wins"),
        Outcome::Draw => "draw".to_owned(),
        Outcome::Open => "not decided".to_owned(),
    }
}

/// Formats a game in one line.
pub fn game_line(game: &Game, number: u32) -> String {
    let [one, two] = [game.score[Seat::One], game.score[Seat::Two]];
    format!(
        "game {number}: {}, {one}:{two} after {} moves; {}",
        verdict(game.outcome),
        game.plies.len(),
        game.ending
    )
}
