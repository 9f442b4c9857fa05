//! The ways to misbehave.

use std::time::Duration;

use clap::ValueEnum;

/// Silence in a game after which the mock that cannot wait has fallen asleep.
pub const SLEEPY: Duration = Duration::from_millis(1000);

/// Games after which the mock that tires does not begin another one.
pub const TIRED: usize = 4;

/// How a mock misbehaves; most do it at their third move of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum MockKind {
    /// Does everything right
    Correct,
    /// Its program ends
    Crash,
    /// Closes the line in the middle of an answer
    Vanish,
    /// Answers no more until the game is over
    Stall,
    /// Sends three letters of four
    BreakOff,
    /// Sends its answer letter by letter, beyond the limit
    Trickle,
    /// Sends its answer after the limit
    Late,
    /// Writes codes with capital letters
    Capitals,
    /// Puts a space into its answer
    Spaces,
    /// Sends a byte that is no printable character
    Control,
    /// Names a column that does not exist
    Malformed,
    /// Answers `0` with `2XX`
    NoOne,
    /// Sends back what it hears
    Echo,
    /// Passes on its first turn
    PassFirst,
    /// Passes on its fourth turn although it could place a tile
    PassEarly,
    /// Reaches beyond the board
    OffBoard,
    /// Covers a cell that is taken
    Overlap,
    /// Touches the edge of its own tiles
    Edge,
    /// Touches no corner of its own tiles
    NoCorner,
    /// Places a tile twice
    UsedTile,
    /// Does not cover its start cell
    StartCell,
    /// Has another team code from the second game on
    Renamed,
    /// Does not answer `0` once a game is over
    OneGame,
    /// Keeps the tiles of the first game on the board
    KeepsBoard,
    /// Takes `2A` for `25`
    OneStart,
    /// Takes `35` for `3A`
    OneOrder,
    /// Knows one code of each placement only, and takes the others for a pass
    Aliases,
    /// Plays another placement when the rival's comes by another code
    Startled,
    /// Falls silent when it has to pass
    ForcedPass,
    /// Falls silent when it has to pass a second time
    PassesOnce,
    /// Falls silent when the rival passes
    RivalPasses,
    /// Falls silent once it has placed all its tiles
    AllPlaced,
    /// Does not answer `0` in the middle of a game
    Reset,
    /// Forgets a code that does not come in one piece
    Split,
    /// Throws away what comes together with `9`
    Glued,
    /// Falls asleep when the host takes its time
    SlowHost,
    /// Plays a few games and no more
    Tires,
    /// Falls silent at CR and LF
    LineEnds,
    /// Falls silent at bytes that no code begins with
    Garbage,
    /// Waits for the rest of a code for ever
    HalfCode,
    /// Throws away what comes while it answers
    Overtaken,
    /// Does not begin a game without `0`
    NoHello,
}

impl MockKind {
    /// The step that finds it out, and the fault by which it does; none for the correct one.
    #[must_use]
    pub const fn found_by(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Correct => return None,
            Self::Crash | Self::Vanish => ("answers", "lost"),
            Self::Stall => ("answers", "silent"),
            Self::BreakOff => ("answers", "short"),
            Self::Trickle => ("timing", "trickle"),
            Self::Late => ("timing", "late"),
            Self::Capitals => ("codes", "capitals"),
            Self::Spaces => ("codes", "space"),
            Self::Control => ("codes", "bytes"),
            Self::Malformed => ("codes", "code"),
            Self::NoOne => ("handshake", "no-one"),
            Self::Echo => ("handshake", "no-one"),
            Self::PassFirst => ("rules", "illegal-pass"),
            Self::OffBoard => ("rules", "illegal-off-board"),
            Self::Overlap => ("rules", "illegal-occupied"),
            Self::Edge => ("rules", "illegal-edge-contact"),
            Self::NoCorner => ("rules", "illegal-no-corner"),
            Self::UsedTile => ("rules", "illegal-tile-used"),
            Self::StartCell => ("rules", "illegal-start-cell"),
            Self::Renamed => ("next-game", "other-team"),
            Self::OneGame => ("next-game", "silent"),
            Self::KeepsBoard => ("next-game", "illegal-pass"),
            Self::OneStart => ("starts", "illegal-start-cell"),
            Self::OneOrder => ("orders", "illegal-occupied"),
            Self::Aliases => ("aliases", "illegal-occupied"),
            Self::Startled => ("aliases", "differs"),
            Self::ForcedPass => ("forced-pass", "silent"),
            Self::PassesOnce => ("pass-after-pass", "silent"),
            Self::RivalPasses => ("rival-finished", "silent"),
            Self::AllPlaced => ("bonus", "silent"),
            Self::Reset => ("reset", "silent"),
            Self::Split => ("split", "silent"),
            Self::Glued => ("glued", "silent"),
            Self::SlowHost => ("slow-host", "silent"),
            Self::Tires => ("series", "silent"),
            Self::LineEnds => ("line-ends", "silent"),
            Self::Garbage => ("garbage", "silent"),
            Self::HalfCode => ("half-code", "silent"),
            Self::Overtaken => ("overtaken", "silent"),
            Self::NoHello => ("no-hello", "silent"),
            Self::PassEarly => ("real-passes", "early-pass"),
        })
    }
}
