//! Latency timer of FTDI adapters: the time for which an adapter collects bytes.

use std::fs;

use super::check::{Check, Health};
use super::machine::Machine;

const GROUP: &str = "serial lines";
const TIMERS: &str = "/sys/bus/usb-serial/devices";

/// Udev rule that sets the timer of every FTDI adapter when it is connected.
pub const RULE: &str =
    r#"ACTION=="add", SUBSYSTEM=="usb-serial", DRIVER=="ftdi_sio", ATTR{latency_timer}="1""#;

/// Returns one check per adapter with a timer.
pub fn checks(machine: &Machine) -> Vec<Check> {
    let Ok(entries) = fs::read_dir(machine.file(TIMERS)) else {
        return Vec::new();
    };
    let timer = |name: String| {
        let file = machine.file(TIMERS).join(&name).join("latency_timer");
        let milliseconds = fs::read_to_string(file).ok()?.trim().parse().ok()?;
        Some((name, milliseconds))
    };
    let mut timers: Vec<(String, u32)> = entries
        .flatten()
        .filter_map(|entry| timer(entry.file_name().to_string_lossy().into_owned()))
        .collect();
    timers.sort();
    let checks = timers.into_iter();
    checks.map(|(name, timer)| check(&name, timer)).collect()
}

fn check(name: &str, milliseconds: u32) -> Check {
    let detail = match milliseconds {
        0 | 1 => format!("{milliseconds} ms"),
        _ => format!("{milliseconds} ms, added to every reply"),
    };
    let found = Check::ok(GROUP, format!("latency timer of {name}"), detail);
    if milliseconds <= 1 {
        return found;
    }
    found.but(
        Health::Warning,
        format!(
            "now: `echo 1 | sudo tee {TIMERS}/{name}/latency_timer`\n\
             permanently: `duoforge doctor --udev-rules | sudo tee \
             /etc/udev/rules.d/60-duoforge.rules`, with the rule\n{RULE}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::Tree;
    use super::*;

    #[test]
    fn slow_timers_are_warnings_with_the_remedy() {
        let tree = Tree::new(&[
            ("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n"),
            ("/sys/bus/usb-serial/devices/ttyUSB1/latency_timer", "1\n"),
            (
                "/sys/bus/usb-serial/devices/ttyUSB2/uevent",
                "DRIVER=ch341\n",
            ),
        ]);
        let checks = checks(&tree.machine);
        let seen: Vec<_> = checks
            .iter()
            .map(|check| (check.check.as_str(), check.verdict))
            .collect();
        let expected = [
            ("latency timer of ttyUSB0", Health::Warning),
            ("latency timer of ttyUSB1", Health::Ok),
        ];
        assert_eq!(seen, expected);
        assert!(checks[0].detail.starts_with("16 ms"));
        let help = checks[0].help.as_deref().unwrap();
        let now = "echo 1 | sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer";
        assert!(help.contains(now) && help.contains(RULE), "{help}");
    }

    #[test]
    fn machines_without_adapters_have_nothing_to_check() {
        assert_eq!(checks(&Tree::new(&[]).machine), []);
    }
}
