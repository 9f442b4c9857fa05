//! Mutated parts of the players, and the tests that must kill their mutants.

use std::collections::BTreeMap;

use crate::verilog::Design;

/// Emitted design that mutants are made from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source<'s> {
    /// Test that opens the design before all others.
    pub test: &'s str,
    /// Name of the design, up to its hash.
    pub design: &'s str,
}

/// Pattern player.
const PLAYER: Source<'static> = source("board::lockstep::verilator_games", "duoforge_player-");

/// Playout core of the search.
const CORE: Source<'static> = source("parts::core::in_verilator", "core_unit-");

/// Expander of the search, which finds the children of nodes.
const EXPANDER: Source<'static> = source("parts::expander::in_verilator", "expander_unit-");

/// Tree of the search.
const TREE: Source<'static> = source("parts::tree::in_verilator", "tree-");

/// Search player.
const SEARCH_PLAYER: Source<'static> = source(
    "search::boards::boards_that_search_play_whole_games_like_their_twins",
    "duoforge_player-",
);

/// Complete search.
const SEARCHER: Source<'static> = source("search::verilator_with_two_lanes", "searcher-");

const fn source(test: &'static str, design: &'static str) -> Source<'static> {
    Source { test, design }
}

/// Part of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Design that its mutants are made from.
    pub source: &'static Source<'static>,
    /// Name of the part.
    pub name: &'static str,
    /// Emitted modules of the part, by prefixes of their names in the source: `x` is `x` itself,
    /// `x_*` is every name that starts with `x_`. Memories are omitted, as Yosys cannot mutate
    /// their initial contents.
    pub modules: &'static [&'static str],
    /// Prefixes of the names of the tests that exercise the part, in the order of execution.
    pub tests: &'static [&'static str],
    /// Default number of mutants; proportional to the part's size, within bounds.
    pub count: u32,
    /// Enclosing module for the second equivalence proof of a survivor; empty if none is small
    /// enough.
    pub context: &'static str,
    /// Modules inside that one which are left out there, since they are too large.
    pub closed: &'static [&'static str],
}

/// All parts: those of the pattern player first, then those of the search.
pub const PARTS: [Part; 22] = [
    part(
        &PLAYER,
        "windows",
        &["generator_windows"],
        &["parts::window::", "parts::generator::"],
        40,
        "generator",
    ),
    part(
        &PLAYER,
        "encoder",
        &["controller_encoder", "controller_encoder_*"],
        &["parts::encoder::"],
        60,
        "",
    ),
    part(
        &PLAYER,
        "decoder",
        &["controller_decoder", "controller_decoder_*"],
        &["parts::decoder::"],
        80,
        "controller",
    ),
    part(
        &PLAYER,
        "uart_tx",
        &["controller_sender"],
        &["parts::uart_tx::"],
        50,
        "controller",
    ),
    part(
        &PLAYER,
        "uart_rx",
        &["controller_receiver"],
        &["parts::uart_rx::"],
        80,
        "controller",
    ),
    part(
        &PLAYER,
        "timer",
        &["controller_timer"],
        &["parts::reply_timer::"],
        40,
        "",
    ),
    part(
        &PLAYER,
        "store",
        &["generator_store"],
        &["parts::store::"],
        60,
        "generator",
    ),
    part(
        &PLAYER,
        "maps",
        &["generator_maps"],
        &["parts::maps::"],
        80,
        "generator",
    ),
    part(
        &PLAYER,
        "judge",
        &["generator_judge"],
        &["parts::judge::"],
        80,
        "generator",
    ),
    part(
        &PLAYER,
        "generator",
        &["generator"],
        &["parts::generator::", "parts::scan::"],
        100,
        "duoforge_player",
    ),
    Part {
        closed: &["controller", "scorer"],
        ..part(
            &PLAYER,
            "scan",
            &["scan"],
            &["parts::scan::"],
            60,
            "duoforge_player",
        )
    },
    part(
        &PLAYER,
        "scorer",
        &["scorer", "scorer_*"],
        &["parts::scorer::"],
        60,
        "scorer",
    ),
    part(
        &PLAYER,
        "line",
        &["controller_line"],
        &["parts::line::"],
        60,
        "controller",
    ),
    Part {
        closed: &["generator", "scan", "scorer"],
        ..part(
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
    part(
        &CORE,
        "ground",
        &["core_ground"],
        &["parts::ground::", "parts::core::"],
        40,
        "core_unit",
    ),
    part(
        &CORE,
        "picker",
        &["core_picker", "core_picker_*"],
        &["parts::picker::", "parts::core::"],
        40,
        "core_picker",
    ),
    part(
        &CORE,
        "core",
        &["core", "core_sizes", "root", "root_*"],
        &["parts::core::", "parts::field::"],
        40,
        "core_unit",
    ),
    Part {
        closed: &["expander_priors", "expander_scorer", "expander_ranking"],
        ..part(
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
            &["parts::expander::"],
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
        ..part(
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
    part(
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
    part(
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
        ..part(
            &SEARCH_PLAYER,
            "search_player",
            &["duoforge_player", "controller"],
            &["parts::controller::", "search::stops::", "search::boards::"],
            40,
            "duoforge_player",
        )
    },
];

/// Modules without mutants, and the reasons. Names are those of [`plain`].
pub const WITHOUT: [(&str, &str); 11] = [
    ("register_*", "a register; faults are put at its ports"),
    ("banks_means", "a memory"),
    ("banks_reciprocal", "a memory that is filled once"),
    ("banks_visited", "a memory"),
    ("exploration_spreads", "a memory that is filled once"),
    ("expander_priors_kept", "a memory"),
    ("expander_priors_lookup", "a memory that is filled once"),
    ("expander_scorer_shape", "a memory that is filled once"),
    ("lanes_all_list_words", "a memory"),
    ("marks_quarters", "a memory"),
    ("nodes", "a memory"),
];

/// Returns the name of a shipped design's module as in the sources of the parts:
/// `searcher_tree_banks` is `banks` in the tree.
pub fn plain(module: &str) -> &str {
    let name = module.strip_prefix("searcher_").unwrap_or(module);
    match name.strip_prefix("lanes_all_") {
        Some(core) if core.starts_with("core") => core,
        _ => name.strip_prefix("tree_").unwrap_or(name),
    }
}

/// Returns the hashes of a part's modules in a design, each without modules that belong to parts.
pub fn digests(part: &Part, design: &Design) -> BTreeMap<String, String> {
    let owned = |module: &str| {
        let mut parts = PARTS.iter().filter(|it| it.source == part.source);
        parts.any(|it| it.owns(module))
    };
    let modules = design.names().filter(|name| part.owns(name));
    modules
        .filter_map(|name| Some((name.to_owned(), design.digest(name, owned)?)))
        .collect()
}

const fn part(
    source: &'static Source<'static>,
    name: &'static str,
    modules: &'static [&'static str],
    tests: &'static [&'static str],
    count: u32,
    context: &'static str,
) -> Part {
    Part {
        source,
        name,
        modules,
        tests,
        count,
        context,
        closed: &[],
    }
}

impl Part {
    /// Returns the part of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name == name)
    }

    /// Returns true if an emitted module of the source belongs to the part.
    pub fn owns(&self, module: &str) -> bool {
        self.modules
            .iter()
            .any(|name| match name.strip_suffix('*') {
                Some(start) => module.starts_with(start),
                None => module == *name,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_module_belongs_to_two_parts() {
        for (source, module) in [
            (&PLAYER, "generator"),
            (&PLAYER, "generator_judge"),
            (&PLAYER, "scorer_value_2"),
            (&PLAYER, "controller_line"),
            (&PLAYER, "controller_encoder_row"),
            (&CORE, "core_picker_fits"),
            (&EXPANDER, "expander_scorer_value_2"),
            (&TREE, "banks_lesson"),
            (&SEARCHER, "lanes_all"),
            (&SEARCH_PLAYER, "controller"),
        ] {
            let of = PARTS.iter().filter(|part| part.source == source);
            assert_eq!(of.filter(|part| part.owns(module)).count(), 1, "{module}");
        }
        assert!(!PARTS.iter().any(|part| part.owns("register_14")));
    }
}
