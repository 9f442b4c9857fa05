//! Tables of the device side: each state with each byte and each code.

use std::time::Duration;

use duoforge_protocol::{
    BAUD_RATE, BuildId, Counters, DeviceEvent, DeviceSession, HostCode, HostCodeParser,
    INTER_BYTE_TIMEOUT, NoAnswerDue, PASS, ParserOutput, REPLY_LIMIT, ReplyKind, StartCell,
    TeamCode,
};

fn team(text: &str) -> TeamCode {
    text.parse().unwrap()
}

fn board() -> DeviceSession {
    DeviceSession::new(team("XY")).with_build(BuildId(0x0123_abcd))
}

/// Collects all events of the bytes and all bytes that the session sends.
fn feed(board: &mut DeviceSession, bytes: &[u8]) -> (Vec<DeviceEvent>, String) {
    let (mut events, mut sent) = (Vec::new(), Vec::new());
    for &byte in bytes {
        let step = board.feed(byte);
        events.extend(step.event);
        sent.extend(step.send.iter().flat_map(|frame| frame.as_bytes().to_vec()));
    }
    (events, String::from_utf8(sent).unwrap())
}

#[test]
fn the_line_has_the_contest_s_numbers() {
    assert_eq!(BAUD_RATE, 115_200);
    assert_eq!(INTER_BYTE_TIMEOUT, Duration::from_millis(100));
    assert_eq!(REPLY_LIMIT, Duration::from_millis(1_000));
    assert_eq!(PASS, *b"0000");
    for (start, letter, name, cell) in [
        (StartCell::Five, b'5', "(5,5)", (4, 4)),
        (StartCell::A, b'A', "(a,a)", (9, 9)),
    ] {
        assert_eq!((start.letter(), start.coordinates()), (letter, cell));
        assert_eq!(start.to_string(), name);
        assert_eq!(StartCell::from_letter(letter), Some(start));
        assert_ne!(start.other(), start);
    }
    for (expect, length, name) in [
        (ReplyKind::Team, 3, "team code 1XX"),
        (ReplyKind::Move, 4, "four-letter code"),
        (ReplyKind::Build, 8, "build id"),
    ] {
        assert_eq!(
            (expect.length(), expect.to_string().as_str()),
            (length, name)
        );
    }
    for byte in 0..=u8::MAX {
        let end = byte == 10 || byte == 13;
        assert_eq!(duoforge_protocol::is_line_end(byte), end);
        assert_eq!(duoforge_protocol::is_ignored(byte), end || byte == 32);
    }
}

fn take(parser: &mut HostCodeParser, bytes: &[u8]) {
    for &byte in bytes {
        parser.feed(byte);
    }
}

/// Bytes that lead to each state of the device's parser, outside a game and during one.
const STATES: [&[u8]; 9] = [
    b"", b"2", b"3", b"4", b"453e", b"35", b"35aau", b"?", b"???",
];

/// Result of a byte in a state, by the table in the parser's documentation: the code, true for a
/// bad start, the garbage count, and true if the parser is idle afterwards.
fn expected(state: &[u8], byte: u8, in_game: bool) -> (Option<HostCode>, bool, u32, bool) {
    let idle = |bad: bool, dropped: u32| match byte {
        b'0' => (Some(HostCode::Handshake), bad, dropped, true),
        b'9' => (Some(HostCode::End), bad, dropped, true),
        b'2' | b'3' | b'4' => (None, bad, dropped, false),
        b'?' if !in_game => (None, bad, dropped, false),
        _ => (None, bad, dropped + 1, true),
    };
    if matches!(byte, b'\r' | b'\n' | b' ') {
        return (None, false, 0, state.is_empty());
    }
    let start = StartCell::from_letter(byte);
    match (state, start) {
        (b"", _) => idle(false, 0),
        (b"2", Some(start)) => (Some(HostCode::First { start }), false, 0, true),
        (b"3", Some(_)) | (b"4" | b"35", _) => (None, false, 0, false),
        (b"2" | b"3", None) => idle(true, 0),
        (b"453e", _) => {
            let code = [b'5', b'3', b'e', byte];
            (Some(HostCode::Turn { code }), false, 0, true)
        }
        (b"35aau", _) => {
            let (start, code) = (StartCell::Five, [b'a', b'a', b'u', byte]);
            (Some(HostCode::Second { start, code }), false, 0, true)
        }
        (b"???", _) if byte == b'?' => (Some(HostCode::Identify), false, 0, true),
        (b"?", _) if byte == b'?' => (None, false, 0, false),
        _ => idle(false, 1),
    }
}

#[test]
fn every_state_takes_every_byte_as_the_table_says() {
    for in_game in [false, true] {
        for state in STATES {
            if in_game && state.starts_with(b"?") {
                continue;
            }
            for byte in 0..=u8::MAX {
                let mut parser = HostCodeParser::new();
                if in_game {
                    take(&mut parser, b"25");
                }
                take(&mut parser, state);
                assert_eq!(parser.counters(), Counters::default());
                let (code, bad_start, garbage, idle) = expected(state, byte, in_game);
                let step = ParserOutput {
                    bad_start,
                    garbage: garbage > 0,
                    code,
                };
                let name = (state.escape_ascii().to_string(), byte, in_game);
                assert_eq!(parser.feed(byte), step, "{name:?}");
                assert_eq!(parser.is_idle(), idle, "{name:?}");
                let counters = Counters {
                    garbage,
                    bad_start: bad_start.into(),
                    ..Counters::default()
                };
                assert_eq!(parser.counters(), counters, "{name:?}");
                // An inter-byte timeout drops a partial code and counts it once.
                assert_eq!(
                    (parser.on_silence(), parser.on_silence()),
                    (!idle, false),
                    "{name:?}"
                );
                assert_eq!(parser.counters().unfinished, u32::from(!idle));
            }
        }
    }
}

#[test]
fn a_framing_error_drops_each_unfinished_code_and_is_counted() {
    for state in STATES {
        let mut parser = HostCodeParser::default();
        take(&mut parser, state);
        assert_eq!(parser.framing_error(), !state.is_empty());
        assert!(!parser.framing_error() && parser.is_idle());
        let counters = Counters {
            framing: 2,
            ..Counters::default()
        };
        assert_eq!(parser.counters(), counters);
    }
}

#[test]
fn a_game_is_on_from_its_first_request_to_its_end() {
    // After these bytes `????` is either a code or four bytes of garbage.
    for (before, identify) in [
        (&b""[..], true),
        (b"0", true),
        (b"2", true),
        (b"25", false),
        (b"2A453e0", false),
        (b"3A53e0", false),
        (b"259", true),
        (b"250", true),
        (b"40000", true),
    ] {
        let mut parser = HostCodeParser::new();
        take(&mut parser, before);
        let codes: Vec<_> = (0..4).filter_map(|_| parser.feed(b'?').code).collect();
        let expected = if identify {
            &[HostCode::Identify][..]
        } else {
            &[]
        };
        assert_eq!(codes, expected, "{}", before.escape_ascii());
        assert_eq!(parser.counters().garbage, if identify { 0 } else { 4 });
    }
}

/// Table: state of the session, code, event, bytes it sends, true if a reply is due afterwards, and
/// start cell.
#[test]
fn a_board_does_with_each_code_what_its_state_asks_for() {
    let (five, a) = (Some(StartCell::Five), Some(StartCell::A));
    let begin = |start, opponent: Option<&[u8; 4]>| DeviceEvent::Begin {
        start,
        opponent: opponent.copied(),
    };
    let (first, second) = (
        begin(StartCell::Five, None),
        begin(StartCell::A, Some(b"53e0")),
    );
    let turn = DeviceEvent::Turn { opponent: *b"a8e0" };
    let unsolicited = DeviceEvent::UnsolicitedTurn { opponent: *b"a8e0" };
    for (state, playing) in [
        (&b""[..], None),
        (b"0", None),
        (b"25", five),
        (b"2A", a),
        (b"3A53e0", a),
        (b"2540000", five),
        (b"259", None),
        (b"40000", None),
    ] {
        for (code, event, sent, due, start) in [
            (&b"0"[..], Some(DeviceEvent::Reset), "1XY", false, None),
            (b"25", Some(first), "", true, five),
            (b"3A53e0", Some(second), "", true, a),
            (b"9", Some(DeviceEvent::End), "", false, None),
            (
                b"4a8e0",
                Some(if playing.is_some() { turn } else { unsolicited }),
                if playing.is_some() { "" } else { "0000" },
                playing.is_some(),
                playing,
            ),
        ] {
            let mut board = board();
            feed(&mut board, state);
            let name = (
                state.escape_ascii().to_string(),
                code.escape_ascii().to_string(),
            );
            assert_eq!(board.start(), playing, "{name:?}");
            let (events, own) = feed(&mut board, code);
            assert_eq!(
                (events, own.as_str()),
                (event.into_iter().collect(), sent),
                "{name:?}"
            );
            assert_eq!(
                (board.answer_due(), board.start()),
                (due, start),
                "{name:?}"
            );
            let answer = board.answer(*b"66u0");
            match due {
                true => assert_eq!(answer.unwrap().as_bytes(), b"66u0"),
                false => assert_eq!(answer, Err(NoAnswerDue), "{name:?}"),
            }
            assert!(!board.answer_due());
            assert_eq!(
                board.answer(PASS),
                Err(NoAnswerDue),
                "one answer is due once"
            );
        }
    }
    assert_eq!(NoAnswerDue.to_string(), "no answer is due");
}

#[test]
fn a_board_is_asked_for_its_build_without_losing_anything() {
    let mut board = board();
    assert_eq!(feed(&mut board, b"????"), (vec![], "0123abcd".to_owned()));
    assert!(!board.answer_due() && board.start().is_none());
    feed(&mut board, b"???");
    assert!(
        board.is_mid_code() && board.on_silence() && !board.on_silence() && !board.is_mid_code()
    );
    assert_eq!(board.counters().unfinished, 1);
    assert_eq!(
        feed(&mut DeviceSession::new(team("AB")), b"????").1,
        "00000000"
    );
}

/// Codes without separators, as a host may send them.
#[test]
fn codes_back_to_back_are_taken_one_by_one() {
    let mut board = board();
    let (events, sent) = feed(&mut board, b"002540000930354090");
    let start = StartCell::Five;
    let expected = [
        DeviceEvent::Reset,
        DeviceEvent::Reset,
        DeviceEvent::Begin {
            start,
            opponent: None,
        },
        DeviceEvent::Turn { opponent: PASS },
        DeviceEvent::End,
        // `3` lacks its start letter, so the following zero is a handshake.
        DeviceEvent::Reset,
        DeviceEvent::Begin {
            start,
            opponent: Some(*b"4090"),
        },
    ];
    assert_eq!((events, sent.as_str()), (expected.to_vec(), "1XY1XY1XY"));
    assert_eq!(board.counters().bad_start, 1);
    assert!(board.answer_due() && !board.is_mid_code());
}
