//! Tests of the receiver: bytes and framing errors from clean and hostile waveforms.

use duoforge_hdl::line::uart_rx::{Received, UartRx, twin};
use duoforge_hdl::parameters::{PlayerParameters, TARGET_CLOCKS_HZ};
use duoforge_sim::uart::LineWave;
use duoforge_sim::{Backend, Options, PortId, Simulator, open};
use duoforge_twin::Rng;

use crate::support::in_every_simulator;
use crate::support::levels::{between, levels};

in_every_simulator!(mismatched; verilator 2000, icarus 20, rust 15);

/// Bit time so long that every bit of the counter is used; interpreting simulators take too long
/// for it.
mod longest_bit {
    use super::*;

    const LONGEST: u16 = 33_001;

    #[test]
    fn bytes_in_verilator() {
        mismatched_at(Backend::Verilator, LONGEST, 1);
    }

    #[test]
    fn hostile_waves_in_verilator() {
        let mut heard = Heard::default();
        hostile_at(Backend::Verilator, LONGEST, 3, &mut heard);
        assert!(heard.bytes > 3, "{heard:?}");
    }
}

mod noise {
    use super::{hostile, in_every_simulator};

    in_every_simulator!(hostile; verilator 2000, icarus 25, rust 15);
}

mod samples {
    use super::{in_every_simulator, samples};

    in_every_simulator!(samples; verilator 8, icarus 2, rust 1);
}

mod busy {
    use super::{busy, in_every_simulator};

    in_every_simulator!(busy; verilator 40, icarus 2, rust 2);
}

/// Returns the cycles per bit, each with a divisor of its share of the effort: the minimum, an odd
/// number, a power of two, and those of the contest's line at every target's clock.
fn divisors() -> impl Iterator<Item = (u16, usize)> {
    let targets = TARGET_CLOCKS_HZ.map(|hz| (PlayerParameters::contest(hz).divisor(), 8));
    [(8, 1), (9, 1), (16, 1)].into_iter().chain(targets)
}

struct Receiver {
    sim: Box<dyn Simulator>,
    rx: PortId,
    divisor: u16,
}

impl Receiver {
    fn open(backend: Backend, divisor: u16) -> Self {
        let sim = open(
            backend,
            UartRx::new(divisor),
            "uart_rx",
            &Options::default(),
        );
        let mut sim = sim.expect("the model can be built");
        let port = |name| sim.port(name).expect("the receiver has the port");
        let (rx, strobe, data) = (port("rx"), port("strobe"), port("data"));
        let framing = port("framing");
        sim.sample(strobe, &[data]).expect("a list");
        sim.sample(framing, &[]).expect("a list");
        sim.poke(rx, 1).expect("the value fits");
        Self { sim, rx, divisor }
    }

    /// Plays a waveform and an idle line. Returns the results of the receiver and of its twin.
    fn hear(&mut self, wave: &LineWave) -> (Vec<Received>, Vec<Received>) {
        self.hear_levels(levels(wave))
    }

    /// Plays levels, one per cycle, and an idle line. Returns the results of the receiver and of
    /// its twin.
    fn hear_levels(&mut self, mut line: Vec<bool>) -> (Vec<Received>, Vec<Received>) {
        line.resize(line.len() + 12 * usize::from(self.divisor), true);
        for run in line.chunk_by(|a, b| a == b) {
            self.sim.poke(self.rx, run[0].into()).expect("a level");
            self.sim.step(run.len() as u64).expect("the simulator runs");
        }
        let samples = self.sim.samples().expect("the simulator runs");
        let heard = samples.iter().map(|sample| match sample.values[..] {
            [byte] => Received::Byte(byte as u8),
            _ => Received::Framing,
        });
        (heard.collect(), twin(self.divisor, &line))
    }
}

/// Bytes from a sender that is up to 3 % fast or slow arrive without any error.
fn mismatched(backend: Backend, bytes: usize) {
    for (divisor, share) in divisors() {
        mismatched_at(backend, divisor, bytes / share + 1);
    }
}

fn mismatched_at(backend: Backend, divisor: u16, count: usize) {
    let mut receiver = Receiver::open(backend, divisor);
    let mut rng = Rng::new(u64::from(divisor));
    for speed in [0.97, 0.985, 1.0, 1.015, 1.03] {
        let sent: Vec<u8> = (0..count).map(|_| rng.next_u32() as u8).collect();
        let mut wave = LineWave::new(f64::from(divisor) / speed);
        wave.idle(between(&mut rng, 1.0, 2.0));
        for &byte in &sent {
            wave.byte(byte);
            if rng.below(4) == 0 {
                wave.idle(between(&mut rng, 0.0, 3.0));
            }
        }
        let (heard, expected) = receiver.hear(&wave);
        let bytes: Vec<_> = sent.into_iter().map(Received::Byte).collect();
        assert_eq!(heard, bytes, "{divisor} cycles a bit at {speed}");
        assert_eq!(
            expected, bytes,
            "the twin, {divisor} cycles a bit at {speed}"
        );
    }
}

/// Cycles of the three votes in a bit by divisor, counted from the first low level of the start
/// bit. The numbers come from the definition, neither from the module nor from its twin.
const VOTES: [(u16, [usize; 3]); 5] = [
    (8, [2, 3, 4]),
    (9, [3, 4, 5]),
    (16, [5, 7, 9]),
    (313, [117, 156, 195]),
    (434, [162, 216, 270]),
];

/// A data bit is low exactly if the line is low at two of the three votes. Two low cycles, of which
/// one lies next to its vote, leave the bit high.
fn samples(backend: Backend, bits: usize) {
    for (divisor, votes) in VOTES {
        let mut receiver = Receiver::open(backend, divisor);
        let divisor = usize::from(divisor);
        for bit in 0..bits {
            for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                for (before, after) in [(0, 0), (1, 0), (0, 1)] {
                    for moved in [first, second] {
                        let mut low = [votes[first], votes[second]];
                        let at = usize::from(moved == second);
                        low[at] = low[at] + after - before;
                        let mut line = vec![true; 2 * divisor];
                        line.resize(3 * divisor, false);
                        line.resize(12 * divisor, true);
                        for cycle in low {
                            line[(3 + bit) * divisor + cycle] = false;
                        }
                        let hit = |cycle: &usize| votes.contains(cycle);
                        let is_low = low[0] != low[1] && low.iter().all(hit);
                        let byte = if is_low { !(1 << bit) } else { 0xff };
                        let (heard, expected) = receiver.hear_levels(line);
                        let case = format!("{divisor} cycles a bit, bit {bit}, low at {low:?}");
                        assert_eq!(heard, [Received::Byte(byte)], "{case}");
                        assert_eq!(expected, heard, "the twin, {case}");
                    }
                }
            }
        }
    }
}

/// `busy` is high from the start bit to the last data bit and low on an idle line.
fn busy(backend: Backend, bytes: usize) {
    for (divisor, _) in divisors() {
        let Receiver { mut sim, rx, .. } = Receiver::open(backend, divisor);
        let busy = sim.port("busy").expect("the receiver has the port");
        let mut rng = Rng::new(u64::from(divisor) + 2);
        let divisor = u64::from(divisor);
        let mut run = |level: bool, cycles| {
            sim.poke(rx, level.into()).expect("a level");
            sim.step(cycles).expect("the simulator runs");
            sim.peek(busy).expect("the simulator runs")
        };
        for _ in 0..bytes {
            assert_eq!(run(true, 2 * divisor), 0, "at rest");
            let byte = rng.next_u32() as u8;
            let bits = (0..8).map(|bit| byte >> bit & 1 == 1);
            for (number, level) in std::iter::once(false).chain(bits).enumerate() {
                assert_eq!(run(level, divisor), 1, "bit {number} of {byte:#x}");
            }
        }
    }
}

/// Counts of received items.
#[derive(Debug, Default)]
struct Heard {
    /// Bytes and framing errors.
    bytes: usize,
    /// Framing errors.
    errors: usize,
}

/// The receiver decodes any waveform as its twin does.
fn hostile(backend: Backend, waves: usize) {
    let mut heard = Heard::default();
    for (divisor, share) in divisors() {
        hostile_at(backend, divisor, waves / share + 1, &mut heard);
    }
    assert!(
        heard.errors > 0 && heard.bytes > 3 * heard.errors,
        "bytes and errors are heard: {heard:?}"
    );
}

fn hostile_at(backend: Backend, divisor: u16, waves: usize, counted: &mut Heard) {
    let mut receiver = Receiver::open(backend, divisor);
    let mut rng = Rng::new(u64::from(divisor) + 1);
    for number in 0..waves {
        let wave = hostile_wave(&mut rng, f64::from(divisor));
        let (heard, expected) = receiver.hear(&wave);
        assert_eq!(heard, expected, "{divisor} cycles a bit, wave {number}");
        let framing = |received: &&Received| **received == Received::Framing;
        counted.errors += heard.iter().filter(framing).count();
        counted.bytes += heard.len();
    }
}

fn hostile_wave(rng: &mut Rng, divisor: f64) -> LineWave {
    let mut wave = LineWave::new(divisor * between(rng, 0.96, 1.04));
    wave.idle(1.0);
    if rng.below(3) == 0 {
        wave.jitter(between(rng, 0.0, 0.4 * divisor), rng.next_u32().into());
    }
    for _ in 0..1 + rng.below(8) {
        let byte = rng.next_u32() as u8;
        match rng.below(12) {
            0 => wave.glitch(between(rng, 0.5, divisor)),
            1 => wave.bad_frame(byte),
            2 => wave.line_break(between(rng, 1.0, 40.0)),
            3 => noise(&mut wave, rng, divisor),
            _ => wave.byte(byte),
        };
    }
    for _ in 0..rng.below(4) {
        let at = between(rng, 0.0, wave.cycles() as f64);
        wave.disturb(at, between(rng, 0.5, 0.6 * divisor));
    }
    wave
}

/// Appends levels of random lengths.
fn noise<'w>(wave: &'w mut LineWave, rng: &mut Rng, divisor: f64) -> &'w mut LineWave {
    for level in [false, true].repeat(6) {
        wave.level_for(level, between(rng, 0.0, 2.0 * divisor));
    }
    wave
}
