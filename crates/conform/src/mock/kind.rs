//! The ways to misbehave.

use std::time::Duration;

use clap::ValueEnum;

/// Silence in a game after which the mock that cannot wait has fallen asleep.
pub const SLEEPY: Duration = Duration::from_millis(1000);

/// Games after which the mock that tires leaves one out: more than all steps before `series` ask for.
pub const TIRED: u32 = 64;

/// How a mock misbehaves. Most do it once, at their third move of the first game or where their situation
/// comes up first, so that one step shows it and all others pass; of others that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum MockKind {
    /// Does everything right
    Correct,
    /// Its program ends, in each game
    Crash,
    /// Closes the line in the middle of an answer, in each game
    Vanish,
    /// Answers no more until the game is over, in each game
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
    /// Has another team code at its second `0`
    TwoTeams,
    /// Answers `0` with `2XX`, always
    NoOne,
    /// Sends back what it hears, always
    Echo,
    /// Passes on its first turn
    PassFirst,
    /// Passes on its fourth turn although it could place a tile
    PassEarly,
    /// Passes and does nothing else, in each game
    OnlyPasses,
    /// Places its first tile and passes from then on, in each game
    PassesOn,
    /// Sends a fifth letter behind an answer
    FifthLetter,
    /// Sends a byte a while after an answer
    Unasked,
    /// Sends a byte when its second game is over
    Farewell,
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
    /// Has another team code in the second game
    Renamed,
    /// Does not answer the first `0` after a game
    OneGame,
    /// Keeps the tiles of the first game on the board of the second
    KeepsBoard,
    /// Takes `2A` for `25`
    OneStart,
    /// Takes `35` for `3A`
    OneOrder,
    /// Knows one code of each placement only, and takes the others for a pass, always
    Aliases,
    /// Plays another placement when the rival's comes by another code, always
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
    /// Leaves a game out after many
    Tires,
    /// Falls silent at CR and LF
    LineEnds,
    /// Falls silent at bytes that no code begins with
    Garbage,
    /// Waits for the rest of a code until `9`
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
            Self::TwoTeams => ("handshake", "other-team"),
            Self::NoOne => ("handshake", "no-one"),
            Self::Echo => ("handshake", "no-one"),
            Self::PassFirst | Self::OnlyPasses => ("rules", "illegal-pass"),
            Self::OffBoard => ("rules", "illegal-off-board"),
            Self::Overlap => ("rules", "illegal-occupied"),
            Self::Edge => ("rules", "illegal-edge-contact"),
            Self::NoCorner => ("rules", "illegal-no-corner"),
            Self::UsedTile => ("rules", "illegal-tile-used"),
            Self::StartCell => ("rules", "illegal-start-cell"),
            Self::FifthLetter | Self::Unasked => ("quiet", "stray"),
            Self::Farewell => ("next-game", "stray"),
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
            Self::PassesOn => ("rival-finished", "early-pass"),
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
