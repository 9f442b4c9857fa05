//! Kinds of faults.

use std::time::Duration;

use clap::ValueEnum;

/// Silence during a game after which the mock with a slow-host fault stops replying.
pub const SLEEPY: Duration = Duration::from_millis(1000);

/// Number of games after which the mock with a series fault omits one: more than all checks before
/// `series` play.
pub const TIRED: u32 = 64;

/// Kind of fault of a mock. Most faults occur once: at the third move of the first game, or when
/// their situation first arises. One check then finds the fault, and all others pass. Other faults
/// recur; some of their texts name the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum MockKind {
    /// Has no fault
    Correct,
    /// Ends its program, in each game
    Crash,
    /// Closes the link in the middle of a reply, in each game
    Vanish,
    /// Stops replying until the game is over, in each game
    Stall,
    /// Sends three letters of four
    BreakOff,
    /// Sends its reply letter by letter, beyond the limit
    Trickle,
    /// Sends its reply after the limit
    Late,
    /// Writes codes with capital letters
    Capitals,
    /// Puts a space into its reply
    Spaces,
    /// Sends a byte that is not a printable character
    Control,
    /// Names a column that does not exist
    Malformed,
    /// Has another team code at its second `0`
    TwoTeams,
    /// Replies `2XX` to `0`, always
    BadPrefix,
    /// Echoes all bytes that it receives, always
    Echo,
    /// Passes on its first move
    PassFirst,
    /// Passes on its fourth move although a placement is legal
    PassEarly,
    /// Only ever passes, in each game
    OnlyPasses,
    /// Places its first tile and passes from then on, in each game
    PassesOn,
    /// Sends a fifth letter after a reply
    FifthLetter,
    /// Sends an unsolicited byte shortly after a reply
    #[value(name = "unasked")]
    Unsolicited,
    /// Sends an unsolicited byte when its second game is over
    Farewell,
    /// Places a tile beyond the edge of the board
    OffBoard,
    /// Covers an occupied cell
    Overlap,
    /// Touches the edge of a tile that it placed
    Edge,
    /// Touches no corner of a tile that it placed
    NoCorner,
    /// Places a tile twice
    UsedTile,
    /// Does not cover its start cell
    StartCell,
    /// Has another team code in the second game
    Renamed,
    /// Does not reply to the first `0` after a game
    OneGame,
    /// Keeps the tiles of the first game on the board of the second
    KeepsBoard,
    /// Takes `2A` for `25`
    OneStart,
    /// Takes `35` for `3A`
    OneOrder,
    /// Accepts only the canonical code of a placement and takes aliases for a pass, always
    Aliases,
    /// Plays another placement after an alias of the opponent, always
    Startled,
    /// Stops replying when it must pass
    ForcedPass,
    /// Stops replying when it must pass a second time
    PassesOnce,
    /// Stops replying when the opponent passes
    OpponentPasses,
    /// Stops replying once it has placed all its tiles
    AllPlaced,
    /// Does not reply to `0` in the middle of a game
    Reset,
    /// Drops a code that does not arrive in one chunk
    Split,
    /// Drops bytes that arrive together with `9`
    BackToBack,
    /// Stops replying after a long silence of the host
    SlowHost,
    /// Omits one game after many
    Tires,
    /// Stops replying after CR or LF
    LineEnds,
    /// Stops replying after a byte that begins no code
    Garbage,
    /// Waits for the rest of a partial code until `9`
    PartialCode,
    /// Drops bytes that arrive together with a prompt for a first move
    Superseded,
    /// Does not start a game without `0`
    NoHandshake,
}

impl MockKind {
    /// Name of the check that finds the fault, and keyword of the reported fault; `None` for the
    /// correct mock.
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
            Self::BadPrefix => ("handshake", "no-one"),
            Self::Echo => ("handshake", "no-one"),
            Self::PassFirst | Self::OnlyPasses => ("rules", "illegal-pass"),
            Self::OffBoard => ("rules", "illegal-off-board"),
            Self::Overlap => ("rules", "illegal-occupied"),
            Self::Edge => ("rules", "illegal-edge-contact"),
            Self::NoCorner => ("rules", "illegal-no-corner"),
            Self::UsedTile => ("rules", "illegal-tile-used"),
            Self::StartCell => ("rules", "illegal-start-cell"),
            Self::FifthLetter | Self::Unsolicited => ("quiet", "stray"),
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
            Self::OpponentPasses => ("opponent-finished", "silent"),
            Self::PassesOn => ("opponent-finished", "early-pass"),
            Self::AllPlaced => ("last-tile", "silent"),
            Self::Reset => ("reset", "silent"),
            Self::Split => ("split", "silent"),
            Self::BackToBack => ("back-to-back", "silent"),
            Self::SlowHost => ("slow-host", "silent"),
            Self::Tires => ("series", "silent"),
            Self::LineEnds => ("line-ends", "silent"),
            Self::Garbage => ("garbage", "silent"),
            Self::PartialCode => ("partial-code", "silent"),
            Self::Superseded => ("superseded", "short"),
            Self::NoHandshake => ("no-handshake", "silent"),
            Self::PassEarly => ("no-voluntary-pass", "early-pass"),
        })
    }
}
