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
    let error = link.recv(&mut [0; 8], soon()).unwrap_err();
    assert!(error.is_gone());
    assert_eq!(error.to_string(), "the program ended with exit status 0");
}

/// Returns the error at the end of the program's output.
fn end(link: &mut ExecLink) -> LinkError {
    loop {
        if let Err(error) = link.recv(&mut [0; 64], soon()) {
            return error;
        }
    }
}

#[test]
fn exit_status_and_last_words_are_in_the_error() {
    let mut link = shell("printf 1AA; echo out of memory >&2; exit 3");
    assert_eq!(take(&mut link, 3), b"1AA");
    let text = "the program ended with exit status 3; its last lines on standard error:\n\
                out of memory";
    let error = end(&mut link);
    let LinkError::Ended { status, tail } = &error else {
        panic!("{error:?}");
    };
    let code = status.and_then(|status| status.code());
    assert_eq!((code, tail.as_str()), (Some(3), "out of memory"));
    // Every later call fails in the same way.
    assert_eq!(end(&mut link).to_string(), text);
    assert_eq!(link.send(b"0").unwrap_err().to_string(), text);
    assert_eq!(link.drain().unwrap_err().to_string(), text);
    assert_eq!(link.status().as_deref(), Some("exit status: 3"));
}

#[test]
fn the_signal_of_a_killed_program_is_in_the_error() {
    let mut link = shell("echo help >&2; kill -TERM $$; sleep 600");
    let text =
        "the program ended with signal 15 (SIGTERM); its last lines on standard error:\nhelp";
    assert_eq!(end(&mut link).to_string(), text);
}

#[test]
fn the_traceback_of_a_python_program_is_in_the_error() {
    let script = "import sys\nsys.stdin.read(1)\nraise ValueError('no move')";
    let words = ["python3", "-c", script].map(str::to_owned);
    let mut link = ExecLink::start(&words).unwrap();
    link.send(b"0").unwrap();
    let error = end(&mut link).to_string();
    let begin = "the program ended with exit status 1; its last lines on standard error:\n\
                 Traceback";
    assert!(error.starts_with(begin), "{error}");
    assert!(error.ends_with("\nValueError: no move"), "{error}");
}

/// The program exits before the host sends. What it sent before can still be received.
#[test]
fn a_send_to_a_program_that_ended_has_its_status() {
    let mut link = shell("printf 1AA; exit 4");
    while link.status().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let text = "the program ended with exit status 4";
    assert_eq!(link.send(b"0").unwrap_err().to_string(), text);
    assert_eq!(take(&mut link, 3), b"1AA");
    assert_eq!(end(&mut link).to_string(), text);
}

#[test]
fn a_program_that_only_closes_its_output_is_killed() {
    let mut link = shell("exec >&-; echo still here >&2; sleep 600");
    let error = end(&mut link);
    assert!(
        matches!(error, LinkError::Ended { status: None, .. }),
        "{error:?}"
    );
    let text = "the program closed its standard input or output, and was killed; its last lines \
                on standard error:\nstill here";
    assert_eq!(error.to_string(), text);
}

/// The program closes its output first and exits at the end of its input.
#[test]
fn a_program_that_ends_with_its_input_leaves_its_status() {
    let mut link = shell("exec >&-; read -r _; exit 5");
    let error = end(&mut link).to_string();
    assert_eq!(error, "the program ended with exit status 5");
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
