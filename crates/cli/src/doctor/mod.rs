//! What has to be right on a machine for duoforge to work, checked one by one.
//!
//! Every check looks at a [`Machine`], whose files may be those of a test. None opens a serial
//! device: one that is in use would lose bytes.

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

/// Makes every check.
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

/// The rules for udev that let users load boards, and set the latency timer of FTDI adapters.
pub fn udev_rules() -> String {
    let mut text = String::from(
        "# Of duoforge: boards' programmers for whoever sits at the machine and for the group\n\
         # plugdev, and no waiting in FTDI's serial adapters.\n",
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
    fn the_rules_that_are_printed_satisfy_the_check() {
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
