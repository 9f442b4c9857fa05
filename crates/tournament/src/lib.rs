//! Tournaments: who plays whom, games at once, standings and crosstables, on a journal.
//!
//! A [`Plan`] is read from TOML. [`run`] plays it: workers take games from the [`Schedule`], a referee
//! judges each, and every move goes into a [`Journal`](duoforge_journal::Journal) before the next one
//! is asked for. The journal is the only state: [`run`] begins with what it holds, so that a tournament
//! that was stopped, at whatever byte, goes on with the same call. Players in software that play the
//! same again go on in the middle of a game, by playing its moves once more; other games that were
//! under way begin anew.
//!
//! A [`Report`] is what plan and journal say together: standings, crosstable, differences in Elo.
#![forbid(unsafe_code)]

mod error;
mod evidence;
mod fixture;
mod knockout;
mod one;
mod plan;
mod players;
mod recorder;
mod render;
mod report;
mod results;
mod run;
mod schedule;
mod seeds;
mod swiss;

pub use error::{PlanError, TournamentError};
pub use fixture::Fixture;
pub use plan::{Entry, Evidence, Format, Plan};
pub use recorder::{ended, moved, result};
pub use render::Form;
pub use report::{Cell, Pairing, Report, Standing, fingerprint};
pub use results::{Played, Results, results};
pub use run::{Control, Left, Notice, Progress, run};
pub use schedule::{Bye, Schedule};
