//! Virtual environment of the pinned Python packages.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{SetupError, io};
use crate::packages::Package;
use crate::python::{self, command, host};
use crate::run::{ToolError, run};

/// Virtual environment in the directory of installed programs. It is created for the first package.
#[derive(Debug)]
pub(super) struct Environment {
    directory: PathBuf,
    /// Directory of its packages; `None` if the environment does not exist or does not run.
    packages: Option<PathBuf>,
    pip: Option<Pip>,
}

/// Ways to run pip for the environment.
#[derive(Debug)]
enum Pip {
    /// pip of the environment.
    Own,
    /// pip of another Python.
    Of(PathBuf),
}

impl Environment {
    /// Opens the environment below the directory of installed programs.
    pub(super) fn open(tools: &Path) -> Self {
        let mut environment = Self {
            directory: tools.join("python"),
            packages: None,
            pip: None,
        };
        environment.locate();
        environment
    }

    fn python(&self) -> PathBuf {
        self.directory.join("bin/python3")
    }

    /// Asks the environment for the directory of its packages. After an update of the system's
    /// Python, the environment may run and search another directory than before.
    fn locate(&mut self) {
        let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
        self.packages = self
            .python()
            .is_file()
            .then(|| run(command(&self.python()).args(["-c", script])).ok())
            .flatten()
            .map(|path| PathBuf::from(path.trim()))
            .filter(|path| path.is_dir());
    }

    /// True if a package is installed in its pinned version.
    pub(super) fn has(&self, package: &Package) -> bool {
        let packages = self.packages.as_ref();
        packages.is_some_and(|packages| package.is_in(packages))
    }

    /// Installs a package in its pinned version.
    ///
    /// # Errors
    /// [`SetupError`] without Python or pip, and if pip fails.
    pub(super) fn install(&mut self, package: &Package) -> Result<(), SetupError> {
        if self.pip.is_none() {
            self.pip = Some(self.prepare()?);
        }
        let requirement = self.directory.join("requirement.txt");
        fs::write(&requirement, package.requirement()).map_err(io("writing", &requirement))?;
        let mut command = match &self.pip {
            Some(Pip::Of(python)) => {
                let mut command = command(python);
                command.args(["-m", "pip", "--python"]).arg(self.python());
                command
            }
            _ => {
                let mut command = command(&self.python());
                command.args(["-m", "pip"]);
                command
            }
        };
        command
            .args(["install", "--quiet", "--no-input"])
            .args(["--disable-pip-version-check", "--no-deps"])
            .args(["--require-hashes", "--only-binary", ":all:"])
            .arg("--requirement")
            .arg(&requirement);
        let installed = run(&mut command).map_err(|source| SetupError::Package {
            package: package.name,
            source: Box::new(source),
        });
        // A left file would do no harm.
        let _ = fs::remove_file(&requirement);
        self.locate();
        installed.map(drop)
    }

    /// Returns a pip for the environment, which is created unless it runs.
    fn prepare(&mut self) -> Result<Pip, SetupError> {
        let own = || run(command(&self.python()).args(["-m", "pip", "--version"])).is_ok();
        if self.packages.is_some() && own() {
            return Ok(Pip::Own);
        }
        let host = host().ok_or_else(|| SetupError::NoPython {
            advice: python::advice(),
        })?;
        if self.packages.is_some() && self.accepts(&host) {
            return Ok(Pip::Of(host));
        }
        let source = match self.create(&host, &[]) {
            Ok(()) => return Ok(Pip::Own),
            Err(source) => source,
        };
        if !is_without_pip(&source) {
            return Err(environment(source));
        }
        // Debian's Python without python3-venv creates environments without pip only.
        self.create(&host, &["--without-pip"])
            .map_err(environment)?;
        if self.accepts(&host) {
            return Ok(Pip::Of(host));
        }
        Err(SetupError::NoPip {
            advice: python::pip_advice(),
            source: Box::new(source),
        })
    }

    /// True if the pip of another Python can install into the environment, which pip before 22.3
    /// cannot.
    fn accepts(&self, host: &Path) -> bool {
        let mut command = command(host);
        command.args(["-m", "pip", "--python"]).arg(self.python());
        run(command.arg("--version")).is_ok()
    }

    /// Creates the environment. One that runs keeps its packages.
    fn create(&mut self, host: &Path, options: &[&str]) -> Result<(), ToolError> {
        let mut command = command(host);
        command.args(["-m", "venv"]).args(options);
        if self.packages.is_none() {
            command.arg("--clear");
        }
        let created = run(command.arg(&self.directory));
        self.locate();
        created.map(drop)
    }
}

fn environment(source: ToolError) -> SetupError {
    SetupError::Environment {
        source: Box::new(source),
    }
}

/// True if a virtual environment could not be created for lack of pip.
fn is_without_pip(error: &ToolError) -> bool {
    matches!(error, ToolError::Failed { output, .. } if output.contains("ensurepip"))
}
