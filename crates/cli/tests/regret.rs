//! Regret of the choices of searches, by the player `engine` in a separate process.
#![cfg(unix)]

use duoforge_lab::regret::{Costs, Reference};
use duoforge_sim::search::fixed_game;

const PROGRAM: &str = env!("CARGO_BIN_EXE_duoforge");

fn reference(player: &str) -> Reference {
    let words = [PROGRAM, "engine", player].map(str::to_owned);
    Reference::start(&words).expect("it speaks the protocol")
}

#[test]
fn shallow_searches_cost_more_than_deep_ones() {
    let boards = fixed_game();
    let games = [(0, boards.last().expect("a game").moves().to_vec())];
    let mut reference = reference("engine:sims=3000,threads=1,reuse_tree=0");
    let mut cost = |search: &str| {
        let search = search.parse().expect("settings");
        let costs = Costs::over(&games, &search, &mut reference, (2, 18), || false);
        let costs = costs.expect("the reference answers");
        let line = costs.line(&costs);
        assert!(line.starts_with("9 positions: "), "{line}");
        costs.mean().expect("positions").value
    };
    // Both searches expand nodes after few visits and have enough nodes for the children.
    let tree = "children=300,expand_threshold=16,nodes=65536,lanes=1";
    let [shallow, deep] = [2, 3000].map(|sims| cost(&format!("sims={sims},{tree}")));
    assert!(shallow > deep + 0.01, "{shallow} {deep}");
}

#[test]
fn a_program_without_values_is_told_of() {
    let boards = fixed_game();
    let games = [(0, boards.last().expect("a game").moves().to_vec())];
    let search = "sims=2".parse().expect("settings");
    let costs = Costs::over(&games, &search, &mut reference("pattern"), (5, 18), || {
        false
    });
    let error = format!("{:#}", costs.expect_err("it has no values"));
    assert!(error.contains("move_values"), "{error}");
}
