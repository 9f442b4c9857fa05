//! Merging of the results of all shards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::{Result, ShardError};
use crate::plan::{FORMAT, Header, Plan};
use crate::results::{Contents, read_line};
use crate::shard::Shard;

/// Number of missing items of a shard that an error lists.
const LISTED: usize = 8;

/// Number of incomplete shards that an error lists.
const SHARDS: usize = 16;

/// Results of a whole campaign.
#[derive(Clone, Debug)]
pub struct Merged {
    plan: Plan,
    /// Line and file of each item.
    items: BTreeMap<u64, (String, PathBuf)>,
}

/// Merges the files of all shards of a campaign.
///
/// # Errors
/// A file that cannot be read or belongs to another campaign or another number of shards, an item
/// that occurs twice, and missing items.
pub fn merge<P: AsRef<Path>>(files: &[P]) -> Result<Merged> {
    let mut first: Option<Header> = None;
    let mut items: BTreeMap<u64, (String, PathBuf)> = BTreeMap::new();
    for path in files.iter().map(AsRef::as_ref) {
        let text = fs::read_to_string(path).map_err(ShardError::io(path, "read"))?;
        let contents = Contents::read(path, &text)?;
        let header = first.get_or_insert_with(|| contents.header.clone());
        contents.belongs(path, &header.plan)?;
        if contents.header.shard.count() != header.shard.count() {
            return Err(ShardError::Foreign {
                path: path.to_owned(),
                name: "number of shards".into(),
                found: contents.header.shard.count().to_string(),
                expected: header.shard.count().to_string(),
            });
        }
        for (item, line) in contents.items {
            if let Some((_, first)) = items.insert(item, (line, path.to_owned())) {
                let second = path.to_owned();
                return Err(ShardError::Double {
                    item,
                    first,
                    second,
                });
            }
        }
    }
    let Header { plan, shard, .. } = first.ok_or(ShardError::Nothing)?;
    check_gaps(&plan, shard.count(), &items)?;
    Ok(Merged { plan, items })
}

/// Checks that no item is missing.
fn check_gaps<T>(plan: &Plan, shards: u64, items: &BTreeMap<u64, T>) -> Result<()> {
    let missing = plan.items - items.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    // Missing items and number of items of each incomplete shard.
    let mut gaps: BTreeMap<u64, (Vec<u64>, u64)> = BTreeMap::new();
    for item in 0..plan.items {
        let (gap, all) = gaps.entry(item / plan.block % shards).or_default();
        *all += 1;
        if !items.contains_key(&item) {
            gap.push(item);
        }
    }
    gaps.retain(|_, (gap, _)| !gap.is_empty());
    let mut places: Vec<_> = gaps
        .iter()
        .take(SHARDS)
        .map(|(index, (gap, all))| {
            let shard = format!("shard {index}/{shards}");
            if gap.len() as u64 == *all {
                return format!("{shard} (all {all})");
            }
            let mut listed: Vec<_> = gap.iter().take(LISTED).map(u64::to_string).collect();
            if gap.len() > LISTED {
                listed.push("...".into());
            }
            format!("{shard} ({} of {all}: {})", gap.len(), listed.join(", "))
        })
        .collect();
    if gaps.len() > SHARDS {
        places.push(format!("{} further shards", gaps.len() - SHARDS));
    }
    Err(ShardError::Gaps {
        missing,
        items: plan.items,
        places,
    })
}

impl Merged {
    /// Returns the plan of the campaign.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the text of the file that a single run of the whole campaign writes.
    #[must_use]
    pub fn text(&self) -> String {
        let header = Header {
            format: FORMAT,
            shard: Shard::WHOLE,
            plan: self.plan.clone(),
        };
        let mut text = header.line();
        for (line, _) in self.items.values() {
            text += line;
            text.push('\n');
        }
        text
    }

    /// Returns the results in order, with their items.
    ///
    /// # Errors
    /// A result that is not a `T`.
    pub fn results<T: DeserializeOwned>(&self) -> Result<Vec<(u64, T)>> {
        let items = self.items.values().enumerate();
        items
            .map(|(number, (line, path))| read_line(path, number + 2, line))
            .collect()
    }
}
