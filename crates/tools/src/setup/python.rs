//! Virtual environment of the pinned Python packages.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{SetupError, io};
use crate::packages::Package;
use crate::python::{command, host};
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
            source,
        });
        // A left file would do no harm.
        let _ = fs::remove_file(&requirement);
        self.locate();
        installed.map(drop)
    }

    /// Creates the environment unless it runs, and returns a pip for it.
    fn prepare(&mut self) -> Result<Pip, SetupError> {
        let has_pip = |python: &Path| run(command(python).args(["-m", "pip", "--version"])).is_ok();
        if self.packages.is_some() && has_pip(&self.python()) {
            return Ok(Pip::Own);
        }
        let host = host().ok_or(SetupError::NoPython)?;
        if self.packages.is_some() && has_pip(&host) {
            return Ok(Pip::Of(host));
        }
        let create = |options: &[&str]| {
            let mut command = command(&host);
            command.args(["-m", "venv", "--clear"]).args(options);
            run(command.arg(&self.directory))
        };
        let pip = match create(&[]) {
            Ok(_) => Pip::Own,
            // Debian's Python without python3-venv creates environments without pip only.
            Err(source) => match has_pip(&host) {
                true => create(&["--without-pip"])
                    .map(|_| Pip::Of(host.clone()))
                    .map_err(|source| SetupError::NoPip { source })?,
                false => return Err(SetupError::NoPip { source }),
            },
        };
        self.locate();
        Ok(pip)
    }
}

impl ToolError {
    /// Returns the line of a failure that names the cause: the last error of the output, or its
    /// first line.
    pub fn first_line(&self) -> String {
        let Self::Failed { output, status, .. } = self else {
            return self.to_string();
        };
        let lines = || {
            output
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
        };
        let error = |line: &&str| line.starts_with("ERROR:") || line.starts_with("E:");
        match lines().rfind(error).or_else(|| lines().next()) {
            Some(line) => line.to_owned(),
            None => status.to_string(),
        }
    }
}
