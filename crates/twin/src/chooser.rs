use duoforge_rules::DuoBoard;

use crate::search::Search;
use crate::{Policy, ScoredPlacement};

/// Chooser of a hardware player's twin: the component that picks a placement.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// Pattern policy: picks the legal placement with the highest score.
    Pattern(Policy),
    /// Tree search with this number of MCTS simulations per move.
    Search(Box<Search>, u64),
}

/// Result of a [`Chooser`]: the placement and the number of MCTS simulations for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) choice: Option<ScoredPlacement>,
    pub(crate) simulations: u64,
    pub(crate) continued: bool,
}

impl Chooser {
    /// Searches the position after a move of this side, in the opponent's time.
    pub(crate) fn ponder(&mut self, board: &DuoBoard, simulations: u64) {
        if let Self::Search(search, _) = self {
            search.ponder(board, simulations);
        }
    }

    pub(crate) fn choose(&mut self, board: &DuoBoard) -> Chosen {
        match self {
            Self::Pattern(policy) => Chosen {
                choice: policy.best(board),
                simulations: 0,
                continued: false,
            },
            Self::Search(search, limit) => {
                let found = search.run(board, |done| done < *limit);
                let best = found.lines.first();
                Chosen {
                    choice: best.map(|line| ScoredPlacement {
                        placement: line.placement,
                        score: line.value as u16,
                    }),
                    simulations: found.simulations,
                    continued: found.continued,
                }
            }
        }
    }
}

impl From<Policy> for Chooser {
    fn from(policy: Policy) -> Self {
        Self::Pattern(policy)
    }
}
