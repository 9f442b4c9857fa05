//! Referee of the contest: judges games between two players behind links by the contest's rules.
//!
//! A [`Player`] is a participant that speaks the contest's protocol over a
//! [`Link`](duoforge_links::Link). The referee does not know the program or device at the
//! far end. The [`Referee`] prompts the players in turn and checks every move with two
//! independent rules checkers. The result is a [`Game`] with its typed [`Ending`] and the wire log
//! of both connections. A [`SeatedDevice`] plays one seat of a game whose other moves the caller
//! supplies. A [`Replay`] judges a list of moves by the same rules. The module
//! [`variant`] runs games of every variant, for one to four seats, without links.
//!
//! ```
//! use duoforge_referee::{Ending, Replay};
//!
//! let replay = Replay::new(&[*b"53e0", *b"a8e0", *b"53e0"])?;
//! assert!(matches!(replay.ending, Ending::Illegal { code: [b'5', b'3', b'e', b'0'], .. }));
//! println!("{}", replay.ending);
//! # Ok::<(), duoforge_referee::RefereeError>(())
//! ```

mod connection;
mod ending;
mod error;
mod game;
mod handshake;
#[cfg(unix)]
mod host_latency;
mod judge;
mod play;
mod player;
mod referee;
mod replay;
mod reset;
mod seat;
mod seated_device;
mod side_channel;
mod stall;
mod summary;
mod time_control;
pub mod variant;

pub use ending::{BrokenCode, Ending, Fault, LateReply, LinkLoss, Outcome, StalledWait};
pub use error::RefereeError;
pub use game::{Game, Ply, Time, Unsolicited};
pub use handshake::{HandshakeError, check_player, check_players};
#[cfg(unix)]
pub use host_latency::{HostLatency, host_latency};
pub use judge::{MoveJudge, Refusal};
pub use player::Player;
pub use referee::{Observer, Referee, RefereeOptions};
pub use replay::{FaultSummary, PlySummary, Replay, ReplayPly, ReplaySummary};
pub use seat::{Seat, Seats, Setup};
pub use seated_device::{SeatError, SeatedDevice};
pub use side_channel::{Remark, SideChannel};
pub use stall::{HostStall, StallMonitor};
pub use summary::{GameSummary, Tally, TimedPly, UnsolicitedSummary};
pub use time_control::{TimeControl, duration};
