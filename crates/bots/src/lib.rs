//! Text protocol of bots: programs that read commands from their standard input, one per line, and
//! write their moves to their standard output.
//!
//! A [`BotSpec`] names a bot: its command line, time bank and limits. A [`BotSession`] is the
//! host's end of one game in any variant: it starts the bot, tests its input with a warm-up, sends
//! it the moves and the time left, and asks it for moves. `docs/bots.md` defines the protocol.
//!
//! ```
//! use duoforge_bots::{BotSession, BotSpec};
//! use duoforge_rules::{Game, GameVariant};
//!
//! // A bot that is ready, and always answers with the same placement.
//! let script = "while read -r word rest; do case $word in \
//!               action) case $rest in warmup*) echo ready;; *) echo 53e0 my favourite;; esac;; \
//!               quit) exit;; esac; done";
//! let spec: BotSpec = format!("timebank=20s:sh -c '{script}'").parse()?;
//! let game = Game::new(&GameVariant::DUO);
//! let mut session = BotSession::start(&spec, game.variant())?;
//! let reply = session.ask(&game)?;
//! assert_eq!((reply.mv, reply.text.as_deref()), ("53e0".parse()?, Some("my favourite")));
//! assert_eq!(session.finish().to_string(), "ended with exit status 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! On systems other than Unix the crate only reads the names of bots.

#[cfg(unix)]
mod answer;
#[cfg(unix)]
mod error;
#[cfg(unix)]
mod log;
#[cfg(unix)]
mod session;
mod spec;
mod time_bank;

#[cfg(unix)]
pub use answer::BotReply;
#[cfg(unix)]
pub use error::{BotError, BotFault};
#[cfg(unix)]
pub use log::{BotLog, LOG_LIMIT, Phase};
#[cfg(unix)]
pub use session::{BotEnd, BotSession};
pub use spec::{BotSpec, BotSpecError};
pub use time_bank::TimeBank;

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
