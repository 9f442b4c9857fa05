//! Reads what the tools found out: nextpnr's report and Yosys' statistics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::path::Hop;
use super::record::thousandths;
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
            reached: thousandths(fmax.achieved),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::path::WorstPath;
    use crate::catalogue;

    /// What nextpnr-ecp5 wrote about the player, the middle of its longest path left out.
    const REPORT: &str = include_str!("../../tests/data/nextpnr-ecp5.json");

    const STATISTICS: &str = r#"{"design": {"num_cells_by_type":
        {"SB_LUT4": 5, "SB_DFF": 1, "SB_DFFE": 2, "SB_CARRY": 7}}}"#;

    fn report() -> Report {
        serde_json::from_str(REPORT).expect("a report")
    }

    #[test]
    fn clocks_are_read() {
        let clocks = report().clocks();
        assert_eq!(clocks.len(), 1);
        assert_eq!((clocks[0].name.as_str(), clocks[0].needed), ("clock", 50.0));
        assert!((62.0..63.0).contains(&clocks[0].reached));
        assert!(clocks[0].is_met());
        let faster = REPORT.replace("\"constraint\": 50", "\"constraint\": 75");
        let report: Report = serde_json::from_str(&faster).expect("a report");
        assert!(!report.clocks()[0].is_met());
    }

    #[test]
    fn the_worst_path_is_one_between_registers() {
        let report = report();
        let path = report.worst_path().expect("a path");
        assert_eq!(
            (path.from.as_str(), path.path.len()),
            ("posedge $glbnet$clock", 6)
        );
        let words = WorstPath::new(&path.path).expect("a path");
        assert_eq!(
            words.course(),
            "scan.pending[5] to scan.out_patch[4], within scan"
        );
    }

    #[test]
    fn the_use_of_a_chip_is_read_from_where_it_stands() {
        let statistics: Statistics = serde_json::from_str(STATISTICS).expect("statistics");
        let tools = |name| catalogue::find(name).expect("a board").tools;
        let ecp5 = report().utilisation(&tools("ulx3s-85f"), &statistics);
        assert_eq!((ecp5.lut.used, ecp5.lut.available), (6261, 83_640));
        assert_eq!((ecp5.ff.used, ecp5.block_ram.available), (3756, 208));
        assert_eq!(ecp5.cells, None);
        let ice40 = report().utilisation(&tools("hx8k-breakout"), &statistics);
        assert_eq!((ice40.lut.used, ice40.ff.used), (5, 3));
        assert!(ice40.cells.is_some());
    }

    #[test]
    fn shares_are_percentages() {
        let half = Used {
            used: 1,
            available: 2,
        };
        assert_eq!(half.percent(), 50.0);
        assert_eq!(Used::default().percent(), 0.0);
    }
}
