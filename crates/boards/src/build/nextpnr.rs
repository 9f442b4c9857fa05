//! Reads what the tools found out: nextpnr's report and Yosys' statistics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::path::Hop;
use crate::board::Tools;

/// nextpnr's report.
#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    fmax: BTreeMap<String, Fmax>,
    critical_paths: Vec<CriticalPath>,
    utilization: BTreeMap<String, Used>,
}

/// A clock, in megahertz.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Fmax {
    achieved: f64,
    constraint: f64,
}

/// The slowest path between two clocks.
#[derive(Clone, Debug, Deserialize)]
pub struct CriticalPath {
    from: String,
    to: String,
    /// Its parts.
    pub path: Vec<Hop>,
}

/// How much of something is used.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub struct Used {
    /// Used.
    pub used: u64,
    /// On the chip.
    pub available: u64,
}

impl Used {
    /// The part that is used, in percent; nothing of nothing is 0.
    pub fn percent(self) -> f64 {
        100.0 * self.used as f64 / self.available.max(1) as f64
    }
}

/// How much of the chip is used.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub struct Utilisation {
    /// Look-up tables of four inputs, those of adders included.
    pub lut: Used,
    /// Flip-flops.
    pub ff: Used,
    /// Block memories.
    pub block_ram: Used,
    /// Multipliers.
    pub dsp: Used,
    /// Logic cells, on chips where one holds a look-up table and a flip-flop that may both be used
    /// only together.
    pub cells: Option<Used>,
}

/// A clock and what became of it, in megahertz.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Clock {
    /// The net.
    pub name: String,
    /// What the board gives it.
    pub needed: f64,
    /// The highest frequency at which the design works.
    pub reached: f64,
}

impl Clock {
    /// Whether the design works at the board's frequency.
    pub fn is_met(&self) -> bool {
        self.reached >= self.needed
    }
}

/// Yosys' counts, as far as they are of use.
#[derive(Clone, Debug, Deserialize)]
pub struct Statistics {
    design: Design,
}

#[derive(Clone, Debug, Deserialize)]
struct Design {
    num_cells_by_type: BTreeMap<String, u64>,
}

impl Statistics {
    fn sum(&self, wanted: impl Fn(&str) -> bool) -> u64 {
        let cells = self.design.num_cells_by_type.iter();
        cells
            .filter(|(kind, _)| wanted(kind))
            .map(|(_, count)| count)
            .sum()
    }
}

impl Report {
    /// The clocks by name. The player's is asked for by its frequency, since nextpnr's names differ.
    pub fn clocks(&self) -> Vec<Clock> {
        let clock = |(name, fmax): (&String, &Fmax)| Clock {
            name: name.trim_start_matches("$glbnet$").into(),
            needed: fmax.constraint,
            reached: fmax.achieved,
        };
        self.fmax.iter().map(clock).collect()
    }

    /// The slowest path from a register to a register of the same clock.
    pub fn worst_path(&self) -> Option<&CriticalPath> {
        let inside = |path: &&CriticalPath| path.from == path.to && path.from.contains("edge");
        let length = |path: &CriticalPath| path.path.iter().map(|hop| hop.delay).sum::<f64>();
        self.critical_paths
            .iter()
            .filter(inside)
            .max_by(|a, b| length(a).total_cmp(&length(b)))
    }

    /// How much of the chip is used.
    pub fn utilisation(&self, tools: &Tools, statistics: &Statistics) -> Utilisation {
        let of = |kind: &str| self.utilization.get(kind).copied().unwrap_or_default();
        match tools {
            Tools::Ice40 { .. } => {
                let cells = of("ICESTORM_LC");
                let available = cells.available;
                let part = |used| Used { used, available };
                Utilisation {
                    lut: part(statistics.sum(|kind| kind == "SB_LUT4")),
                    ff: part(statistics.sum(|kind| kind.starts_with("SB_DFF"))),
                    block_ram: of("ICESTORM_RAM"),
                    dsp: of("ICESTORM_DSP"),
                    cells: Some(cells),
                }
            }
            Tools::Gowin { .. } => Utilisation {
                lut: of("LUT4"),
                ff: of("DFF"),
                block_ram: of("BSRAM"),
                dsp: of("MULT18X18"),
                cells: None,
            },
            _ => Utilisation {
                lut: of("TRELLIS_COMB"),
                ff: of("TRELLIS_FF"),
                block_ram: of("DP16KD"),
                dsp: of("MULT18X18D"),
                cells: None,
            },
        }
    }
}
