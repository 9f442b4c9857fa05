//! Operating system and processor that select a package.

use std::env::consts::{ARCH, OS};
use std::fmt;

/// Operating system and processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Platform {
    /// Operating system, as in [`std::env::consts::OS`].
    pub os: &'static str,
    /// Processor, as in [`std::env::consts::ARCH`].
    pub arch: &'static str,
}

impl Platform {
    /// Platform of this program.
    pub const THIS: Self = Self { os: OS, arch: ARCH };
    /// Linux on x86-64.
    pub const LINUX_X86_64: Self = Self {
        os: "linux",
        arch: "x86_64",
    };
    /// Linux on 64-bit ARM.
    pub const LINUX_AARCH64: Self = Self {
        os: "linux",
        arch: "aarch64",
    };
    /// macOS on Intel.
    pub const MACOS_X86_64: Self = Self {
        os: "macos",
        arch: "x86_64",
    };
    /// macOS on Apple silicon.
    pub const MACOS_AARCH64: Self = Self {
        os: "macos",
        arch: "aarch64",
    };
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let os = match self.os {
            "linux" => "Linux",
            "macos" => "macOS",
            other => other,
        };
        write!(f, "{os} on {}", self.arch)
    }
}
