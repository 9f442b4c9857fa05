#![doc = include_str!("../README.md")]

mod codes;
mod gtp;
mod journal;
mod plans;
mod players;
mod protocol;
mod records;
mod scratch;
mod shards;
mod text;
mod variants;
mod wire_log;

pub use codes::codes;
pub use gtp::{gtp_answers, gtp_commands};
pub use journal::journal;
pub use plans::plans;
pub use players::players;
pub use protocol::{device, host};
pub use records::{blksgf, lists, tree_data, trees};
pub use shards::shards;
pub use variants::variants;
pub use wire_log::wire_log;

/// Check of a parser: hands it an input and returns true if the input is valid. It panics if the
/// parser breaks a property.
pub type Check = fn(&[u8]) -> bool;

/// All fuzz targets by name, with their checks. `corpus/NAME` has the seed inputs of a target.
pub const TARGETS: [(&str, Check); 15] = [
    ("blksgf", blksgf),
    ("codes", codes),
    ("device", device),
    ("gtp-answers", gtp_answers),
    ("gtp-commands", gtp_commands),
    ("host", host),
    ("journal", journal),
    ("lists", lists),
    ("plans", plans),
    ("players", players),
    ("shards", shards),
    ("tree-data", tree_data),
    ("trees", trees),
    ("variants", variants),
    ("wire-log", wire_log),
];
