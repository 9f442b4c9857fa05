//! Phase-locked loop (PLL) that makes the player's clock.

use serde::{Deserialize, Serialize};

use crate::toolchain::Tools;

/// Dividers of a PLL. The chips differ only in how the numbers are written down.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Pll {
    /// Input divider: divides the crystal's frequency before the phase comparison.
    pub input: u32,
    /// Feedback divider: multiplies the compared frequency.
    pub feedback: u32,
    /// Output divider: the player's clock is the oscillator's frequency divided by this.
    pub output: u32,
}

impl Pll {
    /// Returns the PLL's macros of `board.vh`.
    pub fn macros(&self) -> [(&'static str, u32); 3] {
        [
            ("PLL_INPUT", self.input),
            ("PLL_FEEDBACK", self.feedback),
            ("PLL_OUTPUT", self.output),
        ]
    }

    /// Returns the fault of these dividers on this chip, if there is one.
    pub(crate) fn fault(&self, tools: &Tools, crystal_hz: u32, player_hz: u32) -> Option<String> {
        let Self {
            input,
            feedback,
            output,
        } = *self;
        if input == 0 || feedback == 0 || output == 0 {
            return Some("the PLL divides by zero".into());
        }
        let crystal = f64::from(crystal_hz) / f64::from(input);
        let multiplied = crystal * f64::from(feedback);
        // The ECP5's feedback comes from the divided output, that of the others from the
        // oscillator.
        let (oscillator, made) = match tools {
            Tools::Ecp5 { .. } => (multiplied * f64::from(output), multiplied),
            _ => (multiplied, multiplied / f64::from(output)),
        };
        if (made - f64::from(player_hz)).abs() >= 1.0 {
            return Some(format!("the PLL makes {made} Hz instead of {player_hz}"));
        }
        // Oscillator range in megahertz, from the vendors' data sheets, at the speed grades in use.
        let range = match tools {
            Tools::Ecp5 { .. } => 400.0..=800.0,
            Tools::Ice40 { .. } => 533.0..=1066.0,
            Tools::Vivado { .. } => 800.0..=1600.0,
            // Quartus sets the oscillator's frequency itself.
            Tools::Quartus { .. } => return None,
        };
        let oscillator = oscillator / 1e6;
        if !range.contains(&oscillator) {
            let (low, high) = (range.start(), range.end());
            return Some(format!(
                "the PLL's oscillator at {oscillator} MHz is outside {low} to {high} MHz"
            ));
        }
        let odd = matches!(tools, Tools::Ice40 { .. }) && !output.is_power_of_two();
        odd.then(|| format!("the PLL of an iCE40 divides by powers of two, not by {output}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLL: Pll = Pll {
        input: 1,
        feedback: 48,
        output: 16,
    };

    fn ice40() -> Tools {
        Tools::Ice40 {
            device: "hx8k".into(),
            package: "ct256".into(),
        }
    }

    #[test]
    fn the_numbers_must_make_the_clock() {
        assert_eq!(PLL.fault(&ice40(), 12_000_000, 36_000_000), None);
        let fault = PLL.fault(&ice40(), 12_000_000, 40_000_000);
        let expected = "the PLL makes 36000000 Hz instead of 40000000";
        assert_eq!(fault.as_deref(), Some(expected));
    }

    #[test]
    fn the_oscillator_has_limits() {
        let slow = Pll {
            feedback: 24,
            output: 8,
            ..PLL
        };
        let fault = slow.fault(&ice40(), 12_000_000, 36_000_000);
        assert!(fault.is_some_and(|text| text.contains("288 MHz is outside 533 to 1066")));
        let zero = Pll { input: 0, ..PLL };
        assert!(zero.fault(&ice40(), 12_000_000, 36_000_000).is_some());
        let odd = Pll {
            feedback: 60,
            output: 20,
            ..PLL
        };
        let fault = odd.fault(&ice40(), 12_000_000, 36_000_000);
        assert!(fault.is_some_and(|text| text.contains("powers of two")));
    }
}
