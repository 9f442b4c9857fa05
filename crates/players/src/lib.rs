//! Players of a match: opens the player that a text names.
//!
//! A [`PlayerSpec`] is the name of a player on a command line: a device behind a link, a program in
//! this process ([`software`]), an engine in another process ([`GtpMover`]), a person, or a device
//! that a [`BoardMaker`] makes. Opened, it is a [`Player`](duoforge_referee::Player) for the
//! referee. A [`Mover`] chooses moves without a link.
//!
//! ```
//! use duoforge_players::software;
//! use duoforge_referee::{Referee, Rules, Setup};
//!
//! let players = [software::twin(), software::random(7)];
//! let mut referee = Referee::new(players, Rules::default());
//! let game = referee.play(Setup::default(), &mut ())?;
//! assert!(game.ending.is_normal(), "{}", game.ending);
//! println!("{} {:?}", game.codes(), game.score);
//! # Ok::<(), duoforge_referee::RefereeError>(())
//! ```

mod board_maker;
mod error;
mod gtp_player;
mod mover;
mod mover_board;
mod opening;
mod sample_players;
pub mod software;
mod spec;

pub use board_maker::BoardMaker;
pub use error::PlayerError;
pub use gtp_player::GtpMover;
pub use mover::{Engine, Mover, NoMove, Random, Resigned, Searcher, Strong};
pub use mover_board::MoverBoard;
pub use opening::{ARRIVAL, Desk, RETURN};
pub use sample_players::Sample;
pub use spec::PlayerSpec;
