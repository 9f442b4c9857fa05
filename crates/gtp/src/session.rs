//! GTP session: the game state and the commands of a controller.

use std::time::Duration;

use duoforge_rules::{Cell, Colour, DuoBoard, Move, Notation, Variant};

use crate::{GtpEngine, MoveValue, TimeSettings, read_colour};

/// Name of the game in `set_game`.
const GAME: &str = "Blokus Duo";

/// Supported commands, sorted.
const COMMANDS: &[&str] = &[
    "all_legal",
    "boardsize",
    "clear_board",
    "cputime",
    "final_score",
    "g",
    "genmove",
    "get_value",
    "known_command",
    "list_commands",
    "move_values",
    "name",
    "p",
    "param",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "set_random_seed",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Result of a command: text of the response, or of the error.
pub type Reply = Result<String, String>;

/// Session of an engine with its board.
pub struct Session<'e> {
    engine: &'e mut dyn GtpEngine,
    board: DuoBoard,
    /// Number of plies of each move: two if the other side had to pass before it.
    steps: Vec<usize>,
    over: bool,
}

impl<'e> Session<'e> {
    /// Creates a session with an empty board.
    pub fn new(engine: &'e mut dyn GtpEngine) -> Self {
        Self {
            engine,
            board: DuoBoard::new(&Variant::ENDLESS_DUO),
            steps: Vec::new(),
            over: false,
        }
    }

    /// True if the controller has sent `quit`.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Executes a command, given as its name and arguments.
    pub fn answer(&mut self, words: &[&str]) -> Reply {
        let Some((&command, arguments)) = words.split_first() else {
            return Err("a command is missing".to_owned());
        };
        let done = || Ok(String::new());
        match (command, arguments) {
            ("protocol_version", []) => Ok("2".to_owned()),
            ("name", []) => Ok(self.engine.name().to_owned()),
            ("version", []) => Ok(self.engine.version().to_owned()),
            ("list_commands", []) => Ok(COMMANDS.join("\n")),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("quit", []) => {
                self.over = true;
                done()
            }
            ("set_game", name) if name.join(" ") == GAME => self.clear(),
            ("set_game", [_, ..]) => Err(format!("the only game is {GAME}")),
            ("boardsize", ["14"]) => self.clear(),
            ("boardsize", [_]) => Err("unacceptable size".to_owned()),
            ("clear_board", []) => self.clear(),
            ("play", [colour, text]) => {
                let player = player(colour)?;
                self.play(player, text)
            }
            ("p", [text]) => self.play(self.board.to_move(), text),
            ("genmove", [colour]) => {
                let player = player(colour)?;
                self.generate(player, true)
            }
            ("g", []) => self.generate(self.board.to_move(), true),
            ("reg_genmove", [colour]) => {
                let player = player(colour)?;
                self.generate(player, false)
            }
            ("undo", []) => self.undo(),
            ("all_legal", [colour]) => Ok(all_legal(&self.seen_by(player(colour)?))),
            ("final_score", []) => Ok(final_score(&self.board)),
            ("showboard", []) => Ok(format!("\n{}", picture(&self.board))),
            ("get_value", []) => match self.engine.value() {
                Some(value) => Ok(format!("{value:.6}")),
                None => Err("no value is known".to_owned()),
            },
            ("move_values", []) => {
                let lines: Vec<_> = self.engine.move_values().iter().map(line).collect();
                Ok(lines.join("\n"))
            }
            ("set_random_seed", [seed]) => {
                let seed = seed.parse().map_err(|_| not(seed, "a number"))?;
                self.engine.seed(seed);
                done()
            }
            ("param", []) => {
                let list = self.engine.parameters();
                let lines: Vec<_> = list.iter().map(|(k, v)| format!("{k} {v}")).collect();
                Ok(lines.join("\n"))
            }
            ("param", [key, value]) => self.engine.set(key, value).and_then(|()| done()),
            ("cputime", []) => cpu_time(),
            ("time_settings", [main, period, moves]) => {
                let settings = TimeSettings {
                    main: seconds(main)?,
                    period: seconds(period)?,
                    moves: moves.parse().map_err(|_| not(moves, "a number"))?,
                };
                self.engine.time_settings(settings);
                done()
            }
            ("time_left", [colour, time, moves]) => {
                let moves = moves.parse().map_err(|_| not(moves, "a number"))?;
                self.engine
                    .time_left(player(colour)?, seconds(time)?, moves);
                done()
            }
            (known, _) if COMMANDS.contains(&known) => {
                Err(format!("wrong number of arguments for {known}"))
            }
            (unknown, _) => Err(format!("unknown command ({})", shortened(unknown))),
        }
    }

    fn clear(&mut self) -> Reply {
        self.board = DuoBoard::new(&Variant::ENDLESS_DUO);
        self.steps.clear();
        self.engine.begin();
        Ok(String::new())
    }

    /// Returns the board with `player` to move; the other side passes if necessary.
    fn seen_by(&self, player: Colour) -> DuoBoard {
        let mut board = self.board.clone();
        if board.to_move() != player {
            board.play(Move::Pass).expect("a pass is legal at any time");
        }
        board
    }

    fn play(&mut self, player: Colour, text: &str) -> Reply {
        let mv = Notation::DUO
            .read(text)
            .map_err(|error| error.to_string())?;
        self.make(self.seen_by(player), mv)?;
        Ok(String::new())
    }

    /// Plays a move on a board from [`seen_by`](Self::seen_by).
    fn make(&mut self, mut board: DuoBoard, mv: Move) -> Result<(), String> {
        let illegal = |reason| format!("illegal move: {reason}");
        board.play(mv).map_err(illegal)?;
        self.steps.push(board.ply() - self.board.ply());
        self.board = board;
        Ok(())
    }

    fn generate(&mut self, player: Colour, make: bool) -> Reply {
        let board = self.seen_by(player);
        let mv = if board.has_legal() {
            self.engine.choose(&board)?
        } else {
            Move::Pass
        };
        if make {
            self.make(board, mv)?;
        }
        Ok(Notation::DUO.write(mv))
    }

    fn undo(&mut self) -> Reply {
        let plies = self.steps.pop().ok_or("cannot undo")?;
        for _ in 0..plies {
            self.board.undo();
        }
        Ok(String::new())
    }
}

/// Formats a placement like Pentobi: visit count, value count (the same number), value, tile and
/// cells.
fn line(known: &MoveValue) -> String {
    let MoveValue {
        placement,
        visits,
        value,
    } = *known;
    let cells = Notation::DUO.write(placement.into());
    format!(
        "{visits} {visits}.0 {value:.3} [{}]{cells}",
        placement.tile()
    )
}

fn player(text: &str) -> Result<Colour, String> {
    read_colour(text, 2).ok_or_else(|| not(text, "a colour, b or w"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok();
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| not(text, "a time in seconds"))
}

fn not(text: &str, what: &str) -> String {
    format!("'{}' is not {what}", shortened(text))
}

/// Shortens a word of the controller for a message.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

fn all_legal(board: &DuoBoard) -> String {
    let moves = board.legal().map(|p| Notation::DUO.write(p.into()));
    moves.collect::<Vec<_>>().join("\n")
}

/// Formats the score as in Go: the winner and the margin.
fn final_score(board: &DuoBoard) -> String {
    match board.score(Colour(0)) - board.score(Colour(1)) {
        0 => "0".to_owned(),
        margin @ 1.. => format!("B+{margin}"),
        margin => format!("W+{}", -margin),
    }
}

/// Draws the board with coordinates and the tiles left of both players.
fn picture(board: &DuoBoard) -> String {
    let size = board.variant().size;
    let columns: String = (0..size)
        .map(|x| format!(" {}", char::from(b'A' + x)))
        .collect();
    let mut lines = vec![format!("  {columns}")];
    for y in 0..size {
        let cells: String = (0..size).map(|x| mark(board, Cell::new(x, y))).collect();
        lines.push(format!("{:>2}{cells} {}", size - y, size - y));
    }
    lines.push(format!("  {columns}"));
    for (player, name) in [(Colour(0), "X (b)"), (Colour(1), "O (w)")] {
        let left = board.tiles_left(player);
        let score = board.cells_placed(player);
        lines.push(format!("{name}: {score} cells, tiles left: {left}"));
    }
    lines.join("\n")
}

fn mark(board: &DuoBoard, cell: Cell) -> &'static str {
    let holds = |player| board.cells(player).contains(cell);
    let starts = |player| board.start(player) == cell;
    match [Colour(0), Colour(1)] {
        [first, _] if holds(first) => " X",
        [_, second] if holds(second) => " O",
        both if both.into_iter().any(starts) => " +",
        _ => " .",
    }
}

/// Returns the processor time used by this process, in seconds.
#[cfg(unix)]
fn cpu_time() -> Reply {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID);
    let time = time.map_err(|error| error.to_string())?;
    Ok(format!("{:.6}", Duration::from(time).as_secs_f64()))
}

#[cfg(not(unix))]
fn cpu_time() -> Reply {
    Err("the processor's time is not known here".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted() {
        assert!(COMMANDS.is_sorted());
    }
}
