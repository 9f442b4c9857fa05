//! Players of games of every variant.

mod greedy;
mod gtp;
mod maxn;
mod open;
mod random;

pub use greedy::Greedy;
pub use gtp::GtpVariantMover;
pub use maxn::MaxnMover;
pub use open::VariantContext;
