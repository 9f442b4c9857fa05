//! Fuzz target `tree-data`; [`duoforge_fuzz::tree_data`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::tree_data(input);
});
