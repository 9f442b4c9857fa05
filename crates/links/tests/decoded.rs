//! Wire log decoder: timing bounds and messages; error messages of links.

use std::io;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::{Decoded, Decoder, Direction, WireLog};
use duoforge_links::{LinkError, LinkSpecError, Received, Sent};
use duoforge_protocol::{BuildId, HostCode, Reply, ReplyError, ReplyKind, StartCell};

use Direction::{FromBoard, ToBoard};

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A partial code is dropped after 100 ms of silence, and not earlier.
#[test]
fn the_inter_byte_timeout_is_that_of_the_contest() {
    for (silence, broken) in [(0, false), (99, false), (100, true), (101, true)] {
        let mut decoder = Decoder::new();
        assert_eq!(decoder.feed(ToBoard, b"45", millis(1_000)), []);
        let decoded = decoder.feed(ToBoard, b"3e0", millis(1_000 + silence));
        if broken {
            let (e, zero) = (Decoded::Garbage(b'e'), Decoded::Code(HostCode::Handshake));
            // `3` lacks its start letter, `e` begins no code, `0` is a code.
            assert_eq!(decoded, [Decoded::Unfinished, Decoded::Unfinished, e, zero]);
        } else {
            assert_eq!(decoded, [Decoded::Code(HostCode::Turn { code: *b"53e0" })]);
        }
    }
    let mut decoder = Decoder::new();
    decoder.feed(ToBoard, b"45", millis(1_000));
    let just = decoder.feed(ToBoard, b"3e0", millis(1_100) - Duration::from_micros(1));
    assert_eq!(just.len(), 1);
    // Silence between codes has no effect.
    let mut decoder = Decoder::new();
    decoder.feed(ToBoard, b"0", millis(0));
    assert_eq!(decoder.feed(ToBoard, b"9", millis(5_000)).len(), 2);
}

#[test]
fn each_kind_has_its_words() {
    let (five, a) = (StartCell::Five, StartCell::A);
    let code = |code| Decoded::Code(code);
    let turn = |text: &[u8; 4]| code(HostCode::Turn { code: *text });
    let answer = |reply| Decoded::Answer(reply, Duration::from_micros(1_500));
    let silent = ReplyError::Silent {
        expect: ReplyKind::Move,
    };
    for (decoded, text) in [
        (code(HostCode::Handshake), "0  asks for the team code"),
        (
            code(HostCode::First { start: five }),
            "25  first move, from (5,5)",
        ),
        (
            code(HostCode::Second {
                start: a,
                code: *b"53\xff0",
            }),
            "3A53\\xff0  first move, from (a,a), after 53\\xff0",
        ),
        (turn(b"0000"), "40000  the opponent passed"),
        (turn(b"53e0"), "453e0  the opponent played 53e0"),
        (code(HostCode::End), "9  the game is over"),
        (code(HostCode::Identify), "????  asks for the build"),
        (Decoded::Garbage(b'\n'), "'\\n' begins no code"),
        (Decoded::Unfinished, "a code broke off"),
        (
            answer(Reply::Team("AB".parse().unwrap())),
            "1AB  team AB, after 1.500 ms",
        ),
        (
            answer(Reply::Move(*b"0000")),
            "0000  passes, after 1.500 ms",
        ),
        (answer(Reply::Move(*b"53e0")), "53e0  plays, after 1.500 ms"),
        (
            answer(Reply::Build(BuildId(1))),
            "00000001  build, after 1.500 ms",
        ),
        (
            Decoded::Broken(ReplyError::NotHexadecimal),
            "no answer: a build id has 8 hexadecimal digits",
        ),
        (Decoded::Unsolicited(b'!'), "'!' was unsolicited"),
        (
            Decoded::Unanswered(silent),
            "continued without the reply: no answer where a four-letter code was due",
        ),
    ] {
        assert_eq!(decoded.to_string(), text);
    }
}

#[test]
fn answers_are_timed_from_the_last_byte_of_the_host() {
    let mut decoder = Decoder::new();
    decoder.feed(ToBoard, b"2", millis(10));
    decoder.feed(ToBoard, b"5", millis(17));
    assert_eq!(decoder.feed(FromBoard, b"53", millis(20)), []);
    let answer = Decoded::Answer(Reply::Move(*b"53e0"), millis(8));
    assert_eq!(decoder.feed(FromBoard, b"e0", millis(25)), [answer]);
    // The reply is due once: line ends are ignored, other bytes are unsolicited.
    assert_eq!(decoder.feed(FromBoard, b"\r\n", millis(26)), []);
    let unsolicited = [Decoded::Unsolicited(b' '), Decoded::Unsolicited(b'5')];
    assert_eq!(decoder.feed(FromBoard, b" 5", millis(27)), unsolicited);
    decoder.feed(ToBoard, b"9", millis(30));
    assert_eq!(
        decoder.feed(FromBoard, b"x", millis(31)),
        [Decoded::Unsolicited(b'x')]
    );
}

#[test]
fn errors_of_links_name_the_link_and_the_fault() {
    let name = || "serial:/dev/x".to_owned();
    for (error, text) in [
        (LinkError::Timeout, "nothing came within the time limit"),
        (LinkError::Closed, "the other end of the line has gone"),
        (
            LinkError::Ended {
                status: None,
                tail: String::new(),
            },
            "the program closed its standard input or output, and was killed",
        ),
        (
            LinkError::Busy { name: name() },
            "serial:/dev/x is in use by another program",
        ),
        (
            LinkError::NoPermission { name: name() },
            "no permission to open serial:/dev/x; serial devices usually belong to the group dialout or uucp",
        ),
        (
            LinkError::Ambiguous {
                name: "usb:1".into(),
                devices: vec!["a".into(), "b".into()],
            },
            "usb:1 fits more than one device: a, b",
        ),
        (
            LinkError::NotFound { name: name() },
            "serial:/dev/x was not found, or nothing answers there",
        ),
        (
            LinkError::Io {
                name: name(),
                source: io::Error::other("why"),
            },
            "serial:/dev/x: why",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
    for (error, text) in [
        (
            LinkSpecError::Unknown("x".into()),
            "'x' names no link: use serial:PATH, /dev/..., ./PATH, usb:SERIAL, tcp:HOST:PORT, \
             tcp-listen:[HOST:]PORT, pty or pty:PATH",
        ),
        (LinkSpecError::NoPath("pty:".into()), "'pty:' lacks a path"),
        (
            LinkSpecError::BadUsb("usb:".into()),
            "'usb:' lacks a USB id: a serial number, or VVVV:PPPP in hexadecimal digits, or both",
        ),
        (
            LinkSpecError::BadAddress("tcp:".into()),
            "'tcp:' lacks an address HOST:PORT with a port between 0 and 65535",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

/// Simulated time is used if both ends have it; the difference is never negative.
#[test]
fn a_time_is_simulated_only_where_both_ends_are() {
    let at = Instant::now();
    let sent = |simulated: Option<u64>| Sent {
        at,
        simulated: simulated.map(millis),
    };
    let received = |simulated: Option<u64>, after| Received {
        bytes: b"",
        at: at + millis(after),
        simulated: simulated.map(millis),
    };
    assert_eq!(received(Some(30), 5).since(&sent(Some(10))), millis(20));
    assert_eq!(received(Some(30), 5).since(&sent(None)), millis(5));
    assert_eq!(received(None, 5).since(&sent(Some(10))), millis(5));
    assert_eq!(received(Some(5), 5).since(&sent(Some(10))), millis(0));
    let late = Sent {
        at: at + millis(9),
        simulated: None,
    };
    assert_eq!(received(None, 5).since(&late), millis(0));
}

#[test]
fn a_log_keeps_its_beginning_and_what_is_taken_is_gone() {
    let before = (Instant::now(), std::time::SystemTime::now());
    let log = WireLog::new();
    assert!(log.origin() >= before.0 && log.started() >= before.1);
    // A chunk from before the log began is placed at time 0.
    log.chunk("A", ToBoard, b"0", before.0, None);
    log.note("B", "a note");
    let entries = log.take();
    assert_eq!(entries.len(), 2);
    assert_eq!(
        (entries[0].wall, entries[0].line.as_str()),
        (Duration::ZERO, "A")
    );
    assert_eq!(entries[0].bytes(), Some(&b"0"[..]));
    assert_eq!((log.entries().len(), log.to_string()), (0, String::new()));
    assert_eq!(
        [ToBoard.word(), FromBoard.word()],
        ["to-board", "from-board"]
    );
}
