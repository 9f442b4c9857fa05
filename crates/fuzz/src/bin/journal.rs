//! Fuzz target `journal`; [`duoforge_fuzz::journal`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::journal(input);
});
