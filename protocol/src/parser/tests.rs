//! Transitions of the parser's table, one by one.

use std::vec::Vec;

use super::*;
use crate::code::PASS;

fn codes(parser: &mut HostCodeParser, bytes: &[u8]) -> Vec<HostCode> {
    bytes
        .iter()
        .filter_map(|&byte| parser.feed(byte).code)
        .collect()
}

#[test]
fn every_code_is_parsed_back_to_back() {
    let mut parser = HostCodeParser::new();
    let sent = [
        HostCode::Handshake,
        HostCode::First {
            start: StartCell::Five,
        },
        HostCode::First {
            start: StartCell::A,
        },
        HostCode::Second {
            start: StartCell::Five,
            code: *b"94t2",
        },
        HostCode::Second {
            start: StartCell::A,
            code: PASS,
        },
        HostCode::Turn { code: *b"21k7" },
        HostCode::End,
    ];
    let bytes: Vec<u8> = sent
        .iter()
        .flat_map(|code| code.encode().to_vec())
        .collect();
    assert_eq!(codes(&mut parser, &bytes), sent);
    assert_eq!(parser.counters(), Counters::default());
    assert!(parser.is_idle());
}

#[test]
fn blanks_are_ignored_inside_codes() {
    let mut parser = HostCodeParser::new();
    let expected = [
        HostCode::Second {
            start: StartCell::A,
            code: *b"53e0",
        },
        HostCode::Handshake,
    ];
    assert_eq!(codes(&mut parser, b" 3\r\nA 5\n3 e\r0\r\n 0 "), expected);
    assert_eq!(parser.counters(), Counters::default());
}

#[test]
fn every_idle_byte_does_what_the_table_says() {
    for byte in 0..=u8::MAX {
        let mut parser = HostCodeParser::new();
        let step = parser.feed(byte);
        let blank = matches!(byte, 10 | 13 | 32);
        assert_eq!(
            step.garbage,
            !blank && !b"02349?".contains(&byte),
            "byte {byte}"
        );
        assert_eq!(step.code.is_some(), b"09".contains(&byte));
        assert_eq!(parser.is_idle(), !b"234?".contains(&byte));
        assert_eq!(parser.counters().garbage, u32::from(step.garbage));
    }
}

#[test]
fn a_bad_start_letter_is_judged_again_as_if_idle() {
    let mut parser = HostCodeParser::new();
    parser.feed(b'2');
    let step = parser.feed(b'0');
    assert_eq!(
        step,
        ParserOutput {
            bad_start: true,
            garbage: false,
            code: Some(HostCode::Handshake)
        }
    );

    parser.feed(b'3');
    assert_eq!(
        parser.feed(b'a'),
        ParserOutput {
            bad_start: true,
            garbage: true,
            code: None
        }
    );

    parser.feed(b'3');
    assert_eq!(
        parser.feed(b'2'),
        ParserOutput {
            bad_start: true,
            garbage: false,
            code: None
        }
    );
    assert_eq!(
        parser.feed(b'A').code,
        Some(HostCode::First {
            start: StartCell::A
        })
    );
    let expected = Counters {
        garbage: 1,
        bad_start: 3,
        ..Counters::default()
    };
    assert_eq!(parser.counters(), expected);
}

#[test]
fn four_question_marks_are_a_code_outside_games() {
    let mut parser = HostCodeParser::new();
    assert_eq!(codes(&mut parser, b"? ??\n?"), [HostCode::Identify]);
    assert_eq!(codes(&mut parser, b"???????"), [HostCode::Identify]);
    assert_eq!(parser.counters(), Counters::default());
    // The byte that interrupts a code is processed again in the idle state.
    let step = parser.feed(b'0');
    assert!(step.garbage);
    assert_eq!(step.code, Some(HostCode::Handshake));
    codes(&mut parser, b"25");
    assert_eq!(codes(&mut parser, b"????"), []);
    assert_eq!(parser.counters().garbage, 5);
    assert_eq!(codes(&mut parser, b"9????").len(), 2);
}

#[test]
fn code_bytes_are_taken_whatever_they_hold() {
    let mut parser = HostCodeParser::new();
    let code = [b'0', b'9', 0x00, 0xff];
    assert_eq!(
        codes(&mut parser, b"4\x30\x39\x00\xff"),
        [HostCode::Turn { code }]
    );
    assert_eq!(parser.counters(), Counters::default());
}

#[test]
fn silence_drops_an_unfinished_code_once() {
    for unfinished in [
        &b"2"[..],
        b"3",
        b"35",
        b"3A123",
        b"4",
        b"4123",
        b"?",
        b"???",
    ] {
        let mut parser = HostCodeParser::new();
        assert!(codes(&mut parser, unfinished).is_empty());
        assert!(parser.on_silence());
        assert!(!parser.on_silence());
        assert_eq!(parser.counters().unfinished, 1);
        assert_eq!(parser.feed(b'0').code, Some(HostCode::Handshake));
    }
}

#[test]
fn a_framing_error_drops_an_unfinished_code() {
    let mut parser = HostCodeParser::new();
    assert!(!parser.framing_error());
    codes(&mut parser, b"453");
    assert!(parser.framing_error());
    let expected = Counters {
        framing: 2,
        ..Counters::default()
    };
    assert_eq!(parser.counters(), expected);
    assert_eq!(parser.feed(b'9').code, Some(HostCode::End));
}
