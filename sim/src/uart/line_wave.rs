//! Waveform on a serial line, as a list of edges, and the record of one.

/// Level of a line over time, built from bytes, breaks and disturbances.
///
/// Edges are placed in exact time and rounded to whole cycles one by one, so a fractional bit time
/// accumulates no error.
///
/// ```
/// use duoforge_sim::uart::LineWave;
///
/// // A sender whose clock is 3 % fast, at nominally 10 cycles a bit.
/// let mut wave = LineWave::new(10.0 / 1.03);
/// wave.bytes(b"0");
/// // '0' is 0x30: low for the start bit and four bits, high for two, low for two, stop bit.
/// let steps: Vec<_> = wave.steps().collect();
/// assert_eq!(steps, [(false, 49), (true, 19), (false, 19), (true, 10)]);
/// ```
#[derive(Debug, Clone)]
pub struct LineWave {
    cycles_per_bit: f64,
    // Levels and the exact time at which each begins, ascending.
    edges: Vec<(f64, bool)>,
    // Exact time at which the last level ends.
    end: f64,
    jitter: f64,
    random: u64,
}

impl LineWave {
    /// Creates an empty waveform of a sender that takes this number of receiver cycles per bit.
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
            edges: Vec::new(),
            end: 0.0,
            jitter: 0.0,
            random: 0,
        }
    }

    /// Displaces every later edge by up to `cycles` cycles in either direction, uniformly
    /// distributed and reproducible by the seed. Edges keep their order.
    pub fn jitter(&mut self, cycles: f64, seed: u64) -> &mut Self {
        self.jitter = cycles;
        self.random = seed;
        self
    }

    /// Holds a level for a time in bits.
    pub fn level(&mut self, level: bool, bits: f64) -> &mut Self {
        self.level_for(level, bits * self.cycles_per_bit)
    }

    /// Holds a level for a time in cycles.
    pub fn level_for(&mut self, level: bool, cycles: f64) -> &mut Self {
        if self.edges.last().is_none_or(|&(_, last)| last != level) {
            let earliest = self.edges.last().map_or(0.0, |&(time, _)| time);
            let time = (self.end + self.displacement()).max(earliest);
            self.edges.push((time, level));
        }
        self.end += cycles.max(0.0);
        self
    }

    /// Appends a byte: start bit, eight data bits with the lowest first, stop bit.
    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.frame(byte, true)
    }

    /// Appends bytes without pauses.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        bytes.iter().fold(self, |wave, &byte| wave.byte(byte))
    }

    /// Appends a byte with a low stop bit, which is a framing error, then one bit of high level.
    pub fn bad_frame(&mut self, byte: u8) -> &mut Self {
        self.frame(byte, false).idle(1.0)
    }

    /// Appends an idle line for a time in bits.
    pub fn idle(&mut self, bits: f64) -> &mut Self {
        self.level(true, bits)
    }

    /// Appends a break: low for a time in bits, then high for one bit.
    pub fn line_break(&mut self, bits: f64) -> &mut Self {
        self.level(false, bits).idle(1.0)
    }

    /// Appends a low pulse of the given length in cycles on an idle line, then high for one bit.
    pub fn glitch(&mut self, cycles: f64) -> &mut Self {
        self.level_for(false, cycles).idle(1.0)
    }

    /// Inverts the level for `cycles` cycles from time `at`, in cycles from the start of the
    /// waveform. This adds noise to the existing levels. Times beyond the end of the waveform have
    /// no effect.
    pub fn disturb(&mut self, at: f64, cycles: f64) -> &mut Self {
        let (from, to) = (at.max(0.0), (at + cycles).min(self.end));
        if from >= to {
            return self;
        }
        let before = self.edges.partition_point(|&(time, _)| time <= from);
        let after = self.edges.partition_point(|&(time, _)| time < to);
        let level_at = |count: usize| count == 0 || self.edges[count - 1].1;
        let mut edges = self.edges[..before].to_vec();
        edges.push((from, !level_at(before)));
        edges.extend(
            self.edges[before..after]
                .iter()
                .map(|&(time, level)| (time, !level)),
        );
        edges.push((to, level_at(after)));
        edges.extend_from_slice(&self.edges[after..]);
        self.edges = edges;
        self
    }

    /// Returns the length in cycles, rounded.
    pub fn cycles(&self) -> u64 {
        self.end.round() as u64
    }

    /// Returns the levels in order, with the number of cycles of each. Levels shorter than half a
    /// cycle may vanish.
    pub fn steps(&self) -> impl Iterator<Item = (bool, u64)> + '_ {
        let begins = self.edges.iter().map(|&(time, _)| self.clock_of(time));
        let ends = begins.clone().skip(1).chain(std::iter::once(self.cycles()));
        let first = self
            .edges
            .first()
            .map_or(self.cycles(), |&(time, _)| self.clock_of(time));
        let rest = self.edges.iter().zip(begins.zip(ends));
        std::iter::once((true, first))
            .chain(rest.map(|(&(_, level), (begin, end))| (level, end - begin)))
            .filter(|&(_, cycles)| cycles > 0)
    }

    fn clock_of(&self, time: f64) -> u64 {
        (time.round() as u64).min(self.cycles())
    }

    fn frame(&mut self, byte: u8, stop: bool) -> &mut Self {
        self.level(false, 1.0);
        for bit in 0..8 {
            self.level(byte >> bit & 1 == 1, 1.0);
        }
        self.level(stop, 1.0)
    }

    /// Returns the next displacement of an edge, in cycles.
    fn displacement(&mut self) -> f64 {
        if self.jitter == 0.0 {
            return 0.0;
        }
        // SplitMix64.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let unit = (z >> 11) as f64 / (1_u64 << 53) as f64;
        (2.0 * unit - 1.0) * self.jitter
    }
}

/// Record of a device's transmit line: its first cycle, and each level with its length in cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Cycle at which the record begins.
    pub start: u64,
    /// Levels in order, with the number of cycles of each.
    pub steps: Vec<(bool, u64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(wave: &LineWave) -> Vec<(bool, u64)> {
        wave.steps().collect()
    }

    #[test]
    fn a_byte_has_ten_bits() {
        let mut wave = LineWave::new(8.0);
        wave.byte(0xff);
        assert_eq!(steps(&wave), [(false, 8), (true, 72)]);
        assert_eq!(wave.cycles(), 80);
    }

    #[test]
    fn fractions_of_a_clock_do_not_add_up() {
        let mut wave = LineWave::new(10.4);
        wave.bytes(&[0x55; 100]);
        assert_eq!(wave.cycles(), 10_400);
        let lengths: Vec<u64> = wave.steps().map(|(_, cycles)| cycles).collect();
        assert!(lengths.iter().all(|cycles| matches!(cycles, 10 | 11)));
        assert_eq!(lengths.len(), 1000);
        assert_eq!(lengths.iter().sum::<u64>(), 10_400);
    }

    #[test]
    fn frames_breaks_and_glitches() {
        let mut wave = LineWave::new(10.0);
        wave.idle(1.0).bad_frame(0).glitch(3.0).line_break(20.0);
        let expected = [
            (true, 10),
            (false, 100),
            (true, 10),
            (false, 3),
            (true, 10),
            (false, 200),
            (true, 10),
        ];
        assert_eq!(steps(&wave), expected);
    }

    #[test]
    fn jitter_moves_edges_and_repeats() {
        let wave = |seed| {
            let mut wave = LineWave::new(100.0);
            wave.idle(1.0).jitter(5.0, seed).bytes(&[0x55; 50]);
            steps(&wave)
        };
        assert_eq!(wave(1), wave(1));
        assert_ne!(wave(1), wave(2));
        let lengths: Vec<u64> = wave(1).iter().map(|&(_, cycles)| cycles).collect();
        assert!(
            lengths.iter().all(|&cycles| (89..=111).contains(&cycles)),
            "{lengths:?}"
        );
        assert!(lengths.iter().any(|&cycles| cycles < 97));
        assert_eq!(lengths.iter().sum::<u64>(), 50_100);
    }

    #[test]
    fn noise_inverts_what_was_there() {
        let mut wave = LineWave::new(10.0);
        wave.byte(0xff)
            .disturb(5.0, 2.0)
            .disturb(50.0, 1.0)
            .disturb(99.0, 100.0);
        assert_eq!(
            steps(&wave),
            [
                (false, 5),
                (true, 2),
                (false, 3),
                (true, 40),
                (false, 1),
                (true, 48),
                (false, 1)
            ]
        );
    }

    #[test]
    fn noise_across_an_edge_keeps_it() {
        let mut wave = LineWave::new(10.0);
        wave.byte(0xff).disturb(8.0, 4.0);
        assert_eq!(
            steps(&wave),
            [(false, 8), (true, 2), (false, 2), (true, 88)]
        );
    }

    #[test]
    #[should_panic = "at least two cycles"]
    fn bits_of_no_length_are_refused() {
        LineWave::new(0.0);
    }
}
