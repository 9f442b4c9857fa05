//! Fuzzing helpers: a parser must not panic, hang, or use much more memory than its input
//! justifies.
//!
//! Each parser of the workspace has a test `whatever_comes_as_...`, which reads the inputs of
//! [`Inputs`]. The test command reads some thousands of inputs per parser; `cargo xtask fuzz` reads
//! millions.

mod input;
mod random;

use std::alloc::System;
use std::env;
use std::fmt::Display;
use std::iter::StepBy;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use cap::Cap;

use input::input;
pub use random::Random;

/// Memory limit in bytes of a test with arbitrary inputs. A larger request ends the test with a
/// failed allocation.
const MEMORY: usize = 512 << 20;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Inputs of a parser: arbitrary bytes, sequences of language elements, and mutated real inputs.
///
/// Input `n` depends on the name and `n` only.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Name of the parsed format.
    pub name: &'a str,
    /// Elements of the language; at least one.
    pub pieces: &'a [&'a str],
    /// Real inputs; at least one, and none of them empty.
    pub real: &'a [&'a [u8]],
}

impl Inputs<'_> {
    /// Reads inputs; `read` returns true if an input is valid.
    ///
    /// The number of inputs is 20,000, or the value of the variable `DUOFORGE_INPUTS`. With
    /// `DUOFORGE_SHARD` and `DUOFORGE_SHARDS`, only input `n` with `n mod DUOFORGE_SHARDS =
    /// DUOFORGE_SHARD` is read. No input starts later than `DUOFORGE_SECONDS` after the first.
    ///
    /// # Panics
    /// If `read` panics on an input, which is then printed. Also if all or none of the inputs are
    /// valid, and if the time ends before all inputs are read.
    pub fn try_all(&self, read: impl FnMut(&[u8]) -> bool) {
        ALLOCATOR
            .set_limit(MEMORY)
            .expect("a test begins with little memory in use");
        let number = setting("DUOFORGE_INPUTS").unwrap_or(20_000);
        let most = setting("DUOFORGE_SECONDS").map_or(Duration::MAX, Duration::from_secs);
        let shards = setting("DUOFORGE_SHARDS").unwrap_or(1);
        let shard = setting("DUOFORGE_SHARD").unwrap_or(0);
        assert!(
            shard < shards,
            "DUOFORGE_SHARD={shard} of DUOFORGE_SHARDS={shards}"
        );
        self.try_some((shard..number).step_by(shards as usize), most, read);
    }

    /// Reads the inputs with these numbers within a time.
    fn try_some(
        &self,
        numbers: StepBy<Range<u64>>,
        most: Duration,
        mut read: impl FnMut(&[u8]) -> bool,
    ) {
        let seed = self.name.bytes().fold(0, |seed: u64, byte| {
            (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let (begin, mut slowest) = (Instant::now(), Duration::ZERO);
        let (mut good, mut tried) = (0_u64, 0_u64);
        let due = numbers.clone().count() as u64;
        for number in numbers.take_while(|_| begin.elapsed() < most) {
            let mut random = Random::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
            let bytes = input(&mut random, self.pieces, self.real);
            let start = Instant::now();
            let found = panic::catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            slowest = slowest.max(start.elapsed());
            good += u64::from(
                found.unwrap_or_else(|_| panic!("input {number}: {}", bytes.escape_ascii())),
            );
            tried += 1;
        }
        println!(
            "{}: {tried} inputs, {good} of them read, {:.0?}, slowest {slowest:.0?}",
            self.name,
            begin.elapsed()
        );
        assert!(
            tried == due,
            "{}: {tried} of {due} inputs within {most:?}",
            self.name
        );
        assert!(good > 0 && good < tried, "both must come up");
    }

    /// Reads inputs as [`try_all`](Self::try_all) does, for parsers of text that return an error
    /// message.
    ///
    /// # Panics
    /// As [`try_all`](Self::try_all), and if an error message is empty.
    pub fn try_texts<E: Display>(&self, mut read: impl FnMut(&str) -> Result<(), E>) {
        self.try_all(|bytes| {
            let Ok(text) = str::from_utf8(bytes) else {
                return false;
            };
            let read = read(text);
            if let Err(error) = &read {
                assert!(!error.to_string().is_empty());
            }
            read.is_ok()
        });
    }
}

/// Returns a number from the environment.
fn setting(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} is '{text}', which is not a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Inputs<'static> = Inputs {
        name: "letters",
        pieces: &["a", "b"],
        real: &[b"ab"],
    };

    fn first(count: u64) -> StepBy<Range<u64>> {
        (0..count).step_by(1)
    }

    #[test]
    fn shards_share_the_inputs() {
        let read = |numbers: StepBy<Range<u64>>| {
            let mut inputs = Vec::new();
            LETTERS.try_some(numbers, Duration::MAX, |bytes| {
                inputs.push(bytes.to_vec());
                bytes.is_ascii()
            });
            inputs
        };
        let mut shards = [0, 1, 2].map(|shard| read((shard..300).step_by(3)));
        assert_eq!(shards.each_ref().map(Vec::len), [100; 3]);
        let mut all = read(first(300));
        let mut parts: Vec<_> = shards
            .iter_mut()
            .flat_map(|shard| shard.drain(..))
            .collect();
        all.sort();
        parts.sort();
        assert_eq!(parts, all);
    }

    #[test]
    fn every_input_is_read() {
        let mut count = 0;
        LETTERS.try_some(first(100), Duration::MAX, |bytes| {
            count += 1;
            bytes.is_ascii()
        });
        assert_eq!(count, 100);
    }

    #[test]
    #[should_panic(expected = "letters: 0 of 5 inputs within 0ns")]
    fn fewer_inputs_than_asked_for_are_a_failure() {
        LETTERS.try_some(first(5), Duration::ZERO, |_| true);
    }

    #[test]
    #[should_panic(expected = "both must come up")]
    fn a_parser_that_takes_everything_is_a_failure() {
        LETTERS.try_some(first(5), Duration::MAX, |_| true);
    }
}
