//! Both parsers on arbitrary bytes: no panic, the same result as a second, simpler parser, and
//! resynchronised after the inter-byte timeout.

mod common;

use common::noise;
use duoforge_arbitrary::{Inputs, Random};
use duoforge_protocol::{
    Counters, DeviceEvent, DeviceSession, HostCode, HostCodeParser, Reply, ReplyError, ReplyKind,
    ReplyParser, StartCell, TeamCode, is_ignored, is_line_end,
};
use proptest::prelude::*;

const SEQUENCES: usize = 100_000;

fn without_blanks(bytes: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .copied()
        .filter(|&byte| !is_ignored(byte))
        .collect()
}

/// Parses the bytes; the flag is true if the parser ends inside a code.
fn parse(bytes: &[u8]) -> (Vec<HostCode>, Counters, bool) {
    let mut parser = HostCodeParser::new();
    let codes = bytes
        .iter()
        .filter_map(|&byte| parser.feed(byte).code)
        .collect();
    (codes, parser.counters(), !parser.is_idle())
}

/// Parses the same bytes by lookahead in the whole text, without a state machine.
fn parse_by_lookahead(bytes: &[u8]) -> (Vec<HostCode>, Counters, bool) {
    let bytes = without_blanks(bytes);
    let mut rest = bytes.as_slice();
    let (mut codes, mut counters) = (Vec::<HostCode>::new(), Counters::default());
    loop {
        // The last code that begins or ends a game decides whether one is running.
        let in_game = codes.iter().rev().find_map(|code| match code {
            HostCode::First { .. } | HostCode::Second { .. } => Some(true),
            HostCode::Hello | HostCode::End => Some(false),
            _ => None,
        });
        let marks = rest.iter().take_while(|&&byte| byte == b'?').count();
        if in_game != Some(true) && marks > 0 {
            match marks {
                4.. => {
                    codes.push(HostCode::Identify);
                    rest = &rest[4..];
                }
                _ if marks == rest.len() => return (codes, counters, true),
                _ => {
                    counters.garbage += 1;
                    rest = &rest[marks..];
                }
            }
            continue;
        }
        rest = match *rest {
            [] => return (codes, counters, false),
            [b'0', ref rest @ ..] => {
                codes.push(HostCode::Hello);
                rest
            }
            [b'9', ref rest @ ..] => {
                codes.push(HostCode::End);
                rest
            }
            [b'4', a, b, c, d, ref rest @ ..] => {
                codes.push(HostCode::Turn { code: [a, b, c, d] });
                rest
            }
            [b'2' | b'3'] | [b'4', ..] => return (codes, counters, true),
            [kind @ (b'2' | b'3'), letter, ref after @ ..] => {
                match (kind, StartCell::from_letter(letter), after) {
                    (_, None, _) => {
                        counters.bad_start += 1;
                        &rest[1..]
                    }
                    (b'2', Some(start), after) => {
                        codes.push(HostCode::First { start });
                        after
                    }
                    (_, Some(start), &[a, b, c, d, ref after @ ..]) => {
                        codes.push(HostCode::Second {
                            start,
                            code: [a, b, c, d],
                        });
                        after
                    }
                    _ => return (codes, counters, true),
                }
            }
            [_, ref rest @ ..] => {
                counters.garbage += 1;
                rest
            }
        };
    }
}

/// After any bytes and an inter-byte timeout, the device replies `1XX` to `0` and can play a game.
fn check_resynchronises(bytes: &[u8]) {
    let team = TeamCode::new(*b"XY").unwrap();
    let mut board = DeviceSession::new(team);
    for &byte in bytes {
        board.feed(byte);
    }
    let mid_code = board.is_mid_code();
    assert_eq!(board.gap(), mid_code);
    let step = board.feed(b'0');
    assert_eq!(step.event, Some(DeviceEvent::Reset));
    assert_eq!(step.send, Some(team.reply()));
    assert_eq!(board.feed(b'2').event, None);
    let begin = DeviceEvent::Begin {
        start: StartCell::A,
        opponent: None,
    };
    assert_eq!(board.feed(b'A').event, Some(begin));
    assert_eq!(board.answer(*b"aaa0").unwrap().as_bytes(), b"aaa0");
}

/// A reply ends by its length alone, and a malformed one gets the matching error.
fn check_replies(expect: ReplyKind, bytes: &[u8]) {
    let mut parser = ReplyParser::new(expect);
    let replies: Vec<_> = bytes.iter().filter_map(|&byte| parser.feed(byte)).collect();
    let solid: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|&byte| !is_line_end(byte))
        .collect();
    let chunks = solid.chunks_exact(usize::from(expect.length()));
    assert_eq!(parser.received(), chunks.remainder());
    assert_eq!(replies.len(), chunks.len());
    for (reply, chunk) in replies.iter().zip(chunks) {
        assert_eq!(*reply, Reply::parse(expect, chunk));
        let printable = chunk.iter().all(u8::is_ascii_graphic);
        match *reply {
            Ok(reply) => {
                let encoded = reply.encode();
                assert!(printable && encoded.eq_ignore_ascii_case(chunk));
            }
            Err(ReplyError::NotPrintable { byte, position }) => {
                assert_eq!(chunk[usize::from(position)], byte);
                assert!(!byte.is_ascii_graphic() && byte != b' ');
            }
            Err(ReplyError::Space { position }) => {
                assert_eq!(chunk[usize::from(position)], b' ');
            }
            Err(ReplyError::NotHexadecimal) => {
                assert!(printable && expect == ReplyKind::Build);
                assert!(!chunk.iter().all(u8::is_ascii_hexdigit));
            }
            Err(ReplyError::MissingOne { found }) => {
                assert!(
                    printable && expect == ReplyKind::Team && found == chunk[0] && found != b'1'
                );
            }
            Err(other) => panic!("{other:?} for a reply of full length"),
        }
    }
    let whole = Reply::parse(expect, bytes);
    match solid.len() {
        0 => assert_eq!(whole, Err(ReplyError::Silent { expect })),
        len if len < usize::from(expect.length()) => {
            assert_eq!(
                whole,
                Err(ReplyError::Short {
                    expect,
                    got: len as u8
                })
            );
        }
        len if len == usize::from(expect.length()) => assert_eq!(whole, replies[0]),
        got => assert_eq!(whole, Err(ReplyError::Long { expect, got })),
    }
}

#[test]
fn random_and_truncated_bytes_at_the_board() {
    let mut rng = Random::new(1);
    let mut total = 0;
    for _ in 0..SEQUENCES {
        let bytes = noise(&mut rng);
        let parsed = parse(&bytes);
        total += parsed.0.len();
        assert_eq!(
            parsed,
            parse_by_lookahead(&bytes),
            "{}",
            bytes.escape_ascii()
        );
        check_resynchronises(&bytes);
    }
    assert!(
        total > SEQUENCES,
        "the noise holds too few codes to test anything: {total}"
    );
}

#[test]
fn random_and_truncated_bytes_at_the_host() {
    let mut rng = Random::new(2);
    for _ in 0..SEQUENCES {
        let bytes = noise(&mut rng);
        check_replies(ReplyKind::Team, &bytes);
        check_replies(ReplyKind::Move, &bytes);
    }
}

#[test]
fn replies_of_boards_in_the_contest() {
    let team = TeamCode::new(*b"AA").unwrap();
    assert_eq!(
        Reply::parse(ReplyKind::Team, b"1AA\r\n"),
        Ok(Reply::Team(team))
    );
    assert_eq!(
        Reply::parse(ReplyKind::Move, b"53e0"),
        Ok(Reply::Move(*b"53e0"))
    );
    assert_eq!(
        Reply::parse(ReplyKind::Move, b"\r\n5\r3\ne0\r"),
        Ok(Reply::Move(*b"53e0"))
    );

    let missing = ReplyError::MissingOne { found: b'A' };
    assert_eq!(Reply::parse(ReplyKind::Team, b"AA1"), Err(missing));
    assert_eq!(
        missing.to_string(),
        "the answer to 0 begins with 'A' instead of '1'"
    );
    let short = ReplyError::Short {
        expect: ReplyKind::Move,
        got: 3,
    };
    assert_eq!(Reply::parse(ReplyKind::Move, b"53e\r\n"), Err(short));
    assert_eq!(
        short.to_string(),
        "the answer broke off after 3 of 4 bytes of a four-letter code"
    );
    let long = ReplyError::Long {
        expect: ReplyKind::Team,
        got: 4,
    };
    assert_eq!(Reply::parse(ReplyKind::Team, b"1AAA"), Err(long));
    assert_eq!(long.to_string(), "4 bytes came where a team code 1XX has 3");
    let broken = ReplyError::NotPrintable {
        byte: 0xe4,
        position: 2,
    };
    assert_eq!(Reply::parse(ReplyKind::Move, b"53\xe40"), Err(broken));
    let space = ReplyError::Space { position: 1 };
    assert_eq!(Reply::parse(ReplyKind::Move, b"5 3e"), Err(space));
    let long = ReplyError::Long {
        expect: ReplyKind::Move,
        got: 5,
    };
    assert_eq!(Reply::parse(ReplyKind::Move, b"53e0 "), Err(long));
    let second = ReplyError::NotPrintable {
        byte: 0x00,
        position: 2,
    };
    assert_eq!(Reply::parse(ReplyKind::Team, b"1A\x00"), Err(second));
}

/// Inserts blanks into a text at arbitrary positions.
fn with_blanks(bytes: &[u8], blanks: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    let mut text = bytes.to_vec();
    for (place, blank) in blanks {
        text.insert(place.index(text.len() + 1), *blank);
    }
    text
}

#[test]
fn whatever_comes_at_the_board_agrees_with_lookahead() {
    let inputs = Inputs {
        name: "codes at the board",
        pieces: &[
            "0", "2A", "25", "3", "4", "9", "5", "?", "????", "53e0", "a8e0", "0000", "\r", "\n",
            " ", "\x00", "1",
        ],
        real: &[
            b"02A453e09",
            b"0\r\n35a8e0453e040000\r\n9",
            b"????0 3A53e0 4 62t1 9\n25",
        ],
    };
    inputs.try_all(|bytes| {
        let parsed = parse(bytes);
        assert_eq!(parsed, parse_by_lookahead(bytes));
        check_resynchronises(bytes);
        !parsed.0.is_empty()
    });
}

#[test]
fn whatever_comes_at_the_host_is_a_reply_or_has_an_error() {
    let inputs = Inputs {
        name: "replies at the host",
        pieces: &[
            "1AA", "1", "53e0", "0000", "a8e0", "\r", "\n", " ", "\x00", "ff00", "E", "xyz",
        ],
        real: &[b"1AA", b"53e0\r\n", b"1A1a8e0", b"0123abcd"],
    };
    inputs.try_all(|bytes| {
        let expected = [ReplyKind::Team, ReplyKind::Move, ReplyKind::Build];
        for expect in expected {
            check_replies(expect, bytes);
        }
        expected
            .iter()
            .any(|&expect| Reply::parse(expect, bytes).is_ok())
    });
}

proptest! {
    #[test]
    fn blanks_change_nothing(
        bytes in prop::collection::vec(prop::sample::select(b"023459Aa1?\x00".to_vec()), 0..60),
        blanks in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::sample::select(b"\r\n ".to_vec())),
            0..30,
        ),
    ) {
        prop_assert_eq!(parse(&with_blanks(&bytes, &blanks)), parse(&bytes));
    }

    #[test]
    fn codes_survive_their_bytes(
        kinds in prop::collection::vec((0..6, any::<bool>(), "[!-~]{4}"), 0..30),
    ) {
        let codes: Vec<HostCode> = kinds
            .into_iter()
            .map(|(kind, five, code)| {
                let start = if five { StartCell::Five } else { StartCell::A };
                let code = code.as_bytes().try_into().unwrap();
                match kind {
                    0 => HostCode::Hello,
                    1 => HostCode::First { start },
                    2 => HostCode::Second { start, code },
                    3 => HostCode::Turn { code },
                    4 => HostCode::Identify,
                    _ => HostCode::End,
                }
            })
            .collect();
        // During a game `????` is not a code.
        let mut in_game = false;
        let codes: Vec<HostCode> = codes
            .into_iter()
            .filter(|code| {
                match code {
                    HostCode::First { .. } | HostCode::Second { .. } => in_game = true,
                    HostCode::Hello | HostCode::End => in_game = false,
                    HostCode::Turn { .. } => {}
                    HostCode::Identify => return !in_game,
                }
                true
            })
            .collect();
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.encode().to_vec()).collect();
        prop_assert_eq!(parse(&bytes), (codes, Counters::default(), false));
    }
}
