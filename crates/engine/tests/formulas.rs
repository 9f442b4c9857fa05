//! The engine with every formula, against the twin with the same ones.

use duoforge_engine::{Engine, EngineSettings};
use duoforge_rules::{DuoBoard, Placement};
use duoforge_twin::search::{Formulas, Limit, Search, SearchParameters};

const FORMULAS: [&str; 13] = [
    "value_count_divisor=1",
    "value_count_bits=24",
    "fpu_root=1",
    "expand_ply=8",
    "first_children=20",
    "widen=10",
    "reply_count_max=2",
    "playout_weights=1",
    "replies=2",
    "margin_bonus=12288",
    "length_bonus=4096",
    "final_wins=1",
    "prior_network=1",
];

/// Settings without any formula.
const PLAIN: &str = "expand_threshold=2,exploration=24,rave_weight_min=5,rave_decay=80,\
                     fpu_reduction=12,value_count_divisor=0,value_count_bits=16,fpu_root=0,\
                     playout_weights=0,replies=0,margin_bonus=0,length_bonus=0,final_wins=0";

/// Placement, visit count and value of each root move.
type Lines = Vec<(Placement, u32, u32)>;

fn by_engine(text: &str, board: &DuoBoard, simulations: u64) -> Lines {
    let text = format!("threads=1,reuse_tree=0,endgame_mobility=0,seed=7,{text}");
    let settings: EngineSettings = text.parse().expect("settings");
    let found = Engine::new(settings).analyse(board, Limit::Simulations(simulations));
    let units = |value: f64| (value * 65_535.0).round() as u32;
    let lines = found.lines.iter();
    lines
        .map(|line| (line.placement(), line.visits, units(line.value)))
        .collect()
}

fn by_twin(p: &SearchParameters, board: &DuoBoard, simulations: u64) -> Lines {
    let found = Search::new(p.clone(), 7).run(board, |done| done < simulations);
    let lines = found.lines.iter();
    lines
        .map(|line| (line.placement, line.visits, line.value))
        .collect()
}

#[test]
fn every_formula_finds_what_the_twin_finds() {
    assert_eq!(FORMULAS.len(), Formulas::KEYS.len());
    let all = FORMULAS.join(",");
    let mut board = DuoBoard::duo();
    for code in ["53e0", "a8e0", "21k7"] {
        let plain = by_engine(PLAIN, &board, 600);
        let mut different = 0;
        for formulas in FORMULAS.into_iter().chain([&all[..]]) {
            let text = format!("{PLAIN},{formulas}");
            let mut p = EngineSettings::default().parameters;
            for pair in text.split(',') {
                let (key, value) = pair.split_once('=').expect("KEY=VALUE");
                let row = SearchParameters::KEYS
                    .iter()
                    .find(|row| row.key.name == key);
                row.expect(key).set(&mut p, value).expect("a value");
            }
            let found = by_engine(&text, &board, 600);
            assert_eq!(found, by_twin(&p, &board, 600), "{text}");
            different += usize::from(found != plain);
        }
        // A few formulas need others, or more simulations, to have an effect.
        assert!(different > 7, "{different}");
        board.play(code.parse().expect("a code")).expect("legal");
    }
}
