//! Mutated parts of the pattern player.

use super::super::sources::PLAYER;
use crate::part::Part;

/// The parts, in the order of the report.
pub static PARTS: [Part; 14] = [
    Part::new(
        &PLAYER,
        "windows",
        &["generator_windows"],
        &["parts::window::", "parts::generator::"],
        40,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "encoder",
        &["controller_encoder", "controller_encoder_*"],
        &["parts::encoder::"],
        60,
        "",
    ),
    Part::new(
        &PLAYER,
        "decoder",
        &["controller_decoder", "controller_decoder_*"],
        &["parts::decoder::"],
        80,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "uart_tx",
        &["controller_uart_tx"],
        &["parts::uart_tx::"],
        50,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "uart_rx",
        &["controller_uart_rx"],
        &["parts::uart_rx::"],
        80,
        "controller",
    ),
    Part::new(
        &PLAYER,
        "reply_timer",
        &["controller_reply_timer"],
        &["parts::reply_timer::"],
        40,
        "",
    ),
    Part::new(
        &PLAYER,
        "store",
        &["generator_store"],
        &["parts::store::"],
        60,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "policy_maps",
        &["generator_policy_maps"],
        &["parts::policy_maps::"],
        80,
        "generator",
    ),
    Part::new(
        &PLAYER,
        "legality",
        &["generator_legality"],
        &["parts::legality::"],
        80,
        "generator",
    ),
    Part {
        closed: &["generator_policy_maps", "generator_store"],
        // The scorer holds the footprints, and only the store takes them.
        further: &[(
            "duoforge_player",
            &[
                "controller",
                "scan",
                "generator_legality",
                "generator_policy_maps",
                "generator_store",
                "generator_windows",
            ],
        )],
        ..Part::new(
            &PLAYER,
            "generator",
            &["generator"],
            &["parts::generator::", "parts::scan::"],
            100,
            "generator",
        )
    },
    Part {
        closed: &["controller", "policy_scorer"],
        ..Part::new(
            &PLAYER,
            "scan",
            &["scan"],
            &["parts::scan::"],
            60,
            "duoforge_player",
        )
    },
    Part::new(
        &PLAYER,
        "policy_scorer",
        &["policy_scorer", "policy_scorer_*"],
        &["parts::policy_scorer::"],
        60,
        "policy_scorer",
    ),
    Part::new(
        &PLAYER,
        "parser",
        &["controller_parser"],
        &["parts::parser::"],
        60,
        "controller",
    ),
    Part {
        closed: &["generator", "scan", "policy_scorer"],
        // The windows have borders, and the scorer reads a part of the patches.
        further: &[(
            "duoforge_player",
            &[
                "controller",
                "scan",
                "generator_legality",
                "generator_policy_maps",
                "generator_store",
            ],
        )],
        ..Part::new(
            &PLAYER,
            "player",
            &["duoforge_player", "controller"],
            &[
                "parts::controller::",
                "board::flags::",
                "board::orders::",
                "board::reset::",
                "board::deadline::",
                "board::superseded::",
                "board::abuse::",
                "board::impatient::",
                "board::lockstep::",
            ],
            40,
            "duoforge_player",
        )
    },
];
