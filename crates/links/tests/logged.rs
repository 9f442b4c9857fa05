//! Links that record their traffic.

use std::time::{Duration, Instant};

use duoforge_links::wirelog::{Direction, Endpoint, LoggedLink, WireEntry, WireEvent, WireLog};
use duoforge_links::{DRAIN_LIMIT, Link, LinkError, Received, Sent, TcpAcceptor, TcpLink};

/// Device in simulated time: each byte takes 87 us, a reply 1 ms.
struct Simulated {
    time: Duration,
    answer: Vec<u8>,
}

impl Link for Simulated {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        self.time += bytes.len() as u32 * Duration::from_micros(87);
        Ok(Sent {
            at: Instant::now(),
            simulated: Some(self.time),
        })
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        _deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        if self.answer.is_empty() {
            return Err(LinkError::Timeout);
        }
        self.time += Duration::from_millis(1);
        let len = self.answer.len();
        buf[..len].copy_from_slice(&self.answer);
        self.answer.clear();
        let simulated = Some(self.time);
        Ok(Received {
            bytes: &buf[..len],
            at: Instant::now(),
            simulated,
        })
    }

    fn describe(&self) -> String {
        "simulated".into()
    }
}

fn chunks(log: &WireLog) -> Vec<(String, Direction, Vec<u8>)> {
    let entries = log.entries().into_iter();
    let chunks = entries.filter_map(|entry| match entry.event {
        WireEvent::Chunk { direction, bytes } => Some((entry.line, direction, bytes)),
        WireEvent::Note(_) => None,
    });
    chunks.collect()
}

#[test]
fn a_conversation_is_written_down_with_both_times() {
    let log = WireLog::new();
    let board = Simulated {
        time: Duration::ZERO,
        answer: b"53e0".to_vec(),
    };
    let mut link = LoggedLink::new(board, log.clone(), "A", Endpoint::Host);
    let sent = link.send(b"25").unwrap();
    let mut buf = [0; 8];
    let received = link.recv(&mut buf, Instant::now()).unwrap();
    assert_eq!(received.since(&sent), Duration::from_millis(1));
    // Silence is not logged.
    assert!(matches!(
        link.recv(&mut [0; 8], Instant::now()),
        Err(LinkError::Timeout)
    ));

    let entries = log.entries();
    let simulated: Vec<_> = entries
        .iter()
        .map(|entry| entry.simulated.unwrap())
        .collect();
    assert_eq!(
        simulated,
        [Duration::from_micros(174), Duration::from_micros(1174)]
    );
    assert!(entries[0].wall <= entries[1].wall);
    let expected = [
        ("A".to_owned(), Direction::ToBoard, b"25".to_vec()),
        ("A".to_owned(), Direction::FromBoard, b"53e0".to_vec()),
    ];
    assert_eq!(chunks(&log), expected);
    assert_eq!((link.line(), link.describe().as_str()), ("A", "simulated"));
}

#[test]
fn both_ends_agree_on_directions_and_the_end_is_noted() {
    let acceptor = TcpAcceptor::bind("127.0.0.1:0").unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    let host = TcpLink::connect(&acceptor.address().to_string(), deadline).unwrap();
    let board = acceptor.accept(deadline).unwrap();
    let (host_log, board_log) = (WireLog::new(), WireLog::new());
    let mut host = LoggedLink::new(host, host_log.clone(), "B", Endpoint::Host);
    let mut board = LoggedLink::new(board, board_log.clone(), "B", Endpoint::Board);
    let mut buf = [0; 8];
    host.send(b"0").unwrap();
    board.recv(&mut buf, deadline).unwrap();
    board.send(b"1BB\r\n").unwrap();
    host.recv(&mut buf, deadline).unwrap();
    assert_eq!(chunks(&host_log), chunks(&board_log));

    // Late bytes that are drained are logged too.
    board.send(b"??").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(host.drain().unwrap(), b"??");
    assert_eq!(chunks(&host_log).last().unwrap().2, b"??");

    drop(board);
    assert!(matches!(
        host.recv(&mut buf, deadline),
        Err(LinkError::Closed)
    ));
    let last = host_log.entries().pop().unwrap();
    assert_eq!(last.event, WireEvent::Note(LinkError::Closed.to_string()));
}

#[test]
fn bytes_that_could_not_be_sent_are_noted() {
    struct Gone;
    impl Link for Gone {
        fn send(&mut self, _bytes: &[u8]) -> Result<Sent, LinkError> {
            Err(LinkError::Closed)
        }
        fn recv<'b>(&mut self, _: &'b mut [u8], _: Instant) -> Result<Received<'b>, LinkError> {
            Err(LinkError::Closed)
        }
        fn describe(&self) -> String {
            "gone".into()
        }
    }
    let log = WireLog::new();
    let mut link = LoggedLink::new(Gone, log.clone(), "A", Endpoint::Host);
    assert!(link.send(b"9").is_err() && link.drain().is_err());
    assert!(chunks(&log).is_empty());
    let text = log.to_string();
    assert!(
        text.contains("A ! sending 9 failed: the other end of the line has gone\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2);
}

/// Device that sends blank lines without end.
struct Flooding;

impl Link for Flooding {
    fn send(&mut self, _: &[u8]) -> Result<Sent, LinkError> {
        Ok(Sent::now())
    }

    fn recv<'b>(&mut self, buf: &'b mut [u8], _: Instant) -> Result<Received<'b>, LinkError> {
        buf.fill(b'\n');
        Ok(Received::now(buf))
    }

    fn describe(&self) -> String {
        "flooding".into()
    }
}

/// The log keeps the first bytes after each send, and a remark about the others.
#[test]
fn a_flood_is_logged_up_to_a_limit_after_each_send() {
    let log = WireLog::new();
    let mut link = LoggedLink::new(Flooding, log.clone(), "A", Endpoint::Host);
    for _ in 0..2 {
        link.send(b"0").unwrap();
        for _ in 0..DRAIN_LIMIT / 1000 {
            link.recv(&mut [0; 1000], Instant::now()).unwrap();
        }
        link.drain().unwrap();
        link.drain().unwrap();
        let entries = log.take();
        let bytes: usize = entries
            .iter()
            .filter_map(WireEntry::bytes)
            .map(<[u8]>::len)
            .sum();
        assert_eq!(bytes, 1 + DRAIN_LIMIT);
        let is_note = |entry: &&WireEntry| matches!(entry.event, WireEvent::Note(_));
        assert_eq!(entries.iter().filter(is_note).count(), 1);
    }
}
