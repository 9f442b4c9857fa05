//! Advice about the programmer on USB, by operating system as in [`std::env::consts::OS`].

use duoforge_targets::flash::usb::{UsbDevice, UsbId};

/// Returns the warning about a programmer that openFPGALoader selects.
pub fn unchecked(id: UsbId) -> String {
    format!(
        "this system has no list of USB devices, and openFPGALoader takes the first programmer \
         {id}: connect only one FPGA board with this programmer"
    )
}

/// Returns the next action if no programmer is connected, or none with this serial number.
pub fn absent(id: UsbId, serial: Option<&str>, connected: &[UsbDevice], os: &str) -> String {
    if serial.is_some() && !connected.is_empty() {
        return format!("connected: {}", options(connected));
    }
    let lists = match os {
        "linux" => format!("; `lsusb -d {id}` then lists it"),
        "macos" => "; `ioreg -p IOUSB` then lists it".into(),
        _ => String::new(),
    };
    format!("connect the programming port of the FPGA board with a data cable{lists}")
}

/// Returns the options that choose each of the connected FPGA boards.
pub fn options(connected: &[UsbDevice]) -> String {
    let option = |device: &UsbDevice| match &device.serial {
        Some(serial) => format!("--serial-number {serial}"),
        None => format!("{device}, after unplugging the others"),
    };
    let options: Vec<String> = connected.iter().map(option).collect();
    options.join(" or ")
}

/// Returns the next action if the user may not access the programmer.
pub fn permission(id: UsbId, os: &str) -> String {
    match os {
        "linux" => format!(
            "install its udev rule, then unplug the FPGA board and plug it in again: `duoforge \
             doctor --udev-rules | sudo tee /etc/udev/rules.d/60-duoforge.rules && sudo udevadm \
             control --reload`; over ssh, also join its group: `sudo usermod -aG plugdev $USER`, \
             then log in again. The rule is\n{}",
            id.udev_rule()
        ),
        _ => "unplug the FPGA board and plug it in again; if the failure remains, run the command \
              that `duoforge flash --dry-run` prints as the administrator"
            .into(),
    }
}

/// Returns the next action if another program or driver uses the programmer.
pub fn busy(os: &str) -> String {
    let driver = match os {
        "linux" => "`sudo modprobe -r ftdi_sio` unloads the driver",
        _ => "then unplug the FPGA board and plug it in again",
    };
    format!(
        "close the program that has the programmer open, such as a terminal, a debugger or another \
         loader; {driver}"
    )
}

/// Returns the next action if libraries of openFPGALoader are missing.
pub fn libraries(os: &str) -> &'static str {
    match os {
        "linux" => {
            "`duoforge setup --for flash` installs its libraries; or install libusb-1.0-0, \
             libftdi1-2 and libhidapi-hidraw0"
        }
        "macos" => {
            "`duoforge setup --for flash` installs its libraries; or run `brew install libusb \
             libftdi hidapi`"
        }
        _ => "`duoforge setup --for flash` installs its libraries",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_programs_of_the_operating_system() {
        let id = UsbId::of_loader("ulx3s").unwrap();
        let all = |os| {
            let advice = [absent(id, None, &[], os), permission(id, os), busy(os)];
            advice.concat() + libraries(os)
        };
        for word in ["lsusb -d 0403:6015", "udevadm", "modprobe", "libusb-1.0-0"] {
            assert!(all("linux").contains(word), "{word}");
            let program = word.split(' ').next().unwrap();
            assert!(!all("macos").contains(program), "{program}");
            assert!(!all("windows").contains(program), "{program}");
        }
        assert!(all("macos").contains("ioreg -p IOUSB"));
    }
}
