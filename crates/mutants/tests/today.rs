//! Checks the recorded mutants and the hand-written ones against the currently emitted Verilog.

use std::collections::BTreeMap;
use std::path::PathBuf;

use duoforge_hdl::verilog::emit;
use duoforge_mutants::campaign::Campaign;
use duoforge_mutants::faults;
use duoforge_mutants::modules::{self, WITHOUT, plain};
use duoforge_mutants::report::Report;
use duoforge_targets::catalogue;

fn root() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository")
}

#[test]
fn rows_and_faults_belong_to_the_verilog_of_today() {
    let root = root();
    let campaign = Campaign::new(&root).expect("the hardware's tests");
    let report = Report::read(&root).expect("docs/mutations.json");
    let stale = campaign.stale(&report).expect("the sources are emitted");
    let stale: Vec<_> = stale.into_iter().map(|part| part.name).collect();
    assert_eq!(
        stale, report.outdated,
        "left: the parts whose Verilog has changed since their mutants were counted; `cargo xtask mutations \
         --stale --write` counts them again, `cargo xtask mutations --stale --mark` says so on the page"
    );
    let mut texts = BTreeMap::new();
    for fault in faults::read(&root).expect("faults") {
        let text = texts
            .entry((fault.test.clone(), fault.design.clone()))
            .or_insert_with(|| {
                campaign
                    .text(&fault.source(), &fault.name)
                    .expect("it is emitted")
            });
        fault.applied(text).expect("it applies");
        let tests = campaign.suite().beginning(&fault.tests);
        assert!(!tests.is_empty(), "{} names no test", fault.name);
    }
}

/// Every module of every shipped player has mutants in some part, or a reason for having none.
#[test]
fn every_module_that_ships_belongs_to_a_part() {
    let boards = catalogue::all().expect("the boards");
    let mut emitted: Vec<String> = Vec::new();
    let mut without = BTreeMap::new();
    for board in boards.iter().flat_map(|board| board.configured()) {
        let chooser = &board.configuration.player;
        let key = chooser.to_string();
        if emitted.contains(&key) {
            continue;
        }
        emitted.push(key);
        let modules = emit::modules(&board.parameters(*b"DF"), chooser).expect("it is emitted");
        for module in modules {
            let name = plain(&module.name);
            // Modules that differ slightly from another one end with a number.
            let start = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let start = start.strip_suffix('_').unwrap_or(name);
            let known = |owns: &dyn Fn(&str) -> bool| owns(name) || owns(start);
            if known(&|name| modules::parts().any(|part| part.owns(name))) {
                continue;
            }
            let reason = WITHOUT.iter().find(|(listed, _)| {
                known(&|name| match listed.strip_suffix('*') {
                    Some(start) => name.starts_with(start),
                    None => name == *listed,
                })
            });
            let reason = reason
                .unwrap_or_else(|| panic!("{}: {} belongs to no part", board.label(), module.name));
            without.insert(reason.0, ());
        }
    }
    assert!(emitted.len() > 1, "{emitted:?}");
    assert_eq!(without.len(), WITHOUT.len(), "all are needed: {without:?}");
    let player = modules::named("search_player").expect("a part");
    assert!(player.owns("duoforge_player") && player.owns("player_controller"));
}
