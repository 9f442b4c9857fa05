//! Client with real processes: shell scripts that behave and misbehave.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_gtp::{Client, ClientError};

/// Ample time for a shell on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Time limit for tests that wait for a timeout.
const SHORT: Duration = Duration::from_millis(200);

/// Starts a shell script as an engine.
fn shell(script: &str) -> Client {
    let words = ["sh", "-c", script].map(str::to_owned);
    Client::start(&words).unwrap()
}

/// Starts an engine that reads commands with their ids and answers each with `body`.
fn engine(body: &str) -> Client {
    shell(&format!("while read id command rest; do {body}; done"))
}

#[test]
fn answers_belong_to_their_commands() {
    let mut echo = engine(r#"printf '\n=%s %s: %s\nsecond line\n\n\n' $id "$command" "$rest""#);
    for command in ["name", "play b e10"] {
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        let expected = format!("{word}: {rest}");
        let answer = echo.send(command, LONG).unwrap();
        assert_eq!(answer.lines().next().unwrap().trim(), expected.trim());
        assert_eq!(answer.lines().nth(1), Some("second line"));
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Client::start(&["/no/such/engine".to_owned()]).unwrap_err();
    assert!(matches!(error, ClientError::Start { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("/no/such/engine cannot be started")
    );
    assert!(matches!(Client::start(&[]), Err(ClientError::NoCommand)));
}

/// An engine that closes its output first and exits a little later has time to do so.
#[test]
fn an_engine_that_exits_slowly_leaves_its_status() {
    let mut slow = engine("exec >&-; sleep 0.3; echo 'slow end' >&2; exit 5");
    let text = slow.send("genmove b", LONG).unwrap_err().to_string();
    for part in ["exit status: 5", "slow end"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn an_engine_that_dies_leaves_its_status_and_last_words() {
    let mut dying = engine("echo 'out of memory' >&2; exit 3");
    let error = dying.send("genmove b", LONG).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, ClientError::Died { .. }), "{text}");
    for part in ["sh ended at 'genmove b'", "exit status: 3", "out of memory"] {
        assert!(text.contains(part), "{text}");
    }
    // Later commands fail in the same way.
    let again = dying.send("name", LONG).unwrap_err();
    assert!(matches!(again, ClientError::Died { .. }), "{again}");
}

#[test]
fn an_engine_that_closes_its_output_counts_as_dead() {
    let mut closed = shell("exec >&-; sleep 1000");
    let error = closed.send("name", LONG).unwrap_err();
    assert!(error.to_string().contains("its output closed"), "{error}");
}

#[test]
fn an_engine_that_is_silent_is_not_waited_for_forever() {
    let mut silent = engine("echo 'still thinking' >&2; sleep 1000");
    let error = silent.send("genmove b", SHORT).unwrap_err();
    assert!(
        matches!(error, ClientError::Timeout { limit, .. } if limit == SHORT),
        "{error}"
    );
    let text = error.to_string();
    assert!(
        text.contains("did not answer 'genmove b' within 0.2 s"),
        "{text}"
    );
}

#[test]
fn answers_to_former_commands_do_not_extend_the_wait() {
    let mut client = shell("while printf '=0\\n\\n'; do :; done");
    let error = client.send("name", SHORT).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { .. }), "{error}");
}

#[test]
fn a_late_answer_is_passed_over() {
    let mut slow = engine(r#"test $command = slow && sleep 1; printf '=%s %s\n\n' $id $command"#);
    let error = slow.send("slow", SHORT).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { .. }), "{error}");
    assert_eq!(slow.send("name", LONG).unwrap(), "name");
}

#[test]
fn a_refusal_says_what_the_engine_said() {
    let mut stubborn = engine(r#"printf '?%s unknown command\n\n' $id"#);
    let error = stubborn.send("fly", LONG).unwrap_err();
    assert!(
        matches!(&error, ClientError::Refused { message, .. } if message == "unknown command"),
        "{error}"
    );
    assert_eq!(error.to_string(), "sh refused 'fly': unknown command");
}

#[test]
fn what_is_no_answer_is_malformed() {
    for (body, expected) in [
        ("echo hello; echo", "begins neither with = nor with ?"),
        ("echo '= e10'; echo", "lacks the number 1"),
        ("echo '=9 e10'; echo", "lacks the number 1"),
        ("echo '=x'; echo", "lacks the number 1"),
    ] {
        let error = engine(body).send("name", LONG).unwrap_err();
        assert!(matches!(error, ClientError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// The engine writes more than a pipe holds, before and between responses.
#[test]
fn an_engine_may_write_much_to_its_standard_error() {
    let mut chatty = engine(
        r#"head -c 300000 /dev/zero | tr '\0' x >&2; echo >&2; echo "last of $id" >&2
           test $command = end && exit 1; printf '=%s\n\n' $id"#,
    );
    for _ in 0..3 {
        chatty.send("name", LONG).unwrap();
    }
    let error = chatty.send("end", LONG).unwrap_err().to_string();
    assert!(error.ends_with("last of 4"), "{} bytes", error.len());
    assert!(error.len() < 3000, "{} bytes", error.len());
}

/// The engine receives `quit`; its child processes end with it, whether it reads the command or
/// not.
#[test]
fn nothing_is_left_of_an_engine_that_is_dropped() {
    for answers in [true, false] {
        let directory = tempfile::tempdir().unwrap();
        let [ended, alive] = ["ended", "alive"].map(|name| directory.path().join(name));
        let ending = if answers {
            format!(
                "test $command = quit && echo {} > {} && exit",
                "bye",
                text(&ended)
            )
        } else {
            "test $command = quit && sleep 1000".to_owned()
        };
        let mut engine = shell(&format!(
            "(while true; do echo x >> {}; sleep 0.02; done) &
             while read id command rest || sleep 1000; do
               test \"$id\" = quit && command=quit
               {ending}
               printf '=%s\\n\\n' $id
             done",
            text(&alive)
        ));
        engine.send("name", LONG).unwrap();
        until(|| alive.exists());
        drop(engine);
        assert_eq!(ended.exists(), answers);
        let size = || fs::metadata(&alive).unwrap().len();
        // A write may be in progress; after this pause nothing changes.
        thread::sleep(Duration::from_millis(50));
        let before = size();
        thread::sleep(Duration::from_millis(200));
        assert_eq!(size(), before, "something still runs");
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + LONG;
    while !condition() {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(5));
    }
}
