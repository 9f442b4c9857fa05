//! Fuzz target `variants`; [`duoforge_fuzz::variants`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::variants(input);
});
