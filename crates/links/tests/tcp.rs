//! Links over real TCP connections on this machine.

use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::{DRAIN_LIMIT, Link, LinkError, LinkSpec, SEND_LIMIT, TcpAcceptor, TcpLink};

const SOON: Duration = Duration::from_secs(5);

fn within(limit: Duration) -> Instant {
    Instant::now() + limit
}

fn pair() -> (TcpLink, TcpLink) {
    let acceptor = TcpAcceptor::bind("127.0.0.1:0").unwrap();
    let host = TcpLink::connect(&acceptor.address().to_string(), within(SOON)).unwrap();
    (host, acceptor.accept(within(SOON)).unwrap())
}

#[test]
fn prompts_and_answers_make_the_round_trip() {
    let (mut host, mut board) = pair();
    let sent = host.send(b"25").unwrap();
    let mut buf = [0; 64];
    assert_eq!(board.recv(&mut buf, within(SOON)).unwrap().bytes, b"25");
    board.send(b"53e0\r\n").unwrap();
    let received = host.recv(&mut buf, within(SOON)).unwrap();
    assert_eq!(received.bytes, b"53e0\r\n");
    assert!(received.at > sent.at && received.since(&sent) < SOON);
    assert!(host.describe().starts_with("tcp:127.0.0.1:"));
}

#[test]
fn silence_is_a_timeout_at_the_deadline() {
    let (mut host, _board) = pair();
    let limit = Duration::from_millis(120);
    let begin = Instant::now();
    let error = host.recv(&mut [0; 8], begin + limit).unwrap_err();
    assert!(matches!(error, LinkError::Timeout), "{error:?}");
    let waited = begin.elapsed();
    assert!(waited >= limit && waited < limit + SOON, "{waited:?}");
}

#[test]
fn bytes_that_are_there_beat_a_deadline_that_has_passed() {
    let (mut host, mut board) = pair();
    let past = Instant::now();
    assert!(matches!(
        host.recv(&mut [0; 8], past),
        Err(LinkError::Timeout)
    ));
    board.send(b"1AA").unwrap();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(host.recv(&mut [0; 8], past).unwrap().bytes, b"1AA");
    // The link waits again after a read that did not wait.
    let begin = Instant::now();
    let error = host
        .recv(&mut [0; 8], within(Duration::from_millis(50)))
        .unwrap_err();
    assert!(matches!(error, LinkError::Timeout));
    assert!(begin.elapsed() >= Duration::from_millis(50));
}

#[test]
fn a_trickle_arrives_piece_by_piece() {
    let (mut host, mut board) = pair();
    let trickling = thread::spawn(move || {
        for byte in b"53e0" {
            board.send(&[*byte]).unwrap();
            thread::sleep(Duration::from_millis(30));
        }
        board
    });
    let begin = Instant::now();
    let mut bytes = Vec::<u8>::new();
    let mut last = begin;
    while bytes.len() < 4 {
        let mut buf = [0; 8];
        let received = host.recv(&mut buf, within(SOON)).unwrap();
        assert!(received.at >= last);
        last = received.at;
        bytes.extend(received.bytes);
    }
    assert_eq!(bytes, b"53e0");
    assert!(
        last - begin >= Duration::from_millis(60),
        "{:?}",
        last - begin
    );
    trickling.join().unwrap();
}

#[test]
fn a_vanished_peer_closes_the_line_after_its_last_bytes() {
    let (mut host, mut board) = pair();
    board.send(b"71b3").unwrap();
    drop(board);
    let mut buf = [0; 64];
    assert_eq!(host.recv(&mut buf, within(SOON)).unwrap().bytes, b"71b3");
    let error = host.recv(&mut buf, within(SOON)).unwrap_err();
    assert!(matches!(error, LinkError::Closed), "{error:?}");
    // The first send may still succeed; the peer's reset then ends the connection.
    let error = (0..100).find_map(|_| {
        thread::sleep(Duration::from_millis(10));
        host.send(b"9").err()
    });
    assert!(matches!(error, Some(LinkError::Closed)), "{error:?}");
}

#[test]
fn draining_ends_although_the_peer_babbles() {
    let (mut host, mut board) = pair();
    let babbling = thread::spawn(move || while board.send(&[b'x'; 1024]).is_ok() {});
    thread::sleep(Duration::from_millis(100));
    let stale = host.drain().unwrap();
    assert!(
        (1..DRAIN_LIMIT + 512).contains(&stale.len()),
        "{}",
        stale.len()
    );
    drop(host);
    babbling.join().unwrap();
}

#[test]
fn a_peer_that_does_not_read_cannot_hold_up_a_send() {
    let (mut host, _board) = pair();
    let begin = Instant::now();
    let error = (0..10_000).find_map(|_| host.send(&[b'x'; 65_536]).err());
    assert!(matches!(error, Some(LinkError::Timeout)), "{error:?}");
    assert!(begin.elapsed() < SEND_LIMIT + 4 * SOON);
}

#[test]
fn nobody_there_has_typed_errors() {
    let acceptor = TcpAcceptor::bind("127.0.0.1:0").unwrap();
    let address = acceptor.address().to_string();
    let busy = TcpAcceptor::bind(&address).unwrap_err();
    assert!(
        matches!(&busy, LinkError::Busy { name } if name.contains(&address)),
        "{busy:?}"
    );
    let begin = Instant::now();
    let nobody = acceptor
        .accept(within(Duration::from_millis(50)))
        .unwrap_err();
    assert!(matches!(nobody, LinkError::Timeout), "{nobody:?}");
    assert!(begin.elapsed() >= Duration::from_millis(50));
    drop(acceptor);

    let refused = TcpLink::connect(&address, within(SOON)).unwrap_err();
    assert!(matches!(refused, LinkError::NotFound { .. }), "{refused:?}");
    let unknown = TcpLink::connect("no-such-host.invalid:1", within(SOON)).unwrap_err();
    assert!(matches!(unknown, LinkError::NotFound { .. }), "{unknown:?}");
    let broken = TcpLink::connect("no port", within(SOON)).unwrap_err();
    assert!(matches!(broken, LinkError::Io { .. }), "{broken:?}");
}

#[test]
fn specs_open_both_ends() {
    // A port that was free a moment ago.
    let port = TcpAcceptor::bind("127.0.0.1:0").unwrap().address().port();
    let listening = thread::spawn(move || {
        let spec: LinkSpec = format!("tcp-listen:{port}").parse().unwrap();
        let mut board = spec.open(within(SOON)).unwrap();
        board.send(b"1AA").unwrap();
        board
    });
    let spec: LinkSpec = format!("tcp:localhost:{port}").parse().unwrap();
    let deadline = within(SOON);
    let mut host = loop {
        match spec.open(deadline) {
            Ok(host) => break host,
            Err(LinkError::NotFound { .. }) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(error) => panic!("{error:?}"),
        }
    };
    assert_eq!(host.describe(), spec.to_string());
    assert_eq!(host.recv(&mut [0; 8], within(SOON)).unwrap().bytes, b"1AA");
    listening.join().unwrap();
}
