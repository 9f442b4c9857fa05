//! Devices that the calling program makes.

use std::error::Error;
use std::fmt;

use duoforge_links::Link;

/// Maker of a device in this process that this crate does not know, such as a simulated one.
///
/// The printed form is the name of the player. Makers with the same printed form are equal.
pub trait DeviceMaker: fmt::Display + fmt::Debug + Send + Sync {
    /// Makes a device in its power-on state and returns the link to it.
    ///
    /// # Errors
    /// Any error of the maker, such as a missing tool.
    fn power_up(&self) -> Result<Box<dyn Link>, Box<dyn Error + Send + Sync>>;

    /// True if the device is deterministic: it repeats a game for the same moves.
    fn repeats(&self) -> bool;
}

impl PartialEq for dyn DeviceMaker {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for dyn DeviceMaker {}
