//! Codes of the protocol as values, and their encoding on the wire.

use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use crate::is_ignored;
use crate::reply_kind::ReplyKind;

/// Move as sent on the wire: four bytes, whose legality this crate does not check.
pub type MoveCode = [u8; 4];

/// Move code of a pass.
pub const PASS: MoveCode = *b"0000";

/// One of the two start cells, named by its letter in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartCell {
    /// `5`: cell (5,5) in the contest's coordinates.
    Five,
    /// `A`: cell (a,a) in the contest's coordinates.
    A,
}

impl StartCell {
    /// Letter on the wire: `5` or `A`.
    #[must_use]
    pub const fn letter(self) -> u8 {
        match self {
            Self::Five => b'5',
            Self::A => b'A',
        }
    }

    /// Returns the start cell of a letter; `None` for any byte except `5` and `A` (case matters).
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'5' => Some(Self::Five),
            b'A' => Some(Self::A),
            _ => None,
        }
    }

    /// Start cell of the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Five => Self::A,
            Self::A => Self::Five,
        }
    }

    /// Column and row, counted from 0 at the top left.
    #[must_use]
    pub const fn coordinates(self) -> (u8, u8) {
        match self {
            Self::Five => (4, 4),
            Self::A => (9, 9),
        }
    }
}

impl fmt::Display for StartCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Five => "(5,5)",
            Self::A => "(a,a)",
        })
    }
}

/// Two-character code of a team in the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TeamCode([u8; 2]);

/// Error of an invalid team code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeamCodeError {
    /// A character is a blank, a control character or not ASCII.
    #[error("a team code holds printable ASCII characters only, not the byte 0x{0:02x}")]
    NotPrintable(u8),
    /// The text is not two bytes long.
    #[error("a team code has 2 characters, not {0}")]
    Length(usize),
}

impl TeamCode {
    /// Creates a team code from two printable, non-blank ASCII characters.
    ///
    /// # Errors
    /// [`TeamCodeError::NotPrintable`] with the first invalid byte.
    pub const fn new(bytes: [u8; 2]) -> Result<Self, TeamCodeError> {
        if !bytes[0].is_ascii_graphic() {
            return Err(TeamCodeError::NotPrintable(bytes[0]));
        }
        if !bytes[1].is_ascii_graphic() {
            return Err(TeamCodeError::NotPrintable(bytes[1]));
        }
        Ok(Self(bytes))
    }

    /// The two characters of the code.
    #[must_use]
    pub const fn bytes(self) -> [u8; 2] {
        self.0
    }

    /// Reply to `0`: `1` and the two characters.
    #[must_use]
    pub fn reply(self) -> Frame {
        Frame::new(&[b'1', self.0[0], self.0[1]])
    }
}

impl FromStr for TeamCode {
    type Err = TeamCodeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = text.as_bytes();
        let bytes = bytes
            .try_into()
            .map_err(|_| TeamCodeError::Length(bytes.len()))?;
        Self::new(bytes)
    }
}

impl fmt::Display for TeamCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_ascii().fmt(f)
    }
}

/// Build id of a device: eight hexadecimal digits on the wire. Devices that the build command did
/// not make, such as simulations, have id 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildId(pub u32);

/// Error of a text that is not a build id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a build id has 8 hexadecimal digits")]
pub struct BuildIdError;

impl BuildId {
    /// Reply to `????`: eight lower-case hexadecimal digits, the most significant first.
    #[must_use]
    pub fn reply(self) -> Frame {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        Frame::new(&core::array::from_fn::<u8, 8, _>(|digit| {
            DIGITS[(self.0 >> (28 - 4 * digit)) as usize & 15]
        }))
    }
}

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reply().fmt(f)
    }
}

impl FromStr for BuildId {
    type Err = BuildIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(text, 16);
        number.ok().filter(|_| digits).map(Self).ok_or(BuildIdError)
    }
}

/// Code sent by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostCode {
    /// `0`: handshake before a game; the device replies `1XX`.
    Handshake,
    /// `2X`: the device moves first; it replies with a move.
    First {
        /// Start cell of the prompted device.
        start: StartCell,
    },
    /// `3XYYYY`: the device moves second; it replies with a move.
    Second {
        /// Start cell of the prompted device.
        start: StartCell,
        /// First move of the opponent.
        code: MoveCode,
    },
    /// `4XXXX`: the opponent moved; the device replies with a move.
    Turn {
        /// Move of the opponent.
        code: MoveCode,
    },
    /// `9`: the game is over; there is no reply.
    End,
    /// `????`, an extension of the contest's codes: the device replies with its build id, unless a
    /// game is running.
    Identify,
}

impl HostCode {
    /// Bytes of the code on the wire.
    #[must_use]
    pub fn encode(self) -> Frame {
        match self {
            Self::Handshake => Frame::new(b"0"),
            Self::First { start } => Frame::new(&[b'2', start.letter()]),
            Self::Second {
                start,
                code: [a, b, c, d],
            } => Frame::new(&[b'3', start.letter(), a, b, c, d]),
            Self::Turn { code: [a, b, c, d] } => Frame::new(&[b'4', a, b, c, d]),
            Self::End => Frame::new(b"9"),
            Self::Identify => Frame::new(b"????"),
        }
    }

    /// Kind of reply that is due; `None` after `9`.
    #[must_use]
    pub const fn expects(self) -> Option<ReplyKind> {
        match self {
            Self::Handshake => Some(ReplyKind::Team),
            Self::First { .. } | Self::Second { .. } | Self::Turn { .. } => Some(ReplyKind::Move),
            Self::End => None,
            Self::Identify => Some(ReplyKind::Build),
        }
    }
}

impl fmt::Display for HostCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.encode().fmt(f)
    }
}

/// Bytes of one code or reply on the wire: at most eight, stored without allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    bytes: [u8; Self::MAX],
    len: u8,
}

impl Frame {
    /// Maximum length in bytes: that of a build id.
    pub const MAX: usize = 8;

    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut frame = Self {
            bytes: [0; Self::MAX],
            len: bytes.len() as u8,
        };
        frame.bytes[..bytes.len()].copy_from_slice(bytes);
        frame
    }

    /// Bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl Deref for Frame {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// Prints the characters; bytes outside printable ASCII are escaped.
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().escape_ascii().fmt(f)
    }
}

/// True if a move code contains no blank. The device would drop a blank.
pub(crate) fn has_no_blank(code: MoveCode) -> bool {
    !code.iter().any(|&byte| is_ignored(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_bytes_of_table_1() {
        let start = StartCell::A;
        let code = *b"53e0";
        assert_eq!(HostCode::Handshake.encode().as_bytes(), b"0");
        assert_eq!(
            HostCode::First {
                start: StartCell::Five
            }
            .encode()
            .as_bytes(),
            b"25"
        );
        assert_eq!(HostCode::First { start }.encode().as_bytes(), b"2A");
        assert_eq!(
            HostCode::Second { start, code }.encode().as_bytes(),
            b"3A53e0"
        );
        assert_eq!(HostCode::Turn { code }.encode().as_bytes(), b"453e0");
        assert_eq!(HostCode::End.encode().as_bytes(), b"9");
        assert_eq!(HostCode::Identify.encode().as_bytes(), b"????");
    }

    #[test]
    fn only_the_end_expects_nothing() {
        assert_eq!(HostCode::Handshake.expects(), Some(ReplyKind::Team));
        assert_eq!(
            HostCode::First {
                start: StartCell::A
            }
            .expects(),
            Some(ReplyKind::Move)
        );
        assert_eq!(
            HostCode::Turn { code: PASS }.expects(),
            Some(ReplyKind::Move)
        );
        assert_eq!(HostCode::Identify.expects(), Some(ReplyKind::Build));
        assert_eq!(HostCode::End.expects(), None);
    }

    #[test]
    fn build_ids_are_eight_hexadecimal_digits() {
        let id = BuildId(0x0123_cdef);
        assert_eq!(id.reply().as_bytes(), b"0123cdef");
        assert_eq!("0123CDef".parse(), Ok(id));
        for wrong in ["", "123cdef", "+123cdef", "0123cdeg", "00123cdef"] {
            assert_eq!(wrong.parse::<BuildId>(), Err(BuildIdError), "{wrong}");
        }
    }

    #[test]
    fn start_letters_are_case_sensitive() {
        for letter in 0..=u8::MAX {
            let start = StartCell::from_letter(letter);
            assert_eq!(start.is_some(), letter == b'5' || letter == b'A');
            if let Some(start) = start {
                assert_eq!(start.letter(), letter);
                assert_ne!(start.other(), start);
                assert_eq!(start.other().other(), start);
            }
        }
    }

    #[test]
    fn team_codes_are_two_printable_characters() {
        assert_eq!("AA".parse::<TeamCode>().unwrap().reply().as_bytes(), b"1AA");
        assert_eq!("A".parse::<TeamCode>(), Err(TeamCodeError::Length(1)));
        assert_eq!(
            "A ".parse::<TeamCode>(),
            Err(TeamCodeError::NotPrintable(b' '))
        );
        assert_eq!(
            TeamCode::new([0xff, b'A']),
            Err(TeamCodeError::NotPrintable(0xff))
        );
    }

    #[test]
    fn frames_print_broken_bytes_escaped() {
        let code = [b'5', 0x00, 0xff, b'\\'];
        assert_eq!(
            std::format!("{}", HostCode::Turn { code }),
            "45\\x00\\xff\\\\"
        );
    }
}
