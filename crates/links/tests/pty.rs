//! Serial links over real pseudo-terminals.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, LinkSpec, PtyLink, SEND_LIMIT, SerialLink};
use tempfile::tempdir;

/// Time limit: long enough for any machine, short enough for a failing test.
const SOON: Duration = Duration::from_secs(5);

fn within(limit: Duration) -> Instant {
    Instant::now() + limit
}

fn serial(pty: &PtyLink) -> SerialLink {
    SerialLink::open(pty.path().to_str().unwrap()).unwrap()
}

/// Receives until `len` bytes have arrived.
fn take(link: &mut dyn Link, len: usize) -> Vec<u8> {
    let deadline = within(SOON);
    let mut bytes = Vec::new();
    while bytes.len() < len {
        bytes.extend(link.recv(&mut [0; 64], deadline).unwrap().bytes);
    }
    bytes
}

fn timeout(link: &mut dyn Link, limit: Duration) -> Duration {
    let begin = Instant::now();
    let error = link.recv(&mut [0; 8], begin + limit).unwrap_err();
    assert!(matches!(error, LinkError::Timeout), "{error:?}");
    begin.elapsed()
}

#[test]
fn prompts_and_answers_make_the_round_trip() {
    let mut board = PtyLink::open().unwrap();
    let mut host = serial(&board);
    let begin = Instant::now();
    let sent = host.send(b"3A53e0").unwrap();
    assert_eq!(take(&mut board, 6), b"3A53e0");
    board.send(b"a8e0\r\n").unwrap();
    let mut buf = [0; 64];
    let received = host.recv(&mut buf, within(SOON)).unwrap();
    assert!(begin <= sent.at && sent.at <= received.at && received.at <= Instant::now());
    assert_eq!(received.since(&sent), received.at - sent.at);
    assert!(host.describe().starts_with("serial:/dev/"));
    assert_eq!(board.describe(), format!("pty:{}", host.path()));
}

#[test]
fn every_byte_passes_unchanged_both_ways() {
    let all: Vec<u8> = (0..=255).collect();
    let mut board = PtyLink::open().unwrap();
    let mut host = serial(&board);
    host.send(&all).unwrap();
    assert_eq!(take(&mut board, 256), all);
    board.send(&all).unwrap();
    assert_eq!(take(&mut host, 256), all);
}

#[test]
fn silence_is_a_timeout_at_the_deadline() {
    let mut board = PtyLink::open().unwrap();
    let limit = Duration::from_millis(120);
    // The cases: no peer, a silent peer, and the peer's end.
    let alone = timeout(&mut board, limit);
    let mut host = serial(&board);
    for waited in [alone, timeout(&mut board, limit), timeout(&mut host, limit)] {
        assert!(waited >= limit && waited < limit + SOON, "{waited:?}");
    }
}

#[test]
fn bytes_that_are_there_beat_a_deadline_that_has_passed() {
    let mut board = PtyLink::open().unwrap();
    let mut host = serial(&board);
    let past = Instant::now();
    assert!(matches!(
        host.recv(&mut [0; 8], past),
        Err(LinkError::Timeout)
    ));
    assert!(matches!(
        board.recv(&mut [0; 8], past),
        Err(LinkError::Timeout)
    ));
    board.send(b"1AA").unwrap();
    host.send(b"25").unwrap();
    // The terminal forwards bytes in the background.
    thread::sleep(Duration::from_millis(100));
    assert_eq!(host.recv(&mut [0; 8], past).unwrap().bytes, b"1AA");
    assert_eq!(board.recv(&mut [0; 8], past).unwrap().bytes, b"25");
}

#[test]
fn stale_bytes_can_be_drained() {
    let mut board = PtyLink::open().unwrap();
    let mut host = serial(&board);
    drained(&mut host, &mut board);
    drained(&mut &mut host, &mut board);
    let mut boxed: Box<dyn Link> = Box::new(host);
    drained(&mut boxed, &mut board);
}

fn drained<L: Link>(host: &mut L, board: &mut PtyLink) {
    assert_eq!(
        host.describe(),
        format!("serial:{}", board.path().display())
    );
    assert_eq!(host.drain().unwrap(), b"");
    board.send(b"late").unwrap();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(host.drain().unwrap(), b"late");
    assert_eq!(host.drain().unwrap(), b"");
}

#[test]
fn a_vanished_board_closes_the_line() {
    let mut board = PtyLink::open().unwrap();
    let mut host = serial(&board);
    board.send(b"1AA").unwrap();
    assert_eq!(take(&mut host, 3), b"1AA");
    let waiting = thread::spawn(move || {
        let error = host.recv(&mut [0; 8], within(SOON)).unwrap_err();
        (host, error)
    });
    thread::sleep(Duration::from_millis(50));
    drop(board);
    let (mut host, error) = waiting.join().unwrap();
    assert!(matches!(error, LinkError::Closed), "{error:?}");
    assert!(matches!(host.send(b"9"), Err(LinkError::Closed)));
    assert!(matches!(host.drain(), Err(LinkError::Closed)));
}

#[test]
fn a_board_outlives_its_hosts() {
    let mut board = PtyLink::open().unwrap();
    for game in 0..3 {
        let no_peer = board.wait_peer(Instant::now());
        assert!(
            matches!(no_peer, Err(LinkError::Timeout)),
            "game {game}: {no_peer:?}"
        );
        let mut host = serial(&board);
        board.wait_peer(within(SOON)).unwrap();
        board.send(b"1AA").unwrap();
        assert_eq!(take(&mut host, 3), b"1AA");
        host.send(b"9").unwrap();
        drop(host);
        // The bytes of the host come first, then its disconnection, once.
        assert_eq!(take(&mut board, 1), b"9");
        let gone = board.recv(&mut [0; 8], within(SOON)).unwrap_err();
        assert!(matches!(gone, LinkError::Closed), "game {game}: {gone:?}");
        timeout(&mut board, Duration::from_millis(20));
    }
    let mut host = serial(&board);
    host.send(b"0").unwrap();
    assert_eq!(take(&mut board, 1), b"0");
    drop(host);
    thread::sleep(Duration::from_millis(50));
    assert!(matches!(board.send(b"1AA"), Err(LinkError::Closed)));
}

#[test]
fn a_board_waits_for_its_host_before_it_sends() {
    let mut board = PtyLink::open().unwrap();
    let path = board.path().to_str().unwrap().to_owned();
    let sending = thread::spawn(move || {
        board.send(b"1AA").unwrap();
        board
    });
    thread::sleep(Duration::from_millis(100));
    let mut host = SerialLink::open(&path).unwrap();
    let mut board = sending.join().unwrap();
    // Opening discards earlier bytes, so the first reply may be lost; the next is not.
    board.send(b"!").unwrap();
    while !take(&mut host, 1).ends_with(b"!") {}

    let mut alone = PtyLink::open().unwrap();
    let begin = Instant::now();
    assert!(matches!(alone.send(b"1AA"), Err(LinkError::Timeout)));
    assert!(begin.elapsed() >= SEND_LIMIT);
}

#[test]
fn a_peer_that_does_not_read_cannot_hold_up_a_send() {
    let mut board = PtyLink::open().unwrap();
    let mut host = serial(&board);
    for link in [&mut host as &mut dyn Link, &mut board] {
        let begin = Instant::now();
        let error = (0..10_000).find_map(|_| link.send(b"453e0 ").err());
        assert!(matches!(error, Some(LinkError::Timeout)), "{error:?}");
        assert!(begin.elapsed() < SEND_LIMIT + 2 * SOON);
    }
}

#[test]
fn a_device_in_use_is_busy_even_for_the_superuser() {
    let board = PtyLink::open().unwrap();
    let path = board.path().to_str().unwrap();
    let first = SerialLink::open(path).unwrap();
    let second = SerialLink::open(path).unwrap_err();
    assert!(
        matches!(&second, LinkError::Busy { name } if name.contains(path)),
        "{second:?}"
    );
    drop(first);
    SerialLink::open(path).expect("the lock ends with the link");
}

/// A process inherits the lock of an open device until it executes its program.
#[test]
fn a_device_that_was_closed_is_free_while_programs_start() {
    let board = PtyLink::open().unwrap();
    let path = board.path().to_str().unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    Command::new("true").status().unwrap();
                }
            });
        }
        let opened: Vec<_> = (0..300).map(|_| SerialLink::open(path).map(drop)).collect();
        is_done.store(true, Ordering::Relaxed);
        for result in opened {
            result.expect("no other link has the device open");
        }
    });
}

#[test]
fn things_that_are_no_device_have_typed_errors() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("file");
    let missing = SerialLink::open(file.to_str().unwrap()).unwrap_err();
    assert!(
        matches!(&missing, LinkError::NotFound { .. }),
        "{missing:?}"
    );
    fs::write(&file, "no terminal").unwrap();
    let no_terminal = SerialLink::open(file.to_str().unwrap()).unwrap_err();
    assert!(
        matches!(&no_terminal, LinkError::Io { .. }),
        "{no_terminal:?}"
    );
    // ENXIO, as for a device file whose device is unplugged.
    let socket = directory.path().join("socket");
    let _socket = UnixListener::bind(&socket).unwrap();
    let gone = SerialLink::open(socket.to_str().unwrap()).unwrap_err();
    assert!(matches!(&gone, LinkError::NotFound { .. }), "{gone:?}");
}

#[test]
fn a_symbolic_link_leads_to_the_board() {
    let directory = tempdir().unwrap();
    let link = directory.path().join("board-1");
    symlink("/dev/pts/left-behind", &link).unwrap();

    let spec: LinkSpec = format!("pty:{}", link.display()).parse().unwrap();
    let mut board = spec.open(Instant::now()).unwrap();
    assert_eq!(board.describe(), spec.to_string());
    let mut host = SerialLink::open(link.to_str().unwrap()).unwrap();
    host.send(b"0").unwrap();
    assert_eq!(take(&mut board, 1), b"0");
    // The path and the device that it links to are one device.
    let device = fs::canonicalize(&link).unwrap();
    let busy = SerialLink::open(device.to_str().unwrap());
    assert!(matches!(busy, Err(LinkError::Busy { .. })));
    drop(board);
    assert!(
        fs::symlink_metadata(&link).is_err(),
        "the link outlives the board"
    );
}

#[test]
fn other_programs_files_are_left_alone() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("precious");
    fs::write(&file, "data").unwrap();
    let error = PtyLink::open_at(&file).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("pty:{} exists and is not a symbolic link", file.display())
    );
    let error = PtyLink::open_at(directory.path()).unwrap_err();
    assert!(matches!(error, LinkError::Exists { .. }), "{error:?}");
    assert_eq!(fs::read(&file).unwrap(), b"data");
    let error = PtyLink::open_at(&directory.path().join("none/board")).unwrap_err();
    assert!(matches!(error, LinkError::NotFound { .. }), "{error:?}");

    // A second device replaces the link; dropping the first does not remove it.
    let link = directory.path().join("board");
    let first = PtyLink::open_at(&link).unwrap();
    let second = PtyLink::open_at(&link).unwrap();
    assert_ne!(first.slave(), second.slave());
    drop(first);
    assert_eq!(fs::read_link(&link).unwrap(), second.slave());
    assert_eq!(second.path(), Path::new(&link));
}
