//! Conformance checks of text bots: promises of the text protocol, which `docs/bots.md` defines.
//!
//! Each check starts the bot as a new process and sends it lines, as the referee does. The host's
//! end is independent of the one that plays matches. Positions are random and follow from the seed.

mod checks;
mod fault;
mod host;
mod options;
mod positions;
mod run;
mod tester;

pub(crate) use checks::{answers, endings, logs, moves, start, states, variants};
pub use fault::BotProtocolFault;
pub use options::BotOptions;
pub use run::BotRun;
pub(crate) use tester::BotTester;
