#![doc = include_str!("../README.md")]

mod error;
mod merge;
mod plan;
mod results;
mod shard;

pub use error::{Result, ShardError};
pub use merge::{Merged, gather, merge};
pub use plan::{FORMAT, Plan};
pub use results::{Results, is_header};
pub use shard::{InvalidShard, Shard};
