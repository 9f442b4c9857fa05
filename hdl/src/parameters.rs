//! What can be chosen before the player is built.

use duoforge_engine::Policy;
use duoforge_protocol::BuildId;

/// What can be chosen before the player is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Frequency of the only clock, in hertz.
    pub clock_hz: u32,
    /// Speed of the serial line, in bits a second.
    pub baud: u32,
    /// The two letters of the team code.
    pub team: [u8; 2],
    /// What the board answers to `????`.
    pub build: BuildId,
    /// Silence after which an unfinished code is forgotten, in clocks.
    pub gap: u32,
    /// Clocks after a request at which the best placement so far is played.
    pub guard: u32,
    /// Clocks after the newest complete request at which it is answered whatever the chooser does: with the
    /// placement that is decided on, else with `0000`. At least [`Parameters::guard`].
    pub limit: u32,
    /// What is played.
    pub policy: Policy,
}

impl Parameters {
    /// The contest's line on a clock of `clock_hz`: 115200 baud, forgetting an unfinished code after
    /// 100 ms, playing the best placement so far after 900 ms, and answering after 950 ms in any case.
    pub fn contest(clock_hz: u32) -> Self {
        Self {
            clock_hz,
            baud: 115_200,
            team: *b"DF",
            build: BuildId(0),
            gap: clock_hz / 10,
            guard: clock_hz / 10 * 9,
            limit: clock_hz / 20 * 19,
            policy: Policy::default(),
        }
    }

    /// Clocks a bit on the serial line, rounded to the nearest.
    pub fn divisor(&self) -> u16 {
        u16::try_from((self.clock_hz + self.baud / 2) / self.baud).unwrap_or(u16::MAX)
    }

    /// The letters of the answer to `0`, the first lowest.
    pub(crate) fn hello(&self) -> u32 {
        let [first, second] = self.team;
        u32::from_le_bytes([b'1', first, second, 0])
    }

    /// The letters of the answer to `????`, four and four, the first of each lowest.
    pub(crate) fn build_digits(&self) -> [u32; 2] {
        let digits = self.build.reply();
        [0, 4].map(|from| u32::from_le_bytes(std::array::from_fn(|i| digits[from + i])))
    }
}

impl Default for Parameters {
    /// The contest's line on a clock of 50 MHz.
    fn default() -> Self {
        Self::contest(50_000_000)
    }
}
