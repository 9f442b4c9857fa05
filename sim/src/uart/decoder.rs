//! UART receiver that decodes bytes from the edges of a serial line.

use crate::uart::LineWave;

/// Byte decoded from a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received {
    /// Value of the byte.
    pub byte: u8,
    /// Cycle of the start bit's falling edge.
    pub start: u64,
    /// Cycle at which the stop bit ends.
    pub end: u64,
    /// True if the stop bit was high. After a framing error the byte is meaningless.
    pub framed: bool,
}

/// Decodes bytes from the edges of a line; each bit is sampled at its centre.
///
/// The caller reports every edge and the elapsed time. A byte is available once the centre of its
/// stop bit is in the past.
#[derive(Debug, Clone)]
pub struct UartDecoder {
    cycles_per_bit: f64,
    level: bool,
    // Edge of the start bit, next bit to sample (0 is the start bit, 9 the stop bit), bits so far.
    frame: Option<(u64, u32, u16)>,
    received: Vec<Received>,
}

impl UartDecoder {
    /// Creates a decoder for an idle line.
    ///
    /// # Panics
    /// If a bit takes less than two cycles or is not finite.
    pub fn new(cycles_per_bit: f64) -> Self {
        assert!(
            cycles_per_bit >= 2.0 && cycles_per_bit.is_finite(),
            "a bit takes at least two cycles, not {cycles_per_bit}"
        );
        Self {
            cycles_per_bit,
            level: true,
            frame: None,
            received: Vec::new(),
        }
    }

    /// Returns the bytes of a whole waveform.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn read(wave: &LineWave, cycles_per_bit: f64) -> Vec<Received> {
        let mut decoder = Self::new(cycles_per_bit);
        let mut clock = 0;
        for (level, cycles) in wave.steps() {
            decoder.change(clock, level);
            clock += cycles;
        }
        decoder.pass(clock);
        decoder.take()
    }

    /// Reports that the line has `level` from cycle `clock` on.
    pub fn change(&mut self, clock: u64, level: bool) {
        self.pass(clock);
        if self.frame.is_none() && self.level && !level {
            self.frame = Some((clock, 0, 0));
        }
        self.level = level;
    }

    /// Reports that the line did not change before cycle `clock`.
    pub fn pass(&mut self, clock: u64) {
        while let Some((start, index, bits)) = self.frame {
            let middle = start as f64 + (f64::from(index) + 0.5) * self.cycles_per_bit;
            if middle >= clock as f64 {
                return;
            }
            let bits = bits | u16::from(self.level) << index;
            self.frame = match index {
                // The line was low for less than half a bit: a glitch.
                0 if self.level => None,
                9 => {
                    let end = start + (10.0 * self.cycles_per_bit).round() as u64;
                    let (byte, framed) = ((bits >> 1) as u8, self.level);
                    self.received.push(Received {
                        byte,
                        start,
                        end,
                        framed,
                    });
                    None
                }
                _ => Some((start, index + 1, bits)),
            };
        }
    }

    /// Returns the cycle at which the stop bit of the partial byte ends, if a byte is in progress.
    pub fn busy_until(&self) -> Option<u64> {
        let (start, ..) = self.frame?;
        Some(start + (10.0 * self.cycles_per_bit).round() as u64)
    }

    /// Returns the level of the line since its last edge.
    pub fn level(&self) -> bool {
        self.level
    }

    /// Takes the complete bytes.
    pub fn take(&mut self) -> Vec<Received> {
        std::mem::take(&mut self.received)
    }

    /// Returns the number of complete bytes.
    pub fn len(&self) -> usize {
        self.received.len()
    }

    /// Returns true if no byte is complete.
    pub fn is_empty(&self) -> bool {
        self.received.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_sent_is_read(
            bytes in prop::collection::vec(any::<u8>(), 0..20),
            cycles_per_bit in 4.0_f64..900.0,
            mismatch in 0.97_f64..1.03,
        ) {
            let mut wave = LineWave::new(cycles_per_bit * mismatch);
            wave.idle(2.5).bytes(&bytes).idle(1.0);
            let received = UartDecoder::read(&wave, cycles_per_bit);
            prop_assert!(received.iter().all(|byte| byte.framed));
            prop_assert_eq!(received.iter().map(|byte| byte.byte).collect::<Vec<_>>(), bytes);
        }
    }

    #[test]
    fn bytes_know_their_time() {
        let mut wave = LineWave::new(10.0);
        wave.idle(3.0).bytes(b"ab").idle(1.0);
        assert_eq!(
            UartDecoder::read(&wave, 10.0),
            [
                Received {
                    byte: b'a',
                    start: 30,
                    end: 130,
                    framed: true
                },
                Received {
                    byte: b'b',
                    start: 130,
                    end: 230,
                    framed: true
                },
            ]
        );
    }

    #[test]
    fn a_missing_stop_bit_shows() {
        let mut wave = LineWave::new(10.0);
        wave.bad_frame(b'a').byte(b'b').idle(1.0);
        let framed: Vec<_> = UartDecoder::read(&wave, 10.0)
            .iter()
            .map(|byte| byte.framed)
            .collect();
        assert_eq!(framed, [false, true]);
    }

    #[test]
    fn a_break_is_one_broken_zero() {
        let mut wave = LineWave::new(10.0);
        wave.line_break(40.0).byte(b'x').idle(1.0);
        let bytes: Vec<_> = UartDecoder::read(&wave, 10.0)
            .iter()
            .map(|byte| (byte.byte, byte.framed))
            .collect();
        assert_eq!(bytes, [(0, false), (b'x', true)]);
    }

    #[test]
    fn a_glitch_is_no_byte() {
        let mut wave = LineWave::new(10.0);
        wave.glitch(3.0).byte(b'x').idle(1.0);
        assert_eq!(UartDecoder::read(&wave, 10.0).len(), 1);
    }

    #[test]
    fn a_byte_under_way_is_told() {
        let mut decoder = UartDecoder::new(10.0);
        assert_eq!(decoder.busy_until(), None);
        decoder.change(7, false);
        decoder.pass(50);
        assert_eq!(decoder.busy_until(), Some(107));
        assert!(decoder.is_empty());
    }
}
