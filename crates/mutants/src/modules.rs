//! What is mutated, and which tests have to notice.

/// A part of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// The emitted modules that belong to it, by the beginnings of their names in the player:
    /// `x` is `x` itself, `x_*` is whatever begins with `x_`.
    pub modules: &'static [&'static str],
    /// The tests that exercise it, by the beginnings of their names, in the order in which they run.
    pub tests: &'static [&'static str],
    /// Mutants when no number is asked for; in proportion to its size, within bounds.
    pub count: u32,
}

/// Every part, the small ones first.
pub const PARTS: [Part; 13] = [
    part(
        "windows",
        &["generator_windows"],
        &["parts::window::", "parts::generator::"],
        40,
    ),
    part(
        "encoder",
        &["controller_encoder", "controller_encoder_*"],
        &["parts::encoder::"],
        60,
    ),
    part(
        "decoder",
        &["controller_decoder", "controller_decoder_*"],
        &["parts::decoder::"],
        80,
    ),
    part("uart_tx", &["controller_sender"], &["parts::uart_tx::"], 50),
    part(
        "uart_rx",
        &["controller_receiver"],
        &["parts::uart_rx::"],
        80,
    ),
    part("store", &["generator_store"], &["parts::store::"], 60),
    part("maps", &["generator_maps"], &["parts::maps::"], 80),
    part("judge", &["generator_judge"], &["parts::judge::"], 120),
    part(
        "generator",
        &["generator"],
        &["parts::generator::", "parts::scan::"],
        100,
    ),
    part("scan", &["scan"], &["parts::scan::"], 120),
    part("scorer", &["scorer", "scorer_*"], &["parts::scorer::"], 120),
    part("line", &["controller_line"], &["parts::line::"], 80),
    part(
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
];

const fn part(
    name: &'static str,
    modules: &'static [&'static str],
    tests: &'static [&'static str],
    count: u32,
) -> Part {
    Part {
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

    /// Whether an emitted module of the player belongs to the part.
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
        for module in [
            "generator",
            "generator_judge",
            "scorer_value_2",
            "controller_line",
            "controller_encoder_row",
        ] {
            assert_eq!(
                PARTS.iter().filter(|part| part.owns(module)).count(),
                1,
                "{module}"
            );
        }
        assert!(!PARTS.iter().any(|part| part.owns("register_14")));
    }
}
