//! Fuzz target `gtp-answers`; [`duoforge_fuzz::gtp_answers`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::gtp_answers(input);
});
