//! Players of games of every variant.

mod greedy;
mod gtp;
mod open;
mod random;

pub use greedy::Greedy;
pub use gtp::GtpVariantMover;
pub use open::VariantContext;
