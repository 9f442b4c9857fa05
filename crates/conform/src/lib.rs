//! Conformance: numbered [`Step`]s that any board or bot can be tried with, over any link or player
//! of the arena.
//!
//! A [`Run`] asks a device what a contest's host may ask of it, plays the rival's side, judges every
//! answer by the rules, and says for each step whether it passed, with the bytes that show it. What
//! boards may reasonably differ in is asked as advice, whose steps warn and never fail.
//!
//! A fault is reported by the first step that meets it. A later step that is stopped by the same
//! kind of fault is [`Verdict::Blocked`]: it has found nothing new. Situations that depend on the
//! device's moves are looked for in a bounded number of games; where they do not come up, the step
//! is [`Verdict::NotReached`], which is neither passed nor failed.
//!
//! [`mock`] has players that misbehave in one way each, for the program `duoforge-mock`.
//!
//! ```
//! use duoforge_arena::Player;
//! use duoforge_conform::{Run, Settings, Step};
//!
//! let steps: Vec<_> = Step::ALL.iter().take(6).collect();
//! let run = Run::new(Box::new(|| Ok(Player::twin())), Settings::default());
//! let report = run.steps(&steps, |_| ())?;
//! assert_eq!(report.failed(), 0);
//! # Ok::<(), duoforge_arena::ArenaError>(())
//! ```

mod device;
mod fault;
mod game;
mod junit;
pub mod mock;
mod report;
mod rival;
mod run;
mod step;
mod steps;
mod table;

pub use device::Opener;
pub use fault::Fault;
pub use report::{Report, StepReport, Summary, Verdict};
pub use run::Run;
pub use step::{Kind, Step};
pub use table::Settings;
