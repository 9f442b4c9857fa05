//! Fuzz target `plans`; [`duoforge_fuzz::plans`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::plans(input);
});
