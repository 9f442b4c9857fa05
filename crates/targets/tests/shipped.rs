//! Default settings of the player `search`: those of the search player for the ULX3S-85F.

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::search::settings::SearchConfig;
use duoforge_targets::catalogue;
use duoforge_twin::search::{Limit, SearchSettings};

/// `SearchParameters::shipped` and `SearchConfig::default` equal the target's file.
#[test]
fn the_defaults_of_a_search_are_those_of_the_largest_target() {
    let target = catalogue::find("ulx3s-85f").expect("a target");
    let search = target.search.expect("it has a search");
    let PlayerConfig::Search(searching) = &search.player else {
        panic!("{} is not a search", search.player);
    };
    let default = SearchConfig::default();
    assert_eq!(searching.parameters, default.parameters);
    assert_eq!(searching.milliseconds, default.milliseconds);
    assert_eq!(searching.simulations, default.simulations);
    assert_eq!(searching.seed, default.seed);
    let settings = SearchSettings::default();
    assert_eq!(searching.parameters, settings.parameters);
    assert_eq!(searching.seed, settings.seed);
    // MCTS simulations per move at full time, rounded to thousands.
    let figures = include_str!("../../../docs/figures.json");
    let figures: serde_json::Value = serde_json::from_str(figures).expect("figures");
    let made = figures["search_85f_move"]["values"]["simulations"].as_u64();
    let simulations = made.expect("it was measured").div_ceil(500) / 2 * 1000;
    assert_eq!(settings.limit, Limit::Simulations(simulations));
}
