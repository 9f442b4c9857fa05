//! Evaluation of every position of a game.

use duoforge_engine::{Engine, EngineResult, EngineSettings, RankedMove};
use duoforge_rules::{Colour, DuoBoard, Move, Variant};
use duoforge_twin::search::Limit;
use indicatif::{ProgressBar, ProgressStyle};

/// Evaluation of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Winning chance of the first player, from 0 to 1; a draw counts half.
    pub chance: f64,
    /// Expected margin of the first player in points; `None` if unknown.
    pub margin: Option<f64>,
    /// Move of the engine; `None` after the end of the game.
    pub best: Option<Move>,
    /// True if the margin is exact: by the endgame solver, or at the end of the game.
    pub exact: bool,
    /// Number of simulations.
    pub simulations: u64,
}

/// Evaluates the positions before the first move and after each move.
pub fn evaluate(played: &DuoBoard, settings: EngineSettings, limit: Limit) -> Vec<Standing> {
    let mut engine = Engine::new(settings);
    let mut board = played.clone();
    // The bar is hidden unless standard error is a terminal.
    let template = "{bar:30} position {pos} of {len}, {elapsed} elapsed, {eta} remaining";
    let look = ProgressStyle::with_template(template).expect("the template is sound");
    let bar = ProgressBar::new(board.ply() as u64 + 1).with_style(look);
    let mut standings: Vec<Standing> = Vec::new();
    // From the last position to the first: one with a forced move takes the evaluation of the next.
    loop {
        let last = board.moves().len();
        let next = standings
            .last()
            .zip(played.moves().get(last))
            .map(|(standing, &mv)| (mv, standing));
        standings.push(stand(&board, next, &mut engine, limit));
        bar.inc(1);
        if board.undo().is_none() {
            break;
        }
    }
    bar.finish_and_clear();
    standings.reverse();
    standings
}

fn stand(
    board: &DuoBoard,
    next: Option<(Move, &Standing)>,
    engine: &mut Engine,
    limit: Limit,
) -> Standing {
    if board.is_over() {
        let margin = margin(board);
        return Standing {
            chance: f64::from(margin.signum() + 1) / 2.0,
            margin: Some(margin.into()),
            best: None,
            exact: true,
            simulations: 0,
        };
    }
    if let Some(forced) = forced(board) {
        let standing = match next {
            Some((mv, standing)) if mv == forced => standing.clone(),
            _ => {
                let mut board = board.clone();
                let played = board.play(forced);
                played.expect("the only move is legal");
                stand(&board, None, engine, limit)
            }
        };
        return Standing {
            best: Some(forced),
            simulations: 0,
            ..standing
        };
    }
    // Each position is evaluated by its own search, without reuse of the tree.
    engine.begin();
    let found = engine.analyse(board, limit);
    searched(board, &found)
}

fn searched(board: &DuoBoard, found: &EngineResult) -> Standing {
    let first = board.to_move() == Colour(0);
    let (chance, margin, exact) = match found.solved {
        Some(solved) => {
            let chance = f64::from(solved.margin.signum() + 1) / 2.0;
            (chance, Some(f64::from(solved.margin)), solved.exact)
        }
        None => {
            let chance =
                mean(found, |line| line.wins).or_else(|| mean(found, |line| Some(line.value)));
            (
                chance.unwrap_or(0.5),
                mean(found, |line| line.margin),
                false,
            )
        }
    };
    Standing {
        chance: if first { chance } else { 1.0 - chance },
        margin: margin.map(|margin| if first { margin } else { -margin }),
        best: Some(found.mv),
        exact,
        simulations: found.simulations,
    }
}

/// Returns the mean over all simulations of a search. The value of the best move alone favours the
/// side to move, since only the opponent's bad moves are tried after it. In the mean over all
/// simulations the bad moves of both sides balance, so that values of successive positions are
/// comparable.
fn mean(found: &EngineResult, value: impl Fn(&RankedMove) -> Option<f64>) -> Option<f64> {
    let lines = found.lines.iter();
    let values = lines.filter_map(|line| Some((f64::from(line.visits), value(line)?)));
    let (visits, sum) = values.fold((0.0, 0.0), |(visits, sum), (more, value)| {
        (visits + more, sum + more * value)
    });
    (visits > 0.0).then(|| sum / visits)
}

/// Returns the only move of the side to move, if there is only one. A voluntary pass is not
/// considered.
fn forced(board: &DuoBoard) -> Option<Move> {
    let mut legal = board.legal();
    match (legal.next(), legal.next()) {
        (None, _) => Some(Move::Pass),
        (Some(only), None) => Some(Move::Place(only)),
        _ => None,
    }
}

fn margin(board: &DuoBoard) -> i32 {
    const { assert!(Variant::DUO.players() == 2) };
    board.score(Colour(0)) - board.score(Colour(1))
}
