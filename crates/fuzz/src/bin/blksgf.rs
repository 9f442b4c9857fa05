//! Fuzz target `blksgf`; [`duoforge_fuzz::blksgf`] is its check.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    duoforge_fuzz::blksgf(input);
});
