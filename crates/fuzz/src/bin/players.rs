//! Fuzz target `players`; [`duoforge_fuzz::players`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::players(input);
});
