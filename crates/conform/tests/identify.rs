//! Identification of devices: the twin, and shell scripts behind pipes.
#![cfg(unix)]

use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_conform::{IdentifyError, Identity, identify};
use duoforge_links::{ExecLink, InProcessLink, TcpLink};
use duoforge_protocol::{BuildId, TeamCode};
use duoforge_twin::{Policy, Twin};

fn team(letters: &[u8; 2]) -> TeamCode {
    TeamCode::new(*letters).unwrap()
}

/// Identifies a shell script.
fn script(script: &str) -> Result<Identity, IdentifyError> {
    let words = ["/bin/sh", "-c", script].map(str::to_owned);
    identify(&mut ExecLink::start(&words).unwrap())
}

#[test]
fn a_device_of_this_project_reports_its_team_code_and_its_build_id() {
    let twin = Twin::new(team(b"TW"), Policy::default()).with_build(BuildId(0x1234_abcd));
    let identity = identify(&mut InProcessLink::new(twin, "twin")).unwrap();
    let right = Identity {
        team: team(b"TW"),
        build: Some(BuildId(0x1234_abcd)),
    };
    assert_eq!(identity, right);
}

#[test]
fn a_device_without_a_build_id_has_a_team_code() {
    let identity = script("head -c 1 >/dev/null; printf 1AB; cat >/dev/null").unwrap();
    let right = Identity {
        team: team(b"AB"),
        build: None,
    };
    assert_eq!(identity, right);
}

#[test]
fn a_device_without_a_team_code_is_not_identified() {
    let garbled = script("head -c 1 >/dev/null; printf 2AB; cat >/dev/null");
    assert!(
        matches!(garbled, Err(IdentifyError::Garbled(_))),
        "{garbled:?}"
    );
    let silent = script("cat >/dev/null");
    assert!(matches!(silent, Err(IdentifyError::Silent)), "{silent:?}");
    let gone = script("exit 3");
    assert!(matches!(gone, Err(IdentifyError::Link(_))), "{gone:?}");
}

/// A flood of line ends counts as silence.
#[test]
fn a_device_that_floods_line_ends_is_not_identified() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The thread ends when the host closes the connection.
        while stream.write_all(&[b'\n'; 1000]).is_ok() {}
    });
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut link = TcpLink::connect(&address, deadline).unwrap();
    let silent = identify(&mut link);
    assert!(matches!(silent, Err(IdentifyError::Silent)), "{silent:?}");
}
