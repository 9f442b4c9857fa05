//! Save files: the player's signals in groups, for GTKWave and for Surfer.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use duoforge_hdl::design::{CLOCK, Port};

use super::{Wave, scope};
use crate::backend::Backend;
use crate::error::{Result, SimError};

/// Signals of the player by group; a player without a signal lacks its line.
const GROUPS: &[(&str, &[&str])] = &[
    ("clock and reset", &[CLOCK, "reset"]),
    ("serial line", &["rx", "tx"]),
    (
        "controller",
        &["thinking", "playing", "flags", "think_cycles"],
    ),
    (
        "legal set",
        &[
            "legal_count",
            "trace_valid",
            "trace_side",
            "trace_orientation",
            "trace_x",
            "trace_y",
        ],
    ),
    ("scores", &["score_valid", "score"]),
    ("search", &["simulations", "pondered"]),
];

/// Signals of a search without its player by group.
const SEARCH: &[(&str, &[&str])] = &[
    ("clock", &[CLOCK]),
    (
        "requests",
        &["clear", "place", "list", "think", "stop", "idle"],
    ),
    ("legal set", &["listed", "listed_placement"]),
    (
        "simulations",
        &[
            "simulations",
            "trace_end",
            "trace_result",
            "trace_valid",
            "trace_step",
        ],
    ),
    (
        "children of the root",
        &[
            "trace_read",
            "trace_placement",
            "trace_visits",
            "trace_value",
            "trace_proven",
        ],
    ),
    ("result", &["found", "best"]),
];

/// GTKWave's flags of a trace: binary, hexadecimal, comment.
const BINARY: &str = "@28";
const HEXADECIMAL: &str = "@22";
const COMMENT: &str = "@200";

/// Groups of signals in the waveforms of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Views {
    /// Groups: title, and signals with their width in bits.
    groups: Vec<(&'static str, Vec<(String, u32)>)>,
}

impl Views {
    /// Selects the signals among the ports of a device.
    #[must_use]
    pub fn new(backend: Backend, ports: &[Port]) -> Self {
        Self::among(GROUPS, backend, ports)
    }

    /// Selects the signals among the ports of a search without its player.
    #[must_use]
    pub fn of_search(backend: Backend, ports: &[Port]) -> Self {
        Self::among(SEARCH, backend, ports)
    }

    fn among(groups: &[(&'static str, &[&'static str])], backend: Backend, ports: &[Port]) -> Self {
        let width = |name: &str| match name {
            CLOCK => Some(1),
            _ => ports
                .iter()
                .find(|port| port.name == name)
                .map(|port| port.width),
        };
        let scope = scope(backend);
        let signals = |names: &[&str]| -> Vec<_> {
            let found = names.iter().filter_map(|name| Some((name, width(name)?)));
            found
                .map(|(name, width)| (format!("{scope}.{name}"), width))
                .collect()
        };
        let groups = groups.iter().map(|(title, names)| (*title, signals(names)));
        Self {
            groups: groups.filter(|(_, signals)| !signals.is_empty()).collect(),
        }
    }

    /// Iterates over the hierarchical names of all signals.
    pub fn signals(&self) -> impl Iterator<Item = &str> {
        let signals = self.groups.iter().flat_map(|(_, signals)| signals);
        signals.map(|(name, _)| name.as_str())
    }

    /// Writes the save files of a waveform next to it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, file: &Path) -> Result<Wave> {
        let wave = Wave {
            file: file.to_owned(),
            gtkwave: file.with_extension("gtkw"),
            surfer: file.with_extension("sucl"),
        };
        for (path, text) in [
            (&wave.gtkwave, self.gtkwave()),
            (&wave.surfer, self.surfer()),
        ] {
            fs::write(path, text).map_err(SimError::io("writing", path))?;
        }
        Ok(wave)
    }

    /// Returns a save file of GTKWave. Vectors bear their range, as in the waveform.
    fn gtkwave(&self) -> String {
        let mut text = String::from("[*] signals of the duoforge player\n[sst_expanded] 1\n");
        for (title, signals) in &self.groups {
            let _ = writeln!(text, "{COMMENT}\n-{title}");
            for (name, width) in signals {
                let _ = match width {
                    1 => writeln!(text, "{BINARY}\n{name}"),
                    _ => writeln!(text, "{HEXADECIMAL}\n{name}[{}:0]", width - 1),
                };
            }
        }
        text
    }

    /// Returns a command file of Surfer.
    fn surfer(&self) -> String {
        let mut text = String::new();
        for (title, signals) in &self.groups {
            let _ = writeln!(text, "divider_add {title}");
            for (name, _) in signals {
                let _ = writeln!(text, "variable_add {name}");
            }
        }
        text + "zoom_fit\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_signals_of_the_device_are_listed() {
        let ports = [
            Port::input("rx", 1),
            Port::output("flags", 6),
            Port::output("other", 1),
        ];
        let views = Views::new(Backend::Icarus, &ports);
        assert_eq!(
            views.gtkwave(),
            "[*] signals of the duoforge player\n[sst_expanded] 1\n\
             @200\n-clock and reset\n@28\nduoforge_bench.dut.clock\n\
             @200\n-serial line\n@28\nduoforge_bench.dut.rx\n\
             @200\n-controller\n@22\nduoforge_bench.dut.flags[5:0]\n"
        );
        assert_eq!(
            views.surfer(),
            "divider_add clock and reset\nvariable_add duoforge_bench.dut.clock\n\
             divider_add serial line\nvariable_add duoforge_bench.dut.rx\n\
             divider_add controller\nvariable_add duoforge_bench.dut.flags\nzoom_fit\n"
        );
    }
}
