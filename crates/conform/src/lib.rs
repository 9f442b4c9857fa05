//! Conformance checks: numbered [`ConformanceCheck`]s for any device or program, over any link or
//! player of the referee.
//!
//! A [`Run`] prompts a device as a contest's host does, plays the opponent's side and checks every
//! reply against the rules. The report contains the verdict of each check, with the bytes
//! as evidence. Advisory checks cover behaviour that the contest leaves open; they only warn.
//!
//! The first check that encounters a fault reports it. A later check that the same kind of fault
//! stops is [`Verdict::Blocked`]: it has found nothing new. Situations that depend on the device's
//! moves are sought in a limited number of games. If such a situation does not occur, the check is
//! [`Verdict::NotReached`], neither passed nor failed.
//!
//! [`identify`] asks a device for its team code and its build id.
//! A [`bot::BotRun`] does the same with the text protocol of bots.
//!
//! The module [`mock`] contains players with one specific fault each, for the program
//! `duoforge-mock`, and [`mock::bot`] contains text bots.
//!
//! ```
//! use duoforge_conform::{ConformanceCheck, Run, RunOptions};
//! use duoforge_players::software;
//!
//! let steps: Vec<_> = ConformanceCheck::ALL.iter().take(6).collect();
//! let run = Run::new(Box::new(|| Ok(software::twin())), RunOptions::default());
//! let report = run.steps(&steps, |_| ())?;
//! assert_eq!(report.failed(), 0);
//! # Ok::<(), duoforge_conform::ConformError>(())
//! ```

pub mod bot;
mod catalogue;
mod check_error;
mod closed_link;
mod conversation;
mod device;
mod error;
mod fault;
mod hosted_game;
mod identity;
pub mod mock;
mod opponent;
mod report;
mod run;
#[cfg(test)]
mod scripted;
mod seen;
mod step;
mod steps;

pub use conversation::RunOptions;
pub use device::Opener;
pub use error::ConformError;
pub use fault::Fault;
pub use identity::{IdentifyError, Identity, identify};
pub use report::{Report, StepReport, Summary, Verdict};
pub use run::Run;
pub use step::{ConformanceCheck, Kind};
