//! Checks of both parsers for any bytes, with a second, simpler parser as oracle. The tests of this
//! crate and the fuzz targets of `crates/fuzz` use them.

use duoforge_protocol::{
    Counters, DeviceEvent, DeviceSession, HostCode, HostCodeParser, Reply, ReplyError, ReplyKind,
    ReplyParser, StartCell, TeamCode, is_ignored, is_line_end,
};

fn without_blanks(bytes: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .copied()
        .filter(|&byte| !is_ignored(byte))
        .collect()
}

/// Parses the bytes; the flag is true if the parser ends inside a code.
pub fn parse(bytes: &[u8]) -> (Vec<HostCode>, Counters, bool) {
    let mut parser = HostCodeParser::new();
    let codes = bytes
        .iter()
        .filter_map(|&byte| parser.feed(byte).code)
        .collect();
    (codes, parser.counters(), !parser.is_idle())
}

/// Parses the same bytes by lookahead in the whole text, without a state machine.
pub fn parse_by_lookahead(bytes: &[u8]) -> (Vec<HostCode>, Counters, bool) {
    let bytes = without_blanks(bytes);
    let mut rest = bytes.as_slice();
    let (mut codes, mut counters) = (Vec::<HostCode>::new(), Counters::default());
    loop {
        // The last code that begins or ends a game decides whether one is running.
        let in_game = codes.iter().rev().find_map(|code| match code {
            HostCode::First { .. } | HostCode::Second { .. } => Some(true),
            HostCode::Handshake | HostCode::End => Some(false),
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
                codes.push(HostCode::Handshake);
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
pub fn check_resynchronises(bytes: &[u8]) {
    let team = TeamCode::new(*b"XY").unwrap();
    let mut board = DeviceSession::new(team);
    for &byte in bytes {
        board.feed(byte);
    }
    let mid_code = board.is_mid_code();
    assert_eq!(board.on_silence(), mid_code);
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
pub fn check_replies(expect: ReplyKind, bytes: &[u8]) {
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
