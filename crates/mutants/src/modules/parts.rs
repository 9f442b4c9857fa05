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

/// All parts: those of the pattern player first, then those of the search.
pub const PARTS: [Part; 22] = [
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
        &["controller_sender"],
        &["parts::uart_tx::"],
        50,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "uart_rx",
        &["controller_receiver"],
        &["parts::uart_rx::"],
        80,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "timer",
        &["controller_timer"],
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
        "maps",
        &["generator_maps"],
        &["parts::maps::"],
        80,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "judge",
        &["generator_judge"],
        &["parts::judge::"],
        80,
        "generator",
    ),
    Part {
        closed: &["generator_maps", "generator_store"],
        // The scorer holds the footprints, and only the store takes them.
        further: &[(
            "duoforge_player",
            &[
                "controller",
                "scan",
                "generator_judge",
                "generator_maps",
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
        closed: &["controller", "scorer"],
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
        "scorer",
        &["scorer", "scorer_*"],
        &["parts::scorer::"],
        60,
        "scorer",
    ),
    Part::new(
        &PLAYER,
        "line",
        &["controller_line"],
        &["parts::line::"],
        60,
        "controller",
    ),
    Part {
        closed: &["generator", "scan", "scorer"],
        // The windows have borders, and the scorer reads a part of the patches.
        further: &[(
            "duoforge_player",
            &[
                "controller",
                "scan",
                "generator_judge",
                "generator_maps",
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
                "board::guard::",
                "board::overtaken::",
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
        "ground",
        &["core_ground"],
        &["parts::ground::", "parts::core::"],
        40,
        "core_unit",
    ),
    Part::new(
        &CORE,
        "picker",
        &["core_picker", "core_picker_*"],
        &[
            "parts::nearest::",
            "parts::classes::",
            "parts::picker::",
            "parts::core::",
        ],
        40,
        "core_picker",
    ),
    Part::new(
        &CORE,
        "core",
        &["core", "core_sizes", "root", "root_*"],
        &["parts::core::", "parts::field::"],
        40,
        "core_unit",
    ),
    Part {
        closed: &["expander_priors", "expander_scorer", "expander_ranking"],
        ..Part::new(
            &EXPANDER,
            "expander",
            &[
                "expander",
                "expander_choice",
                "expander_choice_*",
                "expander_maps",
                "expander_sweep",
                "expander_windows",
            ],
            &["parts::placement_scan::", "parts::expander::"],
            40,
            "expander_unit",
        )
    },
    Part {
        closed: &[
            "expander_sweep",
            "expander_maps",
            "expander_windows",
            "expander_choice",
        ],
        ..Part::new(
            &EXPANDER,
            "priors",
            &[
                "expander_ranking",
                "expander_scorer",
                "expander_scorer_value",
                "expander_scorer_value_*",
                "expander_priors",
                "expander_priors_share",
                "expander_priors_worth",
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
            "banks_hope",
            "banks_lesson",
            "banks_lesson_*",
            "banks_share",
            "exploration",
            "exploration_normal",
            "growth",
            "marks",
            "roles",
            "selection",
            "selection_*",
            "stages",
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
            "ascent",
            "descent",
            "grower",
            "scheduler",
            "lanes",
            "lanes_all",
            "lanes_all_2",
            "lanes_all_list",
            "values",
        ],
        &[
            "parts::descent::",
            "parts::node_builder::",
            "parts::backup::",
            "parts::placement_list::",
            "parts::scheduler_turns::",
            "parts::scheduler::the_best_child_of_the_root",
            "search::verilator_with_two_lanes",
            "search::verilator_with_one_lane",
            "search::endings_are_proved_alike",
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
                "controller_line",
                "controller_receiver",
                "controller_timer",
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
];
