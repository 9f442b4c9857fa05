//! Variants of the game, as data.

mod built_in;
mod definition;
mod options;
mod scoring;
mod seat;
mod start;
mod variant;

pub use definition::{ColourDefinition, VariantDefinition, VariantError};
pub use options::{Ending, ForcedPass, Passing, Ties, VoluntaryPass};
pub use scoring::ScoringRule;
pub use seat::{Owner, Seat};
pub use start::StartCells;
pub use variant::GameVariant;
