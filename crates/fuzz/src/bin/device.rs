//! Fuzz target `device`; [`duoforge_fuzz::device`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::device(input);
});
