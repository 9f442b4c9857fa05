use duoforge_rules::DuoBoard;

use crate::book::Book;
use crate::search::{Search, SearchResult};
use crate::{Policy, ScoredPlacement};

/// Chooser of a hardware player's twin: the component that picks a placement.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// Pattern policy: picks the legal placement with the highest score.
    Pattern(Policy),
    /// Tree search, with or without an opening book.
    Search(Box<SearchChooser>),
}

/// Tree search of a hardware player's twin.
#[derive(Clone, Debug)]
pub struct SearchChooser {
    /// Search.
    pub search: Search,
    /// Number of MCTS simulations per move.
    pub simulations: u64,
    /// Opening book that comes before the search.
    pub book: Option<&'static Book>,
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
        if let Self::Search(chooser) = self {
            chooser.search.ponder(board, simulations);
        }
    }

    pub(crate) fn choose(&mut self, board: &DuoBoard) -> Chosen {
        match self {
            Self::Pattern(policy) => Chosen {
                choice: policy.best(board),
                simulations: 0,
                continued: false,
            },
            Self::Search(chooser) => chooser.choose(board),
        }
    }
}

impl SearchChooser {
    fn choose(&mut self, board: &DuoBoard) -> Chosen {
        let limit = self.simulations;
        let found = match self.book.and_then(|book| book.reply(board)) {
            Some(placement) => SearchResult::of_book(placement),
            None => self.search.run(board, |done| done < limit),
        };
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

impl From<SearchChooser> for Chooser {
    fn from(chooser: SearchChooser) -> Self {
        Self::Search(Box::new(chooser))
    }
}

impl From<Policy> for Chooser {
    fn from(policy: Policy) -> Self {
        Self::Pattern(policy)
    }
}
