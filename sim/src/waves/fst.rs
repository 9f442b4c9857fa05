//! Conversion of waveforms from VCD to FST.
//!
//! Every simulator writes VCD. Verilator's own FST writer needs C headers (lz4, zlib) that many
//! machines lack, and the Rust back end has none; so one converter serves all of them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError, open_fst,
};
use vcd::{Command, Header, IdCode, Parser, ScopeItem, TimescaleUnit, Value, Var, VarType};

use crate::error::{Result, SimError};

/// Size in bytes of buffered changes at which they are written.
const FLUSH: usize = 32 << 20;

/// Signals by their identifier in VCD, with their width in bits; width 0 is a real number.
type Signals = HashMap<IdCode, (FstSignalId, usize)>;

/// Converts a waveform from VCD to FST.
///
/// # Errors
/// [`SimError::Io`] if a file cannot be read, parsed or written.
pub fn convert(vcd: &Path, fst: &Path) -> Result<()> {
    let file = File::open(vcd).map_err(SimError::io("opening", vcd))?;
    let mut changes = Parser::new(BufReader::new(file));
    let reading = |error| SimError::io("reading", vcd)(error);
    let writing = |error| SimError::io("writing", fst)(io_error(error));
    let header = changes.parse_header().map_err(reading)?;
    // The header of an FST file names the first time.
    let mut first = None;
    for command in changes.by_ref() {
        if let Command::Timestamp(time) = command.map_err(reading)? {
            first = Some(time);
            break;
        }
    }
    let (mut body, signals) = begin(fst, &header, first.unwrap_or(0)).map_err(writing)?;
    let mut now = first.unwrap_or(0);
    body.time_change(now).map_err(writing)?;
    for command in changes {
        let (id, value) = match command.map_err(reading)? {
            Command::Timestamp(time) => {
                // A simulator may repeat a time; FST has each time once.
                if time > now {
                    if body.size() >= FLUSH {
                        body.flush().map_err(writing)?;
                    }
                    body.time_change(time).map_err(writing)?;
                    now = time;
                }
                continue;
            }
            Command::ChangeScalar(id, value) => (id, vec![digit(value)]),
            Command::ChangeVector(id, values) => (id, values.iter().map(digit).collect()),
            Command::ChangeReal(id, value) => (id, value.to_le_bytes().to_vec()),
            _ => continue,
        };
        if let Some(&(signal, width)) = signals.get(&id) {
            let value = extended(value, width);
            body.signal_change(signal, &value).map_err(writing)?;
        }
    }
    body.finish().map_err(writing)?;
    Ok(())
}

/// Writes the header: all scopes and signals.
fn begin(
    fst: &Path,
    header: &Header,
    start_time: u64,
) -> std::result::Result<(FstBodyWriter<BufWriter<File>>, Signals), FstWriteError> {
    let info = FstInfo {
        start_time,
        timescale_exponent: exponent(header.timescale),
        version: concat!("duoforge ", env!("CARGO_PKG_VERSION")).to_owned(),
        // Two runs write the same file.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut out = open_fst(fst, &info)?;
    let mut signals = Signals::new();
    items(&mut out, &header.items, &mut signals)?;
    Ok((out.finish()?, signals))
}

fn items(
    out: &mut FstHeaderWriter<BufWriter<File>>,
    list: &[ScopeItem],
    signals: &mut Signals,
) -> std::result::Result<(), FstWriteError> {
    for item in list {
        match item {
            ScopeItem::Scope(scope) => {
                out.scope(&scope.identifier, "", FstScopeType::Module)?;
                items(out, &scope.items, signals)?;
                out.up_scope()?;
            }
            ScopeItem::Var(var) => variable(out, var, signals)?,
            // FST headers carry no comments.
            _ => {}
        }
    }
    Ok(())
}

fn variable(
    out: &mut FstHeaderWriter<BufWriter<File>>,
    var: &Var,
    signals: &mut Signals,
) -> std::result::Result<(), FstWriteError> {
    let real = var.var_type == VarType::Real;
    let (signal, kind) = match real {
        true => (FstSignalType::real(), FstVarType::Real),
        false => (FstSignalType::bit_vec(var.size), kind(var.var_type)),
    };
    let name = match &var.index {
        Some(index) => format!("{} {index}", var.reference),
        None => var.reference.clone(),
    };
    let alias = signals.get(&var.code).map(|&(signal, _)| signal);
    let direction = FstVarDirection::Implicit;
    let id = out.var(name, signal, kind, direction, alias)?;
    let width = if real { 0 } else { var.size as usize };
    signals.insert(var.code, (id, width));
    Ok(())
}

/// Returns the kind of a variable; all others are shown as wires.
fn kind(of: VarType) -> FstVarType {
    match of {
        VarType::Reg => FstVarType::Reg,
        VarType::Integer => FstVarType::Integer,
        VarType::Parameter => FstVarType::Parameter,
        _ => FstVarType::Wire,
    }
}

/// Returns the exponent of the time unit in seconds.
fn exponent(timescale: Option<(u32, TimescaleUnit)>) -> i8 {
    let (number, unit) = timescale.unwrap_or((1, TimescaleUnit::NS));
    let unit = match unit {
        TimescaleUnit::S => 0,
        TimescaleUnit::MS => -3,
        TimescaleUnit::US => -6,
        TimescaleUnit::NS => -9,
        TimescaleUnit::PS => -12,
        TimescaleUnit::FS => -15,
    };
    // The number is 1, 10 or 100.
    unit + number.checked_ilog10().unwrap_or(0) as i8
}

fn digit(value: Value) -> u8 {
    match value {
        Value::V0 => b'0',
        Value::V1 => b'1',
        Value::X => b'x',
        Value::Z => b'z',
    }
}

/// Extends a value to its width as IEEE 1364 defines: by x or z if that is the first digit, else
/// by 0.
fn extended(value: Vec<u8>, width: usize) -> Vec<u8> {
    if width == 0 || value.len() == width {
        return value;
    }
    let fill = match value.first() {
        Some(&unknown @ (b'x' | b'z')) => unknown,
        _ => b'0',
    };
    let missing = width.saturating_sub(value.len());
    let mut all = vec![fill; missing];
    all.extend(&value[value.len().saturating_sub(width)..]);
    all
}

fn io_error(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_vectors_are_extended_by_their_first_digit() {
        for (value, width, expected) in [
            ("101", 3, "101"),
            ("101", 5, "00101"),
            ("x1", 4, "xxx1"),
            ("z", 2, "zz"),
            ("1", 0, "1"),
        ] {
            let extended = extended(value.into(), width);
            assert_eq!(extended, expected.as_bytes(), "{value} in {width} bits");
        }
    }

    #[test]
    fn the_unit_of_time_is_a_power_of_ten() {
        assert_eq!(exponent(Some((1, TimescaleUnit::NS))), -9);
        assert_eq!(exponent(Some((100, TimescaleUnit::PS))), -10);
        assert_eq!(exponent(None), -9);
    }
}
