//! Fuzz target `host`; [`duoforge_fuzz::host`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::host(input);
});
