//! Trace of what happens on the lines, on standard error; off by default.

use std::env;
use std::io;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::failure::{Failure, Result};

/// Environment variable with the level of the trace, or with levels of modules.
const VARIABLE: &str = "DUOFORGE_LOG";

/// Starts the trace if the variable is set and not empty.
///
/// # Errors
/// `duoforge::usage` if the variable is not a list of levels.
pub fn start() -> Result<()> {
    let Some(text) = env::var_os(VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(());
    };
    let text = text.to_string_lossy();
    let levels: Targets = text.parse().map_err(|error| {
        Failure::new("duoforge::usage", format!("{VARIABLE}={text}: {error}")).help(
            "use trace for the bytes, debug for opened and lost links, or levels by module such as \
             duoforge_links=debug",
        )
    })?;
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(false);
    tracing_subscriber::registry()
        .with(levels)
        .with(lines)
        .init();
    Ok(())
}
