//! Players in software, connected inside this process.

use duoforge_links::InProcessLink;
use duoforge_protocol::TeamCode;
use duoforge_referee::Player;
use duoforge_twin::{Policy, Twin};

use crate::{Mover, MoverDevice, PatternMover, Random};

/// Creates a player for the twin of the hardware player.
#[must_use]
pub fn twin() -> Player {
    let twin = Twin::new(team(*b"TW"), Policy::default());
    Player::inside(InProcessLink::new(twin, "twin"))
}

/// Creates the pattern player.
#[must_use]
pub fn pattern() -> Player {
    choosing(PatternMover::default(), "pattern", *b"PT")
}

/// Creates a player that draws its moves uniformly from the legal ones.
#[must_use]
pub fn random(seed: u64) -> Player {
    choosing(Random::new(seed), format!("random:{seed}"), *b"RN")
}

/// Creates a player for a program that chooses moves, with its name and the letters of its team
/// code.
///
/// # Panics
/// If the letters are not a valid team code.
#[must_use]
pub fn choosing(mover: impl Mover + 'static, name: impl Into<String>, letters: [u8; 2]) -> Player {
    let side = mover.side_channel();
    let device = MoverDevice::new(mover, team(letters));
    let player = Player::inside(InProcessLink::new(device, name));
    match side {
        Some(side) => player.with_side_channel(side),
        None => player,
    }
}

/// Creates a player for a person, without a time limit.
#[must_use]
pub fn person(person: impl Mover + 'static) -> Player {
    choosing(person, "human", *b"HU").untimed()
}

/// Team code of a player in software.
fn team(letters: [u8; 2]) -> TeamCode {
    TeamCode::new(letters).expect("letters are printable")
}
