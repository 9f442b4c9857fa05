//! Games of every variant, for one to four seats.
//!
//! A [`VariantPlayer`] is a participant: a [`VariantMover`] with a name and a time control. The
//! [`VariantReferee`] runs games between them, checks every move with two independent rules
//! checkers and measures the time of every reply. The result is a [`VariantGame`] with a score and
//! a place for each seat. No protocol is involved: the contest's four-letter protocol knows two
//! players on 14x14 cells, whose games the [`Referee`](crate::Referee) runs.
//!
//! A player that breaks a rule has a [`SeatFault`]. Its seat takes a place after all seats without
//! a fault. The game ends if at most one seat without a fault remains; otherwise
//! [`substitutes`](duoforge_rules::Game::substitute) stand for the seat's remaining moves, so that the other seats still have a game.

mod game;
mod judge;
mod mover;
mod referee;
mod seat_clock;

pub use game::{SeatFault, SeatFaultKind, SeatRecord, VariantGame, VariantPly};
pub use judge::VariantJudge;
pub use mover::{MoverFault, TimeLeft, VariantMover};
pub use referee::{VariantObserver, VariantPlayer, VariantReferee};
