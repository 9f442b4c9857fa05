//! Fuzz target `trees`; [`duoforge_fuzz::trees`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::trees(input);
});
