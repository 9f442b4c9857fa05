//! Rounding of measured figures.

/// Returns a figure rounded down to thousandths: further digits are noise and do not survive a
/// round trip through JSON.
pub(super) fn thousandths(figure: f64) -> f64 {
    (figure * 1000.0).floor() / 1000.0
}
