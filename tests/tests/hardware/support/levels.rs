//! Waveforms as levels, one per cycle.

use duoforge_sim::uart::LineWave;
use duoforge_twin::Rng;

/// Returns the level of a line in each cycle.
pub fn levels(wave: &LineWave) -> Vec<bool> {
    wave.steps()
        .flat_map(|(level, cycles)| std::iter::repeat_n(level, cycles as usize))
        .collect()
}

/// Returns a random number between `from` and `to`.
pub fn between(rng: &mut Rng, from: f64, to: f64) -> f64 {
    from + (to - from) * f64::from(rng.next_u32()) / f64::from(u32::MAX)
}
