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

/// Results of a campaign, from all files that hold them.
#[derive(Clone, Debug)]
pub struct Merged {
    plan: Plan,
    items: BTreeMap<u64, Line>,
}

/// Result of an item as a line of a file.
#[derive(Clone, Debug)]
struct Line {
    path: PathBuf,
    /// Number of the line, from 1.
    number: usize,
    text: String,
}

/// Merges the files of all shards of a campaign.
///
/// # Errors
/// A file that cannot be read or belongs to another campaign or another number of shards, an item
/// that occurs twice, and missing items.
pub fn merge<P: AsRef<Path>>(files: &[P]) -> Result<Merged> {
    let mut first: Option<(Header, Merged)> = None;
    for path in files.iter().map(AsRef::as_ref) {
        let contents = read(path)?;
        let (header, merged) =
            first.get_or_insert_with(|| (contents.header.clone(), Merged::of(&contents)));
        contents.belongs(path, &header.plan)?;
        if contents.header.shard.count() != header.shard.count() {
            return Err(ShardError::Foreign {
                path: path.to_owned(),
                name: "number of shards".into(),
                found: contents.header.shard.count().to_string(),
                expected: header.shard.count().to_string(),
            });
        }
        merged.add(path, contents)?;
    }
    let (Header { shard, .. }, merged) = first.ok_or(ShardError::Nothing)?;
    check_gaps(&merged.plan, shard.count(), &merged.items)?;
    Ok(merged)
}

/// Reads files of results that may lack items, such as those of a run in progress. Files of the same
/// campaign become one; campaigns have the order of their first files.
///
/// # Errors
/// A file that cannot be read, and an item that occurs twice.
pub fn gather<P: AsRef<Path>>(files: &[P]) -> Result<Vec<Merged>> {
    let mut campaigns: Vec<Merged> = Vec::new();
    for path in files.iter().map(AsRef::as_ref) {
        let contents = read(path)?;
        let plan = &contents.header.plan;
        let index = campaigns.iter().position(|merged| merged.plan == *plan);
        let index = index.unwrap_or_else(|| {
            campaigns.push(Merged::of(&contents));
            campaigns.len() - 1
        });
        campaigns[index].add(path, contents)?;
    }
    Ok(campaigns)
}

/// Reads the contents of a file.
fn read(path: &Path) -> Result<Contents> {
    let text = fs::read_to_string(path).map_err(ShardError::io(path, "read"))?;
    Contents::read(path, &text)
}

/// Checks that no item is missing. A file may state any numbers of items and shards, so the time
/// depends on the items that are there and on those that the error lists.
fn check_gaps<T>(plan: &Plan, count: u64, items: &BTreeMap<u64, T>) -> Result<()> {
    let missing = plan.items - items.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    // Number of items by shard.
    let mut there: BTreeMap<u64, u64> = BTreeMap::new();
    for item in items.keys() {
        *there.entry(item / plan.block % count).or_default() += 1;
    }
    let gap = |shard: Shard| {
        let there = there.get(&shard.index()).copied().unwrap_or(0);
        plan.count_of(shard) - there
    };
    let shards = count.min(plan.items.div_ceil(plan.block));
    let incomplete = (0..shards)
        .filter_map(|index| Shard::new(index, count))
        .filter(|&shard| gap(shard) > 0);
    let mut places: Vec<_> = incomplete
        .take(SHARDS)
        .map(|shard| {
            let (gap, all) = (gap(shard), plan.count_of(shard));
            if gap == all {
                return format!("shard {shard} (all {all})");
            }
            let absent = plan
                .items_of(shard)
                .filter(|item| !items.contains_key(item));
            let mut listed: Vec<_> = absent.take(LISTED).map(|item| item.to_string()).collect();
            if gap > LISTED as u64 {
                listed.push("...".into());
            }
            format!("shard {shard} ({gap} of {all}: {})", listed.join(", "))
        })
        .collect();
    let complete = there.keys().filter_map(|&index| Shard::new(index, count));
    let complete = complete.filter(|&shard| gap(shard) == 0).count() as u64;
    let further = (shards - complete).saturating_sub(SHARDS as u64);
    if further > 0 {
        places.push(format!("{further} further shards"));
    }
    Err(ShardError::Gaps {
        missing,
        items: plan.items,
        places,
    })
}

impl Merged {
    /// Returns the campaign of these contents, without items.
    fn of(contents: &Contents) -> Self {
        Self {
            plan: contents.header.plan.clone(),
            items: BTreeMap::new(),
        }
    }

    /// Adds the items of a file.
    fn add(&mut self, path: &Path, contents: Contents) -> Result<()> {
        for (index, (item, text)) in contents.items.into_iter().enumerate() {
            let line = Line {
                path: path.to_owned(),
                number: index + 2,
                text,
            };
            if let Some(first) = self.items.insert(item, line) {
                return Err(ShardError::Double {
                    item,
                    first: first.path,
                    second: path.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Returns the plan of the campaign.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Checks that the results belong to a kind of campaign.
    ///
    /// # Errors
    /// [`ShardError::Campaign`].
    pub fn check_campaign(&self, expected: &'static str) -> Result<()> {
        let found = &self.plan.campaign;
        if found == expected {
            return Ok(());
        }
        let found = found.clone();
        Err(ShardError::Campaign { found, expected })
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
        for line in self.items.values() {
            text += &line.text;
            text.push('\n');
        }
        text
    }

    /// Returns the results in order, with their items.
    ///
    /// # Errors
    /// A result that is not a `T`.
    pub fn results<T: DeserializeOwned>(&self) -> Result<Vec<(u64, T)>> {
        self.items
            .values()
            .map(|line| read_line(&line.path, line.number, &line.text))
            .collect()
    }
}
