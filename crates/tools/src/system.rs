//! Package managers of systems, for the advice on programs that no wheel contains.

use crate::find::on_path;
use crate::platform::Platform;

/// Package manager of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    /// Debian, Ubuntu and systems derived from them.
    Apt,
    /// Fedora and systems derived from it.
    Dnf,
    /// Arch Linux and systems derived from it.
    Pacman,
    /// Homebrew, on macOS or Linux.
    Brew,
}

/// Names of a program's package by package manager; `None` if the manager has no such package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    /// Package of Debian.
    pub apt: Option<&'static str>,
    /// Package of Fedora.
    pub dnf: Option<&'static str>,
    /// Package of Arch Linux.
    pub pacman: Option<&'static str>,
    /// Formula of Homebrew.
    pub brew: Option<&'static str>,
    /// Command line that installs the program on macOS without a package manager.
    pub macos: Option<&'static str>,
}

impl Names {
    /// Names of a program without a package.
    pub const NONE: Self = Self {
        apt: None,
        dnf: None,
        pacman: None,
        brew: None,
        macos: None,
    };

    /// Names of a program whose package has the same name everywhere.
    pub const fn all(name: &'static str) -> Self {
        Self {
            apt: Some(name),
            dnf: Some(name),
            pacman: Some(name),
            brew: Some(name),
            macos: None,
        }
    }

    /// Returns the name for a package manager.
    pub const fn of(&self, manager: Manager) -> Option<&'static str> {
        match manager {
            Manager::Apt => self.apt,
            Manager::Dnf => self.dnf,
            Manager::Pacman => self.pacman,
            Manager::Brew => self.brew,
        }
    }
}

impl Manager {
    /// Returns the package manager of this system, if it is a known one.
    pub fn of_system() -> Option<Self> {
        let programs = [
            (Self::Apt, "apt-get"),
            (Self::Dnf, "dnf"),
            (Self::Pacman, "pacman"),
            (Self::Brew, "brew"),
        ];
        let mut present = programs
            .iter()
            .filter(|(_, program)| on_path(program).is_some());
        present.next().map(|(manager, _)| *manager)
    }

    /// Returns the command line that installs packages.
    pub fn install(self, packages: &str) -> String {
        match self {
            Self::Apt => format!("sudo apt-get install {packages}"),
            Self::Dnf => format!("sudo dnf install {packages}"),
            Self::Pacman => format!("sudo pacman -S {packages}"),
            Self::Brew => format!("brew install {packages}"),
        }
    }
}

/// Collection of programs for FPGAs that one download contains.
const SUITE: &str = "the OSS CAD Suite (https://github.com/YosysHQ/oss-cad-suite-build)";

/// True if the OSS CAD Suite exists for a platform.
const fn has_suite(platform: Platform) -> bool {
    matches!(platform.os.as_bytes(), b"linux" | b"macos")
        && matches!(platform.arch.as_bytes(), b"x86_64" | b"aarch64")
}

/// Returns the advice to install a program that duoforge does not install: by the package manager,
/// or with the OSS CAD Suite if that contains the program.
pub fn advice(
    names: &Names,
    in_suite: bool,
    manager: Option<Manager>,
    platform: Platform,
) -> String {
    let suite = format!("put the `bin` directory of {SUITE} on PATH");
    let on_macos = names.macos.filter(|_| platform.os == "macos");
    let package = on_macos
        .map(str::to_owned)
        .or_else(|| manager.and_then(|manager| Some(manager.install(names.of(manager)?))));
    match (package, in_suite && has_suite(platform)) {
        (Some(command), true) => format!("install it, for example `{command}`, or {suite}"),
        (Some(command), false) => format!("install it, for example `{command}`"),
        (None, true) => suite,
        (None, false) => "install it by your package manager".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_the_package_of_the_system() {
        let names = Names {
            brew: Some("icarus-verilog"),
            ..Names::all("iverilog")
        };
        let text = advice(&names, true, Some(Manager::Brew), Platform::MACOS_X86_64);
        assert!(
            text.contains("`brew install icarus-verilog`, or put"),
            "{text}"
        );
        let text = advice(&names, false, Some(Manager::Apt), Platform::LINUX_AARCH64);
        assert_eq!(
            text,
            "install it, for example `sudo apt-get install iverilog`"
        );
    }

    #[test]
    fn advice_without_a_known_package_names_the_suite_where_it_exists() {
        let text = advice(
            &Names::NONE,
            true,
            Some(Manager::Apt),
            Platform::LINUX_AARCH64,
        );
        assert!(text.starts_with("put the `bin` directory of the OSS CAD Suite"));
        let other = Platform {
            os: "freebsd",
            arch: "x86_64",
        };
        let text = advice(&Names::NONE, true, None, other);
        assert_eq!(text, "install it by your package manager");
    }
}
