//! Impaired serial cable between a host and the simulated device.

use std::time::Duration;

use duoforge_protocol::{HostCodeParser, INTER_BYTE_TIMEOUT, is_ignored};
use duoforge_twin::Rng;

use crate::device::SimDevice;
use crate::error::Result;
use crate::uart::{LineWave, Recorded, UartDecoder};

/// Impairments of the line between a host and a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cable {
    /// Ratio of the host's bit rate to the device's; at 1.02 the host is 2 % fast.
    pub speed: f64,
    /// Maximum displacement of each edge in bits, in both directions of the line.
    pub jitter: f64,
    /// Average number of noise pulses per byte sent to the device. A pulse inverts the line.
    pub pulses: f64,
    /// Length of a noise pulse in bits of the host.
    pub pulse: f64,
    /// Share of host codes, from 0 to 1, that are preceded by a break of 11 to 60 bits on the line
    /// to the device.
    pub breaks: f64,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for Cable {
    /// Returns an unimpaired cable.
    fn default() -> Self {
        Self {
            speed: 1.0,
            jitter: 0.0,
            pulses: 0.0,
            pulse: 0.1,
            breaks: 0.0,
            seed: 1,
        }
    }
}

/// Statistics of the reply times of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Number of replies received.
    pub answers: u64,
    /// Longest simulated time from a prompt to its complete reply, measured between the ends of
    /// their last stop bits.
    pub slowest: Duration,
}

/// Simulated device at the end of an impaired cable.
#[derive(Debug)]
pub struct ImpairedDevice {
    board: SimDevice,
    cable: Cable,
    // One generator per direction. The impairments of a byte must not depend on the bytes sent in
    // the same call, because an operating system splits a host's transmissions arbitrarily.
    to_board: Rng,
    to_host: Rng,
    codes: HostCodeParser,
    delays: Delays,
}

impl ImpairedDevice {
    /// Connects a device to a cable.
    pub fn new(board: SimDevice, cable: Cable) -> Self {
        let [to_board, to_host] = rngs(&cable);
        Self {
            board,
            cable,
            to_board,
            to_host,
            codes: HostCodeParser::new(),
            delays: Delays::default(),
        }
    }

    /// Replaces the cable.
    pub fn set_cable(&mut self, cable: Cable) {
        self.cable = cable;
        [self.to_board, self.to_host] = rngs(&cable);
    }

    /// Returns the device.
    pub fn board(&mut self) -> &mut SimDevice {
        &mut self.board
    }

    /// Returns the statistics of the replies so far.
    pub fn delays(&self) -> Delays {
        self.delays
    }

    /// Sends bytes at the host's bit rate, waits until the device is idle, and returns its reply as
    /// the host decodes it. A byte with a framing error is read as 0, as serial drivers do.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        let wave = self.wave_of(bytes);
        // Bytes between two exchanges reach no host: they must not count as a part of this reply.
        self.board.discard()?;
        self.board.expect_replies(bytes);
        self.board.record_line()?;
        self.board.play(&wave)?;
        let sent = self.board.cycles();
        self.board.drain()?;
        let steps = self.board.take_line()?;
        let received = self.heard(&steps);
        if let Some(last) = received.last()
            && bytes.iter().any(|&byte| !is_ignored(byte))
        {
            let cycles = steps.start + last.end;
            let delay = self.board.span(cycles.saturating_sub(sent));
            self.delays.answers += 1;
            self.delays.slowest = self.delays.slowest.max(delay);
        }
        let bytes = received.iter().map(|received| match received.framed {
            true => received.byte,
            false => 0,
        });
        Ok(bytes.collect())
    }

    /// Reports that the host was silent for longer than [`INTER_BYTE_TIMEOUT`].
    ///
    /// # Errors
    /// Errors of the model.
    pub fn on_silence(&mut self) -> Result<()> {
        self.codes.on_silence();
        self.board
            .idle(INTER_BYTE_TIMEOUT + INTER_BYTE_TIMEOUT / 10)
    }

    /// Returns the device's cycles per bit of the host.
    fn bit(&self) -> f64 {
        self.board.divisor() as f64 / self.cable.speed
    }

    fn wave_of(&mut self, bytes: &[u8]) -> LineWave {
        let (cable, bit) = (self.cable, self.bit());
        let mut wave = LineWave::new(bit);
        wave.idle(1.0);
        for &byte in bytes {
            let random = &mut self.to_board;
            wave.jitter(cable.jitter * bit, u64::from(random.next_u32()));
            if self.codes.is_idle() && !is_ignored(byte) && chance(random, cable.breaks) {
                wave.line_break(11.0 + 49.0 * unit(random)).idle(1.0);
            }
            self.codes.feed(byte);
            let first = wave.cycles() as f64;
            wave.byte(byte);
            let more = chance(random, cable.pulses.fract());
            for _ in 0..cable.pulses as u32 + u32::from(more) {
                // The receiver samples the line until the centre of the stop bit.
                let at = first + unit(random) * 9.5 * bit;
                wave.disturb(at, cable.pulse * bit);
            }
        }
        wave
    }

    fn heard(&mut self, line: &Recorded) -> Vec<crate::uart::Received> {
        let mut wave = LineWave::new(self.board.divisor() as f64);
        let bit = self.bit();
        if line.steps.iter().any(|&(level, _)| !level) {
            let seed = u64::from(self.to_host.next_u32());
            wave.jitter(self.cable.jitter * bit, seed);
        }
        for &(level, cycles) in &line.steps {
            wave.level_for(level, cycles as f64);
        }
        UartDecoder::read(&wave, bit)
    }
}

fn rngs(cable: &Cable) -> [Rng; 2] {
    [Rng::new(cable.seed), Rng::new(!cable.seed)]
}

fn unit(random: &mut Rng) -> f64 {
    f64::from(random.next_u32()) / f64::from(u32::MAX)
}

fn chance(random: &mut Rng, probability: f64) -> bool {
    unit(random) < probability
}
