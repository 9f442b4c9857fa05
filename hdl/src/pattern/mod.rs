//! Pattern player: scores every legal placement once and plays the best one.
//!
//! The [`scan`] outputs the placements of the generator's legal set one per cycle, and the
//! [`policy_scorer`] scores them. The top block is in [`player`]. [`cycles`] predicts the cycle
//! counts.

pub mod cycles;
pub mod player;
pub mod policy_scorer;
pub mod scan;
