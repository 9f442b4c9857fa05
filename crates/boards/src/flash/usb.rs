//! The programmers of boards on the USB, as Linux lists them.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Vendor and product number of a programmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsbId {
    /// Vendor number.
    pub vendor: u16,
    /// Product number.
    pub product: u16,
}

impl UsbId {
    /// The programmer that openFPGALoader looks for when a board of this name is asked for.
    pub fn of_loader(board: &str) -> Option<Self> {
        let product = match board {
            // An FT231X.
            "ulx3s" => 0x6015,
            // An FT2232, or something that looks like one.
            "ice40_generic" | "arty_a7_35t" | "arty_a7_100t" | "nexys_a7_100" => 0x6010,
            _ => return None,
        };
        Some(Self {
            vendor: 0x0403,
            product,
        })
    }

    /// The line for udev that lets whoever sits at the machine, and the group `plugdev`, use it.
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

/// A device on the USB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbDevice {
    /// Its numbers.
    pub id: UsbId,
    /// Its serial number, which not every device has.
    pub serial: Option<String>,
    /// What it calls itself.
    pub product: Option<String>,
    /// The number of its bus.
    pub bus: u16,
    /// Its address there.
    pub address: u16,
    /// The file by which programs reach it.
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

/// The devices on the USB, sorted by their files; empty where the system has no such list.
/// `root` is `/`, or a tree that looks like it.
pub fn devices(root: &Path) -> Vec<UsbDevice> {
    let Ok(entries) = fs::read_dir(root.join("sys/bus/usb/devices")) else {
        return Vec::new();
    };
    let mut devices: Vec<_> = entries
        .flatten()
        .filter_map(|entry| device(root, &entry.path()))
        .collect();
    devices.sort_by(|a, b| a.node.cmp(&b.node));
    devices
}

/// A device; none for a folder of another kind, such as an interface's.
fn device(root: &Path, folder: &Path) -> Option<UsbDevice> {
    let read = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).ok()?;
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
        let folder = root.join("sys/bus/usb/devices").join(port);
        fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in files {
            fs::write(folder.join(name), format!("{text}\n")).expect("a file");
        }
    }

    #[test]
    fn devices_are_read_with_what_they_say() {
        let root = tempfile::tempdir().expect("a temporary folder");
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

    /// What openFPGALoader lists under `option`, as the first two columns.
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
