//! The search player of the ULX3S-85F is the one whose strength is stated.

mod measured;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_targets::catalogue;
use serde_json::Value;

/// Largest difference between the simulations of the games and those of the hardware's first search
/// in a game, in percent.
const MARGIN: u64 = 5;

/// The games against Pentobi were played by the twin from the empty board with the target's settings,
/// its opening book and about its number of simulations.
#[test]
fn the_strength_of_the_largest_target_was_measured_with_its_settings() {
    let target = catalogue::find("ulx3s-85f").expect("a target");
    let search = target.search.expect("it has a search");
    let PlayerConfig::Search(searching) = &search.player else {
        panic!("{} is not a search", search.player);
    };
    let figures = include_str!("../../../docs/figures.json");
    let figures: Value = serde_json::from_str(figures).expect("figures");
    let made = figures["search_85f_move"]["values"]["simulations"].as_u64();
    let made = made.expect("it was measured");
    for name in ["search_85f_level_6", "search_85f_level_7"] {
        let command = figures[name]["command"].as_str().expect("a command");
        let player = command.split(' ').find_map(|it| it.strip_prefix("search:"));
        let player = player.expect("a search");
        measured::has_settings_of(searching, player, name);
        let has_book = |text: &str| text.split(',').any(|setting| setting == "book=1");
        assert!(
            has_book(&searching.to_string()) && has_book(player),
            "{name}"
        );
        assert!(command.contains("--openings empty"), "{name}");
        let simulations = player.split(',').find_map(|it| it.strip_prefix("sims="));
        let simulations: u64 = simulations.expect("a limit").parse().expect("a number");
        assert!(
            simulations.abs_diff(made) * 100 <= made * MARGIN,
            "{name}: {simulations} simulations, {made} in hardware"
        );
    }
}
