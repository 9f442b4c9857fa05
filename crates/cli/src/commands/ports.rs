//! `duoforge ports`: serial devices of this machine.

use duoforge_links::ports::{PortKind, ports};
use serde::Serialize;

use crate::failure::Result;
use crate::output::{self, Verdict};

/// List the serial devices of this machine
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// Serial device in JSON.
#[derive(Serialize)]
struct Port {
    name: String,
    kind: &'static str,
    by_id: Option<String>,
    vendor_id: Option<u16>,
    product_id: Option<u16>,
    serial_number: Option<String>,
    manufacturer: Option<String>,
    product: Option<String>,
}

/// Lists the devices.
pub fn run(args: Args) -> Result<Verdict> {
    let ports = ports()?;
    if args.json {
        let ports: Vec<Port> = ports.into_iter().map(port).collect();
        output::json(&ports)?;
        return Ok(Verdict::Good);
    }
    if ports.is_empty() {
        note!("no serial device found");
    }
    for port in ports {
        output::line(format!("{:<16} {}", port.name, port.kind))?;
        if let Some(by_id) = port.by_id {
            output::line(format!("{:<16} {}", "", by_id.display()))?;
        }
    }
    Ok(Verdict::Good)
}

fn port(info: duoforge_links::ports::PortInfo) -> Port {
    let (kind, usb) = match info.kind {
        PortKind::Usb(usb) => ("usb", Some(usb)),
        PortKind::Pci => ("pci", None),
        PortKind::Bluetooth => ("bluetooth", None),
        PortKind::Unknown => ("unknown", None),
    };
    let usb = usb.as_ref();
    Port {
        name: info.name,
        kind,
        by_id: info.by_id.map(|path| path.to_string_lossy().into_owned()),
        vendor_id: usb.map(|usb| usb.vendor_id),
        product_id: usb.map(|usb| usb.product_id),
        serial_number: usb.and_then(|usb| usb.serial_number.clone()),
        manufacturer: usb.and_then(|usb| usb.manufacturer.clone()),
        product: usb.and_then(|usb| usb.product.clone()),
    }
}
