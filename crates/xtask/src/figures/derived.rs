//! Figures derived from measured ones, the targets' report, proofs and sources.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::data::{Figures, grouped};
use super::read;

/// Frequency of the player's clock on the contest's FPGA boards, in Hz.
const CLOCK_HZ: u64 = 50_000_000;

/// Measured searches, and the targets whose files hold the shipped settings.
pub const SEARCHES: [(&str, &str); 3] = [
    ("search_85f", "ulx3s-85f"),
    ("search_45f", "ulx3s-45f"),
    ("search_25f", "ulx3s-25f"),
];

/// Measured search of a position: sums over all its MCTS simulations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
struct Row {
    ply: u64,
    simulations: u64,
    cycles: u64,
    tree: u64,
    expander: u64,
    cores: u64,
}

impl Row {
    /// Returns the simulations in a time at the contest's clock, rounded down.
    fn simulations_in(&self, milliseconds: u64) -> u64 {
        CLOCK_HZ / 1000 * milliseconds * self.simulations / self.cycles.max(1)
    }

    /// Returns the cycles per simulation, rounded to the nearest integer.
    fn each(&self) -> u64 {
        (self.cycles + self.simulations / 2) / self.simulations.max(1)
    }

    /// Formats cycles as a share of all cycles, in percent.
    fn share(&self, cycles: u64) -> String {
        format!("{:.0} %", 100.0 * cycles as f64 / self.cycles.max(1) as f64)
    }
}

/// Returns all derived figures by name.
///
/// # Errors
/// If a source cannot be read, or if it lacks the figure.
pub fn texts(root: &Path, figures: &Figures) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    let mut add = |name: &str, text: String| texts.insert(name.to_owned(), text);
    let cycles = figures.number("reply", "longest")?;
    let microseconds = (cycles as f64 * 1e6 / CLOCK_HZ as f64).round() as u64;
    add("reply.microseconds", microseconds.to_string());
    let above = (cycles * 1_000_000).div_ceil(CLOCK_HZ).div_ceil(10) * 10;
    add("reply.microseconds_above", above.to_string());
    let legal = figures.number("legal_set", "cycles")?;
    add("legal_set.with_request", (legal + 1).to_string());
    for (name, board) in SEARCHES {
        let file = read(&root.join(format!("hdl/targets/{board}.toml")))?;
        let lanes = setting(&file, "lanes")?;
        let rows = rows(figures, name)?;
        let first = rows.first().with_context(|| format!("{name}: no rows"))?;
        ensure!(
            first.ply == 0,
            "{name}: its first row is not the empty board"
        );
        add(&format!("{name}.rate"), grouped(first.simulations_in(1000)));
        add(&format!("{name}.cycles"), grouped(first.each()));
        add(
            &format!("{name}.table"),
            table(&rows, first.simulations, lanes),
        );
    }
    area(root, &mut add)?;
    for proof in ["uart_receiver", "uart_transmitter"] {
        let file = read(&root.join(format!("hdl/formal/{proof}/proof.toml")))?;
        let bits = bits(&file).with_context(|| format!("{proof}: its bound names no bits"))?;
        add(&format!("proof.{proof}.bits"), bits);
    }
    let inputs = grouped(crate::fuzz::INPUTS);
    add("fuzz.inputs", inputs);
    let lockstep = read(&root.join("tests/tests/hardware/board/lockstep.rs"))?;
    for simulator in ["verilator", "icarus"] {
        let constant = format!("const {}_GAMES: u64 = ", simulator.to_uppercase());
        let games = between(&lockstep, &constant, ";");
        let games = games.with_context(|| format!("lockstep.rs has no `{constant}`"))?;
        add(&format!("lockstep.{simulator}"), games.to_owned());
    }
    Ok(texts)
}

/// Adds LUT shares and achieved frequencies from the targets' report.
fn area(root: &Path, add: &mut impl FnMut(&str, String) -> Option<String>) -> Result<()> {
    let report: Vec<Value> = serde_json::from_str(&read(&root.join("hdl/targets/report.json"))?)?;
    for row in &report {
        let field = |name: &str| row[name].as_str().context("a row of report.json is odd");
        let (board, configuration) = (field("board")?, field("configuration")?);
        let kind = configuration.split(' ').next().unwrap_or_default();
        let number = |value: &Value| value.as_f64().context("a number of report.json is missing");
        let (used, available) = (
            number(&row["lut"]["used"])?,
            number(&row["lut"]["available"])?,
        );
        let share = format!("{:.0} %", 100.0 * used / available.max(1.0));
        add(&format!("area.{board}.{kind}.lut"), share);
        let reached = format!("{:.1} MHz", number(&row["clock_reached"])?);
        add(&format!("area.{board}.{kind}.clock"), reached);
    }
    Ok(())
}

fn rows(figures: &Figures, name: &str) -> Result<Vec<Row>> {
    let figure = figures.0.get(name);
    let rows = figure.and_then(|figure| figure.values.get("rows"));
    let rows = rows.with_context(|| format!("no rows of {name} were measured"))?;
    serde_json::from_value(rows.clone()).with_context(|| name.to_owned())
}

/// Returns the table of cycles by ply, for the searches that ran all their simulations.
fn table(rows: &[Row], simulations: u64, lanes: u64) -> String {
    let mut text = String::from(
        "\n| ply | cycles per simulation | tree busy | expander busy | cores busy | simulations per second at 50 MHz |\n\
         |--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows.iter().filter(|row| row.simulations == simulations) {
        text += &format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            row.ply,
            row.each(),
            row.share(row.tree),
            row.share(row.expander),
            row.share(row.cores / lanes.max(1)),
            grouped(row.simulations_in(1000))
        );
    }
    text
}

/// Returns the bit times in a proof's bound, as in `bound = "none; for 8 and 434 cycles a bit"`.
fn bits(proof: &str) -> Option<String> {
    let proof: toml::Table = proof.parse().ok()?;
    let bound = proof.get("bound")?.as_str()?;
    let (before, _) = bound.split_once(" cycles per bit")?;
    let (_, bits) = before.rsplit_once("for ")?;
    Some(bits.to_owned())
}

/// Returns a number from a target's search settings, as in `player = "search:lanes=4,ms=880"`.
fn setting(file: &str, key: &str) -> Result<u64> {
    let settings = between(file, "player = \"search:", "\"").context("no search on the board")?;
    let value = settings
        .split(',')
        .find_map(|setting| setting.strip_prefix(key)?.strip_prefix('='));
    let value = value.with_context(|| format!("the board's search sets no {key}"))?;
    Ok(value.parse()?)
}

/// Returns the text between the first `begin` and the next `end`.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(begin)?;
    Some(after.split_once(end)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            ply: 0,
            simulations: 2_000,
            cycles: 496_204,
            tree: 193_520,
            expander: 14_886,
            cores: 1_548_156,
        }
    }

    #[test]
    fn rates_come_from_the_measured_clocks_and_are_rounded_down() {
        assert_eq!(row().simulations_in(1000), 201_530);
        assert_eq!(row().simulations_in(880), 177_346);
        assert_eq!(row().each(), 248);
    }

    #[test]
    fn the_table_leaves_out_searches_that_ended_early() {
        let early = Row {
            ply: 24,
            simulations: 342,
            ..row()
        };
        let text = table(&[row(), early], 2_000, 4);
        assert_eq!(text.lines().count(), 4, "{text}");
        let line = "| 0 | 248 | 39 % | 3 % | 78 % | 201,530 |\n";
        assert!(text.ends_with(line), "{text}");
    }

    #[test]
    fn bits_are_read_from_the_bound_alone() {
        let proof = "about = \"high but for frames, for 7 cycles per bit\"\n\
                     bound = \"none; for all bytes, for 8 and 434 cycles per bit\"\n";
        assert_eq!(bits(proof).unwrap(), "8 and 434");
        assert_eq!(bits("bound = \"none\""), None);
    }

    #[test]
    fn settings_of_a_board_are_read_by_their_whole_names() {
        let file = "x = 1\nplayer = \"search:lanes=4,nodes=511,ms=880\"\n";
        assert_eq!(setting(file, "lanes").unwrap(), 4);
        assert_eq!(setting(file, "ms").unwrap(), 880);
        assert!(setting(file, "s").is_err());
        assert!(setting("", "ms").is_err());
    }
}
