//! Programmers of FPGA boards on USB, as listed by Linux.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Vendor and product id of a programmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsbId {
    /// Vendor id.
    pub vendor: u16,
    /// Product id.
    pub product: u16,
}

impl UsbId {
    /// Returns the programmer that openFPGALoader uses for an FPGA board of this name.
    pub fn of_loader(board: &str) -> Option<Self> {
        let product = match board {
            // FT231X.
            "ulx3s" => 0x6015,
            // FT2232, or a compatible chip.
            "ice40_generic" | "arty_a7_35t" | "arty_a7_100t" | "nexys_a7_100" => 0x6010,
            _ => return None,
        };
        Some(Self {
            vendor: 0x0403,
            product,
        })
    }

    /// True if openFPGALoader heeds a serial number for an FPGA board of this name. It ignores the
    /// number silently where it drives the programmer's SPI and not its JTAG.
    pub fn has_serial(board: &str) -> bool {
        board != "ice40_generic"
    }

    /// Returns the udev rule that lets the local user and the group `plugdev` use the programmer.
    pub fn udev_rule(&self) -> String {
        format!(
            "SUBSYSTEM==\"usb\", ATTRS{{idVendor}}==\"{:04x}\", ATTRS{{idProduct}}==\"{:04x}\", \
             MODE=\"0660\", GROUP=\"plugdev\", TAG+=\"uaccess\"",
            self.vendor, self.product
        )
    }
}

impl fmt::Display for UsbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}:{:04x}", self.vendor, self.product)
    }
}

/// USB device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbDevice {
    /// Vendor and product id.
    pub id: UsbId,
    /// Serial number, if the device has one.
    pub serial: Option<String>,
    /// Product name, if the device has one.
    pub product: Option<String>,
    /// Bus number.
    pub bus: u16,
    /// Address on the bus.
    pub address: u16,
    /// Device file.
    pub node: PathBuf,
}

impl fmt::Display for UsbDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)?;
        if let Some(product) = &self.product {
            write!(f, " {product}")?;
        }
        match &self.serial {
            Some(serial) => write!(f, " (serial number {serial})"),
            None => f.write_str(" (no serial number)"),
        }
    }
}

/// Returns the USB devices, sorted by device file; empty if the system has no such list. `root` is
/// `/`, or a directory with the same layout.
pub fn devices(root: &Path) -> Vec<UsbDevice> {
    listed(root).unwrap_or_default()
}

/// Returns the USB devices as [`devices`] does; `None` if the system has no such list.
pub fn listed(root: &Path) -> Option<Vec<UsbDevice>> {
    let entries = fs::read_dir(root.join("sys/bus/usb/devices")).ok()?;
    let mut devices: Vec<_> = entries
        .flatten()
        .filter_map(|entry| device(root, &entry.path()))
        .collect();
    devices.sort_by(|a, b| a.node.cmp(&b.node));
    Some(devices)
}

/// Reads a device; `None` for a directory of another kind, such as an interface's.
fn device(root: &Path, directory: &Path) -> Option<UsbDevice> {
    let read = |name: &str| {
        let text = fs::read_to_string(directory.join(name)).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let hexadecimal = |name| u16::from_str_radix(&read(name)?, 16).ok();
    let decimal = |name| read(name)?.parse::<u16>().ok();
    let (bus, address) = (decimal("busnum")?, decimal("devnum")?);
    Some(UsbDevice {
        id: UsbId {
            vendor: hexadecimal("idVendor")?,
            product: hexadecimal("idProduct")?,
        },
        serial: read("serial"),
        product: read("product"),
        bus,
        address,
        node: root.join(format!("dev/bus/usb/{bus:03}/{address:03}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn plug(root: &Path, port: &str, files: &[(&str, &str)]) {
        let directory = root.join("sys/bus/usb/devices").join(port);
        fs::create_dir_all(&directory).expect("a directory");
        for (name, text) in files {
            fs::write(directory.join(name), format!("{text}\n")).expect("a file");
        }
    }

    #[test]
    fn devices_are_read_with_what_they_say() {
        let root = tempfile::tempdir().expect("a temporary directory");
        assert_eq!(devices(root.path()), []);
        let common = [("idVendor", "0403"), ("idProduct", "6015"), ("busnum", "1")];
        let named = [("devnum", "9"), ("serial", "D00123"), ("product", "ULX3S")];
        plug(root.path(), "1-2", &[&common[..], &named].concat());
        plug(
            root.path(),
            "1-1",
            &[&common[..], &[("devnum", "4")]].concat(),
        );
        plug(root.path(), "1-1:1.0", &[("bInterfaceNumber", "00")]);
        let found: Vec<_> = devices(root.path())
            .iter()
            .map(ToString::to_string)
            .collect();
        let expected = [
            "0403:6015 (no serial number)",
            "0403:6015 ULX3S (serial number D00123)",
        ];
        assert_eq!(found, expected);
        let node = root.path().join("dev/bus/usb/001/004");
        assert_eq!(devices(root.path())[0].node, node);
    }

    #[test]
    fn the_programmer_of_every_board_with_a_loader_is_known() {
        for board in catalogue::all().expect("all are sound") {
            let programmer = board.loader.as_deref().map(UsbId::of_loader);
            assert!(programmer.is_none_or(|id| id.is_some()), "{}", board.name);
        }
    }

    /// Returns the first two columns that openFPGALoader lists under `option`.
    fn listed(option: &str) -> Vec<(String, String)> {
        let mut loader = duoforge_tools::catalogue::OPENFPGALOADER
            .command()
            .expect("the loader is installed");
        let text = duoforge_tools::run(loader.arg(option)).expect("it lists");
        let columns = |line: &str| {
            let mut words = line.split_whitespace().map(str::to_owned);
            Some((words.next()?, words.next()?))
        };
        text.lines().filter_map(columns).collect()
    }

    #[test]
    fn the_installed_loader_uses_the_same_programmers() {
        let (boards, cables) = (listed("--list-boards"), listed("--list-cables"));
        let of = |list: &[(String, String)], name: &str| {
            let entry = list.iter().find(|(first, _)| first == name);
            entry.map(|(_, second)| second.clone()).expect(name)
        };
        for board in catalogue::all().expect("all are sound") {
            let Some(loader) = board.loader else { continue };
            let cable = of(&cables, &of(&boards, &loader));
            let id = UsbId::of_loader(&loader).expect("it is known");
            assert_eq!(cable, format!("0x{id}"), "{loader}");
        }
    }
}
