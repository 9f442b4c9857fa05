//! Plan of a campaign: all that its results depend on.

use std::iter;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::shard::Shard;

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// Campaign: its items, and all that their results depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Name of the kind of campaign.
    pub campaign: String,
    /// Version of the program that plays it.
    pub version: String,
    /// Seed of the campaign.
    pub seed: u64,
    /// Number of items.
    pub items: u64,
    /// Number of successive items that stay in one shard; at least 1.
    pub block: u64,
    /// Other settings, by name.
    pub settings: Map<String, Value>,
}

/// First line of a file of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// Shard whose items the file holds.
    pub shard: Shard,
    /// Campaign.
    pub plan: Plan,
}

impl Plan {
    /// Creates a plan with blocks of one item and without settings.
    #[must_use]
    pub fn new(campaign: &str, version: &str, seed: u64, items: u64) -> Self {
        Self {
            campaign: campaign.to_owned(),
            version: version.to_owned(),
            seed,
            items,
            block: 1,
            settings: Map::new(),
        }
    }

    /// Returns the same plan with another number of items in each block.
    ///
    /// # Panics
    /// If `block` is 0.
    #[must_use]
    pub fn with_block(mut self, block: u64) -> Self {
        assert!(block > 0, "a block has at least one item");
        self.block = block;
        self
    }

    /// Returns the same plan with one more setting.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }

    /// Iterates over the items of a shard in order.
    pub fn items_of(&self, shard: Shard) -> impl Iterator<Item = u64> + use<> {
        let (block, items) = (self.block, self.items);
        let next = move |&index: &u64| index.checked_add(shard.count());
        let blocks = iter::successors(Some(shard.index()), next);
        let blocks = blocks.take_while(move |&index| index < items.div_ceil(block));
        blocks.flat_map(move |index| {
            let first = index * block;
            first..first.saturating_add(block).min(items)
        })
    }

    /// Returns the number of items of a shard.
    pub(crate) const fn count_of(&self, shard: Shard) -> u64 {
        let (whole, rest) = (self.items / self.block, self.items % self.block);
        let blocks = match whole.checked_sub(shard.index()) {
            Some(later) => later.div_ceil(shard.count()),
            None => 0,
        };
        let has_rest = shard.contains(whole);
        blocks * self.block + if has_rest { rest } else { 0 }
    }

    /// Returns the first difference from another plan: its name, the value here and the value
    /// there.
    pub(crate) fn difference(&self, other: &Self) -> Option<[String; 3]> {
        let fields = |plan: &Self| {
            vec![
                ("campaign".to_owned(), Value::from(plan.campaign.as_str())),
                ("version".to_owned(), plan.version.as_str().into()),
                ("seed".to_owned(), plan.seed.into()),
                ("number of items".to_owned(), plan.items.into()),
                ("block".to_owned(), plan.block.into()),
            ]
        };
        let mut names: Vec<_> = self.settings.keys().chain(other.settings.keys()).collect();
        names.sort();
        let setting = |plan: &Self, name: &str| {
            let value = plan.settings.get(name);
            value.cloned().unwrap_or(Value::Null)
        };
        let settings = names.into_iter().map(|name| {
            let (here, there) = (setting(self, name), setting(other, name));
            (name.clone(), here, there)
        });
        let fields = fields(self).into_iter().zip(fields(other));
        let fields = fields.map(|((name, here), (_, there))| (name, here, there));
        let (name, here, there) = fields.chain(settings).find(|(_, a, b)| a != b)?;
        Some([name, here.to_string(), there.to_string()])
    }
}

impl Header {
    /// Returns the header as a line, with its line break.
    pub(crate) fn line(&self) -> String {
        let text = serde_json::to_string(self).expect("a header has no keys but texts");
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_together() {
        let plan = Plan::new("games", "1", 7, 7).with_block(2);
        let items = |text: &str| plan.items_of(text.parse().unwrap()).collect::<Vec<_>>();
        assert_eq!(items("0/2"), [0, 1, 4, 5]);
        assert_eq!(items("1/2"), [2, 3, 6]);
        assert_eq!(items("0/1"), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(items("8/9"), [0; 0]);
    }

    #[test]
    fn the_items_of_a_shard_are_counted() {
        for (items, block, shards) in [(7, 2, 2), (7, 2, 9), (0, 1, 3), (60, 3, 7), (5, 8, 2)] {
            let plan = Plan::new("games", "1", 7, items).with_block(block);
            let mut all: Vec<u64> = Vec::new();
            for index in 0..shards {
                let shard = format!("{index}/{shards}").parse().unwrap();
                let of_shard: Vec<u64> = plan.items_of(shard).collect();
                assert_eq!(plan.count_of(shard), of_shard.len() as u64);
                assert!(of_shard.is_sorted());
                assert!(of_shard.iter().all(|item| shard.contains(item / block)));
                all.extend(of_shard);
            }
            all.sort_unstable();
            assert!(all.into_iter().eq(0..items));
        }
        let most = Plan::new("games", "1", 7, u64::MAX).with_block(u64::MAX - 1);
        let last = "1/18446744073709551615".parse().unwrap();
        assert_eq!(most.items_of(last).collect::<Vec<_>>(), [u64::MAX - 1]);
        assert_eq!(
            (most.count_of(last), most.count_of(Shard::WHOLE)),
            (1, u64::MAX)
        );
    }

    #[test]
    fn a_difference_is_named_with_both_values() {
        let plan = Plan::new("games", "1", 7, 7).with("player", "pattern");
        assert_eq!(plan.difference(&plan), None);
        let other = Plan {
            seed: 8,
            ..plan.clone()
        };
        assert_eq!(plan.difference(&other).unwrap(), ["seed", "7", "8"]);
        let other = plan.clone().with("player", "search");
        let difference = plan.difference(&other).unwrap();
        assert_eq!(difference, ["player", "\"pattern\"", "\"search\""]);
        let other = plan.clone().with("gates", true);
        assert_eq!(plan.difference(&other).unwrap(), ["gates", "null", "true"]);
    }
}
