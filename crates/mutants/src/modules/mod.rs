//! Mutated parts of the players, and the tests that must kill their mutants.

mod parts;
mod sources;

use std::collections::BTreeMap;

pub use parts::parts;

use crate::part::Part;
use crate::same_module::Design;

/// Modules without mutants, and the reasons. Names are those of [`plain`].
pub const WITHOUT: [(&str, &str); 18] = [
    ("register_*", "a register; faults are put at its ports"),
    ("banks_reciprocal", "a memory that is filled once"),
    ("banks_visited", "a memory"),
    ("book_entries", "a memory that is filled once"),
    ("cache_tags", "a memory"),
    ("exploration_scales", "a memory that is filled once"),
    (
        "expander_network_cell_scores_tables",
        "a memory that is filled once",
    ),
    (
        "expander_network_channels_tables",
        "a memory that is filled once",
    ),
    ("expander_network_rows", "a memory"),
    (
        "expander_network_scorer_shape",
        "a memory that is filled once",
    ),
    ("expander_network_window_above", "a memory"),
    ("expander_priors_kept", "a memory"),
    ("expander_priors_lookup", "a memory that is filled once"),
    (
        "expander_prior_scorer_shape",
        "a memory that is filled once",
    ),
    ("lanes_lanes_placement_list_memory", "a memory"),
    ("amaf_table_quarters", "a memory"),
    ("nodes", "a memory"),
    ("node_tops", "a memory"),
];

/// Returns the name of a shipped design's module as in the sources of the parts:
/// `player_searcher_tree_banks` is `banks` in the tree, the `cache` of the node loader is that of the
/// external memory, and a player's `sdram` is the controller there, the `book` the opening book, and
/// the `check` that of placements.
pub fn plain(module: &str) -> &str {
    let name = module.strip_prefix("player_").unwrap_or(module);
    let name = name.strip_prefix("searcher_").unwrap_or(name);
    match name.strip_prefix("lanes_lanes_") {
        None if name == "sdram" => "controller",
        None if name == "book" => "opening_book",
        None if name == "check" => "placement_check",
        Some(core) if core.starts_with("core") => core,
        _ => (["tree_", "node_loader_"].into_iter())
            .find_map(|unit| name.strip_prefix(unit))
            .unwrap_or(name),
    }
}

/// Returns the part of that name.
pub fn named(name: &str) -> Option<&'static Part> {
    parts().find(|part| part.name == name)
}

/// Returns the hashes of a part's modules in a design, each without modules that belong to parts.
pub fn digests(part: &Part, design: &Design) -> BTreeMap<String, String> {
    let owned = |module: &str| {
        let mut parts = parts().filter(|it| it.source == part.source);
        parts.any(|it| it.owns(module))
    };
    let modules = design.names().filter(|name| part.owns(name));
    modules
        .filter_map(|name| Some((name.to_owned(), design.digest(name, owned)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::sources::{CORE, EXPANDER, PLAYER, SEARCH_PLAYER, SEARCHER, TREE};
    use super::*;

    #[test]
    fn no_module_belongs_to_two_parts() {
        for (source, module) in [
            (&PLAYER, "generator"),
            (&PLAYER, "generator_legality"),
            (&PLAYER, "policy_scorer_value_2"),
            (&PLAYER, "controller_parser"),
            (&PLAYER, "controller_encoder_row"),
            (&CORE, "core_placement_draw_fits"),
            (&EXPANDER, "expander_prior_scorer_value_2"),
            (&TREE, "banks_mean_update"),
            (&SEARCHER, "lanes_lanes"),
            (&SEARCH_PLAYER, "player_controller"),
        ] {
            let of = parts().filter(|part| part.source == source);
            assert_eq!(of.filter(|part| part.owns(module)).count(), 1, "{module}");
        }
        assert!(!parts().any(|part| part.owns("register_14")));
    }
}
