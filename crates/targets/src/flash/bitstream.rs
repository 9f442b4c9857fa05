//! Detection of the chip that a bitstream is for.

use std::fmt;

use crate::toolchain::Tools;

/// Chip series of the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40. Its bitstreams do not name the die size.
    Ice40,
    /// AMD 7 series.
    Xilinx7,
}

/// Chip of a bitstream or of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Chip series.
    pub series: Series,
    /// JTAG IDCODE, if it is known.
    pub idcode: Option<u32>,
}

/// Known chips with their IDCODEs; for AMD the top four bits are the chip's revision.
const CHIPS: [(&str, Series, u32); 6] = [
    ("LFE5U-12F", Series::Ecp5, 0x2111_1043),
    ("LFE5U-25F", Series::Ecp5, 0x4111_1043),
    ("LFE5U-45F", Series::Ecp5, 0x4111_2043),
    ("LFE5U-85F", Series::Ecp5, 0x4111_3043),
    ("xc7a35t", Series::Xilinx7, 0x0362_d093),
    ("xc7a100t", Series::Xilinx7, 0x0363_1093),
];

impl Chip {
    /// Returns the chip of a bitstream; `None` if the format is not recognised.
    pub fn of_bitstream(bytes: &[u8]) -> Option<Self> {
        ecp5(bytes)
            .or_else(|| ice40(bytes))
            .or_else(|| xilinx7(bytes))
    }

    /// Returns the chip of a target; `None` if duoforge does not know the format of its bitstreams.
    pub fn of_tools(tools: &Tools) -> Option<Self> {
        let named = |name: &str| {
            let known = CHIPS.iter().find(|(known, ..)| name.starts_with(known));
            known.map(|&(_, series, idcode)| Self {
                series,
                idcode: Some(idcode),
            })
        };
        match tools {
            Tools::Ecp5 { device, .. } => {
                named(&format!("LFE5U-{}F", device.trim_end_matches('k')))
            }
            Tools::Ice40 { .. } => Some(Self {
                series: Series::Ice40,
                idcode: None,
            }),
            Tools::Vivado { device } => named(device),
            Tools::Quartus { .. } => None,
        }
    }

    /// True if a bitstream for this chip can run on `other`; an unknown IDCODE matches any.
    pub fn suits(&self, other: &Self) -> bool {
        let bits = match self.series {
            Series::Xilinx7 => 0x0fff_ffff,
            _ => u32::MAX,
        };
        let same = |a: u32, b: u32| a & bits == b & bits;
        self.series == other.series
            && self
                .idcode
                .zip(other.idcode)
                .is_none_or(|(a, b)| same(a, b))
    }
}

/// Name of the chip, or its series and IDCODE.
impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = CHIPS.iter().find(|&&(_, series, idcode)| {
            let chip = Self {
                series,
                idcode: Some(idcode),
            };
            self.idcode.is_some() && self.suits(&chip)
        });
        let series = match self.series {
            Series::Ecp5 => "ECP5",
            Series::Ice40 => "iCE40",
            Series::Xilinx7 => "AMD series 7",
        };
        match (known, self.idcode) {
            (Some((name, ..)), _) => f.write_str(name),
            (None, Some(idcode)) => write!(f, "{series} chip {idcode:#010x}"),
            (None, None) => f.write_str(series),
        }
    }
}

/// Returns the name of the chip with this IDCODE, if it is known.
pub fn name_of(idcode: u32) -> Option<&'static str> {
    let known = CHIPS.iter().find(|&&(_, series, known)| {
        let (known, asked) = (
            Chip {
                series,
                idcode: Some(known),
            },
            Chip {
                series,
                idcode: Some(idcode),
            },
        );
        asked.suits(&known)
    });
    known.map(|&(name, ..)| name)
}

/// Returns the bytes after the first occurrence of `mark`.
fn after<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    let at = bytes.windows(mark.len()).position(|piece| piece == mark)?;
    Some(&bytes[at + mark.len()..])
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.first_chunk()?))
}

/// ECP5: comments, preamble, four-byte commands; one command compares the IDCODE.
fn ecp5(bytes: &[u8]) -> Option<Chip> {
    let commands = after(bytes, &[0xff, 0xff, 0xbd, 0xb3])?;
    let first = &commands[..commands.len().min(64)];
    Some(Chip {
        series: Series::Ecp5,
        idcode: after(first, &[0xe2, 0, 0, 0]).and_then(number),
    })
}

/// iCE40: optional comment between 0xff00 and 0x00ff, then the preamble.
fn ice40(bytes: &[u8]) -> Option<Chip> {
    let start = &bytes[..bytes.len().min(4096)];
    after(start, &[0x7e, 0xaa, 0x99, 0x7e])?;
    Some(Chip {
        series: Series::Ice40,
        idcode: None,
    })
}

/// AMD 7 series: header, synchronisation word, packets; one packet writes the IDCODE.
fn xilinx7(bytes: &[u8]) -> Option<Chip> {
    let packets = after(bytes, &[0xaa, 0x99, 0x55, 0x66])?;
    let first = &packets[..packets.len().min(1024)];
    Some(Chip {
        series: Series::Xilinx7,
        idcode: after(first, &[0x30, 0x01, 0x80, 0x01]).and_then(number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    /// Returns the start of an ecppack bitstream for a chip.
    fn lattice(idcode: u32) -> Vec<u8> {
        let mut bytes = b"\xff\x00Part: LFE5U-45F-6CABGA381\x00\xff".to_vec();
        bytes.extend([0xff, 0xff, 0xbd, 0xb3, 0xff, 0xff, 0xff, 0xff]);
        bytes.extend([0x3b, 0, 0, 0, 0xe2, 0, 0, 0]);
        bytes.extend(idcode.to_be_bytes());
        bytes
    }

    #[test]
    fn ecp5_bitstreams_name_their_chip() {
        let chip = Chip::of_bitstream(&lattice(0x4111_2043)).expect("a bitstream");
        assert_eq!(chip.to_string(), "LFE5U-45F");
        let other = Chip::of_bitstream(&lattice(0x4111_3043)).expect("a bitstream");
        assert!(!chip.suits(&other) && chip.suits(&chip));
        let unknown = Chip::of_bitstream(&lattice(0x0111_2043)).expect("a bitstream");
        assert_eq!(unknown.to_string(), "ECP5 chip 0x01112043");
    }

    #[test]
    fn ice40_bitstreams_name_their_series_only() {
        let chip = Chip::of_bitstream(b"\xff\x00a comment\x00\xff\x7e\xaa\x99\x7e\x51\x00");
        let chip = chip.expect("a bitstream");
        assert_eq!((chip.to_string().as_str(), chip.idcode), ("iCE40", None));
        assert!(!chip.suits(&Chip::of_bitstream(&lattice(0x4111_3043)).expect("a bitstream")));
    }

    #[test]
    fn revisions_of_a_chip_share_its_bitstreams() {
        let mut bytes = b"\x00\x09\x0f\xf0 a header".to_vec();
        bytes.extend([0xff, 0xff, 0xff, 0xff, 0xaa, 0x99, 0x55, 0x66]);
        bytes.extend([0x30, 0x01, 0x80, 0x01, 0x13, 0x62, 0xd0, 0x93]);
        let chip = Chip::of_bitstream(&bytes).expect("a bitstream");
        assert_eq!(chip.to_string(), "xc7a35t");
        assert_eq!(name_of(0x1363_1093), Some("xc7a100t"));
        assert_eq!(name_of(0x1234_5678), None);
    }

    #[test]
    fn other_files_are_no_bitstreams() {
        for bytes in [
            &b""[..],
            b"\0\0\0\0",
            b"{\"board\": 1}",
            b"\x7fELF",
            b"hello\n",
        ] {
            assert_eq!(Chip::of_bitstream(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn the_chip_of_every_board_is_known_unless_quartus_is_needed() {
        for board in catalogue::all().expect("all are sound") {
            let chip = Chip::of_tools(&board.tools);
            let quartus = matches!(board.tools, Tools::Quartus { .. });
            assert_eq!(chip.is_none(), quartus, "{}", board.name);
            let size = !matches!(board.tools, Tools::Ice40 { .. } | Tools::Quartus { .. });
            let idcode = chip.and_then(|chip| chip.idcode);
            assert_eq!(idcode.is_some(), size, "{}", board.name);
        }
    }
}
