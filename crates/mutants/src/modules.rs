//! What is mutated, and which tests have to notice.

/// An emitted design that mutants are made from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// A test that opens it.
    pub test: &'static str,
    /// Its name, up to the hash of what it is.
    pub design: &'static str,
}

/// The player that the patterns' policy plays.
const PLAYER: Source = source("board::lockstep::verilator_games", "duoforge_player-");

/// A playout core of the search.
const CORE: Source = source("parts::core::in_verilator", "core_unit-");

/// What finds the children of the search's nodes.
const EXPANDER: Source = source("parts::expander::in_verilator", "expander_unit-");

/// The search's tree.
const TREE: Source = source("parts::tree::in_verilator", "tree-");

/// The whole search.
const SEARCHER: Source = source("search::verilator_with_two_lanes", "searcher-");

const fn source(test: &'static str, design: &'static str) -> Source {
    Source { test, design }
}

/// A part of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// What its mutants are made from.
    pub source: &'static Source,
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
}

/// Every part: those of the player first, then those of the search.
pub const PARTS: [Part; 20] = [
    part(
        &PLAYER,
        "windows",
        &["generator_windows"],
        &["parts::window::", "parts::generator::"],
        40,
    ),
    part(
        &PLAYER,
        "encoder",
        &["controller_encoder", "controller_encoder_*"],
        &["parts::encoder::"],
        60,
    ),
    part(
        &PLAYER,
        "decoder",
        &["controller_decoder", "controller_decoder_*"],
        &["parts::decoder::"],
        80,
    ),
    part(
        &PLAYER,
        "uart_tx",
        &["controller_sender"],
        &["parts::uart_tx::"],
        50,
    ),
    part(
        &PLAYER,
        "uart_rx",
        &["controller_receiver"],
        &["parts::uart_rx::"],
        80,
    ),
    part(
        &PLAYER,
        "store",
        &["generator_store"],
        &["parts::store::"],
        60,
    ),
    part(&PLAYER, "maps", &["generator_maps"], &["parts::maps::"], 80),
    part(
        &PLAYER,
        "judge",
        &["generator_judge"],
        &["parts::judge::"],
        120,
    ),
    part(
        &PLAYER,
        "generator",
        &["generator"],
        &["parts::generator::", "parts::scan::"],
        100,
    ),
    part(&PLAYER, "scan", &["scan"], &["parts::scan::"], 120),
    part(
        &PLAYER,
        "scorer",
        &["scorer", "scorer_*"],
        &["parts::scorer::"],
        120,
    ),
    part(
        &PLAYER,
        "line",
        &["controller_line"],
        &["parts::line::"],
        80,
    ),
    part(
        &PLAYER,
        "player",
        &["duoforge_player", "controller"],
        &[
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
    ),
    part(
        &CORE,
        "ground",
        &["core_ground"],
        &["parts::ground::", "parts::core::"],
        40,
    ),
    part(
        &CORE,
        "picker",
        &["core_picker", "core_picker_*"],
        &["parts::picker::", "parts::core::"],
        40,
    ),
    part(
        &CORE,
        "core",
        &["core", "core_sizes", "root", "root_*"],
        &["parts::core::", "parts::field::"],
        40,
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
        ],
        &["search::verilator_with_two_lanes"],
        25,
    ),
];

const fn part(
    source: &'static Source,
    name: &'static str,
    modules: &'static [&'static str],
    tests: &'static [&'static str],
    count: u32,
) -> Part {
    Part {
        source,
        name,
        modules,
        tests,
        count,
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
        ] {
            let of = PARTS.iter().filter(|part| part.source == source);
            assert_eq!(of.filter(|part| part.owns(module)).count(), 1, "{module}");
        }
        assert!(!PARTS.iter().any(|part| part.owns("register_14")));
    }
}
