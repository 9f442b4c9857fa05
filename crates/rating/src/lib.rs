//! Strength estimates from game results.
//!
//! Games are played in pairs: the same opening with sides swapped. The two games of a pair are
//! correlated. [`Pairs`] therefore counts the scores of pairs, and both [`elo`] and [`Sprt`] work
//! on these counts. [`Singles`] holds games without a partner. [`Glicko`] rates many players over
//! events, and [`joint_elo`] rates them from all their games at once.
//!
//! All functions are pure: they use no clock, no file and no random number.
//!
//! ```
//! use duoforge_rating::{Pairs, Sprt, Verdict, elo};
//!
//! let mut pairs = Pairs::default();
//! for _ in 0..40 {
//!     pairs.add(3); // a win and a draw: three half points
//!     pairs.add(2);
//! }
//! let estimate = elo(&pairs);
//! assert!((estimate.score - 0.625).abs() < 1e-12);
//! assert!(estimate.low > 0.0, "surely the stronger one");
//!
//! let test = Sprt::new(0.0, 50.0, 0.05, 0.05)?;
//! assert_eq!(test.judge(&pairs).verdict, Verdict::Stronger);
//! # Ok::<(), duoforge_rating::SprtError>(())
//! ```

mod counts;
mod elo;
mod glicko;
mod joint;
mod sprt;

pub use counts::{Counts, Pairs, Singles};
pub use elo::{Estimate, elo, elo_of_score, score_of_elo};
pub use glicko::{Glicko, GlickoError, Rated, Rating};
pub use joint::{JointError, JointRating, Meeting, joint_elo};
pub use sprt::{Judgement, Sprt, SprtError, Verdict};

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
