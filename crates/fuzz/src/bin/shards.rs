//! Fuzz target `shards`; [`duoforge_fuzz::shards`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::shards(input);
});
