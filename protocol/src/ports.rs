//! Which serial devices this machine has.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serialport::SerialPortType;

use crate::link::LinkError;

/// Where Linux keeps names of serial devices that stay the same when they are plugged in anew.
const BY_ID: &str = "/dev/serial/by-id";

/// A serial device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortInfo {
    /// Path or name to open it by, such as `/dev/ttyUSB0`.
    pub name: String,
    /// What it is attached to.
    pub kind: PortKind,
    /// Path that stays the same when the device is plugged in anew, where there is one.
    pub by_id: Option<PathBuf>,
}

/// What a serial device is attached to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// A USB adapter or board.
    Usb(UsbInfo),
    /// A card, or a port of the mainboard.
    Pci,
    /// A Bluetooth device.
    Bluetooth,
    /// The system does not say.
    Unknown,
}

/// What a USB device says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbInfo {
    /// Vendor number.
    pub vendor_id: u16,
    /// Product number.
    pub product_id: u16,
    /// Serial number.
    pub serial_number: Option<String>,
    /// Maker's name.
    pub manufacturer: Option<String>,
    /// Name of the product.
    pub product: Option<String>,
}

/// Lists the serial devices, sorted by name. Devices that are known by their `by-id` name only
/// are listed too.
///
/// # Errors
/// [`LinkError::Io`] if the system cannot be asked.
pub fn ports() -> Result<Vec<PortInfo>, LinkError> {
    // Without this folder (some containers) `serialport` would panic.
    let listed = if cfg!(target_os = "linux") && !Path::new("/sys/class/tty").is_dir() {
        Vec::new()
    } else {
        serialport::available_ports().map_err(|error| LinkError::Io {
            name: "list of serial devices".to_owned(),
            source: error.into(),
        })?
    };
    Ok(merge(listed, by_id(Path::new(BY_ID))))
}

/// The devices by their real path, each with its link in a `by-id` folder; empty without one.
fn by_id(folder: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return BTreeMap::new();
    };
    entries
        .flatten()
        .filter_map(|entry| Some((entry.path().canonicalize().ok()?, entry.path())))
        .collect()
}

fn merge(
    listed: Vec<serialport::SerialPortInfo>,
    mut by_id: BTreeMap<PathBuf, PathBuf>,
) -> Vec<PortInfo> {
    let mut ports: Vec<PortInfo> = listed
        .into_iter()
        .map(|port| PortInfo {
            kind: port.port_type.into(),
            by_id: by_id.remove(Path::new(&port.port_name)),
            name: port.port_name,
        })
        .collect();
    ports.extend(by_id.into_iter().map(|(device, link)| PortInfo {
        name: device.to_string_lossy().into_owned(),
        kind: PortKind::Unknown,
        by_id: Some(link),
    }));
    ports.sort_by(|a, b| a.name.cmp(&b.name));
    ports
}

impl From<SerialPortType> for PortKind {
    fn from(kind: SerialPortType) -> Self {
        match kind {
            SerialPortType::UsbPort(usb) => Self::Usb(UsbInfo {
                vendor_id: usb.vid,
                product_id: usb.pid,
                serial_number: usb.serial_number,
                manufacturer: usb.manufacturer,
                product: usb.product,
            }),
            SerialPortType::PciPort => Self::Pci,
            SerialPortType::BluetoothPort => Self::Bluetooth,
            SerialPortType::Unknown => Self::Unknown,
        }
    }
}

impl fmt::Display for PortKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usb(usb) => usb.fmt(f),
            Self::Pci => f.write_str("PCI"),
            Self::Bluetooth => f.write_str("Bluetooth"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl fmt::Display for UsbInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "USB {:04x}:{:04x}", self.vendor_id, self.product_id)?;
        for text in [&self.manufacturer, &self.product].into_iter().flatten() {
            write!(f, " {text}")?;
        }
        match &self.serial_number {
            Some(number) => write!(f, " (serial number {number})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serialport::{SerialPortInfo, UsbPortInfo};

    use super::*;

    fn adapter() -> SerialPortInfo {
        SerialPortInfo {
            port_name: "/dev/ttyUSB0".into(),
            port_type: SerialPortType::UsbPort(UsbPortInfo {
                vid: 0x0403,
                pid: 0x6010,
                serial_number: Some("210".into()),
                manufacturer: Some("Digilent".into()),
                product: None,
            }),
        }
    }

    #[test]
    fn by_id_names_are_added_to_their_devices() {
        let serial = SerialPortInfo {
            port_name: "/dev/ttyS0".into(),
            port_type: SerialPortType::PciPort,
        };
        let links = [
            ("/dev/ttyACM7", "/dev/serial/by-id/usb-else"),
            ("/dev/ttyUSB0", "/dev/serial/by-id/usb-Digilent-if01"),
        ];
        let links = links
            .into_iter()
            .map(|(device, link)| (device.into(), link.into()));
        let ports = merge(vec![adapter(), serial], links.collect());
        let names: Vec<_> = ports.iter().map(|port| port.name.as_str()).collect();
        assert_eq!(names, ["/dev/ttyACM7", "/dev/ttyS0", "/dev/ttyUSB0"]);
        assert_eq!(ports[0].kind, PortKind::Unknown);
        assert_eq!(ports[1].by_id, None);
        assert_eq!(
            ports[2].by_id,
            Some("/dev/serial/by-id/usb-Digilent-if01".into())
        );
        assert_eq!(
            ports[2].kind.to_string(),
            "USB 0403:6010 Digilent (serial number 210)"
        );
    }

    #[cfg(unix)]
    #[test]
    fn by_id_links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let device = folder.path().canonicalize().unwrap().join("ttyUSB0");
        std::fs::write(&device, "").unwrap();
        let links = folder.path().join("by-id");
        std::fs::create_dir(&links).unwrap();
        std::os::unix::fs::symlink("../ttyUSB0", links.join("usb-board")).unwrap();
        std::os::unix::fs::symlink("../gone", links.join("usb-gone")).unwrap();
        let expected = BTreeMap::from([(device, links.join("usb-board"))]);
        assert_eq!(by_id(&links), expected);
        assert!(by_id(&folder.path().join("none")).is_empty());
    }

    #[test]
    fn this_machine_can_be_asked() {
        let ports = ports().unwrap();
        assert!(ports.is_sorted_by(|a, b| a.name <= b.name));
    }
}
