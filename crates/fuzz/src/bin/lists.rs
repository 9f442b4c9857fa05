//! Fuzz target `lists`; [`duoforge_fuzz::lists`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::lists(input);
});
