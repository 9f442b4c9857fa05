//! Table of the mutated parts, and the designs that their mutants are made from.

use crate::part::{Part, Source};

/// Pattern player.
pub(super) const PLAYER: Source<'static> =
    Source::new("board::lockstep::verilator_games", "duoforge_player-");

/// Playout core of the search.
pub(super) const CORE: Source<'static> = Source::new("parts::core::in_verilator", "core_unit-");

/// Expander of the search, which finds the children of nodes.
pub(super) const EXPANDER: Source<'static> =
    Source::new("parts::expander::in_verilator", "expander_unit-");

/// Tree of the search.
pub(super) const TREE: Source<'static> = Source::new("parts::tree::in_verilator", "tree-");

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

/// All parts: those of the pattern player first, then those of the search.
pub const PARTS: [Part; 27] = [
    Part::new(
        &PLAYER,
        "windows",
        &["generator_windows"],
        &["parts::window::", "parts::generator::"],
        40,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "encoder",
        &["controller_encoder", "controller_encoder_*"],
        &["parts::encoder::"],
        60,
        "",
    ),
    Part::new(
        &PLAYER,
        "decoder",
        &["controller_decoder", "controller_decoder_*"],
        &["parts::decoder::"],
        80,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "uart_tx",
        &["controller_uart_tx"],
        &["parts::uart_tx::"],
        50,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "uart_rx",
        &["controller_uart_rx"],
        &["parts::uart_rx::"],
        80,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "reply_timer",
        &["controller_reply_timer"],
        &["parts::reply_timer::"],
        40,
        "",
    ),
    Part::new(
        &PLAYER,
        "store",
        &["generator_store"],
        &["parts::store::"],
        60,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "policy_maps",
        &["generator_policy_maps"],
        &["parts::policy_maps::"],
        80,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "legality",
        &["generator_legality"],
        &["parts::legality::"],
        80,
        "generator",
    ),
    Part {
        closed: &["generator_policy_maps", "generator_store"],
        // The scorer holds the footprints, and only the store takes them.
        further: &[(
            "duoforge_player",
            &[
                "controller",
                "scan",
                "generator_legality",
                "generator_policy_maps",
                "generator_store",
                "generator_windows",
            ],
        )],
        ..Part::new(
            &PLAYER,
            "generator",
            &["generator"],
            &["parts::generator::", "parts::scan::"],
            100,
            "generator",
        )
    },
    Part {
        closed: &["controller", "policy_scorer"],
        ..Part::new(
            &PLAYER,
            "scan",
            &["scan"],
            &["parts::scan::"],
            60,
            "duoforge_player",
        )
    },
    Part::new(
        &PLAYER,
        "policy_scorer",
        &["policy_scorer", "policy_scorer_*"],
        &["parts::policy_scorer::"],
        60,
        "policy_scorer",
    ),
    Part::new(
        &PLAYER,
        "parser",
        &["controller_parser"],
        &["parts::parser::"],
        60,
        "controller",
    ),
    Part {
        closed: &["generator", "scan", "policy_scorer"],
        // The windows have borders, and the scorer reads a part of the patches.
        further: &[(
            "duoforge_player",
            &[
                "controller",
                "scan",
                "generator_legality",
                "generator_policy_maps",
                "generator_store",
            ],
        )],
        ..Part::new(
            &PLAYER,
            "player",
            &["duoforge_player", "controller"],
            &[
                "parts::controller::",
                "board::flags::",
                "board::orders::",
                "board::reset::",
                "board::deadline::",
                "board::superseded::",
                "board::abuse::",
                "board::impatient::",
                "board::lockstep::",
            ],
            40,
            "duoforge_player",
        )
    },
    Part::new(
        &CORE,
        "playout_maps",
        &["core_playout_maps"],
        &["parts::playout_maps::", "parts::core::"],
        40,
        "core_unit",
    ),
    Part::new(
        &CORE,
        "placement_draw",
        &["core_placement_draw", "core_placement_draw_*"],
        &[
            "parts::nearest::",
            "parts::classes::",
            "parts::placement_draw::",
            "parts::core::",
        ],
        40,
        "core_placement_draw",
    ),
    Part::new(
        &CORE,
        "core",
        &["core", "core_sizes", "root", "root_*"],
        &["parts::core::", "parts::position_ring::"],
        40,
        "core_unit",
    ),
    Part {
        closed: &[
            "expander_priors",
            "expander_prior_scorer",
            "expander_ranking",
        ],
        ..Part::new(
            &EXPANDER,
            "expander",
            &[
                "expander",
                "expander_tile_filter",
                "expander_tile_filter_*",
                "expander_prior_maps",
                "expander_placement_scan",
                "expander_windows",
            ],
            &["parts::placement_scan::", "parts::expander::"],
            40,
            "expander_unit",
        )
    },
    Part {
        closed: &[
            "expander_placement_scan",
            "expander_prior_maps",
            "expander_windows",
            "expander_tile_filter",
        ],
        ..Part::new(
            &EXPANDER,
            "priors",
            &[
                "expander_ranking",
                "expander_prior_scorer",
                "expander_prior_scorer_value",
                "expander_prior_scorer_value_*",
                "expander_priors",
                "expander_priors_prior_product",
                "expander_priors_mean_product",
            ],
            &[
                "parts::ranking::",
                "parts::priors::",
                "parts::prior_scorer::",
                "parts::expander::",
            ],
            40,
            "expander_unit",
        )
    },
    Part::new(
        &TREE,
        "tree",
        &[
            "tree",
            "banks",
            "banks_exploration",
            "banks_mean_update",
            "banks_mean_update_*",
            "banks_scaled_prior",
            "exploration",
            "exploration_normaliser",
            "node_allocator",
            "amaf_table",
            "pair_control",
            "selection",
            "selection_*",
            "pair_pipeline",
        ],
        &["parts::tree::"],
        40,
        "tree",
    ),
    Part::new(
        &SEARCHER,
        "searcher",
        &[
            "searcher",
            "backup",
            "descent",
            "node_builder",
            "scheduler",
            "scheduler_multiplier",
            "lanes",
            "lanes_lanes",
            "lanes_lanes_2",
            "lanes_lanes_placement_list",
            "values",
        ],
        &[
            "parts::descent::",
            "parts::node_builder::",
            "parts::backup::",
            "parts::placement_list::",
            "parts::scheduler_turns::",
            "parts::scheduler::the_best_child_of_the_root",
            "parts::scheduler::the_child_with_the_greatest_product",
            "search::verilator_with_two_lanes",
            "search::verilator_with_one_lane",
            "search::endings_are_proved_alike",
            "search::other_formulas",
            "search::second::",
            "search::boards::boards_that_search",
        ],
        25,
        "",
    ),
    Part {
        closed: &["searcher"],
        // The transmitter reports when the reply register is read.
        further: &[(
            "controller",
            &[
                "controller_decoder",
                "controller_encoder",
                "controller_parser",
                "controller_uart_rx",
                "controller_reply_timer",
            ],
        )],
        ..Part::new(
            &SEARCH_PLAYER,
            "search_player",
            &["duoforge_player", "controller"],
            &["parts::controller::", "search::stops::", "search::boards::"],
            40,
            "duoforge_player",
        )
    },
    Part::new(
        &EXTERNAL_MEMORY,
        "node_cache",
        &["cache"],
        &["parts::sdram::node_cache::in_verilator"],
        30,
        "",
    ),
    Part {
        closed: &["cache", "nodes"],
        ..Part::new(
            &EXTERNAL_MEMORY,
            "sdram_controller",
            &["controller"],
            &[
                "parts::sdram::controller::",
                "parts::sdram::self_test::",
                "parts::sdram::node_cache::",
            ],
            60,
            "cached_nodes_unit",
        )
    },
    Part {
        closed: &["cache", "nodes"],
        ..Part::new(
            &EXTERNAL_MEMORY,
            "self_test",
            &["self_test"],
            &["parts::sdram::self_test::", "parts::sdram::node_cache::"],
            40,
            "cached_nodes_unit",
        )
    },
    Part::new(
        &CACHED_TREE,
        "node_loader",
        &["node_loader"],
        &[
            "parts::tree::cached::",
            "search::trees_in_an_external_memory",
        ],
        40,
        "",
    ),
    Part::new(
        &RESULTS,
        "results",
        &["results", "results_*"],
        &["parts::results::"],
        60,
        "",
    ),
];
