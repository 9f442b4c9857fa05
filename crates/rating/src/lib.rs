//! What results of games say about strength.
//!
//! Games come in pairs: the same opening with sides swapped. The two games of a pair hang together,
//! so that [`Pairs`] counts what each pair scored, and both [`elo`] and [`Sprt`] work on these counts.
//! [`Singles`] is for games that have no partner. [`Glicko`] rates many players over events.
//!
//! Everything here is a pure function of counts: no clocks, no files, no chance.
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
mod sprt;

pub use counts::{Counts, Pairs, Singles};
pub use elo::{Estimate, elo, elo_of_score, score_of_elo};
pub use glicko::{Glicko, GlickoError, Rated, Rating};
pub use sprt::{Judgement, Sprt, SprtError, Verdict};
