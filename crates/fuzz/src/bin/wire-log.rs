//! Fuzz target `wire-log`; [`duoforge_fuzz::wire_log`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::wire_log(input);
});
