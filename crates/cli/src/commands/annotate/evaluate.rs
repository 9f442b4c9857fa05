//! Every position of a game, as the engine sees it.

use duoforge_engine::search::Limit;
use duoforge_engine::strong::{Engine, Found, Line, Settings};
use duoforge_rules::{DuoBoard, Move, Player, Variant};
use indicatif::{ProgressBar, ProgressStyle};

/// How a position stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The first player's chance to win, from 0 to 1, a draw being half a win.
    pub chance: f64,
    /// Points by which the first player is expected to win; none if that is not known.
    pub margin: Option<f64>,
    /// The move that the engine would make; none after the end of the game.
    pub best: Option<Move>,
    /// Whether the margin is what exact play leads to, or the game is over.
    pub exact: bool,
    /// Simulations that were made.
    pub simulations: u64,
}

/// The positions before the first move and after each one.
pub fn evaluate(played: &DuoBoard, settings: Settings, limit: Limit) -> Vec<Standing> {
    let mut engine = Engine::new(settings);
    let mut board = played.clone();
    // Hidden where standard error is no terminal.
    let template = "{bar:30} position {pos} of {len}, {elapsed} gone, {eta} left";
    let look = ProgressStyle::with_template(template).expect("the template is sound");
    let bar = ProgressBar::new(board.ply() as u64 + 1).with_style(look);
    let mut standings: Vec<Standing> = Vec::new();
    // From the end back, since a position without a choice stands as the one after it.
    loop {
        let last = board.moves().len();
        let next = standings
            .last()
            .zip(played.moves().get(last))
            .map(|(standing, &turn)| (turn, standing));
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
            Some((turn, standing)) if turn == forced => standing.clone(),
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
    // Earlier searches are forgotten, so that a position is judged by its own.
    engine.begin();
    let found = engine.analyse(board, limit);
    searched(board, &found)
}

fn searched(board: &DuoBoard, found: &Found) -> Standing {
    let first = board.to_move() == Player(0);
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
        best: Some(found.turn),
        exact,
        simulations: found.simulations,
    }
}

/// The mean over all games of a search. That of its best line is partial to whoever is to move: what is
/// tried there in vain is the rival's alone. Over all games, what both try in vain makes up for each other,
/// so that values of one move and the next can be compared.
fn mean(found: &Found, value: impl Fn(&Line) -> Option<f64>) -> Option<f64> {
    let lines = found.lines.iter();
    let values = lines.filter_map(|line| Some((f64::from(line.visits), value(line)?)));
    let (visits, sum) = values.fold((0.0, 0.0), |(visits, sum), (more, value)| {
        (visits + more, sum + more * value)
    });
    (visits > 0.0).then(|| sum / visits)
}

/// The only thing that the player to move can do, if there is only one. A pass that the contest allows to
/// whoever could place a tile is no choice worth a search.
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
    board.score(Player(0)) - board.score(Player(1))
}
