//! Ranges that the hardware supports, where they are narrower than those of the software.

use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::keys::{self, Key, Values};
use duoforge_twin::search::prior::Weights;

use super::SearchingError;
use crate::search::expansion::{OFFSET, prior_scorer};
use crate::search::tree::CHILDREN;
use crate::search::tree::bank::{COUNT, END, NODES};

/// Maximum number of simulations of a search: the counter has 18 bits.
pub const SIMULATIONS: u32 = (1 << 18) - 1;

/// Maximum duration of a search in milliseconds: a reply must take at most one second in all.
pub const MILLISECONDS: u32 = 900;

/// Nodes in block RAM of a tree that is in an SDRAM.
pub(super) const LINES: Key = Key::new(
    "lines",
    "nodes in block RAM, with an SDRAM",
    Values::OneOf(&[0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
);

/// Search in the opponent's time.
pub(super) const PONDER: Key =
    Key::new("ponder", "1 to search in the opponent's time", Values::FLAG);

/// Keys whose range is narrower in hardware, with the values that the hardware supports.
pub(super) const NARROWER: [(&str, Values); 17] = [
    ("sims", Values::range(1, SIMULATIONS as u64)),
    ("ms", Values::range(1, MILLISECONDS as u64)),
    ("children", Values::range(2, CHILDREN as u64)),
    ("expand_threshold", Values::range(0, SIMULATIONS as u64)),
    // Without lines of an SDRAM up to `NODES`.
    ("nodes", Values::range(1, END as u64)),
    ("lanes", Values::OneOf(&[1, 2, 4])),
    // The entries of the exploration table have 20 bits.
    ("exploration", Values::range(0, 113)),
    ("rave_weight_max", Values::range(0, 63)),
    ("rave_weight_min", Values::range(0, 63)),
    // Only software computes other formulas of these keys.
    ("value_count_bits", Values::range(16, COUNT as u64)),
    ("fpu_root", Values::OneOf(&[0])),
    ("expand_ply", Values::OneOf(&[0])),
    ("first_children", Values::OneOf(&[0])),
    ("widen", Values::OneOf(&[0])),
    ("reply_count_max", Values::OneOf(&[1, 2])),
    ("playout_weights", Values::OneOf(&[0])),
    ("replies", Values::OneOf(&[0])),
];

/// Checks parameters, a number of simulations and the nodes in block RAM, if others are in an
/// SDRAM, against the ranges of the hardware.
///
/// # Errors
/// [`SearchingError::Unsupported`] for the first value that the hardware does not support,
/// [`SearchingError::Weights`] for prior weights.
pub fn check_supported(
    parameters: &SearchParameters,
    simulations: u64,
    lines: Option<usize>,
) -> Result<(), SearchingError> {
    let rows = SearchParameters::KEYS.into_iter();
    let values = rows.filter_map(|row| Some((row.key.name, row.get(parameters)?)));
    for (key, value) in values.chain([(keys::SIMS.name, simulations.to_string())]) {
        let Some(expected) = narrower(key) else {
            continue;
        };
        let is_supported = value.parse().is_ok_and(|number| expected.contains(number));
        if !is_supported {
            return Err(SearchingError::Unsupported {
                key,
                value,
                expected: expected.to_string(),
            });
        }
    }
    if let Some(lines) = lines
        && !LINES.values.contains(lines as u64)
    {
        return Err(SearchingError::Unsupported {
            key: LINES.name,
            value: lines.to_string(),
            expected: LINES.values.to_string(),
        });
    }
    check_nodes(parameters.nodes, lines)?;
    check_weights(&parameters.weights)
}

/// Checks that every score by the prior weights has a place in the bits of a score.
pub(super) fn check_weights(weights: &Weights) -> Result<(), SearchingError> {
    let greatest = prior_scorer::greatest(weights);
    if greatest < OFFSET {
        return Ok(());
    }
    let most = OFFSET - 1;
    Err(SearchingError::Weights { greatest, most })
}

/// Checks that a tree without lines of an SDRAM fits into block RAM.
pub(super) fn check_nodes(nodes: usize, lines: Option<usize>) -> Result<(), SearchingError> {
    if lines.is_some() || nodes <= NODES {
        return Ok(());
    }
    Err(SearchingError::Unsupported {
        key: "nodes",
        value: nodes.to_string(),
        expected: format!("1 to {NODES}, or up to {END} with lines=512"),
    })
}

/// Returns the values of a key that the hardware supports; `None` if its range is not narrower.
pub(super) fn narrower(name: &str) -> Option<Values> {
    let row = NARROWER.iter().find(|(key, _)| *key == name);
    row.map(|(_, values)| *values)
}
