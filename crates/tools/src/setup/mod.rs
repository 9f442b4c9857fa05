//! Installation of programs without root.
//!
//! Layout of the directory: `bin/` holds one launcher per tool, `python/` a virtual environment
//! with the tools from Python packages, `cache/` the compiled programs in WebAssembly. Each unpacked
//! package of the distribution has a separate directory. Launchers locate their tool relative to
//! themselves and set its environment, so the caller need not know how a tool was installed.
//!
//! Every package is installed separately, so that a package without a wheel loses only its own
//! tools. Where everything is present, nothing uses the network.

mod apt;
mod cause;
mod error;
mod launcher;
mod python;

use std::fs::{self, File};
use std::path::PathBuf;

use crate::catalogue::{IVERILOG, OPENFPGALOADER, SOCAT, Tool, VVP};
use crate::find::Place;
use crate::packages::Package;
use crate::platform::Platform;
use crate::run::ToolError;

pub use error::SetupError;
use error::io;
use python::Environment;

/// System libraries that openFPGALoader needs.
const LOADER_LIBRARIES: [&str; 3] = ["libusb-1.0-0", "libftdi1-2", "libhidapi-hidraw0"];

/// Treatment of programs that duoforge did not install.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// A program on `PATH` is used if its version suits.
    Suitable,
    /// The pinned version is installed where it exists for this platform.
    Pinned,
}

/// Installation of programs into a directory.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Directory of the installed programs.
    pub directory: PathBuf,
    /// Treatment of other programs.
    pub policy: Policy,
}

/// State of a program after the installation.
#[derive(Debug)]
pub struct Status {
    /// Program.
    pub tool: Tool,
    /// Location and version; the fault and the next action if the program cannot be used.
    pub found: Result<(Place, String), Fault>,
}

/// Program that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Observation.
    pub reason: String,
    /// Next action, without a full stop.
    pub help: String,
}

/// Message of an installation in progress.
#[derive(Debug)]
pub enum Event<'a> {
    /// Installation of these packages begins.
    Installing(&'a str),
    /// An installation failed. The program may still be present by other means.
    Warning(&'a SetupError),
}

impl Setup {
    /// Installs the programs that are missing, and returns the state of each. A failed installation
    /// is only a message: the state decides.
    pub fn run(&self, tools: &[Tool], report: &mut dyn FnMut(Event<'_>)) -> Vec<Status> {
        if tools.iter().any(|tool| !self.is_present(tool))
            && let Err(error) = self.install(tools, report)
        {
            report(Event::Warning(&error));
        }
        // Another run would not install what is still missing.
        let status = |tool| self.status(tool, Tool::advice);
        tools.iter().map(status).collect()
    }

    /// Returns the state of each program without an installation.
    pub fn check(&self, tools: &[Tool]) -> Vec<Status> {
        let status = |tool| self.status(tool, Tool::hint);
        tools.iter().map(status).collect()
    }

    fn install(&self, tools: &[Tool], report: &mut dyn FnMut(Event<'_>)) -> Result<(), SetupError> {
        fs::create_dir_all(&self.directory).map_err(io("creating", &self.directory))?;
        // Held until the end: a second installation waits, and then finds the programs.
        let path = self.directory.join(".lock");
        let lock = File::create(&path).map_err(io("creating", &path))?;
        lock.lock().map_err(io("locking", &path))?;
        self.install_packages(tools, report);
        let [icarus, socat] = [&[IVERILOG, VVP][..], &[SOCAT]];
        if self.wants(tools, icarus) {
            let unpacked = self.unpack("iverilog", &["iverilog"], report);
            self.finish(unpacked, icarus, report);
        }
        if self.wants(tools, socat) {
            // Few systems have the second package.
            let unpacked = self.unpack("socat", &["socat", "libwrap0"], report);
            self.finish(unpacked, socat, report);
        }
        if tools.contains(&OPENFPGALOADER) && self.lacks_libraries() {
            let unpacked = self.unpack("loader", &LOADER_LIBRARIES, report);
            self.finish(unpacked, &[], report);
        }
        Ok(())
    }

    /// Installs the Python packages of the programs that are not present, one by one.
    fn install_packages(&self, tools: &[Tool], report: &mut dyn FnMut(Event<'_>)) {
        let mut environment = Environment::open(&self.directory);
        let mut failed = Vec::new();
        for tool in tools {
            // Without a wheel for this platform, the state of the program names the remedy.
            let Some(packages) = tool.packages(Platform::THIS) else {
                continue;
            };
            if self.is_present(tool) {
                continue;
            }
            let mut complete = true;
            for package in packages {
                if environment.has(package) {
                    continue;
                }
                complete = false;
                if failed.contains(&package.name) {
                    break;
                }
                report(Event::Installing(&format!(
                    "{} {}",
                    package.name, package.version
                )));
                if let Err(error) = environment.install(package) {
                    failed.push(package.name);
                    report(Event::Warning(&error));
                    break;
                }
                complete = true;
            }
            if complete {
                self.finish(Ok(()), &[*tool], report);
            }
        }
    }

    fn unpack(
        &self,
        directory: &str,
        packages: &[&str],
        report: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), SetupError> {
        if self.directory.join(directory).is_dir() {
            return Ok(());
        }
        let programs = apt::programs(packages)?;
        report(Event::Installing(&packages.join(", ")));
        apt::unpack(&programs, &self.directory, directory, packages)
    }

    /// Writes the launchers of tools that are installed, or reports the failure.
    fn finish(
        &self,
        installed: Result<(), SetupError>,
        tools: &[Tool],
        report: &mut dyn FnMut(Event<'_>),
    ) {
        let written = installed.and_then(|()| tools.iter().try_for_each(|tool| self.launch(tool)));
        if let Err(error) = written {
            report(Event::Warning(&error));
        }
    }

    fn launch(&self, tool: &Tool) -> Result<(), SetupError> {
        launcher::write(&self.directory, tool.name)
    }

    /// True if the wanted tools contain one of a group that is not present.
    fn wants(&self, tools: &[Tool], group: &[Tool]) -> bool {
        let mut wanted = group.iter().filter(|tool| tools.contains(tool));
        wanted.any(|tool| !self.is_present(tool))
    }

    /// True if openFPGALoader is installed and does not start.
    fn lacks_libraries(&self) -> bool {
        let Ok(place @ Place::Installed(_)) = OPENFPGALOADER.place() else {
            return false;
        };
        OPENFPGALOADER.version_at(&place).is_err()
    }

    /// True if nothing has to be installed for a tool.
    fn is_present(&self, tool: &Tool) -> bool {
        let installable = tool.packages(Platform::THIS).is_some();
        match tool.place() {
            // Nothing that is installed replaces what the variable names.
            Err(ToolError::Named { .. }) => true,
            Err(_) => false,
            Ok(Place::Variable(_)) => true,
            Ok(place @ Place::System(_)) if installable => {
                let version = || tool.version_at(&place);
                self.policy == Policy::Suitable
                    && version().is_ok_and(|version| tool.suits(&version))
            }
            Ok(Place::System(_)) => true,
            Ok(ref place @ Place::Installed(ref launcher)) => {
                if tool.version.is_some() && tool.version_at(place).is_err() {
                    return false;
                }
                // A launcher of another directory has priority over those of this one, so a second
                // installation would change nothing.
                if !launcher.starts_with(&self.directory) {
                    return tool.package.is_none() || tool.installed_version(launcher).is_some();
                }
                let needs = tool.python_package().map(Package::with_needs);
                let mut needs = needs.into_iter().flatten();
                needs.all(|package| package.is_installed(&self.directory))
                    && launcher::is_current(&self.directory, tool.name)
            }
        }
    }

    /// Returns the state of a program, with the given help if it cannot be used.
    fn status(&self, tool: &Tool, help: fn(&Tool) -> String) -> Status {
        let place = tool.place();
        let named = matches!(place, Ok(Place::Variable(_)) | Err(ToolError::Named { .. }));
        let fault = |reason: String| Fault {
            reason,
            help: match named {
                true => tool.correction(),
                false => help(tool),
            },
        };
        let found = match place {
            Err(ToolError::Named { value, .. }) => {
                let value = value.display();
                let reason = format!("{} names '{value}', which is not a file", tool.variable);
                Err(fault(reason))
            }
            Err(_) => Err(fault("not found".into())),
            Ok(place) => self
                .version(tool, &place)
                .map_err(fault)
                .map(|v| (place, v)),
        };
        Status { tool: *tool, found }
    }

    /// Returns the version of a program, or its fault.
    fn version(&self, tool: &Tool, place: &Place) -> Result<String, String> {
        let at = place.program().display();
        if let (Place::Installed(launcher), Some(package)) = (place, tool.package) {
            let version = tool.installed_version(launcher);
            let version = version.ok_or_else(|| format!("{at} lacks the package {package}"))?;
            if tool.version.is_none() {
                return Ok(version);
            }
        }
        let version = tool
            .version_at(place)
            .map_err(|error| format!("{at} does not start: {}", error.first_line()))?;
        match tool.minimum {
            Some(minimum) if !tool.suits(&version) => Err(format!(
                "{version} ({at}) is too old: expected at least {minimum}"
            )),
            _ => Ok(version),
        }
    }
}

impl Tool {
    /// Returns the next action if the program that the variable names cannot be used, which has
    /// priority over every installed one.
    pub fn correction(&self) -> String {
        format!("correct or unset {}", self.variable)
    }
}
