//! Root moves with their statistics.

use duoforge_rules::{Move, Placement};
use duoforge_twin::search::Formulas;
use duoforge_twin::search::arithmetic::MAX_VALUE;
use duoforge_twin::search::tree::{ChildLink, Tree};

/// Root move with its statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedMove {
    /// Principal variation: the placement, then the most visited moves.
    pub moves: Vec<Move>,
    /// Visit count, including the simulations of earlier searches.
    pub visits: u32,
    /// Mean value from 0 to 1 for the side to move; includes the margin term and RAVE updates.
    pub value: f64,
    /// Prior, from 0 to 1.
    pub prior: f64,
    /// Win rate of this search's simulations for the side to move, from 0 to 1; a draw counts half.
    /// `None` without simulations.
    pub wins: Option<f64>,
    /// Mean margin of these simulations in cells, for the side to move.
    pub margin: Option<f64>,
}

impl RankedMove {
    /// Returns the placement of the root move.
    pub fn placement(&self) -> Placement {
        self.moves[0].placement().expect("a line begins with one")
    }
}

/// Win statistics: playout results of one child of the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinStats {
    pub games: u32,
    /// Score in half wins: 2 for each win, 1 for each draw.
    pub half_wins: u32,
    /// Sum of the margins in cells, for the side to move at the root.
    pub margin: i64,
}

/// Root moves of a tree, best first; `tallies` are the win statistics by child, and the formulas
/// choose the best one.
pub fn rank(tree: &Tree, tallies: &[WinStats], formulas: &Formulas) -> Vec<RankedMove> {
    let share = |number: u32| f64::from(number) / f64::from(MAX_VALUE);
    let ranked = |i: usize| {
        let child = &tree.children(0)[i];
        let tally = tallies.get(i).filter(|tally| tally.games > 0);
        let mean = |sum: f64, tally: &WinStats| sum / f64::from(tally.games);
        RankedMove {
            moves: principal_variation(tree, i),
            visits: child.visits,
            value: share(child.value()),
            prior: share(child.prior),
            wins: tally.map(|tally| mean(f64::from(tally.half_wins) / 2.0, tally)),
            margin: tally.map(|tally| mean(tally.margin as f64, tally)),
        }
    };
    let ranking = tree.ranking_with(0, formulas);
    ranking.into_iter().map(ranked).collect()
}

/// Returns the principal variation after a child of the root, forced passes included, to the end of
/// the tree.
pub fn principal_variation(tree: &Tree, child: usize) -> Vec<Move> {
    let mut line = Vec::new();
    let (mut node, mut child) = (0, tree.children(0)[child]);
    loop {
        line.push(Move::Place(child.placement));
        let ChildLink::Node(next) = child.next else {
            return line;
        };
        let player = |node: u32| tree.nodes[node as usize].player;
        let best = tree.children(next)[tree.best_child(next)];
        if best.visits == 0 {
            return line;
        }
        if player(next) == player(node) {
            line.push(Move::Pass);
        }
        (node, child) = (next, best);
    }
}
