//! Kinds of faults of text bots.

use clap::ValueEnum;

/// Kind of fault of a text bot. Each fault shows in one situation; one check then finds it, and all
/// others pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum BotMockKind {
    /// Has no fault
    Correct,
    /// Answers with action numbers and text; no fault
    Numbers,
    /// Asks for the state and answers from it; no fault
    Asks,
    /// Ends at once in other variants than duo; no fault
    DuoOnly,
    /// Does not answer the input test
    NotReady,
    /// Ends before the input test
    NoStart,
    /// Writes `ready` at its start already
    Eager,
    /// Ends its program at the eighth request
    Crash,
    /// Does not answer the eighth request
    Mute,
    /// Holds back its eighth answer until its input ends
    Unflushed,
    /// Answers the eighth request after its time
    Late,
    /// Answers the eighth request twice
    Twice,
    /// Asks for the state after `ready`, always
    AsksLate,
    /// Repeats its first move as its third one
    Illegal,
    /// Writes its third code with capital letters
    Capitals,
    /// Answers the third request with a word
    Word,
    /// Answers the third request with an action number that does not exist
    Number,
    /// Ends at a line that it does not know
    UnknownLine,
    /// Ends at a setting that it does not know
    UnknownSetting,
    /// Answers a line that it does not know
    Complains,
    /// Takes the board for empty at its first request if it can place a tile
    NeedsStart,
    /// Ends at a state that it did not ask for
    NoState,
    /// Ends if the host has replaced its move
    Stubborn,
    /// Does not answer if it must pass
    NoPass,
    /// Places the colour with the number of its seat
    SeatIsColour,
    /// Drops the incomplete end of a chunk of input
    Split,
    /// Ignores `quit`
    Stays,
    /// Does not end with its input
    Orphan,
    /// Writes 2 MiB to standard error at the eighth request
    Floods,
}

impl BotMockKind {
    /// Name of the check that finds the fault, and keyword of the reported fault; `None` for a mock
    /// without a fault.
    #[must_use]
    pub const fn found_by(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Correct | Self::Numbers | Self::Asks | Self::DuoOnly => return None,
            Self::NotReady => ("bot-ready", "not-ready"),
            Self::NoStart => ("bot-ready", "ended"),
            Self::Eager => ("bot-ready", "early-ready"),
            Self::Crash => ("bot-answers", "ended"),
            Self::Mute => ("bot-answers", "silent"),
            Self::Unflushed => ("bot-answers", "unflushed"),
            Self::Late => ("bot-answers", "late"),
            Self::Twice => ("bot-answers", "stray"),
            Self::AsksLate => ("bot-answers", "late-state"),
            Self::Illegal => ("bot-moves", "illegal"),
            Self::Capitals => ("bot-moves", "capitals"),
            Self::Word | Self::Number => ("bot-moves", "no-move"),
            Self::UnknownLine | Self::UnknownSetting => ("bot-unknown-lines", "ended"),
            Self::Complains => ("bot-unknown-lines", "no-move"),
            Self::NeedsStart => ("bot-mid-game", "illegal"),
            Self::NoState => ("bot-state", "ended"),
            Self::Stubborn => ("bot-forfeit", "ended"),
            Self::NoPass => ("bot-forced-pass", "silent"),
            Self::SeatIsColour => ("bot-variants", "illegal"),
            Self::Split => ("bot-split", "silent"),
            Self::Stays => ("bot-quit", "stays"),
            Self::Orphan => ("bot-end-of-input", "stays"),
            Self::Floods => ("bot-log", "long-log"),
        })
    }
}
