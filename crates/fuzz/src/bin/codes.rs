//! Fuzz target `codes`; [`duoforge_fuzz::codes`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::codes(input);
});
