//! Checks of the machine on which duoforge runs.
//!
//! Every check examines a [`Machine`], whose files may be those of a test. No check opens a serial
//! device, since a device in use would lose bytes.

pub mod check;
pub mod host;
pub mod latency;
pub mod machine;
pub mod programmers;
pub mod pty;
pub mod python;
pub mod serial;
pub mod tools;

pub use check::{Check, Health};
pub use machine::Machine;

/// Runs all checks.
pub fn examine(machine: &Machine) -> Vec<Check> {
    let mut checks = tools::checks();
    checks.extend(python::checks());
    checks.extend(serial::checks(machine));
    checks.extend(latency::checks(machine));
    checks.extend(programmers::checks(machine));
    checks.extend(pty::checks());
    checks.extend(host::checks());
    checks
}

/// Returns the udev rules that give users access to programmers and set the latency timer of FTDI
/// adapters.
pub fn udev_rules() -> String {
    let mut text = String::from(
        "# From duoforge: access to the programmers of FPGA boards for the user at the machine and\n\
         # for the group plugdev, and the minimum latency timer of FTDI adapters.\n",
    );
    for (programmer, _) in programmers::of_boards() {
        text += &format!("{}\n", programmer.udev_rule());
    }
    text + latency::RULE + "\n"
}

#[cfg(test)]
mod tests {
    use super::machine::tests::Tree;
    use super::*;

    #[test]
    fn the_printed_rules_satisfy_the_check() {
        let tree = Tree::new(&[("/sys/kernel", "")]);
        tree.write("/etc/udev/rules.d/60-duoforge.rules", &udev_rules());
        let checks = programmers::checks(&tree.machine);
        assert!(checks.len() >= 2, "{checks:?}");
        assert!(
            checks.iter().all(|check| check.verdict == Health::Ok),
            "{checks:?}"
        );
    }
}
