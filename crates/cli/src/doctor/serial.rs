//! Permissions of serial devices.

use std::path::Path;

use duoforge_links::ports::{PortInfo, PortKind};

use super::check::{Check, Health};
use super::machine::Machine;

const GROUP: &str = "serial devices";

/// Returns one check per device.
pub fn checks(machine: &Machine) -> Vec<Check> {
    if machine.ports.is_empty() {
        let none = Check::ok(GROUP, "serial devices", "none found");
        let help = "connect an FPGA board or an adapter; `duoforge ports` lists the serial devices";
        return vec![none.but(Health::Warning, help)];
    }
    machine
        .ports
        .iter()
        .map(|port| check(machine, port))
        .collect()
}

fn check(machine: &Machine, port: &PortInfo) -> Check {
    let file = machine.file(&port.name);
    let found = |detail: String| {
        let detail = match &port.kind {
            PortKind::Unknown => detail,
            kind => format!("{kind}; {detail}"),
        };
        Check::ok(GROUP, &port.name, detail)
    };
    if machine.may_use(&file) {
        return found("access permitted".into());
    }
    // Ports of the mainboard are listed even if no device is connected.
    let verdict = match port.kind {
        PortKind::Usb(_) => Health::Problem,
        PortKind::Pci | PortKind::Bluetooth | PortKind::Unknown => Health::Warning,
    };
    if !file.exists() {
        return found("listed by the system, but there is no such file".into())
            .but(verdict, "in a container, pass the device: `--device PATH`");
    }
    let (detail, help) = refused(machine, &file);
    found(detail).but(verdict, help)
}

/// Returns the reason why an existing device cannot be opened, and the next action.
fn refused(machine: &Machine, file: &Path) -> (String, String) {
    match machine.group_of(file) {
        // A user should not have to join the group of root.
        Some(group) if group.name != "root" => {
            let name = machine.user.name.as_ref();
            let member = name.is_some_and(|name| group.members.contains(name));
            let group = group.name;
            let detail = format!("access denied: it belongs to the group {group}");
            match member {
                true => (
                    format!("{detail}, which you joined after your login"),
                    "log out and in again".into(),
                ),
                false => (
                    format!("{detail}, of which you are not a member"),
                    format!("`sudo usermod -aG {group} $USER`, then log out and in again"),
                ),
            }
        }
        _ => (
            "access denied: only root may open it".into(),
            "give the device to a group with a udev rule, such as\n\
             SUBSYSTEM==\"tty\", GROUP=\"dialout\", MODE=\"0660\""
                .into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use duoforge_links::ports::UsbInfo;

    use super::super::machine::tests::{NOBODY, Tree, numbered};
    use super::*;

    fn adapter(name: &str) -> PortInfo {
        PortInfo {
            name: name.into(),
            kind: PortKind::Usb(UsbInfo {
                vendor_id: 0x0403,
                product_id: 0x6015,
                serial_number: None,
                manufacturer: Some("FTDI".into()),
                product: Some("ULX3S".into()),
            }),
            by_id: None,
        }
    }

    fn one(tree: &Tree) -> Check {
        let mut checks = checks(&tree.machine);
        assert_eq!(checks.len(), 1, "{checks:?}");
        checks.remove(0)
    }

    #[test]
    fn a_machine_without_devices_is_a_warning() {
        let check = one(&Tree::new(&[]));
        assert_eq!(check.verdict, Health::Warning);
        assert!(check.help.unwrap().contains("duoforge ports"));
    }

    #[test]
    fn a_device_of_a_foreign_group_is_a_problem_with_the_groups_own_name() {
        let mut tree = Tree::new(&[("/dev/ttyUSB0", "")]);
        let group = tree.mode("/dev/ttyUSB0", 0o660);
        tree.write("/etc/group", &format!("uucp:x:{group}:\n"));
        tree.machine.ports = vec![adapter("/dev/ttyUSB0")];
        let check = one(&tree);
        assert_eq!(check.verdict, Health::Problem);
        assert_eq!(
            check.detail,
            "USB 0403:6015 FTDI ULX3S; access denied: it belongs to the group uucp, of which you \
             are not a member"
        );
        let help = "`sudo usermod -aG uucp $USER`, then log out and in again";
        assert_eq!(check.help.as_deref(), Some(help));

        tree.write("/etc/group", &format!("uucp:x:{group}:ann,cat\n"));
        let check = one(&tree);
        assert_eq!(check.verdict, Health::Problem);
        assert_eq!(check.help.as_deref(), Some("log out and in again"));

        tree.machine.user = numbered(NOBODY, &[group]);
        let check = one(&tree);
        assert_eq!((check.verdict, check.help), (Health::Ok, None));
    }

    #[test]
    fn devices_of_root_need_a_rule() {
        let mut tree = Tree::new(&[("/dev/ttyUSB0", "")]);
        tree.mode("/dev/ttyUSB0", 0o600);
        tree.machine.ports = vec![adapter("/dev/ttyUSB0")];
        let check = one(&tree);
        assert_eq!(check.verdict, Health::Problem);
        assert!(check.detail.ends_with("only root may open it"));
        assert!(check.help.unwrap().contains("SUBSYSTEM==\"tty\""));
    }

    #[test]
    fn ports_of_the_mainboard_are_warnings() {
        let mut tree = Tree::new(&[]);
        tree.machine.ports = vec![PortInfo {
            name: "/dev/ttyS0".into(),
            kind: PortKind::Pci,
            by_id: None,
        }];
        let check = one(&tree);
        assert_eq!(check.verdict, Health::Warning);
        assert!(check.detail.contains("no such file"), "{check:?}");
    }
}
