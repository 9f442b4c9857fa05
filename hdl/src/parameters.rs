//! Build parameters of the hardware player.

use duoforge_protocol::BuildId;
use duoforge_twin::Policy;

/// Clock frequencies of the targets in `hdl/targets`, in hertz, each once, in ascending order. A
/// test compares this list with the target files.
pub const TARGET_CLOCKS_HZ: [u32; 2] = [36_000_000, 50_000_000];

/// Build parameters of the hardware player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerParameters {
    /// Clock frequency in hertz.
    pub clock_hz: u32,
    /// Baud rate of the serial line in bits per second.
    pub baud: u32,
    /// Two letters of the team code.
    pub team: [u8; 2],
    /// Build id, the reply to `????`.
    pub build: BuildId,
    /// Inter-byte timeout in cycles: silence that drops a partial code.
    pub inter_byte_timeout_cycles: u32,
    /// Deadline in cycles after a prompt, at which the best placement so far is played.
    pub deadline_cycles: u32,
    /// Limit in cycles after a complete prompt, at which the reply is sent whatever the state of
    /// the chooser: the placement that is already decided, else `0000`. At least
    /// [`PlayerParameters::deadline_cycles`].
    pub reply_limit_cycles: u32,
    /// Policy of the pattern player.
    pub policy: Policy,
}

impl PlayerParameters {
    /// Returns the contest's parameters for a clock of `clock_hz`: 115200 baud, an inter-byte
    /// timeout of 100 ms, a deadline of 900 ms and a limit of 950 ms.
    pub fn contest(clock_hz: u32) -> Self {
        Self {
            clock_hz,
            baud: 115_200,
            team: *b"DF",
            build: BuildId(0),
            inter_byte_timeout_cycles: clock_hz / 10,
            deadline_cycles: clock_hz / 10 * 9,
            reply_limit_cycles: clock_hz / 20 * 19,
            policy: Policy::default(),
        }
    }

    /// Returns the cycles per bit on the serial line, rounded to the nearest integer.
    pub fn divisor(&self) -> u16 {
        let cycles = (u64::from(self.clock_hz) + u64::from(self.baud / 2)) / u64::from(self.baud);
        u16::try_from(cycles).unwrap_or(u16::MAX)
    }

    /// Returns the deviation of the line's rate from [`Self::baud`] in percent, since a bit lasts whole
    /// cycles. The receiver and the proofs assume hosts that deviate by up to 3 %.
    pub fn rate_error_percent(&self) -> f64 {
        let rate = f64::from(self.clock_hz) / f64::from(self.divisor());
        100.0 * (rate / f64::from(self.baud) - 1.0).abs()
    }

    /// Returns the letters of the reply to `0`, the first in the lowest byte.
    pub(crate) fn handshake_reply(&self) -> u32 {
        let [first, second] = self.team;
        u32::from_le_bytes([b'1', first, second, 0])
    }

    /// Returns the letters of the reply to `????` in two groups of four, each with the first in the
    /// lowest byte.
    pub(crate) fn build_digits(&self) -> [u32; 2] {
        let digits = self.build.reply();
        [0, 4].map(|from| u32::from_le_bytes(std::array::from_fn(|i| digits[from + i])))
    }
}

impl Default for PlayerParameters {
    /// Returns the contest's parameters for a clock of 50 MHz.
    fn default() -> Self {
        Self::contest(50_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::PlayerParameters;

    #[test]
    fn every_clock_has_a_divisor() {
        for (clock_hz, divisor) in [(50_000_000, 434), (36_000_000, 313), (u32::MAX, 37_283)] {
            assert_eq!(PlayerParameters::contest(clock_hz).divisor(), divisor);
        }
    }
}
