//! Amounts of the longest tests: the test command runs a share, the nightly command everything.

use std::ops::Div;

/// Variable that selects the whole amounts.
const VARIABLE: &str = "DUOFORGE_INPUTS";

/// True if `DUOFORGE_INPUTS=all` is set, as by `cargo xtask nightly`.
///
/// # Panics
/// If the variable has another value.
pub fn all() -> bool {
    match std::env::var(VARIABLE) {
        Ok(value) if value == "all" => true,
        Ok(value) => panic!("{VARIABLE} is '{value}': expected 'all', or no such variable"),
        Err(_) => false,
    }
}

/// Returns a fifth of an amount, at least 1, or the whole amount for the nightly command.
pub fn share<N: Div<Output = N> + From<u8> + Ord>(amount: N) -> N {
    if all() {
        amount
    } else {
        (amount / N::from(5)).max(N::from(1))
    }
}
