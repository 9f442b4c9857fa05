//! Monitor between hosts that come and go and a device that never stops sending.
#![cfg(unix)]

mod common;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use common::events::{duoforge, interrupt, lines_of};
use common::text;
use duoforge_links::{Link, SerialLink};
use tempfile::tempdir;

/// Time limit: long enough for any machine.
const SOON: Duration = Duration::from_secs(60);

/// The printed paths are players, although the names of their links are relative.
#[test]
fn relative_names_of_pseudo_terminals_are_printed_as_absolute_paths() {
    let directory = tempdir().unwrap();
    let arguments = ["device", "--twin", "--pty", "device"];
    let mut device = duoforge(directory.path(), &arguments).spawn().unwrap();
    let printed = lines_of(device.stdout.take().unwrap());
    let path = printed.recv_timeout(SOON).unwrap();
    assert_eq!(path, text(&directory.path().join("device")));

    let arguments = ["monitor", "./device", "--pty", "monitored"];
    let mut monitor = duoforge(directory.path(), &arguments).spawn().unwrap();
    let decoded = lines_of(monitor.stdout.take().unwrap());
    let path = decoded.recv_timeout(SOON).unwrap();
    assert_eq!(path, text(&directory.path().join("monitored")));

    let arguments = ["match", &path, "pattern", "-q"];
    let played = duoforge(directory.path(), &arguments).output().unwrap();
    let err = String::from_utf8_lossy(&played.stderr);
    assert_eq!(played.status.code(), Some(0), "{err}");
    for mut child in [monitor, device] {
        interrupt(&child);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_host_receives_no_bytes_from_before_the_connection() {
    let directory = tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let device = format!("tcp:{}", listener.local_addr().unwrap());
    let path = directory.path().join("monitored");
    let arguments = ["monitor", &device, "--pty", text(&path), "--json"];
    let mut monitor = duoforge(directory.path(), &arguments).spawn().unwrap();
    let notes = lines_of(monitor.stderr.take().unwrap());
    let decoded = lines_of(monitor.stdout.take().unwrap());
    let (mut device, _) = listener.accept().unwrap();
    assert_eq!(decoded.recv_timeout(SOON).unwrap(), text(&path));

    // Without a host, the monitor decodes each byte, and notes once that it drops them.
    for _ in 0..3 {
        device.write_all(b"x").unwrap();
        let line = decoded.recv_timeout(SOON).unwrap();
        assert!(line.contains("from-board"), "{line}");
    }
    let begin = notes.recv_timeout(SOON).unwrap();
    assert!(begin.contains("Waiting there for a host"), "{begin}");
    let note = notes.recv_timeout(SOON).unwrap();
    assert!(note.contains("No host reads"), "{note}");

    let mut host = SerialLink::open(text(&path)).unwrap();
    host.send(b"0").unwrap();
    let mut prompt = [0];
    device.read_exact(&mut prompt).unwrap();
    device.write_all(b"1CH").unwrap();
    let (mut heard, until) = (Vec::new(), Instant::now() + SOON);
    while heard.len() < 3 {
        heard.extend_from_slice(host.recv(&mut [0; 16], until).unwrap().bytes);
    }
    assert_eq!((prompt, heard), (*b"0", b"1CH".to_vec()));
    interrupt(&monitor);
    assert_eq!(monitor.wait().unwrap().code(), Some(0));
    let rest: Vec<String> = notes.iter().collect();
    assert!(!rest.iter().any(|note| note.contains("No host reads")));
    let rest: Vec<String> = decoded.iter().collect();
    assert!(rest.iter().any(|line| line.contains("CH")), "{rest:?}");
}
