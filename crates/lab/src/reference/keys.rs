//! Keys of a search as JSON lines, for programs that choose settings.

use anyhow::{Result, ensure};
use duoforge_twin::search::keys::Values;
use serde::Serialize;

use super::spec::SearchSpec;
use crate::output;

/// List the keys of a search as JSON lines
///
/// For each key of the settings, prints an object with its name, its value in the search (null if
/// there is none, as for an unused limit), its permitted values and its meaning. Permitted are the
/// integers from `min` to `max` or those of `one_of`; keys of weights have neither.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Search: KEY=VALUE,... for the twin of the search player, or engine:KEY=VALUE,...
    pub search: SearchSpec,
}

/// Key of a search.
#[derive(Debug, Serialize)]
struct KeyLine {
    key: &'static str,
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_of: Option<&'static [u64]>,
    meaning: &'static str,
}

/// Prints the keys of a search.
///
/// # Errors
/// A player without keys.
pub fn run(args: &Args) -> Result<()> {
    let keys = args.search.keys();
    ensure!(
        !keys.is_empty(),
        "{} has no keys: expected search:KEY=VALUE,... or engine:KEY=VALUE,...",
        args.search
    );
    for (key, value) in keys {
        let (min, max, one_of) = match key.values {
            Values::Integers { min, max } => (Some(min), Some(max), None),
            Values::OneOf(values) => (None, None, Some(values)),
            Values::Rows { .. } => (None, None, None),
        };
        let line = KeyLine {
            key: key.name,
            value,
            min,
            max,
            one_of,
            meaning: key.meaning,
        };
        output::line(serde_json::to_string(&line)?)?;
    }
    Ok(())
}
