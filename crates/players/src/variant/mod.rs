//! Players of games of every variant.

#[cfg(unix)]
mod bot;
mod greedy;
mod gtp;
mod maxn;
mod open;
mod random;

#[cfg(unix)]
pub use bot::BotVariantMover;
pub use greedy::Greedy;
pub use gtp::GtpVariantMover;
pub use maxn::MaxnMover;
pub use open::VariantContext;
