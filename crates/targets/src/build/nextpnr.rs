//! Results of the tools: nextpnr's report and Yosys' statistics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::path::PathSegment;
use super::rounding::thousandths;
use crate::toolchain::Tools;

/// Report of nextpnr.
#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    fmax: BTreeMap<String, Fmax>,
    critical_paths: Vec<CriticalPath>,
    utilization: BTreeMap<String, Used>,
}

/// Achieved and required frequency of a clock, in megahertz.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Fmax {
    achieved: f64,
    constraint: f64,
}

/// Critical path between two clock domains.
#[derive(Clone, Debug, Deserialize)]
pub struct CriticalPath {
    from: String,
    to: String,
    /// Segments of the path.
    pub path: Vec<PathSegment>,
}

/// Domain of the pins in the name of a critical path.
const PINS: &str = "<async>";

impl CriticalPath {
    /// Returns the delay in nanoseconds.
    fn delay(&self) -> f64 {
        self.path.iter().map(|segment| segment.delay).sum()
    }
}

/// Used and available number of a resource.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub struct Used {
    /// Number in use.
    pub used: u64,
    /// Number on the chip.
    pub available: u64,
}

impl Used {
    /// Returns the used share in percent; 0 if both numbers are 0.
    pub fn percent(self) -> f64 {
        100.0 * self.used as f64 / self.available.max(1) as f64
    }
}

/// Resource use of a design.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub struct Utilisation {
    /// Four-input look-up tables, including those of adders.
    pub lut: Used,
    /// Flip-flops.
    pub ff: Used,
    /// Block RAMs.
    pub block_ram: Used,
    /// Multipliers (DSP blocks).
    pub dsp: Used,
    /// Logic cells, on chips whose cell combines a look-up table and a flip-flop. A cell's two
    /// parts can be used together only if one feeds the other.
    pub cells: Option<Used>,
}

/// Result for a clock, in megahertz.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Clock {
    /// Name of the net.
    pub name: String,
    /// Required frequency.
    pub needed: f64,
    /// Achieved frequency, the highest at which the design works.
    pub reached: f64,
}

impl Clock {
    /// True if the design works at the required frequency.
    pub fn is_met(&self) -> bool {
        self.reached >= self.needed
    }
}

/// Statistics of Yosys, reduced to the counts in use.
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
    /// Returns each clock by its net name. The names vary, so a caller identifies the player's clock by
    /// its frequency.
    pub fn clocks(&self) -> Vec<Clock> {
        let clock = |(name, fmax): (&String, &Fmax)| Clock {
            name: name.trim_start_matches("$glbnet$").into(),
            needed: fmax.constraint,
            reached: thousandths(fmax.achieved),
        };
        self.fmax.iter().map(clock).collect()
    }

    /// Returns the critical path among the paths from a register to a register of the same clock.
    pub fn worst_path(&self) -> Option<&CriticalPath> {
        let inside = |path: &&CriticalPath| path.from == path.to && path.from.contains("edge");
        self.critical_paths
            .iter()
            .filter(inside)
            .max_by(|a, b| a.delay().total_cmp(&b.delay()))
    }

    /// Returns the delay of the longest path from a register to a pin, in nanoseconds.
    pub fn longest_output(&self) -> Option<f64> {
        self.longest(|path| path.from != PINS && path.to == PINS)
    }

    /// Returns the delay of the longest path from a pin to a register, in nanoseconds.
    pub fn longest_input(&self) -> Option<f64> {
        self.longest(|path| path.from == PINS && path.to != PINS)
    }

    fn longest(&self, wanted: impl Fn(&CriticalPath) -> bool) -> Option<f64> {
        let paths = self.critical_paths.iter().filter(|path| wanted(path));
        paths.map(CriticalPath::delay).max_by(f64::total_cmp)
    }

    /// Returns the resource use of the design.
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

    /// Report of nextpnr-ecp5 for the player, with the middle of its critical path removed.
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
    fn the_longest_paths_of_the_pins_are_read() {
        let report = report();
        let output = report.longest_output().expect("a path");
        assert!((5.812..5.814).contains(&output), "{output}");
        let input = report.longest_input().expect("a path");
        assert!((6.034..6.036).contains(&input), "{input}");
        let apart = REPORT.replace(PINS, "elsewhere");
        let report: Report = serde_json::from_str(&apart).expect("a report");
        assert_eq!(
            (report.longest_output(), report.longest_input()),
            (None, None)
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
