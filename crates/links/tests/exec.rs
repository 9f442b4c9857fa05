//! Links to real programs over their standard input and output.
#![cfg(unix)]

use std::time::{Duration, Instant};

use duoforge_links::{ExecLink, Link, LinkError, PipeLink};

/// Time limit: long enough for any machine, short enough for a failing test.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

fn shell(script: &str) -> ExecLink {
    let words = ["sh", "-c", script].map(str::to_owned);
    ExecLink::start(&words).unwrap()
}

fn take(link: &mut ExecLink, len: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < len {
        bytes.extend(link.recv(&mut [0; 64], soon()).unwrap().bytes);
    }
    bytes
}

#[test]
fn prompts_and_answers_go_through_pipes() {
    let mut link = shell("read -r _; printf 1AA; exec cat");
    link.send(b"0\n").unwrap();
    assert_eq!(take(&mut link, 3), b"1AA");
    link.send(b"3A53e0").unwrap();
    assert_eq!(take(&mut link, 6), b"3A53e0");
    assert!(link.describe().starts_with("exec:sh -c"));
}

#[test]
fn a_silent_program_is_a_timeout_and_a_program_that_ended_is_closed() {
    let mut link = shell("printf 94j; read -r _");
    assert_eq!(take(&mut link, 3), b"94j");
    let deadline = Instant::now() + Duration::from_millis(50);
    assert!(matches!(
        link.recv(&mut [0; 8], deadline),
        Err(LinkError::Timeout)
    ));
    assert!(Instant::now() >= deadline);
    link.send(b"0\n").unwrap();
    assert!(matches!(
        link.recv(&mut [0; 8], soon()),
        Err(LinkError::Closed)
    ));
}

/// The program writes more than a pipe holds and must not block.
#[test]
fn standard_error_is_drained_and_its_end_is_kept() {
    let script = "i=0; while [ $i -lt 3000 ]; do echo 'a line of some fifty letters, to fill the pipe' >&2; \
                  i=$((i+1)); done; echo last words >&2; printf 1AA; read -r _";
    let mut link = shell(script);
    assert_eq!(take(&mut link, 3), b"1AA");
    let deadline = soon();
    while !link.tail().ends_with("last words") {
        assert!(Instant::now() < deadline, "{}", link.tail());
    }
    assert!(link.tail().len() <= 2000);
}

#[test]
fn programs_that_cannot_be_started_have_typed_errors() {
    let start = |word: &str| ExecLink::start(&[word.to_owned()]).unwrap_err();
    assert!(matches!(
        start("/no/such/program"),
        LinkError::NotFound { .. }
    ));
    assert!(matches!(
        start("/etc/passwd"),
        LinkError::NoPermission { .. }
    ));
    assert!(matches!(
        ExecLink::start(&[]).unwrap_err(),
        LinkError::NotFound { .. }
    ));
}

/// The program ignores that its input is closed; it is killed nevertheless, with its descendants.
#[test]
fn nothing_is_left_of_a_program() {
    let mut link = shell("trap '' HUP TERM; sleep 600 & printf '%s\\n' $!; wait");
    let mut text = String::new();
    while !text.ends_with('\n') {
        text.push_str(std::str::from_utf8(&take(&mut link, 1)).unwrap());
    }
    let process = format!("/proc/{}/stat", text.trim());
    let running = || std::fs::read_to_string(&process).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(running());
    drop(link);
    let deadline = soon();
    while running() {
        assert!(Instant::now() < deadline, "{text} still runs");
    }
}

/// The name of a link over pipes, which its errors contain.
#[test]
fn links_over_pipes_have_names() {
    let words = ["/bin/sh", "-c", "read -r _"].map(str::to_owned);
    let link = ExecLink::start(&words).unwrap();
    assert_eq!(link.describe(), "exec:/bin/sh -c read -r _");
    assert_eq!(PipeLink::standard().unwrap().describe(), "stdio");
}
