//! Programmers of FPGA boards: udev rules and permissions.

use std::collections::BTreeMap;
use std::fs;

use duoforge_targets::catalogue;
use duoforge_targets::flash::usb::{self, UsbId};

use super::check::{Check, Health};
use super::machine::Machine;

const GROUP: &str = "FPGA boards";

/// Directories of udev rules.
const RULES: [&str; 4] = [
    "/etc/udev/rules.d",
    "/run/udev/rules.d",
    "/usr/lib/udev/rules.d",
    "/lib/udev/rules.d",
];

/// Returns the programmers of all targets that openFPGALoader loads, with the names of the targets.
pub fn of_boards() -> BTreeMap<UsbId, Vec<String>> {
    let mut programmers: BTreeMap<UsbId, Vec<String>> = BTreeMap::new();
    // A test of the catalogue checks that all target files are valid.
    for board in catalogue::all().unwrap_or_default() {
        if let Some(id) = board.loader.as_deref().and_then(UsbId::of_loader) {
            programmers.entry(id).or_default().push(board.name);
        }
    }
    programmers
}

/// Returns one check per udev rule and per connected programmer.
pub fn checks(machine: &Machine) -> Vec<Check> {
    // Other systems have no udev rules.
    if !machine.file("/sys").is_dir() {
        return Vec::new();
    }
    let rules = rules(machine);
    let programmers = of_boards();
    let mut checks: Vec<Check> = programmers
        .iter()
        .map(|(id, boards)| rule(*id, boards, &rules))
        .collect();
    for device in usb::devices(&machine.root) {
        if !programmers.contains_key(&device.id) {
            continue;
        }
        let name = format!("programmer {device}");
        checks.push(match machine.may_use(&device.node) {
            true => Check::ok(GROUP, name, "access permitted"),
            false => Check::ok(GROUP, name, "access denied").but(
                Health::Problem,
                format!("{INSTALL}\nthen unplug it and plug it in again"),
            ),
        });
    }
    checks
}

const INSTALL: &str = "`duoforge doctor --udev-rules | sudo tee /etc/udev/rules.d/60-duoforge.rules`\n\
                       `sudo udevadm control --reload`";

fn rule(id: UsbId, boards: &[String], rules: &[(String, String)]) -> Check {
    let name = format!("udev rule for {id}");
    let boards = match boards {
        [first, _, ..] => format!("{first} and {} more", boards.len() - 1),
        _ => boards.concat(),
    };
    match rules.iter().find(|(_, rule)| grants(rule, id)) {
        Some((file, _)) => Check::ok(GROUP, name, format!("{file} ({boards})")),
        None => Check::ok(GROUP, name, format!("none: only root can load {boards}"))
            .but(Health::Warning, INSTALL),
    }
}

/// Returns the lines of all rules with their files; a backslash joins a line to the next.
fn rules(machine: &Machine) -> Vec<(String, String)> {
    let directories = RULES.map(|directory| machine.file(directory));
    let entries = directories
        .iter()
        .flat_map(fs::read_dir)
        .flatten()
        .flatten();
    let mut rules = Vec::new();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(entry.path()) else {
            continue;
        };
        if name.ends_with(".rules") {
            let text = text.replace("\\\n", " ");
            rules.extend(text.lines().map(|line| (name.clone(), line.to_owned())));
        }
    }
    rules
}

/// True if a rule gives users other than root access to a device.
fn grants(rule: &str, id: UsbId) -> bool {
    let rule = rule.trim().to_ascii_lowercase().replace(' ', "");
    let product = match rule.contains("{idproduct}==") {
        true => rule.contains(&format!("{{idproduct}}==\"{:04x}\"", id.product)),
        false => true,
    };
    !rule.starts_with('#')
        && rule.contains(&format!("{{idvendor}}==\"{:04x}\"", id.vendor))
        && product
        && !rule.contains("subsystem==\"tty\"")
        && (rule.contains("mode=") || rule.contains("mode:=") || rule.contains("\"uaccess\""))
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::{NOBODY, Tree, numbered};
    use super::*;

    const ULX3S: UsbId = UsbId {
        vendor: 0x0403,
        product: 0x6015,
    };

    fn verdict_of(checks: &[Check], name: &str) -> Health {
        let check = checks.iter().find(|check| check.check == name);
        check
            .unwrap_or_else(|| panic!("{name}: {checks:?}"))
            .verdict
    }

    #[test]
    fn rules_are_found_in_all_directories() {
        let name = "udev rule for 0403:6015";
        let tree = Tree::new(&[("/sys/kernel", "")]);
        assert_eq!(verdict_of(&checks(&tree.machine), name), Health::Warning);
        tree.write("/etc/udev/rules.d/README", &ULX3S.udev_rule());
        tree.write(
            "/etc/udev/rules.d/50-a.rules",
            &format!("# {}", ULX3S.udev_rule()),
        );
        assert_eq!(verdict_of(&checks(&tree.machine), name), Health::Warning);
        tree.write(
            "/lib/udev/rules.d/99-openfpgaloader.rules",
            "ATTRS{idVendor}==\"0403\", \\\n\
             ATTRS{idProduct}==\"6015\", MODE=\"664\", GROUP=\"plugdev\", TAG+=\"uaccess\"\n",
        );
        let found = checks(&tree.machine);
        assert_eq!(verdict_of(&found, name), Health::Ok);
        assert_eq!(
            verdict_of(&found, "udev rule for 0403:6010"),
            Health::Warning
        );
        let detail = &found
            .iter()
            .find(|check| check.check == name)
            .unwrap()
            .detail;
        assert!(
            detail.starts_with("99-openfpgaloader.rules (ulx3s-85f and 3 more)"),
            "{detail}"
        );
    }

    #[test]
    fn rules_for_other_devices_do_not_count() {
        for rule in [
            r#"ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", MODE="0666""#,
            r#"ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6015", SYMLINK+="board""#,
            r#"SUBSYSTEM=="tty", ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6015", MODE="0666""#,
            r#"ATTRS{idVendor}=="1d50", MODE="0666""#,
        ] {
            assert!(!grants(rule, ULX3S), "{rule}");
        }
        assert!(grants(r#"ATTR{idVendor}=="0403", MODE:="0666""#, ULX3S));
    }

    #[test]
    fn a_connected_programmer_without_access_is_a_problem() {
        let directory = "/sys/bus/usb/devices/1-2";
        let mut tree = Tree::new(&[("/dev/bus/usb/001/007", "")]);
        for (name, text) in [
            ("idVendor", "0403"),
            ("idProduct", "6015"),
            ("busnum", "1"),
            ("devnum", "7"),
            ("serial", "D00123"),
        ] {
            tree.write(&format!("{directory}/{name}"), text);
        }
        let group = tree.mode("/dev/bus/usb/001/007", 0o660);
        let name = "programmer 0403:6015 (serial number D00123)";
        assert_eq!(verdict_of(&checks(&tree.machine), name), Health::Problem);
        tree.machine.user = numbered(NOBODY, &[group]);
        assert_eq!(verdict_of(&checks(&tree.machine), name), Health::Ok);
    }
}
