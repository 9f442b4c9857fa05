//! Selection and checks of bitstream and FPGA board before loading.

use std::fs;
use std::path::Path;

use duoforge_targets::catalogue;
use duoforge_targets::flash::bitstream::Chip;
use duoforge_targets::flash::{Destination, FlashError, Request, Run, Selection};
use duoforge_tools::catalogue::ECPPACK;
use tempfile::TempDir;

/// File system tree with a bitstream for the ULX3S.
struct Machine {
    root: TempDir,
}

impl Machine {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a temporary directory");
        let mut bytes = vec![0xff, 0xff, 0xbd, 0xb3, 0xe2, 0, 0, 0];
        bytes.extend(0x4111_3043_u32.to_be_bytes());
        fs::write(root.path().join("ulx3s.bit"), bytes).expect("a file");
        let ice40 = [0x7e, 0xaa, 0x99, 0x7e];
        fs::write(root.path().join("hx8k.bin"), ice40).expect("a file");
        Self { root }
    }

    /// Adds a USB device with this product id; `6015` is the programmer of a ULX3S.
    fn plug(&self, address: u8, product: &str, serial: Option<&str>) {
        let devices = self.root.path().join("sys/bus/usb/devices");
        let directory = devices.join(format!("3-{address}"));
        fs::create_dir_all(&directory).expect("a directory");
        let write = |name: &str, text: &str| {
            fs::write(directory.join(name), format!("{text}\n")).expect("a file");
        };
        write("idVendor", "0403");
        write("idProduct", product);
        write("busnum", "3");
        write("devnum", &address.to_string());
        if let Some(serial) = serial {
            write("serial", serial);
        }
    }

    fn prepare(&self, serial: Option<&str>) -> Run {
        self.prepare_for("ulx3s-85f", "ulx3s.bit", serial)
    }

    fn prepare_for(&self, board: &str, bitstream: &str, serial: Option<&str>) -> Run {
        let board = catalogue::find(board).expect("a board");
        let request = Request {
            board: &board,
            bitstream: self.path().join(bitstream),
            target: Destination::Sram,
            verify: false,
            serial: serial.map(str::to_owned),
        };
        request.prepare().expect("the bitstream is good")
    }

    fn path(&self) -> &Path {
        self.root.path()
    }

    /// Returns the command line after the selection of the programmer.
    fn chosen(&self, serial: Option<&str>) -> Result<String, FlashError> {
        let mut run = self.prepare(serial);
        run.choose(self.path())?;
        Ok(run.command_line())
    }
}

#[test]
fn one_board_needs_no_choice() {
    let machine = Machine::new();
    let line = machine
        .chosen(None)
        .expect("no list of devices is no reason");
    assert!(
        !line.contains("busdev") && !line.contains("serial"),
        "{line}"
    );
    machine.plug(5, "6015", Some("D1"));
    machine.plug(6, "6010", Some("D2"));
    assert_eq!(machine.chosen(None).expect("one board"), line);
}

#[test]
fn among_several_boards_none_is_taken_by_chance() {
    let machine = Machine::new();
    machine.plug(5, "6015", Some("D1"));
    machine.plug(6, "6015", None);
    let error = machine.chosen(None).expect_err("two boards");
    let text = error.to_string();
    assert_eq!(text, "2 boards with the programmer 0403:6015 are connected");
    let FlashError::SeveralBoards { connected, .. } = error else {
        panic!("{error:?}");
    };
    let serials: Vec<_> = connected
        .iter()
        .map(|device| device.serial.as_deref())
        .collect();
    assert_eq!(serials, [Some("D1"), None]);
}

#[test]
fn a_serial_number_becomes_the_place_on_the_bus() {
    let machine = Machine::new();
    machine.plug(5, "6015", Some("D1"));
    machine.plug(17, "6015", Some("D2"));
    let line = machine.chosen(Some("D2")).expect("it is there");
    assert!(line.contains(" --busdev-num 3:17 "), "{line}");
    let error = machine.chosen(Some("D3")).expect_err("it is not there");
    assert_eq!(
        error.to_string(),
        "no board is connected: there is no USB device 0403:6015 with the serial number D3"
    );
    let alone = Machine::new().chosen(Some("D3")).expect("the loader looks");
    assert!(alone.contains(" --ftdi-serial D3 "), "{alone}");
}

#[test]
fn without_a_list_of_devices_the_loaders_choice_is_reported() {
    let machine = Machine::new();
    let choose = |mut run: Run| run.choose(machine.path());
    let hx8k = |serial| machine.prepare_for("hx8k-breakout", "hx8k.bin", serial);
    let first = choose(machine.prepare(None)).expect("the loader chooses");
    assert_eq!(first, Selection::First);
    let first = choose(hx8k(None)).expect("the loader chooses");
    assert_eq!(first, Selection::First);
    let certain = choose(machine.prepare(Some("D1"))).expect("the loader heeds the number");
    assert_eq!(certain, Selection::Certain);
    let error = choose(hx8k(Some("D1"))).expect_err("the loader ignores the number");
    assert!(matches!(error, FlashError::SerialIgnored { .. }), "{error}");

    // A list without the FPGA board is a list.
    machine.plug(5, "0001", None);
    let certain = choose(machine.prepare(None)).expect("no other board");
    assert_eq!(certain, Selection::Certain);
    machine.plug(6, "6010", Some("D1"));
    machine.plug(7, "6010", Some("D2"));
    let certain = choose(hx8k(Some("D1"))).expect("it is there");
    assert_eq!(certain, Selection::Certain);
}

#[test]
fn bitstreams_of_the_real_packer_say_which_chip_they_are_for() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for name in ["ulx3s-45f", "ulx3s-85f"] {
        let board = catalogue::find(name).expect("a board");
        let expected = Chip::of_tools(&board.tools).expect("an ECP5");
        let chip = format!(".device {expected}\n");
        fs::write(directory.path().join("empty.config"), chip).expect("a file");
        let mut packer = ECPPACK.command().expect("it is installed");
        packer
            .current_dir(directory.path())
            .args(["--compress", "empty.config", "empty.bit"]);
        duoforge_tools::run(&mut packer).expect("it packs");
        let bytes = fs::read(directory.path().join("empty.bit")).expect("a bitstream");
        assert_eq!(Chip::of_bitstream(&bytes), Some(expected), "{name}");
    }
}
