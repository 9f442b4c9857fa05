//! Games of a replay, with the state at every ply.

use std::collections::BTreeMap;

use duoforge_rules::{Colour, Game, GameVariant, IllegalMove, Move, PlayedMove};
use duoforge_view::{CellPair, Outcome, State, TileTable, Version};
use serde::Serialize;

/// Replay: one or several games, written to one HTML file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// Version of the object.
    pub version: Version,
    /// Title of the file.
    pub title: String,
    /// Text above the list of games; empty without one.
    pub text: String,
    /// Tiles of each board size that occurs.
    pub tables: Vec<TileTable>,
    /// Games.
    pub games: Vec<ReplayGame>,
}

/// Game of a replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayGame {
    /// Name of the game in the list, such as its number.
    pub id: String,
    /// Name of the variant.
    pub variant: String,
    /// Number of columns of the board.
    pub size: u8,
    /// Seats in the order of their numbers.
    pub seats: Vec<ReplaySeat>,
    /// Start cells by colour.
    pub starts: Vec<Vec<CellPair>>,
    /// Number of plies.
    pub ply: usize,
    /// Moves, passes included.
    pub moves: Vec<ReplayMove>,
    /// Result; `None` for a game that has not ended.
    pub result: Option<ReplayResult>,
    /// End of the game in milliseconds since 1970.
    pub ended_ms: Option<u64>,
    /// Facts about the game, such as its event.
    pub facts: Vec<Fact>,
    /// Comment on the game; empty without one.
    pub comment: String,
    /// Evaluations of the positions before the first move and after each move; empty without them.
    pub evaluations: Vec<Evaluation>,
    /// Move that was refused after the last one.
    pub refused: Option<RefusedMove>,
    /// Further texts, such as the wire log.
    pub texts: Vec<ReplayText>,
    /// State before the first move and after each move. The lists of legal moves are empty, and
    /// `forbidden` lacks the covered cells.
    pub states: Vec<State>,
}

/// Seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplaySeat {
    /// Name of the player.
    pub name: String,
    /// Colours that the seat owns.
    pub colours: Vec<u8>,
}

/// Move of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayMove {
    /// Number of plies before the move.
    pub ply: usize,
    /// Colour.
    pub colour: u8,
    /// Seat that decided.
    pub seat: u8,
    /// Canonical code; `0000` is a pass.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time of the reply in microseconds.
    pub us: Option<u64>,
    /// Simulated time of the reply in microseconds.
    pub sim_us: Option<u64>,
    /// Maximum host latency during the wait in microseconds.
    pub host_us: Option<u64>,
    /// True if the referee entered the move for a seat that forfeited it.
    pub forfeit: bool,
    /// Comment; empty without one.
    pub comment: String,
    /// Code of the move that the engine prefers.
    pub better: Option<String>,
    /// Winning chance that the move lost for its seat, from 0 to 1.
    pub lost: Option<f64>,
}

/// Result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayResult {
    /// Points by seat.
    pub scores: Vec<i32>,
    /// Seats that won; several share a draw, none if the game was not decided.
    pub winners: Vec<u8>,
    /// True if several seats won.
    pub draw: bool,
    /// Keyword of the ending.
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
}

/// Evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Winning chance of seat 0, from 0 to 1; a draw counts half.
    pub chance: f64,
    /// Expected margin of seat 0 in points.
    pub margin: Option<f64>,
    /// True if the margin is exact.
    pub exact: bool,
}

/// Fact about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Name, such as `event`.
    pub name: String,
    /// Value.
    pub value: String,
}

/// Text about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayText {
    /// Title.
    pub title: String,
    /// Lines.
    pub text: String,
}

/// Move that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedMove {
    /// Colour.
    pub colour: u8,
    /// Canonical code.
    pub code: String,
    /// Reason.
    pub reason: String,
    /// Cell at fault.
    pub cell: Option<CellPair>,
}

impl Replay {
    /// Creates a replay of games.
    #[must_use]
    pub fn new(title: impl Into<String>, text: impl Into<String>, games: Vec<ReplayGame>) -> Self {
        let sizes = games.iter().map(|game| (game.size, ()));
        let sizes: BTreeMap<u8, ()> = sizes.collect();
        Self {
            version: Version,
            title: title.into(),
            text: text.into(),
            tables: sizes.into_keys().map(TileTable::new).collect(),
            games,
        }
    }

    /// Creates a replay of one game. Its title is made of the names of the players.
    #[must_use]
    pub fn of(game: ReplayGame) -> Self {
        let names: Vec<_> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
        Self::new(names.join(" – "), "", vec![game])
    }
}

impl ReplayGame {
    /// Plays the moves. A move that breaks the rules ends them; those after it are omitted. A seat
    /// with an empty name is called by its number, from 1.
    ///
    /// A game that ends by the rules has a result. [`result`](Self::result) of any other game, and
    /// all other fields that concern more than the moves, are for the caller to fill.
    #[must_use]
    pub fn new(
        variant: &GameVariant,
        names: &[String],
        moves: impl IntoIterator<Item = Move>,
    ) -> Self {
        let mut game = Game::new(variant);
        let mut states = vec![State::new(&game)];
        for mv in moves {
            if game.play(mv).is_err() {
                break;
            }
            states.push(State::new(&game));
        }
        let plies = game.plies().iter().enumerate();
        let moves: Vec<_> = plies
            .map(|(ply, played)| ReplayMove::new(ply, played, states[ply].legal.count))
            .collect();
        let seats = variant.seats().map(|seat| ReplaySeat {
            name: names
                .get(seat.index())
                .filter(|name| !name.is_empty())
                .map_or_else(|| format!("player {}", seat.index() + 1), Clone::clone),
            colours: variant.colours_of(seat).map(|colour| colour.0).collect(),
        });
        let starts = variant.colours().map(|colour| {
            let cells = variant.starts(colour);
            let cells = cells.as_slice().iter();
            cells.map(|cell| [cell.x, cell.y]).collect()
        });
        states.iter_mut().for_each(slim);
        Self {
            id: String::new(),
            variant: variant.name().to_owned(),
            size: variant.size(),
            seats: seats.collect(),
            starts: starts.collect(),
            ply: moves.len(),
            moves,
            result: game.is_over().then(|| Outcome::new(&game).into()),
            ended_ms: None,
            facts: Vec::new(),
            comment: String::new(),
            evaluations: Vec::new(),
            refused: None,
            texts: Vec::new(),
            states,
        }
    }

    /// Adds a fact. An empty value is omitted.
    pub fn fact(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            let name = name.to_owned();
            self.facts.push(Fact { name, value });
        }
    }

    /// Adds a text. An empty one is omitted.
    pub fn text(&mut self, title: &str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            let title = title.to_owned();
            self.texts.push(ReplayText { title, text });
        }
    }
}

impl ReplayMove {
    fn new(ply: usize, played: &PlayedMove, legal: u32) -> Self {
        Self {
            ply,
            colour: played.colour.0,
            seat: played.seat.0,
            code: played.mv.to_string(),
            legal,
            us: None,
            sim_us: None,
            host_us: None,
            forfeit: false,
            comment: String::new(),
            better: None,
            lost: None,
        }
    }
}

impl From<Outcome> for ReplayResult {
    /// Result of a game that ended by the rules.
    fn from(outcome: Outcome) -> Self {
        Self {
            scores: outcome.seats.iter().map(|seat| seat.score).collect(),
            winners: outcome.winners,
            draw: outcome.draw,
            ending: String::new(),
            detail: String::new(),
        }
    }
}

impl RefusedMove {
    /// Describes a move that breaks the rules.
    #[must_use]
    pub fn new(colour: Colour, mv: Move, reason: &IllegalMove) -> Self {
        let cell = match reason {
            IllegalMove::Occupied { cell } | IllegalMove::EdgeContact { cell } => Some(cell),
            _ => None,
        };
        Self {
            colour: colour.0,
            code: mv.to_string(),
            reason: reason.to_string(),
            cell: cell.map(|cell| [cell.x, cell.y]),
        }
    }
}

/// Removes what a replay does not show: most of a state are lists of legal moves.
fn slim(state: &mut State) {
    state.legal.actions.clear();
    state.legal.codes.clear();
    for colour in &mut state.colours {
        let board = &state.board;
        let is_empty =
            |&[x, y]: &CellPair| board[usize::from(y)].as_bytes()[usize::from(x)] == b'.';
        colour.forbidden.retain(is_empty);
    }
}
