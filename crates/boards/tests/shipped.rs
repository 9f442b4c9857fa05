//! What a player called `search` is without further settings: the search of the ULX3S-85F.

use duoforge_boards::catalogue;
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::search::settings::Searching;

/// The constants of `Parameters::shipped` and `Searching::default` are those of the target's file.
#[test]
fn the_defaults_of_a_search_are_those_of_the_largest_target() {
    let target = catalogue::find("ulx3s-85f").expect("a target");
    let search = target.search.expect("it has a search");
    let Chooser::Search(searching) = &search.player else {
        panic!("{} is not a search", search.player);
    };
    let default = Searching::default();
    assert_eq!(searching.parameters, default.parameters);
    assert_eq!(searching.milliseconds, default.milliseconds);
    assert_eq!(searching.simulations, default.simulations);
    assert_eq!(searching.seed, default.seed);
    let settings = duoforge_engine::search::Settings::default();
    assert_eq!(searching.parameters, settings.parameters);
    assert_eq!(searching.seed, settings.seed);
    // Simulations of a move, rounded down to thousands.
    let clocks = u64::from(searching.on_clock(target.clock.player_hz).clocks);
    let simulations = clocks / u64::from(search.simulation_clocks.expect("it was measured"));
    let limit = duoforge_engine::search::Limit::Simulations(simulations / 1000 * 1000);
    assert_eq!(settings.limit, limit);
}
