//! Pairing systems: which players meet in the next round.

pub(crate) mod all_play;
pub(crate) mod knockout;
pub(crate) mod swiss;
