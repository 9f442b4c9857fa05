//! Tournaments of variants, with one to four seats.
//!
//! Every group of as many players as the variant has seats plays the same number of games, in which
//! each player has each seat equally often.

mod plan;
mod recorder;
mod report;
mod run;

pub use plan::{VariantFixture, VariantPlan};
pub use recorder::{variant_begun, variant_ended, variant_moved};
pub use report::{VariantReport, VariantStanding};
pub(crate) use run::opened;
pub use run::{VariantControl, run_variant};
