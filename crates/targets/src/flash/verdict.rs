//! Interpretation of openFPGALoader's output.
//!
//! The messages are those of version 1.1.1 and of libftdi 1.5. The exit status alone is not enough:
//! it is 0 even if an iCE40 rejects the bitstream. Several failures print two or three lines; the
//! first match in the table decides.

/// Failure of an openFPGALoader run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoaderError {
    /// openFPGALoader cannot start: a shared library is missing.
    Broken,
    /// openFPGALoader does not know the FPGA board.
    UnknownBoard,
    /// The programmer is not connected.
    NoBoard,
    /// The programmer is connected, but the user may not access it.
    NoPermission,
    /// Another program or driver uses the programmer.
    Busy,
    /// The bitstream is for a chip other than the FPGA board's.
    OtherChip {
        /// IDCODE in the bitstream.
        bitstream: u32,
        /// IDCODE of the chip on the FPGA board.
        board: u32,
    },
    /// No chip answers the programmer, or the chip is unknown.
    NoChip,
    /// The file is not a bitstream for this chip.
    BadBitstream,
    /// The flash is write-protected.
    Protected,
    /// The data read back differs from the data written.
    VerifyFailed,
    /// Writing failed, or the chip did not start from the written bitstream.
    WriteFailed,
    /// Unrecognised failure.
    Other,
}

/// Messages with the failures that they indicate; the first match decides.
const WORDS: &[(&str, LoaderError)] = &[
    ("error while loading shared libraries", LoaderError::Broken),
    ("Library not loaded", LoaderError::Broken),
    ("cannot find board", LoaderError::UnknownBoard),
    // Messages of libftdi, for the ULX3S and all FPGA boards with an FT2232.
    ("(device not found)", LoaderError::NoBoard),
    ("No cable found", LoaderError::NoBoard),
    ("open() failed)", LoaderError::NoPermission),
    ("inappropriate permissions", LoaderError::NoPermission),
    ("LIBUSB_ERROR_ACCESS", LoaderError::NoPermission),
    ("Access denied", LoaderError::NoPermission),
    ("driver is not in use", LoaderError::Busy),
    ("LIBUSB_ERROR_BUSY", LoaderError::Busy),
    ("Resource busy", LoaderError::Busy),
    // JTAG chain.
    ("TDO is stuck", LoaderError::NoChip),
    ("Unknown device with IDCODE", LoaderError::NoChip),
    ("Error: no device found", LoaderError::NoChip),
    ("more than one FPGA found", LoaderError::NoChip),
    ("low level FTDI init failed", LoaderError::NoChip),
    ("Error: device ", LoaderError::NoChip),
    // Bitstream file.
    ("can't parse file", LoaderError::BadBitstream),
    ("incompatible file format", LoaderError::BadBitstream),
    ("BitParser: ", LoaderError::BadBitstream),
    ("FsParser: ", LoaderError::BadBitstream),
    ("preamble", LoaderError::BadBitstream),
    // Writing.
    ("block protection is set", LoaderError::Protected),
    ("Verification failed", LoaderError::VerifyFailed),
    ("flash vefication failed", LoaderError::VerifyFailed),
    ("CRC check : FAIL", LoaderError::VerifyFailed),
    ("Read ID failed", LoaderError::WriteFailed),
    ("aborting", LoaderError::WriteFailed),
    ("timeout", LoaderError::WriteFailed),
    ("flash overflow", LoaderError::WriteFailed),
    ("Failed to program FPGA", LoaderError::WriteFailed),
];

/// Returns the failure of a run, from its output and `success`, its exit status; `None` for a good
/// run.
pub fn loader_error(printed: &str, success: bool) -> Option<LoaderError> {
    if let Some(loader_error) = other_chip(printed) {
        return Some(loader_error);
    }
    if let Some(line) = printed.lines().find(|line| line.starts_with("Parse file"))
        && line.to_ascii_lowercase().contains("fail")
    {
        return Some(LoaderError::BadBitstream);
    }
    let known = WORDS.iter().find(|(words, _)| printed.contains(words));
    if let Some((_, loader_error)) = known {
        return Some(loader_error.clone());
    }
    // Steps end with `DONE` or `FAIL`, in several spellings.
    let failed = |line: &str| line.trim_end().to_ascii_lowercase().ends_with("fail");
    if printed.lines().any(failed) {
        return Some(LoaderError::WriteFailed);
    }
    (!success).then_some(LoaderError::Other)
}

/// Parses `bitstream has 0x41111043 hardware requires 0x41113043`.
fn other_chip(printed: &str) -> Option<LoaderError> {
    let (_, rest) = printed.split_once("bitstream has ")?;
    let (bitstream, rest) = rest.split_once(" hardware requires ")?;
    let number = |text: &str| {
        let word = text.split_whitespace().next()?;
        u32::from_str_radix(word.trim_start_matches("0x"), 16).ok()
    };
    Some(LoaderError::OtherChip {
        bitstream: number(bitstream)?,
        board: number(rest)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_run_is_no_error() {
        for printed in [
            "empty\nwrite to ram\nJtag frequency : requested 6000000Hz -> real 3000000Hz\nret 0\n\
             Open file: DONE\nParse file: DONE\nEnable configuration: DONE\nSRAM erase: DONE\n\
             \rLoading: [==========] 100.00%\n\nDone\nDisable configuration: DONE\n",
            "Parse file DONE\nErase SRAM DONE\nwriting verification not supported\n\
             CRC check: Success\n",
            "",
        ] {
            assert_eq!(loader_error(printed, true), None, "{printed}");
        }
    }

    /// Messages of the real program: from runs without an FPGA board where possible, else from its
    /// source.
    #[test]
    fn recorded_texts_are_understood() {
        let jtag = "JTAG init failed with: ";
        let ftdi = "unable to open ftdi device: ";
        let cases = [
            (
                format!("{ftdi}-3 (device not found)\n{jtag}unable to open ftdi device"),
                LoaderError::NoBoard,
            ),
            (
                format!("{ftdi}-3 (device not found)\nError: Failed to claim cable"),
                LoaderError::NoBoard,
            ),
            (
                format!("{ftdi}-4 (usb_open() failed)\n{jtag}unable to open ftdi device"),
                LoaderError::NoPermission,
            ),
            (
                format!("{ftdi}-4 (libusb_open() failed)\n"),
                LoaderError::NoPermission,
            ),
            (
                format!("{ftdi}-8 (inappropriate permissions on device!)\n"),
                LoaderError::NoPermission,
            ),
            (
                format!(
                    "{ftdi}-5 (unable to claim usb device. Make sure the default FTDI driver is \
                     not in use)\nError: Failed to claim cable"
                ),
                LoaderError::Busy,
            ),
            (format!("{jtag}TDO is stuck at 0"), LoaderError::NoChip),
            (
                format!("{jtag}Unknown device with IDCODE: 0x12345678 (manufacturer: 0x33c ()"),
                LoaderError::NoChip,
            ),
            ("Error: no device found".into(), LoaderError::NoChip),
            (
                "Error: device 41113043 not supported".into(),
                LoaderError::NoChip,
            ),
            (
                "Error: cannot find board 'ulx3s'".into(),
                LoaderError::UnknownBoard,
            ),
            (
                "Open file: DONE\nParse file: FAIL\nError: Failed to program FPGA: std::exception"
                    .into(),
                LoaderError::BadBitstream,
            ),
            (
                "Error: preamble not found\n\nParse file: FAIL".into(),
                LoaderError::BadBitstream,
            ),
            (
                "openFPGALoader: error while loading shared libraries: libftdi1.so.2: cannot open \
                 shared object file: No such file or directory"
                    .into(),
                LoaderError::Broken,
            ),
            (
                "unlock blocks\nError: block protection is set\n       can't unlock without \
                 --unprotect-flash\nError: Failed to program FPGA: std::exception"
                    .into(),
                LoaderError::Protected,
            ),
            (
                "Verifying write (May take time)\nFail\nVerification failed at 4096".into(),
                LoaderError::VerifyFailed,
            ),
            (
                "Loading: [=== ] 100.00%\nFail\nError: Failed to program FPGA: std::exception"
                    .into(),
                LoaderError::WriteFailed,
            ),
            (
                "Parse file DONE\nError: Failed to program FPGA: Read ID failed".into(),
                LoaderError::WriteFailed,
            ),
            ("something new".into(), LoaderError::Other),
        ];
        for (printed, expected) in cases {
            assert_eq!(loader_error(&printed, false), Some(expected), "{printed}");
        }
    }

    #[test]
    fn failures_that_end_with_zero_are_seen() {
        let cases = [
            (
                "Parse file DONE\nLoading to CRAM: Done\nWait for CDONE\nFail\n",
                LoaderError::WriteFailed,
            ),
            (
                "Erase SRAM DONE\nLoad SRAM FAIL\n",
                LoaderError::WriteFailed,
            ),
            (
                "Load SRAM DONE\nCRC check : FAIL\nRead: 0x00000000 checksum: 0x1234\n",
                LoaderError::VerifyFailed,
            ),
            (
                "Reading: [=] 10.00%\nFail\nVerification failed at 17\n",
                LoaderError::VerifyFailed,
            ),
        ];
        for (printed, expected) in cases {
            assert_eq!(loader_error(printed, true), Some(expected), "{printed}");
        }
    }

    #[test]
    fn the_numbers_of_both_chips_are_told() {
        let printed = "mismatch between target's idcode and bitstream idcode\n\tbitstream has \
                       0x41111043 hardware requires 0x41113043\nError: Failed to program FPGA";
        let expected = LoaderError::OtherChip {
            bitstream: 0x4111_1043,
            board: 0x4111_3043,
        };
        assert_eq!(loader_error(printed, false), Some(expected));
    }
}
