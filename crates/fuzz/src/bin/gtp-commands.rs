//! Fuzz target `gtp-commands`; [`duoforge_fuzz::gtp_commands`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::gtp_commands(input);
});
