//! Report on all targets: resource use and achieved clock of each build, as a table.
//!
//! The report is committed (`hdl/targets/report.json`, as a page in `docs/targets.md`), so that a
//! change of area or clock shows up as a change of these files. A build is checked against it with
//! the margins [`AREA_MARGIN`] and [`CLOCK_MARGIN`].

use std::collections::BTreeMap;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_protocol::BuildId;
use serde::{Deserialize, Serialize};

use crate::build::nextpnr::{Clock, Used};
use crate::build::pin_times::PinTimes;
use crate::build::{Record, id};
use crate::speed::Speed;
use crate::target::Target;

/// Permitted deviation of look-up tables and flip-flops from the report, in percent.
pub const AREA_MARGIN: f64 = 5.0;
/// Permitted shortfall of a clock from the report, in percent. Placement is partly random: five
/// builds that differ only in build id and die achieved 60.6 to 69.3 MHz.
pub const CLOCK_MARGIN: f64 = 20.0;

/// Resource use and achieved clock of a build.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Row {
    /// Name of the target.
    pub board: String,
    /// Name of the chip.
    pub chip: String,
    /// Name of the configuration.
    pub configuration: String,
    /// Build id: the hash of all inputs of the build.
    #[serde(with = "id")]
    pub build: BuildId,
    /// Look-up tables.
    pub lut: Used,
    /// Flip-flops.
    pub ff: Used,
    /// Logic cells, if the tools count them for the chip.
    pub cells: Option<Used>,
    /// Block RAMs.
    pub block_ram: Used,
    /// Multipliers (DSP blocks).
    pub dsp: Used,
    /// Required frequency of the player's clock, in megahertz.
    pub clock_needed: f64,
    /// Achieved frequency of the player's clock, in megahertz.
    pub clock_reached: f64,
    /// Placement seed.
    pub seed: u32,
    /// Versions of the tools by name.
    pub tools: BTreeMap<String, String>,
    /// Critical path in words.
    pub worst_path: String,
    /// Longest paths of the pins; none without an SDRAM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin_times: Option<PinTimes>,
}

impl Row {
    /// Creates the row of a build. The player's clock is the one with the highest required
    /// frequency.
    pub fn new(board: &Target, record: &Record) -> Self {
        let used = &record.utilisation;
        let faster = |a: &&Clock, b: &&Clock| a.needed.total_cmp(&b.needed);
        let clock = record.clocks.iter().max_by(faster);
        let hundredths = |megahertz: f64| (megahertz * 100.0).floor() / 100.0;
        Self {
            board: board.name.clone(),
            chip: board.tools.to_string(),
            configuration: record.configuration.clone(),
            build: record.id,
            lut: used.lut,
            ff: used.ff,
            cells: used.cells,
            block_ram: used.block_ram,
            dsp: used.dsp,
            clock_needed: clock.map_or(0.0, |clock| hundredths(clock.needed)),
            clock_reached: clock.map_or(0.0, |clock| hundredths(clock.reached)),
            seed: record.seed,
            tools: record.tools.clone(),
            worst_path: match &record.worst_path {
                Some(path) => path.to_string(),
                None => "none".into(),
            },
            pin_times: record.pin_times,
        }
    }

    /// Returns the names of the target and of its configuration.
    pub fn name(&self) -> String {
        format!("{}, {}", self.board, self.configuration)
    }

    /// True if two rows describe the same target and configuration.
    pub fn is_of(&self, other: &Self) -> bool {
        self.name() == other.name()
    }

    /// Returns the deviations of a build from this committed row that exceed the margins.
    pub fn deviations(&self, found: &Self) -> Vec<String> {
        let mut deviations = Vec::new();
        let board = &self.name();
        for (name, committed, found) in [
            ("LUT", self.lut, found.lut),
            ("flip-flops", self.ff, found.ff),
        ] {
            let (committed, found) = (committed.used as f64, found.used as f64);
            let change = 100.0 * (found - committed) / committed.max(1.0);
            if change.abs() > AREA_MARGIN {
                deviations.push(format!(
                    "{board}: {found} {name}, {change:+.1} % against the {committed} of the \
                     report; the margin is {AREA_MARGIN} %"
                ));
            }
        }
        for (name, committed, found) in [
            ("block memories", self.block_ram, found.block_ram),
            ("multipliers", self.dsp, found.dsp),
        ] {
            if committed.used != found.used {
                let (found, committed) = (found.used, committed.used);
                deviations.push(format!(
                    "{board}: {found} {name}, {committed} in the report"
                ));
            }
        }
        let (reached, committed) = (found.clock_reached, self.clock_reached);
        let change = 100.0 * (reached - committed) / committed.max(1.0);
        if change < -CLOCK_MARGIN {
            deviations.push(format!(
                "{board}: {reached} MHz, {change:+.1} % against the {committed} MHz of the \
                 report; the margin is {CLOCK_MARGIN} %"
            ));
        }
        deviations
    }
}

/// Returns the Markdown table of the documents.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| target | configuration | LUT4 | flip-flops | cells | block RAM | DSP | required | achieved | seed |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let share = |used: Used| format!("{} ({:.0} %)", grouped(used.used), used.percent());
    for row in rows {
        let cells = [
            format!("{} ({})", row.board, row.chip),
            row.configuration.clone(),
            share(row.lut),
            share(row.ff),
            row.cells.map_or("-".into(), share),
            row.block_ram.used.to_string(),
            row.dsp.used.to_string(),
            format!("{} MHz", row.clock_needed),
            format!("{:.1} MHz", row.clock_reached),
            row.seed.to_string(),
        ];
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

/// Returns all targets with all their configurations, in the order of rows.
pub fn configured(boards: &[Target]) -> Vec<Target> {
    boards.iter().flat_map(Target::configured).collect()
}

/// True if a row describes this target with this configuration.
fn is_of(row: &Row, board: &Target) -> bool {
    (&row.board, &row.configuration) == (&board.name, &board.configuration.name)
}

/// Returns the page `docs/targets.md`, with the measured speeds of the search players by target.
pub fn page(boards: &[Target], rows: &[Row], speeds: &BTreeMap<String, Speed>) -> String {
    let all = configured(boards);
    let mut text = format!(
        "# Targets\n\n\
         Generated by `cargo xtask report`, which builds the bitstream of every target that open tools\n\
         support.\n\n{}\n",
        table(rows)
    );
    text += "LUT4 counts those of adders. A cell of the iCE40 holds a LUT4 and a flip-flop, which can be used\n\
             together only where one feeds the other. nextpnr computes the achieved frequency.\n";
    text += "\n## Critical paths\n\n";
    for row in rows {
        text += &format!("- {}: {}.\n", row.name(), row.worst_path);
    }
    text += "\n## Pins of the SDRAM\n\n\
             The longest path of all pins in each direction. A build that exceeds a limit makes no bitstream.\n\n";
    for row in rows {
        for (direction, time) in row.pin_times.iter().flat_map(PinTimes::directions) {
            text += &format!(
                "- {}: {:.1} ns from {direction}, limit {:.1} ns.\n",
                row.name(),
                time.longest,
                time.limit
            );
        }
    }
    text += "\n## Omitted features\n\n";
    for row in rows {
        let board = all.iter().find(|board| is_of(row, board));
        let left_out = board.map_or("nothing", |board| &board.configuration.left_out);
        text += &format!("- {}: {left_out}.\n", row.name());
    }
    let searches: String = all
        .iter()
        .filter_map(|board| search(board, speeds))
        .collect();
    if !searches.is_empty() {
        text += &format!("\n## Searches\n\n{searches}");
    }
    text += "\n## Tools\n\n";
    let tools: BTreeMap<_, _> = rows.iter().flat_map(|row| &row.tools).collect();
    for (tool, version) in tools {
        text += &format!("- {tool} {version}\n");
    }
    text
}

/// Returns the description of a target's search player, with simulations per second if they were
/// measured.
fn search(board: &Target, speeds: &BTreeMap<String, Speed>) -> Option<String> {
    let PlayerConfig::Search(searching) = &board.configuration.player else {
        return None;
    };
    let p = &searching.parameters;
    let (lanes, nodes, children, threshold) = (p.lanes, p.nodes, p.children, p.expand_threshold);
    let cores = if lanes == 1 { "core" } else { "cores" };
    let milliseconds = searching.milliseconds;
    let lines = searching.lines.map_or_else(String::new, |lines| {
        format!(" in the SDRAM, {lines} of them in block RAM as well")
    });
    let book = searching.book.map_or("", |_| ", opening book");
    let mut text = format!(
        "- {}: {lanes} playout {cores}, {nodes} nodes of {children} children{lines}, expand_threshold {threshold}, \
         {milliseconds} ms{book}",
        board.name
    );
    if let Some(speed) = speeds.get(&board.name) {
        let hertz = board.clock.player_hz.into();
        text += &format!(
            "; {} simulations per second, by {} cycles that {} simulations took on the empty board",
            grouped(speed.simulations_in(1000, hertz)),
            grouped(speed.cycles),
            grouped(speed.simulations)
        );
    }
    Some(text + ".\n")
}

/// Returns a document with its table of targets replaced by the current one; `None` if it has no
/// table.
pub fn with_table(document: &str, rows: &[Row]) -> Option<String> {
    let table = table(rows);
    let head = table.lines().next()?;
    let start = document.find(head)?;
    let old = document[start..].split_inclusive('\n');
    let length: usize = old
        .take_while(|line| line.starts_with('|'))
        .map(str::len)
        .sum();
    let rest = &document[start + length..];
    Some(format!("{}{table}{rest}", &document[..start]))
}

/// Returns the report with a row in place of its target's old one, in the order of the catalogue.
pub fn replaced(mut rows: Vec<Row>, row: Row, boards: &[Target]) -> Vec<Row> {
    rows.retain(|old| !old.is_of(&row));
    rows.push(row);
    let all = configured(boards);
    let place = |row: &Row| all.iter().position(|board| is_of(row, board));
    rows.retain(|row| place(row).is_some());
    rows.sort_by_key(place);
    rows
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn row(board: &str) -> Row {
        let used = |used| Used {
            used,
            available: 10_000,
        };
        Row {
            board: board.into(),
            chip: "chip".into(),
            configuration: "pattern player".into(),
            build: BuildId(0),
            lut: used(6000),
            ff: used(4000),
            cells: None,
            block_ram: used(0),
            dsp: used(0),
            clock_needed: 50.0,
            clock_reached: 60.0,
            seed: 1,
            tools: BTreeMap::from([("yosys".into(), "0.70".into())]),
            worst_path: "a to b".into(),
            pin_times: None,
        }
    }

    #[test]
    fn builds_within_the_margins_pass() {
        let committed = row("x");
        let mut found = committed.clone();
        assert_eq!(committed.deviations(&found), [""; 0]);
        found.lut.used = 6300;
        found.ff.used = 3800;
        found.clock_reached = 50.0;
        assert_eq!(committed.deviations(&found), [""; 0]);
        found.clock_reached = 90.0;
        assert_eq!(committed.deviations(&found), [""; 0]);
    }

    #[test]
    fn every_figure_can_fail() {
        let committed = row("x");
        let deviation = |change: &dyn Fn(&mut Row)| {
            let mut found = committed.clone();
            change(&mut found);
            committed.deviations(&found).join("\n")
        };
        let more = deviation(&|row| row.lut.used = 6301);
        let expected =
            "x, pattern player: 6301 LUT, +5.0 % against the 6000 of the report; the margin is 5 %";
        assert_eq!(more, expected);
        let less = deviation(&|row| row.ff.used = 3000);
        assert!(
            less.contains("x, pattern player: 3000 flip-flops, -25.0 %"),
            "{less}"
        );
        let memory = deviation(&|row| row.block_ram.used = 2);
        assert_eq!(
            memory,
            "x, pattern player: 2 block memories, 0 in the report"
        );
        let multiplier = deviation(&|row| row.dsp.used = 1);
        assert_eq!(
            multiplier,
            "x, pattern player: 1 multipliers, 0 in the report"
        );
        let slow = deviation(&|row| row.clock_reached = 47.5);
        assert!(
            slow.contains("x, pattern player: 47.5 MHz, -20.8 %"),
            "{slow}"
        );
    }

    #[test]
    fn a_row_takes_the_place_of_the_old_one() {
        let boards = catalogue::all().expect("all are sound");
        let old = vec![row("hx8k-breakout"), row("ulx3s-85f"), row("gone")];
        let mut new = row("hx8k-breakout");
        new.seed = 7;
        let rows = replaced(old, new, &boards);
        let names: Vec<_> = rows
            .iter()
            .map(|row| (row.board.as_str(), row.seed))
            .collect();
        assert_eq!(names, [("ulx3s-85f", 1), ("hx8k-breakout", 7)]);
    }

    #[test]
    fn the_table_of_a_document_is_exchanged() {
        let old = format!("before\n\n{}\nafter\n", table(&[row("a"), row("b")]));
        let new = format!("before\n\n{}\nafter\n", table(&[row("c")]));
        assert_eq!(with_table(&old, &[row("c")]), Some(new));
        assert_eq!(with_table("no table", &[row("c")]), None);
    }

    #[test]
    fn the_table_has_a_line_for_each_board() {
        let text = table(&[row("x"), row("y")]);
        let line = "| x (chip) | pattern player | 6,000 (60 %) | 4,000 (40 %) | - | 0 | 0 | 50 MHz | \
                    60.0 MHz | 1 |\n";
        assert!(text.contains(line), "{text}");
        assert_eq!(text.lines().count(), 4);
    }
}
