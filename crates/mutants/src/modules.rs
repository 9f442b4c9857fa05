//! Which modules there are, and which tests exercise each.

/// A module of the board and its tests.
#[derive(Debug, Clone, Copy)]
pub struct Module {
    /// Its file in `hdl/src`, and its name in reports.
    pub name: &'static str,
    /// Names of the emitted modules that hold its logic, in the designs that its tests open.
    pub emitted: &'static [&'static str],
    /// Tests of `sim/tests/hardware`, the quickest first.
    pub tests: &'static [&'static str],
    /// Mutants in a full campaign: more for more logic.
    pub count: usize,
}

const BOARD: &[&str] = &[
    "board::orders::any_code_after_any_other",
    "board::reset::inside_a_code",
    "board::reset::while_held",
    "board::guard::a_guard_of_nothing",
    "board::guard::games_under_a_short_guard",
    "board::overtaken::codes_back_to_back",
    "board::abuse::framing_errors_and_breaks_inside_codes",
    "board::abuse::games_over_a_noisy_line",
    "board::reset::while_thinking_writing_and_sending",
    "board::impatient::at_most_one_answer_for_each_request",
    "board::overtaken::hello_while_thinking",
    "board::lockstep::verilator_games",
];

/// Every module with logic of its own; registers are covered by the modules that hold them.
pub const ALL: &[Module] = &[
    Module {
        name: "uart_rx",
        emitted: &["uart_rx"],
        tests: &["parts::uart_rx::in_verilator"],
        count: 100,
    },
    Module {
        name: "uart_tx",
        emitted: &["uart_tx"],
        tests: &["parts::uart_tx::in_verilator"],
        count: 60,
    },
    Module {
        name: "line",
        emitted: &["line"],
        tests: &["parts::line::in_verilator"],
        count: 120,
    },
    Module {
        name: "decoder",
        emitted: &["decoder", "row", "shapes", "tile"],
        tests: &["parts::decoder::in_verilator"],
        count: 100,
    },
    Module {
        name: "encoder",
        emitted: &["encoder", "row", "shapes"],
        tests: &["parts::encoder::in_verilator"],
        count: 60,
    },
    Module {
        name: "store",
        emitted: &["store"],
        tests: &["parts::store::in_verilator"],
        count: 60,
    },
    Module {
        name: "maps",
        emitted: &["maps"],
        tests: &["parts::maps::in_verilator"],
        count: 80,
    },
    Module {
        name: "window",
        emitted: &["window"],
        tests: &["parts::window::in_verilator"],
        count: 40,
    },
    Module {
        name: "judge",
        emitted: &["judge"],
        tests: &["parts::judge::in_verilator"],
        count: 150,
    },
    Module {
        name: "generator",
        emitted: &["generator", "footprint", "tile"],
        tests: &["parts::generator::in_verilator"],
        count: 120,
    },
    Module {
        name: "scan",
        emitted: &["scan"],
        tests: &["parts::scan::in_verilator"],
        count: 120,
    },
    Module {
        name: "scorer",
        emitted: &[
            "scorer",
            "base",
            "footprint",
            "value",
            "value_2",
            "value_3",
            "value_4",
            "value_5",
            "value_6",
        ],
        tests: &["parts::scorer::in_verilator"],
        count: 120,
    },
    Module {
        name: "player",
        emitted: &["duoforge_player"],
        tests: BOARD,
        count: 120,
    },
];

/// The module of that name.
pub fn named(name: &str) -> Option<&'static Module> {
    ALL.iter().find(|module| module.name == name)
}
