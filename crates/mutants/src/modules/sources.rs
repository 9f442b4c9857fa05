//! Designs that the mutants of the parts are made from.

use crate::part::Source;

/// Pattern player.
pub(super) const PLAYER: Source<'static> =
    Source::new("board::lockstep::verilator_games", "duoforge_player-");

/// Playout core of the search.
pub(super) const CORE: Source<'static> = Source::new("parts::core::in_verilator", "core_unit-");

/// Expander of the search, which finds the children of nodes.
pub(super) const EXPANDER: Source<'static> =
    Source::new("parts::expander::in_verilator", "expander_unit-");

/// Expander whose prior is the network.
pub(super) const NETWORK: Source<'static> =
    Source::new("parts::expander::network::in_verilator", "expander_unit-");

/// Tree of the search.
pub(super) const TREE: Source<'static> = Source::new("parts::tree::in_verilator", "tree-");

/// Opening book.
pub(super) const OPENING_BOOK: Source<'static> =
    Source::new("parts::opening_book::in_verilator", "opening_book-");

/// Check of a search player's placement.
pub(super) const PLACEMENT_CHECK: Source<'static> =
    Source::new("parts::placement_check::in_verilator", "placement_check-");

/// Search player.
pub(super) const SEARCH_PLAYER: Source<'static> = Source::new(
    "search::boards::boards_that_search_play_whole_games_like_their_twins",
    "duoforge_player-",
);

/// Complete search.
pub(super) const SEARCHER: Source<'static> =
    Source::new("search::verilator_with_two_lanes", "searcher-");

/// External memory with its cache.
pub(super) const EXTERNAL_MEMORY: Source<'static> = Source::new(
    "parts::sdram::node_cache::in_verilator",
    "cached_nodes_unit-",
);

/// Tree with an external memory.
pub(super) const CACHED_TREE: Source<'static> =
    Source::new("parts::tree::cached::in_verilator", "cached_tree_unit-");

/// Running statistics of the results.
pub(super) const RESULTS: Source<'static> = Source::new("parts::results::in_verilator", "results-");
