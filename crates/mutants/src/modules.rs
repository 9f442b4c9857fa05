//! What is mutated, and which tests have to notice.

use std::collections::BTreeMap;

use crate::verilog::Design;

/// An emitted design that mutants are made from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source<'s> {
    /// A test that opens it before all others.
    pub test: &'s str,
    /// Its name, up to the hash of what it is.
    pub design: &'s str,
}

/// The player that the patterns' policy plays.
const PLAYER: Source<'static> = source("board::lockstep::verilator_games", "duoforge_player-");

/// A playout core of the search.
const CORE: Source<'static> = source("parts::core::in_verilator", "core_unit-");

/// What finds the children of the search's nodes.
const EXPANDER: Source<'static> = source("parts::expander::in_verilator", "expander_unit-");

/// The search's tree.
const TREE: Source<'static> = source("parts::tree::in_verilator", "tree-");

/// The player that searches.
const SEARCH_PLAYER: Source<'static> = source(
    "search::boards::boards_that_search_play_whole_games_like_their_twins",
    "duoforge_player-",
);

/// The whole search.
const SEARCHER: Source<'static> = source("search::verilator_with_two_lanes", "searcher-");

const fn source(test: &'static str, design: &'static str) -> Source<'static> {
    Source { test, design }
}

/// A part of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// What its mutants are made from.
    pub source: &'static Source<'static>,
    /// Its name.
    pub name: &'static str,
    /// The emitted modules that belong to it, by the beginnings of their names in the source:
    /// `x` is `x` itself, `x_*` is whatever begins with `x_`. Memories are left out, as Yosys cannot put
    /// faults where they are filled.
    pub modules: &'static [&'static str],
    /// The tests that exercise it, by the beginnings of their names, in the order in which they run.
    pub tests: &'static [&'static str],
    /// Mutants when no number is asked for; in proportion to its size, within bounds.
    pub count: u32,
    /// The module around it in which a survivor is compared once more; empty where there is none that
    /// is small enough.
    pub context: &'static str,
    /// Modules inside that one which are left out there, since they are too large.
    pub closed: &'static [&'static str],
}

/// Every part: those of the player first, then those of the search.
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
        120,
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
    part(
        &PLAYER,
        "scan",
        &["scan"],
        &["parts::scan::"],
        120,
        "duoforge_player",
    ),
    part(
        &PLAYER,
        "scorer",
        &["scorer", "scorer_*"],
        &["parts::scorer::"],
        120,
        "duoforge_player",
    ),
    part(
        &PLAYER,
        "line",
        &["controller_line"],
        &["parts::line::"],
        80,
        "controller",
    ),
    part(
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
        120,
        "duoforge_player",
    ),
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
        "core_unit",
    ),
    part(
        &CORE,
        "core",
        &["core", "core_sizes", "root", "root_*"],
        &["parts::core::", "parts::field::"],
        40,
        "core_unit",
    ),
    part(
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
    ),
    part(
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
            "parts::prior_scorer::",
            "parts::expander::",
        ],
        40,
        "expander_unit",
    ),
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

/// Modules without mutants, and why. Names are those of [`plain`].
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

/// The name of a module of a shipped design as the units of the parts have it: `searcher_tree_banks` is
/// `banks` in the tree's unit.
pub fn plain(module: &str) -> &str {
    let name = module.strip_prefix("searcher_").unwrap_or(module);
    match name.strip_prefix("lanes_all_") {
        Some(core) if core.starts_with("core") => core,
        _ => name.strip_prefix("tree_").unwrap_or(name),
    }
}

/// Hashes of a part's modules in a design, each without what belongs to other modules of a part.
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
    /// The part of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name == name)
    }

    /// Whether an emitted module of the source belongs to the part.
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
