//! Dependency of one package on another, and those of the workspace and of the table.

use std::process::Command;

use serde_json::Value;

use crate::table::ALLOWED;

/// Kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Dependency of the crate itself or of its build script.
    Normal,
    /// Dependency of tests, examples and benchmarks.
    Dev,
}

/// Dependency of one package on another.
pub struct Arrow {
    pub package: String,
    pub kind: Kind,
    pub dependency: String,
}

impl Arrow {
    pub fn new(package: &str, kind: Kind, dependency: &str) -> Self {
        Self {
            package: package.to_owned(),
            kind,
            dependency: dependency.to_owned(),
        }
    }

    /// Returns both crates if the dependency is a crate of the workspace too.
    pub fn inside(&self) -> Option<(&str, &str)> {
        Some((short(&self.package)?, short(&self.dependency)?))
    }
}

/// Returns the short name of a crate of the workspace; `None` for any other package.
pub fn short(package: &str) -> Option<&str> {
    match package {
        "duoforge" => Some("cli"),
        _ => package.strip_prefix("duoforge-"),
    }
}

/// Reads the dependencies of all packages of the workspace.
pub fn arrows_of_workspace() -> Vec<Arrow> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args("metadata --format-version 1 --offline --no-deps".split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let list = |value: &Value, key: &str| value[key].as_array().expect("a list").clone();
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let packages = list(&metadata, "packages");
    let of_package = |package: &Value| {
        let dependencies = list(package, "dependencies");
        let package = name(package);
        let arrows = dependencies.iter().map(move |dependency| {
            let kind = match dependency["kind"].as_str() {
                Some("dev") => Kind::Dev,
                _ => Kind::Normal,
            };
            Arrow::new(&package, kind, &name(dependency))
        });
        arrows.collect::<Vec<_>>()
    };
    packages.iter().flat_map(of_package).collect()
}

/// Returns all arrows of the table.
pub fn arrows_of_table() -> Vec<Arrow> {
    let full = |short: &str| match short {
        "cli" => "duoforge".to_owned(),
        _ => format!("duoforge-{short}"),
    };
    let of_crate = |&(from, to): &(&str, &str)| {
        let arrows = to
            .split_whitespace()
            .map(|to| Arrow::new(&full(from), Kind::Normal, &full(to)));
        arrows.collect::<Vec<_>>()
    };
    ALLOWED.iter().flat_map(of_crate).collect()
}
