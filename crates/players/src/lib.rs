//! Players of a match: opens the player that a text names.
//!
//! A [`PlayerSpec`] is the name of a player on a command line: a device behind a link, a program in
//! this process ([`software`]), an engine in another process ([`GtpMover`]), a text bot
//! (`BotMover`), a person, or a device that a [`DeviceMaker`] makes. Opened, it is a
//! [`Player`](duoforge_referee::Player) for the referee. A [`Mover`] chooses moves without a link.
//! A [`VariantMover`] chooses moves in games of every variant.
//!
//! ```
//! use duoforge_players::software;
//! use duoforge_referee::{Referee, RefereeOptions, Setup};
//!
//! let players = [software::twin(), software::random(7)];
//! let mut referee = Referee::new(players, RefereeOptions::default());
//! let game = referee.play(Setup::default(), &mut ())?;
//! assert!(game.ending.is_normal(), "{}", game.ending);
//! println!("{} {:?}", game.codes(), game.score);
//! # Ok::<(), duoforge_referee::RefereeError>(())
//! ```

#[cfg(unix)]
mod bot_player;
mod device_maker;
mod error;
mod gtp_player;
mod gtp_time;
mod mover;
mod mover_device;
mod opening;
mod sample_players;
pub mod software;
mod spec;
mod variant;

#[cfg(unix)]
pub use bot_player::BotMover;
pub use device_maker::DeviceMaker;
pub use error::PlayerError;
pub use gtp_player::GtpMover;
pub use mover::{EngineMover, MoveError, Mover, PatternMover, Random, Resigned, SearchMover};
pub use mover_device::MoverDevice;
pub use opening::{CONNECT_TIMEOUT, OpenContext, RECONNECT_TIMEOUT};
pub use sample_players::Sample;
pub use spec::PlayerSpec;
#[cfg(unix)]
pub use variant::BotVariantMover;
pub use variant::{Greedy, GtpVariantMover, MaxnMover, VariantContext};

pub use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
