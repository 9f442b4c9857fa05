//! Tournaments: pairings, concurrent games, standings and crosstables, recorded in a journal.
//!
//! A [`Plan`] is read from TOML, and [`run`] plays it. Workers take games from the [`Schedule`],
//! and a referee adjudicates each. Every move is written to a
//! [`Journal`](duoforge_journal::Journal) before the next prompt is sent. The journal is the only
//! persistent state. [`run`] starts from its contents, so the same call resumes a tournament that
//! was interrupted at any byte.
//!
//! Before the first game, [`test_players`] tests the input of all programs and devices, and excludes
//! those that fail.
//!
//! An interrupted game continues if its players are deterministic: its moves are played again. Any
//! other interrupted game restarts.
//!
//! A [`Report`] combines plan and journal: standings, crosstable, Elo differences. A [`Ladder`]
//! rates the players of many journals.
//!
//! A [`VariantPlan`] is the plan of a tournament of a variant: [`run_variant`] plays every group of
//! players, each in each seat, and a [`VariantReport`] has the standings.
#![forbid(unsafe_code)]

mod control;
mod error;
mod evidence;
mod excluded;
mod fixtures;
mod game_runner;
mod input_test;
mod ladder;
mod pairing;
mod plan;
mod recorder;
mod render;
mod report;
mod results;
mod run;
mod schedule;
mod seating;
mod seeds;
mod tournament_run;
mod variant;

pub use control::{Control, Notice, Progress};
pub use error::{PlanError, TournamentError};
pub use excluded::Excluded;
pub use fixtures::{Bye, Fixture};
pub use input_test::{TestedTournament, test_players, test_variant_players};
pub use ladder::{
    Competitor, Gathered, HeadToHead, JournalNotice, LADDER_VERSION, Ladder, LadderEvent,
    LadderUnit, Rung, RungEvent, VIRTUAL_DRAWS, games_by_variant, gather,
};
pub use plan::{Evidence, Format, Plan, PlanEntry};
pub use recorder::{ended, moved, result};
pub use render::Form;
pub use report::{Cell, Pairing, Report, Standing, fingerprint};
pub use results::{Played, Results, results};
pub use run::{TournamentResult, run};
pub use schedule::Schedule;
pub use seeds::mixed;
pub use variant::{
    VariantControl, VariantFixture, VariantPlan, VariantReport, VariantStanding, run_variant,
    variant_begun, variant_ended, variant_moved,
};
