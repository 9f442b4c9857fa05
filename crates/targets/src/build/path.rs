//! Description of the critical path in words.
//!
//! The tools name a cell by its position in the hierarchy and a suffix for its kind, as in
//! `player.scan.pending$1.q_TRELLIS_FF_Q_6`. A register is a separate module, so the parts between
//! the dots name the blocks.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::rounding::thousandths;

/// Segment of a path in nextpnr's report.
#[derive(Clone, Debug, Deserialize)]
pub struct PathSegment {
    /// Delay in nanoseconds.
    pub delay: f64,
    #[serde(rename = "type")]
    kind: String,
    from: Place,
    to: Place,
}

#[derive(Clone, Debug, Deserialize)]
struct Place {
    cell: String,
}

/// Critical path of a design.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct WorstPath {
    /// Start of the path, as block and register.
    pub from: String,
    /// End of the path, as block and register.
    pub to: String,
    /// Blocks along the path, in order.
    pub through: Vec<String>,
    /// Levels of logic: cells along the path.
    pub levels: usize,
    /// Delay in cells, in nanoseconds.
    pub logic_ns: f64,
    /// Delay on wires, in nanoseconds.
    pub routing_ns: f64,
}

impl WorstPath {
    /// Creates the description of a path; `None` for an empty path.
    pub fn new(hops: &[PathSegment]) -> Option<Self> {
        let (first, last) = (hops.first()?, hops.last()?);
        let mut through: Vec<String> = Vec::new();
        for hop in hops {
            let block = block(&hop.from.cell);
            // A cell that the tools made belongs to no block.
            if !block.is_empty() && through.last() != Some(&block) {
                through.push(block);
            }
        }
        let routing = hops.iter().filter(|hop| hop.kind == "routing");
        let routing_ns: f64 = routing.map(|hop| hop.delay).sum();
        let all: f64 = hops.iter().map(|hop| hop.delay).sum();
        Some(Self {
            from: register(&first.from.cell),
            to: register(&last.to.cell),
            through,
            levels: hops.iter().filter(|hop| hop.kind == "logic").count(),
            logic_ns: thousandths(all - routing_ns),
            routing_ns: thousandths(routing_ns),
        })
    }

    /// Returns the total delay in nanoseconds.
    pub fn nanoseconds(&self) -> f64 {
        self.logic_ns + self.routing_ns
    }

    /// Returns the course of the path, without figures.
    pub fn course(&self) -> String {
        let Self { from, to, .. } = self;
        match &self.through[..] {
            [only] => format!("{from} to {to}, within {only}"),
            several => format!("{from} to {to}, by {}", several.join(", ")),
        }
    }
}

impl fmt::Display for WorstPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {:.1} ns, {:.1} of it in {} levels of logic, {:.1} on wires",
            self.course(),
            self.nanoseconds(),
            self.logic_ns,
            self.levels,
            self.routing_ns
        )
    }
}

/// Returns the names of the modules around a cell from the outside in, without the player, then the
/// cell's name without the tools' suffix. A dollar sign precedes an index, or replaces a dot in
/// rust-hdl.
fn names(cell: &str) -> Vec<String> {
    let cell = cell.trim_start_matches("$gbuf_");
    // The suffix starts with the kind of a cell; nothing else is in capitals.
    let appended = cell.match_indices('_').find(|(at, _)| {
        let next = cell[at + 1..].chars().next();
        next.is_some_and(|letter| letter.is_ascii_uppercase())
    });
    let cell = appended.map_or(cell, |(at, _)| &cell[..at]);
    let mut names: Vec<String> = Vec::new();
    for name in cell.split(['.', '$']) {
        match names.last_mut() {
            Some(array) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                *array = format!("{array}[{name}]");
            }
            _ => names.push(name.into()),
        }
    }
    if names.first().is_some_and(|name| name == "player") {
        names.remove(0);
    }
    names
}

/// Returns the register that a cell belongs to. A register is a module with the ports d and q.
fn register(cell: &str) -> String {
    let mut names = names(cell);
    names.pop_if(|own| is_port(own));
    names.join(".")
}

/// Returns the block that contains a cell.
fn block(cell: &str) -> String {
    let mut names = names(cell);
    // A logic cell is named after the wire that it drives or reads, often a register's input or
    // output.
    if names.pop().is_some_and(|own| is_port(&own)) {
        names.pop();
    }
    if names.is_empty() {
        return "the player".into();
    }
    names.join(".")
}

/// True if a wire is a register's input or output.
fn is_port(own: &str) -> bool {
    matches!(own, "d" | "q")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_told_by_their_blocks() {
        for (cell, in_register, in_block) in [
            (
                "player.scan.pending$1.q_TRELLIS_FF_Q_6",
                "scan.pending[1]",
                "scan",
            ),
            (
                "player.scan.pending$4$q_SB_DFFESR_Q_6_D_SB_LUT4_O_LC",
                "scan.pending[4]",
                "scan",
            ),
            (
                "player.scan$orientation_SB_DFF_Q_1_D",
                "scan.orientation",
                "scan",
            ),
            (
                "$gbuf_player.scan.busy.q_SB_LUT4_I1_O_$glb_ce",
                "scan.busy",
                "scan",
            ),
            ("player.state.q_SB_DFF_Q", "state", "the player"),
            (
                "player.generator.judge.own_row_LUT4_Z",
                "generator.judge.own_row",
                "generator.judge",
            ),
            ("pmod_rx_LUT4_D", "pmod_rx", "the player"),
        ] {
            assert_eq!(register(cell), in_register);
            assert_eq!(block(cell), in_block);
        }
    }

    #[test]
    fn a_path_is_told_in_a_sentence() {
        let hop = |kind: &str, delay, from: &str, to: &str| PathSegment {
            delay,
            kind: kind.into(),
            from: Place { cell: from.into() },
            to: Place { cell: to.into() },
        };
        let (a, b) = ("player.scan.busy.q_FF", "player.scorer.sum.d_LUT");
        let hops = [
            hop("clk-to-q", 0.5, a, a),
            hop("routing", 2.0, a, b),
            hop("logic", 0.25, b, b),
            hop("setup", 0.25, b, b),
        ];
        let path = WorstPath::new(&hops).expect("a path");
        assert_eq!(
            path.to_string(),
            "scan.busy to scorer.sum, by scan, scorer: 3.0 ns, 1.0 of it in 1 levels of logic, \
             2.0 on wires"
        );
        let made = hop("logic", 0.5, "$PACKER_VCC_LUT4", b);
        let with_made = [&hops[..2], &[made], &hops[2..]].concat();
        let path = WorstPath::new(&with_made).expect("a path");
        assert_eq!(path.through, ["scan", "scorer"]);
        assert_eq!(WorstPath::new(&[]), None);
    }
}
