//! Measured speed of the targets' search players, from `docs/figures.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Path of the figures, relative to the repository. `cargo xtask figures` writes the file.
pub const FILE: &str = "docs/figures.json";

/// Speed of a search from the empty board.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Speed {
    /// Settings of the measured search.
    pub search: String,
    /// MCTS simulations of the measurement.
    pub simulations: u64,
    /// Cycles that the simulations took in total.
    pub cycles: u64,
}

impl Speed {
    /// Returns the simulations in `milliseconds` at a clock of `hertz`, rounded down.
    pub fn simulations_in(&self, milliseconds: u64, hertz: u64) -> u64 {
        let cycles = hertz * milliseconds / 1000;
        (cycles * self.simulations)
            .checked_div(self.cycles)
            .unwrap_or(0)
    }
}

/// Parses [`FILE`] and returns the speeds by target: the row of ply 0 of each figure that names a
/// target.
///
/// # Errors
/// A JSON error if the text is not a valid file of figures.
pub fn read(json: &str) -> serde_json::Result<BTreeMap<String, Speed>> {
    #[derive(Deserialize)]
    struct Figure {
        values: BTreeMap<String, Value>,
    }
    let figures: BTreeMap<String, Figure> = serde_json::from_str(json)?;
    let mut speeds = BTreeMap::new();
    for Figure { values } in figures.into_values() {
        let text = |key: &str| values.get(key).and_then(Value::as_str).map(str::to_owned);
        let (Some(board), Some(search)) = (text("board"), text("search")) else {
            continue;
        };
        let rows = values.get("rows").and_then(Value::as_array);
        let first = rows.and_then(|rows| rows.iter().find(|row| row["ply"] == 0));
        let number = |key: &str| first.and_then(|row| row[key].as_u64());
        if let (Some(simulations), Some(cycles)) = (number("simulations"), number("cycles")) {
            let speed = Speed {
                search,
                simulations,
                cycles,
            };
            speeds.insert(board, speed);
        }
    }
    Ok(speeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_those_of_the_empty_board() {
        let json = r#"{
            "reply": {"values": {"longest": 1920}},
            "search": {"values": {"board": "ulx3s-85f", "search": "sims=2000", "rows": [
                {"ply": 4, "simulations": 1, "cycles": 2},
                {"ply": 0, "simulations": 2000, "cycles": 496204}]}},
            "empty": {"values": {"board": "ulx3s-25f", "search": "sims=2000", "rows": []}}
        }"#;
        let speeds = read(json).expect("figures");
        assert_eq!(speeds.len(), 1);
        let speed = &speeds["ulx3s-85f"];
        assert_eq!(speed.simulations_in(1000, 50_000_000), 201_530);
        assert_eq!(speed.simulations_in(880, 50_000_000), 177_346);
        assert!(read("[]").is_err());
    }
}
