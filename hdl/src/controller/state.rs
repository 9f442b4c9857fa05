//! States of the controller.

use rust_hdl_core::prelude::*;

/// States of the controller.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ControllerState {
    /// Waits for a host code.
    Idle,
    /// Decodes the opponent's code.
    Read,
    /// Searches the opponent's legal set for its placement.
    Check,
    /// Starts the chooser.
    Think,
    /// Waits for the chooser's best placement.
    Search,
    /// Reads the footprint of the placement.
    Fetch,
    /// Starts to write the placement into the board.
    Stamp,
    /// Waits until the placement is on the board.
    Write,
    /// Sends the reply.
    Send,
}

impl ControllerState {
    /// Returns the names of all states, in the order of their numbers in the Verilog.
    #[must_use]
    pub fn names() -> Vec<String> {
        let TypeKind::Enum(names) = Self::descriptor().kind else {
            unreachable!("states are an enumeration")
        };
        let plain = |name: &String| name.rsplit(['$', ':']).next().unwrap_or(name).to_owned();
        names.iter().map(plain).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_numbers_in_the_verilog() {
        let names = ControllerState::names();
        assert_eq!(names.len(), 9);
        assert_eq!(names[ControllerState::Idle as usize], "Idle");
        assert_eq!(names[ControllerState::Send as usize], "Send");
    }
}
