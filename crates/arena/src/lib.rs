//! Referee of the contest: players connected by links, games by the contest's rules, and their
//! records.
//!
//! A [`Player`] is a participant that speaks the contest's protocol over a
//! [`Link`](duoforge_links::Link). Players are FPGA boards, simulations, programs in
//! this process ([`SoftLink`]), engines in another process ([`GtpMover`]) and persons ([`Mover`]).
//! The [`Referee`] prompts the players in turn and checks every move with two
//! independent rules checkers. The result is a [`Game`] with its typed [`Ending`] and the wire log
//! of both connections.
//!
//! ```
//! use duoforge_arena::{Player, Referee, Rules, Setup};
//!
//! let players = [Player::twin(), Player::random(7)];
//! let mut referee = Referee::new(players, Rules::default());
//! let game = referee.play(Setup::default(), &mut ())?;
//! assert!(game.ending.is_normal(), "{}", game.ending);
//! println!("{} {:?}", game.codes(), game.score);
//! # Ok::<(), duoforge_arena::ArenaError>(())
//! ```

mod clock;
mod ending;
mod error;
mod game;
mod gtp;
mod judge;
mod line;
mod meet;
mod mover;
mod player;
mod pulse;
mod referee;
mod replay;
mod sample;
mod seat;
#[cfg(unix)]
mod selftest;
mod serve;
mod soft;
mod spec;
mod summary;

pub use clock::{Clock, duration};
pub use ending::{BrokenCode, Ending, Fault, Late, Loss, Outcome, Uncertain};
pub use error::ArenaError;
pub use game::{Game, Ply, Stray, Time};
pub use gtp::GtpMover;
pub use judge::{Judge, Refusal};
pub use meet::{MeetError, meet};
pub use mover::{Engine, Mover, MoverBoard, NoMove, Random, Searcher, Strong};
pub use player::{Player, board_parameters};
pub use pulse::{Pulse, Stall};
pub use referee::{Observer, Referee, Rules};
pub use replay::{FaultSummary, PlySummary, Replay, ReplayPly, ReplaySummary};
pub use sample::Sample;
pub use seat::{Seat, Seats, Setup};
#[cfg(unix)]
pub use selftest::{HostLatency, host_latency};
pub use serve::{Served, Stop, serve};
pub use soft::{ByteBoard, Resigned, SoftLink};
pub use spec::{ARRIVAL, Desk, PlayerSpec, RETURN};
pub use summary::{GameSummary, StraySummary, Tally, TimedPly};
