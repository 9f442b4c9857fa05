//! Shards: equal parts of a campaign.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Part of a campaign, written `I/N`: part `I` of `N`, with `I` from 0 to `N` - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u64,
    count: u64,
}

/// Error: a text that is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid shard '{0}': expected I/N with I from 0 to N - 1, such as 0/4")]
pub struct InvalidShard(String);

impl Shard {
    /// Whole campaign: `0/1`.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Returns part `index` of `count`, or `None` if there is no such part.
    #[must_use]
    pub const fn new(index: u64, count: u64) -> Option<Self> {
        if index < count {
            Some(Self { index, count })
        } else {
            None
        }
    }

    /// Returns the position of the shard, from 0.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// Returns the number of shards.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Returns true if the shard contains this block of items.
    #[must_use]
    pub const fn contains(self, block: u64) -> bool {
        block % self.count == self.index
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = InvalidShard;

    fn from_str(text: &str) -> Result<Self, InvalidShard> {
        // `u64::from_str` accepts a plus sign, which a shard has not.
        let number = |digits: &str| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<u64>().ok()).flatten()
        };
        let shard = text.split_once('/').and_then(|(index, count)| {
            let (index, count) = (number(index)?, number(count)?);
            Self::new(index, count)
        });
        shard.ok_or_else(|| InvalidShard(text.to_owned()))
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = InvalidShard;

    fn try_from(text: String) -> Result<Self, InvalidShard> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["0/1", "3/4", "0/18446744073709551615"] {
            let shard: Shard = text.parse().unwrap();
            assert_eq!(shard.to_string(), text);
        }
        assert_eq!("0/1".parse(), Ok(Shard::WHOLE));
        for text in [
            "", "1", "/", "4/4", "0/0", "+1/2", "1/2/3", "-1/2", " 0/1", "0x1/2",
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("invalid shard '{text}': expected I/N with I from 0 to N - 1, such as 0/4")
            );
        }
    }

    #[test]
    fn every_block_belongs_to_one_shard() {
        let shards: Vec<Shard> = (0..5).map(|i| format!("{i}/5").parse().unwrap()).collect();
        for block in 0..100 {
            let holders = shards.iter().filter(|shard| shard.contains(block));
            assert_eq!(holders.count(), 1, "{block}");
        }
    }
}
