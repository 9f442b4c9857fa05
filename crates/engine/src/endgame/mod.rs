//! Endgame solver: alpha-beta search with exact scores.
//!
//! Scores are the contest's, bonus included. A game ends when a player has placed every tile, or
//! when both players pass in a row. A side without a legal placement passes. With voluntary passes,
//! the other sides may pass as well.

mod table;

use std::time::Instant;

use duoforge_rules::{
    Bitboard, Colour, Duo, DuoBoard, Move, Orientation, Placement, Tile, TileSet, Variant,
    legal_anchors,
};
use duoforge_twin::search::Position;

use table::{Entry, PositionHash, TranspositionTable};

/// Bound that exceeds every margin.
const MOST: i32 = 1_000;

/// Result of the endgame solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgameResult {
    /// Best move.
    pub mv: Move,
    /// Final margin in points for the side to move.
    pub margin: i32,
    /// True if no move gains more. Otherwise `margin` is the lower bound of a proven win.
    pub exact: bool,
    /// Number of positions searched.
    pub nodes: u64,
}

/// Budget of the endgame solver.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Maximum number of positions.
    pub nodes: u64,
    /// Time at which the solver gives up; `None` for no time limit.
    pub deadline: Option<Instant>,
}

/// Returns the best move for the side to move, or `None` if the budget does not suffice.
///
/// The solver first determines whether the game is won, then the exact margin. With `free`, sides
/// with a legal placement may pass as well (voluntary passes).
///
/// Returns `None` as well before both players have placed a tile, and if the side to move has no
/// legal placement.
pub fn solve(board: &DuoBoard, free: bool, effort: Budget) -> Option<EndgameResult> {
    let players = [Colour(0), Colour(1)];
    let begun = |player| board.tiles_left(player) != TileSet::FULL;
    let done = |player: Colour| board.tiles_left(player).is_empty();
    if !players.into_iter().all(begun) || players.into_iter().any(done) || !board.has_legal() {
        return None;
    }
    let mut solver = Solver {
        voluntary_pass: free,
        effort,
        nodes: 0,
        table: TranspositionTable::new(),
    };
    let root = State {
        position: Position::new(board),
        passed: board.moves().last() == Some(&Move::Pass),
        key: PositionHash::START,
    };
    let (sign, mv) = solver.value(&root, -1, 1)?;
    let (window, known) = match sign {
        1.. => ((sign - 1, MOST), Some((sign, mv, false))),
        0 => ((-1, 1), Some((0, mv, true))),
        _ => ((-MOST, sign + 1), None),
    };
    let found = match known {
        Some((.., true)) => known,
        _ => match solver.value(&root, window.0, window.1) {
            Some((margin, mv)) => Some((margin, mv, true)),
            None => known,
        },
    };
    let (margin, mv, exact) = found?;
    Some(EndgameResult {
        mv,
        margin,
        exact,
        nodes: solver.nodes,
    })
}

/// Returns the mobility of both players together.
pub fn mobility(board: &DuoBoard) -> u32 {
    let position = Position::new(board);
    let count = |player| {
        let (allowed, corners) = (position.allowed(player), position.corner_points(player));
        let anchors = legal_anchors(&allowed, &corners, position.tiles(player));
        anchors.iter().map(Bitboard::len).sum::<u32>()
    };
    count(Colour(0)) + count(Colour(1))
}

/// Search node: a position and the relevant part of its history.
#[derive(Clone, Copy)]
struct State {
    position: Position,
    /// True if the last move was a pass.
    passed: bool,
    key: PositionHash,
}

impl State {
    fn pass(&self) -> Self {
        let mut next = *self;
        next.position
            .set_to_move(self.position.to_move().opponent());
        next.key = self.key.turn();
        next.passed = true;
        next
    }

    fn place(&self, placement: Placement) -> Self {
        let mut next = *self;
        next.key = self.key.with(self.position.to_move(), placement).turn();
        next.position.place(placement);
        next.passed = false;
        next
    }
}

struct Solver {
    voluntary_pass: bool,
    effort: Budget,
    nodes: u64,
    table: TranspositionTable,
}

impl Solver {
    /// Returns the margin for the side to move and the move that gains it, or `None` if the budget
    /// is exhausted. The margin is exact between `alpha` and `beta`, and a bound outside.
    fn value(&mut self, state: &State, alpha: i32, beta: i32) -> Option<(i32, Move)> {
        self.nodes += 1;
        let late = |end| Instant::now() >= end;
        if self.nodes > self.effort.nodes
            || self.nodes.is_multiple_of(256) && self.effort.deadline.is_some_and(late)
        {
            return None;
        }
        let position = &state.position;
        let me = position.to_move();
        let now = position.margin(me);
        let mut placements = placements(position);
        if placements.is_empty() {
            if state.passed {
                return Some((now, Move::Pass));
            }
            let (value, _) = self.value(&state.pass(), -beta, -alpha)?;
            return Some((-value, Move::Pass));
        }
        let key = state.key.passed(state.passed);
        let entry = self.table.get(key);
        if let Some(entry) = entry {
            if entry.lower >= beta || entry.lower == entry.upper {
                return Some((entry.lower, entry.mv));
            }
            if entry.upper <= alpha {
                return Some((entry.upper, entry.mv));
            }
        }
        let most = now + gain(position, me);
        let least = now - gain(position, me.opponent());
        if most <= alpha {
            return Some((most, Move::Place(placements[0])));
        }
        if least >= beta {
            return Some((least, Move::Place(placements[0])));
        }
        order(&mut placements, position, entry.map(|entry| entry.mv));
        // After a pass, a second pass ends the game.
        let mut best = if self.voluntary_pass && state.passed {
            (now, Move::Pass)
        } else {
            (-MOST, Move::Pass)
        };
        for placement in placements {
            if best.0 >= beta || best.0 >= most {
                break;
            }
            let value = self.after(state, placement, alpha.max(best.0), beta)?;
            if value > best.0 {
                best = (value, Move::Place(placement));
            }
        }
        // The opponent could answer a pass with a pass, which ends the game: a pass gains at most
        // `now`.
        if self.voluntary_pass && !state.passed && best.0 < beta && best.0 < now {
            let (value, _) = self.value(&state.pass(), -beta, -alpha.max(best.0))?;
            if -value > best.0 {
                best = (-value, Move::Pass);
            }
        }
        let (value, mv) = best;
        self.table.put(
            key,
            Entry {
                lower: if value > alpha { value } else { -MOST },
                upper: if value < beta { value } else { MOST },
                mv,
            },
        );
        Some(best)
    }

    /// Returns the margin after a placement.
    fn after(&mut self, state: &State, placement: Placement, alpha: i32, beta: i32) -> Option<i32> {
        let me = state.position.to_move();
        let next = state.place(placement);
        if next.position.tiles(me).is_empty() {
            return Some(next.position.margin(me) + bonus(placement.tile()));
        }
        let (value, _) = self.value(&next, -beta, -alpha)?;
        Some(-value)
    }
}

/// Returns the bonus for placing the last tile.
fn bonus(last: Tile) -> i32 {
    let scoring = Variant::DUO.scoring;
    if last == Tile::MONOMINO {
        scoring.monomino_last
    } else {
        scoring.all_placed
    }
}

/// Returns an upper bound of a player's further gain: the cells of all tiles that fit anywhere,
/// limited by the allowed cells, plus the bonus if all fit.
fn gain(position: &Position, player: Colour) -> i32 {
    let (allowed, tiles) = (position.allowed(player), position.tiles(player));
    let anchors = legal_anchors(&allowed, &allowed, tiles);
    let fits = |tile: &Tile| Orientation::of_tile(*tile).any(|o| !anchors[o.index()].is_empty());
    let fitting: TileSet = tiles.iter().filter(fits).collect();
    let cells = fitting.cell_count().min(allowed.len()) as i32;
    if fitting == tiles && cells == tiles.cell_count() as i32 {
        cells + bonus(Tile::MONOMINO)
    } else {
        cells
    }
}

/// Returns all legal placements of the side to move.
fn placements(position: &Position) -> Vec<Placement> {
    let me = position.to_move();
    let (allowed, corners) = (position.allowed(me), position.corner_points(me));
    if corners.is_empty() {
        return Vec::new();
    }
    let anchors = legal_anchors(&allowed, &corners, position.tiles(me));
    let all = Orientation::all().flat_map(|orientation| {
        let anchors = anchors[orientation.index()].iter();
        anchors.map(move |cell| Placement::new(orientation, cell.x, cell.y))
    });
    all.collect()
}

/// Sorts placements: the best move known from the table first, then large tiles, then by the number
/// of the opponent's allowed cells covered.
fn order(placements: &mut [Placement], position: &Position, first: Option<Move>) {
    let opponent = position.allowed(position.to_move().opponent());
    placements.sort_by_cached_key(|&placement| {
        let cells = Bitboard::<Duo>::from_placement(placement).expect("it is on the board");
        let rank = (
            first == Some(Move::Place(placement)),
            placement.tile().size(),
            (cells & opponent).len(),
        );
        std::cmp::Reverse(rank)
    });
}

#[cfg(test)]
mod tests;
