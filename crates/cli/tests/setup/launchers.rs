//! Launchers of programs in WebAssembly, with a stub in place of the programs.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::has_wheels;
use crate::user::User;

/// Installs the programs for `build`, and returns the mark of a compiled program in a cache.
fn installed(user: &User) -> impl Fn(&Path) -> PathBuf + use<> {
    let listing = user.setup(&["--for", "build"]);
    assert_eq!(listing.status, 0, "{}", listing.err);
    let version = listing.row("icepack")["version"].as_str().unwrap();
    let mark = format!("icepack-{version}.compiled");
    move |cache| cache.join(&mark)
}

/// Runs the launcher of a program, which prints the directory of compiled programs.
fn cache_of(user: &User, variables: &[(&str, &Path)]) -> PathBuf {
    let mut command = Command::new(user.path("tools/bin/icepack"));
    command
        .env_clear()
        .env("HOME", user.home.path())
        .env("PATH", user.path("bin"))
        .env("STUB_LOG", user.path("log"))
        .envs(variables.iter().copied());
    let out = duoforge_tools::run(&mut command).unwrap();
    PathBuf::from(out.trim_end())
}

/// Number of compilations.
fn compilations(user: &User) -> usize {
    let log = fs::read_to_string(user.path("log")).unwrap();
    log.lines().filter(|line| line.contains(".run_")).count()
}

#[test]
fn programs_are_compiled_once_into_the_directory_of_the_installation() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    let mark = installed(&user);
    let cache = user.path("tools/cache");
    for _ in 0..2 {
        assert_eq!(cache_of(&user, &[]), cache);
        assert!(mark(&cache).is_file());
        assert_eq!(compilations(&user), 1);
    }
}

#[test]
fn programs_of_another_user_are_compiled_into_the_cache_of_this_one() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    let mark = installed(&user);
    // Root may write everywhere; a file in place of the directory stops root too.
    fs::write(user.path("tools/cache"), "").unwrap();
    for _ in 0..2 {
        let home = user.path(".cache/duoforge/yowasp");
        assert_eq!(cache_of(&user, &[]), home);
        assert!(mark(&home).is_file());
        assert_eq!(compilations(&user), 1);
    }
    let other = user.path("other");
    let cache = cache_of(&user, &[("XDG_CACHE_HOME", &other)]);
    assert_eq!(cache, other.join("duoforge/yowasp"));
    assert!(mark(&cache).is_file());
}

#[test]
fn a_start_whose_mark_cannot_be_written_continues() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    let mark = installed(&user);
    let cache = user.path("tools/cache");
    fs::create_dir(&cache).unwrap();
    symlink(user.path("none/none"), mark(&cache)).unwrap();
    assert_eq!(cache_of(&user, &[]), cache);
}

#[test]
fn a_compilation_that_failed_is_repeated() {
    if !has_wheels() {
        return;
    }
    let user = User::new().with_python();
    let mark = installed(&user);
    let failed = cache_of(&user, &[("STUB_COMPILES", Path::new("1"))]);
    assert!(!mark(&failed).exists());
    let compiled = cache_of(&user, &[]);
    assert!(mark(&compiled).is_file());
    assert_eq!(compilations(&user), 2);
}
