//! Serial devices of this machine.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serialport::SerialPortType;

use crate::LinkError;

/// Directory in which Linux keeps names of serial devices that survive replugging.
const BY_ID: &str = "/dev/serial/by-id";

/// Serial device of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortInfo {
    /// Path or name by which it is opened, such as `/dev/ttyUSB0`.
    pub name: String,
    /// Kind of hardware.
    pub kind: PortKind,
    /// Path that survives replugging, if there is one.
    pub by_id: Option<PathBuf>,
}

/// Kind of hardware of a serial device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// USB adapter or FPGA board.
    Usb(UsbInfo),
    /// Expansion card, or a port of the mainboard.
    Pci,
    /// Bluetooth device.
    Bluetooth,
    /// Kind that the system does not report.
    Unknown,
}

/// USB descriptors of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbInfo {
    /// USB vendor id.
    pub vendor_id: u16,
    /// USB product id.
    pub product_id: u16,
    /// Serial number.
    pub serial_number: Option<String>,
    /// Name of the manufacturer.
    pub manufacturer: Option<String>,
    /// Name of the product.
    pub product: Option<String>,
}

/// Identification of a USB device that survives replugging: `SERIAL`, `VVVV:PPPP` or
/// `VVVV:PPPP:SERIAL`, with vendor id and product id in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UsbId {
    /// Vendor id and product id; `None` matches any.
    pub product: Option<(u16, u16)>,
    /// Serial number; `None` matches any.
    pub serial_number: Option<String>,
}

impl UsbId {
    /// Parses an id; `None` if the text is not an id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            digits.then(|| u16::from_str_radix(text, 16).ok()).flatten()
        };
        let mut parts = text.splitn(3, ':');
        let product = match (parts.next().and_then(number), parts.next().and_then(number)) {
            (Some(vendor), Some(product)) => Some((vendor, product)),
            _ => None,
        };
        let serial = match product {
            Some(_) => parts.next(),
            None => Some(text),
        };
        let fine = |text: &str| !text.is_empty() && !text.contains(':');
        if !serial.is_none_or(fine) {
            return None;
        }
        Some(Self {
            product,
            serial_number: serial.map(str::to_owned),
        })
    }

    /// Finds the only device with this id and returns its name.
    ///
    /// # Errors
    /// [`LinkError::NotFound`] if no device has it, [`LinkError::Ambiguous`] if several have it.
    pub fn find_in(&self, ports: &[PortInfo]) -> Result<String, LinkError> {
        let matching: Vec<_> = ports.iter().filter(|port| self.matches(port)).collect();
        match matching[..] {
            [port] => Ok(port.name.clone()),
            [] => Err(LinkError::NotFound {
                name: format!("usb:{self}"),
            }),
            _ => Err(LinkError::Ambiguous {
                name: format!("usb:{self}"),
                devices: matching.iter().map(|port| port.name.clone()).collect(),
            }),
        }
    }

    fn matches(&self, port: &PortInfo) -> bool {
        match &port.kind {
            PortKind::Usb(usb) => {
                let product = (usb.vendor_id, usb.product_id);
                self.product.is_none_or(|wanted| wanted == product)
                    && (self.serial_number.is_none() || self.serial_number == usb.serial_number)
            }
            // Only the `by-id` name is known; it contains the serial number before the interface.
            _ => {
                self.product.is_none()
                    && self.serial_number.as_ref().is_some_and(|wanted| {
                        let name = port.by_id.as_ref().and_then(|path| path.file_name());
                        let name = name.unwrap_or_default().to_string_lossy();
                        name.contains(&format!("_{wanted}-if"))
                            || name.ends_with(&format!("_{wanted}"))
                    })
            }
        }
    }
}

impl fmt::Display for UsbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((vendor, product)) = self.product {
            write!(f, "{vendor:04x}:{product:04x}")?;
            if self.serial_number.is_some() {
                f.write_str(":")?;
            }
        }
        f.write_str(self.serial_number.as_deref().unwrap_or_default())
    }
}

/// Lists the serial devices, sorted by name, including those that only have a `by-id` name.
///
/// # Errors
/// [`LinkError::Io`] if the system cannot be queried.
pub fn ports() -> Result<Vec<PortInfo>, LinkError> {
    // Without this directory (in some containers) `serialport` would panic.
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

/// Maps the real path of each device to its link in a `by-id` directory; empty without one.
fn by_id(directory: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let Ok(entries) = directory.read_dir() else {
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

    #[test]
    fn devices_are_found_by_their_usb_ids() {
        let other = SerialPortInfo {
            port_name: "/dev/ttyUSB1".into(),
            ..adapter()
        };
        let twins = merge(vec![adapter(), other], BTreeMap::new());
        let one = merge(vec![adapter()], BTreeMap::new());
        let find = |text: &str, ports: &[PortInfo]| UsbId::parse(text).unwrap().find_in(ports);
        for id in ["210", "0403:6010", "0403:6010:210"] {
            assert_eq!(find(id, &one).unwrap(), "/dev/ttyUSB0", "{id}");
            assert_eq!(UsbId::parse(id).unwrap().to_string(), id);
        }
        for id in ["211", "0403:6011", "0403:6010:211", "0403:601"]
            .iter()
            .filter_map(|id| UsbId::parse(id))
        {
            let error = id.find_in(&one).unwrap_err();
            assert!(matches!(error, LinkError::NotFound { .. }), "{id}: {error}");
        }
        let error = find("210", &twins).unwrap_err();
        assert!(
            error.to_string().contains("/dev/ttyUSB0, /dev/ttyUSB1"),
            "{error}"
        );
        let link = (
            "/dev/ttyACM7".into(),
            "/dev/serial/by-id/usb-Maker_Board_77A-if01".into(),
        );
        let ports = merge(Vec::new(), BTreeMap::from([link]));
        assert_eq!(find("77A", &ports).unwrap(), "/dev/ttyACM7");
        assert!(find("7A", &ports).is_err());
        for wrong in ["", ":", "x:y", "0403:6010:", "0403:6010:1:2"] {
            assert_eq!(UsbId::parse(wrong), None, "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_text_is_no_id_or_one_that_is_printed_as_it_was(text in "[0-9a-fA-F:x]{0,16}") {
            if let Some(id) = UsbId::parse(&text) {
                proptest::prop_assert_eq!(UsbId::parse(&id.to_string()), Some(id.clone()));
                proptest::prop_assert!(id.to_string().eq_ignore_ascii_case(&text));
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn by_id_links_are_followed() {
        let directory = tempfile::tempdir().unwrap();
        let device = directory.path().canonicalize().unwrap().join("ttyUSB0");
        std::fs::write(&device, "").unwrap();
        let links = directory.path().join("by-id");
        std::fs::create_dir(&links).unwrap();
        std::os::unix::fs::symlink("../ttyUSB0", links.join("usb-board")).unwrap();
        std::os::unix::fs::symlink("../gone", links.join("usb-gone")).unwrap();
        let expected = BTreeMap::from([(device, links.join("usb-board"))]);
        assert_eq!(by_id(&links), expected);
        assert!(by_id(&directory.path().join("none")).is_empty());
    }

    #[test]
    fn this_machine_can_be_asked() {
        let ports = ports().unwrap();
        assert!(ports.is_sorted_by(|a, b| a.name <= b.name));
    }
}
