//! Games of journals as the service shows them.

use duoforge_journal::{GameHistory, GameResult, Moved};
use duoforge_rules::{Cell, Game, GameVariant, Move, Owner, Seat};
use duoforge_view::{ColourState, State, ToMove};

use crate::dto::{
    ColourBrief, GameOutcome, GameSummary, GameView, LastMove, Live, MoveView, SeatKind, SeatView,
    Status,
};

/// Game of a journal.
#[derive(Clone, Debug)]
pub struct ShownGame {
    /// Id of the journal.
    pub journal: String,
    /// Kind of event.
    pub kind: String,
    /// Rules of the game.
    pub variant: GameVariant,
    /// Number in the journal.
    pub number: u32,
    /// Number of the attempt.
    pub attempt: u32,
    /// Round of the event.
    pub round: u32,
    /// Progress.
    pub status: Status,
    /// Seats; seat 0 moves first.
    pub seats: Vec<SeatView>,
    /// Moves that stand.
    pub moves: Vec<MoveView>,
    /// Result; `None` before the end.
    pub result: Option<GameOutcome>,
    /// Begin in milliseconds since 1970.
    pub begun_ms: u64,
    /// End in milliseconds since 1970.
    pub ended_ms: Option<u64>,
    /// True for a casual game in the directory of this service's games: persons move at this service.
    pub playable: bool,
    /// Directory of the evidence, relative to that of the journal.
    pub evidence: Option<String>,
    /// Number of the connection of seat 0 in a wire log; seat 1 has the other one of 1 and 2.
    pub first_line: u8,
    /// Number of records of the journal that the game contains.
    pub records: u64,
}

impl ShownGame {
    /// Describes a refereed game of a journal: Blokus Duo with two seats.
    pub fn refereed(journal: &str, kind: &str, records: u64, game: &GameHistory) -> Self {
        let begun = &game.begun;
        // Seat 0 is the player that moves first; journals number players from 1.
        let order = if begun.first == 2 { [1, 0] } else { [0, 1] };
        let starts = order.map(|player| start_cell(begun.starts[player]));
        let variant = match starts {
            [Some(first), Some(second)] if first != second => {
                GameVariant::DUO.with_starts(&[first, second])
            }
            _ => GameVariant::DUO,
        };
        let seats = order.map(|player| SeatView {
            name: begun.players[player].clone(),
            kind: SeatKind::Unknown,
            player: None,
            level: None,
            unofficial: false,
            colours: vec![u8::from(player != order[0])],
        });
        let result = game.ended.as_ref().map(|ended| {
            let winners = match ended.result {
                GameResult::One => vec![u8::from(order[0] != 0)],
                GameResult::Two => vec![u8::from(order[0] != 1)],
                GameResult::Draw => vec![0, 1],
                GameResult::Open => Vec::new(),
            };
            GameOutcome {
                scores: order.map(|player| ended.score[player]).to_vec(),
                draw: winners.len() > 1,
                winners,
                ending: ended.ending.clone(),
                detail: ended.detail.clone(),
            }
        });
        Self {
            journal: journal.to_owned(),
            kind: kind.to_owned(),
            variant,
            number: begun.game,
            attempt: begun.attempt,
            round: begun.round,
            status: match (&game.ended, game.is_annulled) {
                (Some(_), _) => Status::Ended,
                (None, true) => Status::Annulled,
                (None, false) => Status::Running,
            },
            seats: seats.to_vec(),
            moves: game.moves.iter().map(refereed_move).collect(),
            result,
            begun_ms: begun.at_ms,
            ended_ms: game.ended.as_ref().map(|ended| ended.at_ms),
            playable: false,
            evidence: game.ended.as_ref().and_then(|ended| ended.evidence.clone()),
            first_line: if begun.first == 2 { 2 } else { 1 },
            records,
        }
    }

    /// Id of the game.
    pub fn id(&self) -> String {
        format!("{}.{}", self.journal, self.number)
    }

    /// Plays the first `plies` moves. A journal holds legal moves only; the game ends before one
    /// that is not.
    pub fn game(&self, plies: usize) -> Game {
        let mut game = Game::new(&self.variant);
        for played in self.moves.iter().take(plies) {
            let mv: Option<Move> = played.code.parse().ok();
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                break;
            }
        }
        game
    }

    /// Summary of the game; `game` is the position after all moves, if it is known.
    pub fn summary(&self, game: Option<&Game>) -> GameSummary {
        let played = |game: &Game| {
            let result = game.result();
            result.seats().iter().map(|seat| seat.score).collect()
        };
        let running = self.status == Status::Running;
        let replayed = (running && game.is_none()).then(|| self.game(usize::MAX));
        let game = game.or(replayed.as_ref());
        let scores = match (&self.result, game) {
            (Some(result), _) => result.scores.clone(),
            (None, Some(game)) => played(game),
            (None, None) => Vec::new(),
        };
        let to_move = game.filter(|_| running).and_then(ToMove::new);
        let is_program = |to_move: ToMove| {
            let seat = self.seats.get(usize::from(to_move.seat));
            seat.is_some_and(|seat| seat.kind == SeatKind::Player)
        };
        GameSummary {
            id: self.id(),
            journal: self.journal.clone(),
            number: self.number,
            attempt: self.attempt,
            round: self.round,
            kind: self.kind.clone(),
            variant: self.variant.name().to_owned(),
            status: self.status,
            seats: self.seats.clone(),
            ply: self.moves.len(),
            to_move,
            thinking: self.playable && to_move.is_some_and(is_program),
            result: self.result.clone(),
            scores,
            begun_ms: self.begun_ms,
            ended_ms: self.ended_ms,
            playable: self.playable,
        }
    }

    /// Game with its moves, and the state after `ply` plies; `None` is the last one.
    pub fn view(&self, ply: Option<usize>, undo: bool) -> GameView {
        let plies = ply.unwrap_or(usize::MAX);
        let shown = self.game(plies);
        let last = (plies < self.moves.len()).then(|| self.game(usize::MAX));
        GameView {
            summary: self.summary(Some(last.as_ref().unwrap_or(&shown))),
            moves: self.moves.clone(),
            state: State::new(&shown),
            undo,
            wire: self.has_wire(),
            records: self.records,
        }
    }

    /// True if there are bytes of devices: evidence, or those of a casual game.
    fn has_wire(&self) -> bool {
        let is_device = self.moves.iter().any(|played| played.host_us.is_some());
        let failed = |it: &GameOutcome| matches!(&*it.ending, "broken-off" | "player-failed");
        let has_failed = self.result.as_ref().is_some_and(failed);
        self.evidence.is_some() || (self.kind == "casual" && (is_device || has_failed))
    }

    /// Game on a wall.
    pub fn live(&self) -> Live {
        let game = self.game(usize::MAX);
        let colour = |colour| {
            let state = ColourState::new(&game, colour);
            ColourBrief {
                seat: state.seat,
                left: state.left,
                cells_placed: state.cells_placed,
                score: state.score,
                void: state.void,
                mobility: state.mobility,
                out: state.out,
            }
        };
        let rows = game.to_string();
        Live {
            summary: self.summary(Some(&game)),
            last: self.moves.last().map(|last| LastMove {
                ply: last.ply,
                colour: last.colour,
                code: last.code.clone(),
                us: last.us,
            }),
            board: rows.lines().map(|row| row.replace(' ', "")).collect(),
            colours: game.colours().map(colour).collect(),
        }
    }
}

/// Seats of a variant with these names and kinds.
pub fn seats(variant: &GameVariant, seats: impl Iterator<Item = SeatView>) -> Vec<SeatView> {
    let owned = |seat: u8| {
        let colours = variant.colours();
        let colours = colours.filter(|&colour| variant.owner(colour) == Owner::Seat(Seat(seat)));
        colours.map(|colour| colour.0).collect()
    };
    let numbered = (0..).zip(seats);
    let with_colours = numbered.map(|(seat, view)| SeatView {
        colours: owned(seat),
        ..view
    });
    with_colours.collect()
}

/// Describes a move of a refereed game of two colours.
pub fn refereed_move(moved: &Moved) -> MoveView {
    let ply = moved.ply.saturating_sub(1) as usize;
    let colour = u8::from(ply % 2 == 1);
    let canonical = moved.code.parse::<Move>().map(|mv| mv.to_string());
    MoveView {
        ply,
        colour,
        seat: colour,
        code: canonical.unwrap_or_else(|_| moved.code.clone()),
        legal: moved.legal,
        us: moved.us,
        sim_us: moved.sim_us,
        host_us: moved.host_us,
        forfeit: moved.forfeit,
        at_ms: None,
    }
}

/// Start cell of a letter in the codes `2X` and `3X`.
fn start_cell(letter: char) -> Option<Cell> {
    match letter {
        '5' => Some(Cell::new(4, 4)),
        'A' => Some(Cell::new(9, 9)),
        _ => None,
    }
}
