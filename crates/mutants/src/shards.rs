//! Mutants of the emitted Verilog as a campaign of many machines. An item is a part.

use anyhow::Result;
use duoforge_shards::{Merged, Plan};
use serde_json::Value;

use crate::part::Part;
use crate::report::PartReport;

/// Name of the campaign in a file of results.
pub const CAMPAIGN: &str = "mutations";

/// Field of a row that no repetition reproduces.
const SECONDS: &str = "seconds";

/// Returns the plan of a campaign: these parts, `count` mutants of each if it is not given by the
/// part's size, the seed that selects them, and the version of Yosys that creates them.
#[must_use]
pub fn plan(parts: &[&Part], count: Option<u32>, seed: u64, yosys: &str) -> Plan {
    let names: Vec<_> = parts.iter().map(|part| part.name).collect();
    Plan::new(
        CAMPAIGN,
        env!("CARGO_PKG_VERSION"),
        seed,
        parts.len() as u64,
    )
    .with("parts", names)
    .with("count", count)
    .with("yosys", yosys)
}

/// Returns a row as a result: without its time.
///
/// # Errors
/// If the row cannot be written as JSON.
pub fn stored(row: &PartReport) -> Result<Value> {
    let mut value = serde_json::to_value(row)?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove(SECONDS);
    }
    Ok(value)
}

/// Returns the rows of merged results. They have no time.
///
/// # Errors
/// Results of another campaign.
pub fn rows(merged: &Merged) -> Result<Vec<PartReport>> {
    merged.check_campaign(CAMPAIGN)?;
    let rows = merged.results::<PartReport>()?;
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

#[cfg(test)]
mod tests {
    use duoforge_shards::{Results, Shard, merge};

    use super::*;
    use crate::modules;

    #[test]
    fn rows_of_shards_are_merged_without_times() {
        let parts: Vec<_> = modules::parts().take(5).collect();
        let plan = plan(&parts, Some(3), 7, "0.70");
        let directory = tempfile::tempdir().unwrap();
        let row = |item: u64| PartReport {
            failed: 3,
            seconds: item as f64 + 0.5,
            ..PartReport::new(parts[item as usize].name, 3, 7)
        };
        let run = |shard: Shard| {
            let path = directory.path().join(shard.to_string().replace('/', "-"));
            let mut results = Results::open(&path, &plan, shard).unwrap();
            for item in results.missing() {
                results.add(item, &stored(&row(item)).unwrap()).unwrap();
            }
            path
        };
        let files = ["0/2", "1/2"].map(|shard| run(shard.parse().unwrap()));
        let merged = merge(&files).unwrap();
        let single = std::fs::read_to_string(run(Shard::WHOLE)).unwrap();
        assert_eq!(merged.text(), single);
        let expected: Vec<_> = (0..5)
            .map(|item| PartReport {
                seconds: 0.0,
                ..row(item)
            })
            .collect();
        assert_eq!(rows(&merged).unwrap(), expected);

        let path = directory.path().join("games");
        let plan = Plan::new("lab-games", "1", 7, 0);
        drop(Results::open(&path, &plan, Shard::WHOLE).unwrap());
        let message = rows(&merge(&[path]).unwrap()).unwrap_err().to_string();
        assert!(message.contains("lab-games"), "{message}");
    }
}
