//! Both parsers on arbitrary bytes: no panic, the same result as a second, simpler parser, and
//! resynchronised after the inter-byte timeout.

#[path = "common/checks.rs"]
mod checks;
mod common;

use checks::{check_replies, check_resynchronises, parse, parse_by_lookahead};
use common::noise;
use duoforge_arbitrary::{Inputs, Random};
use duoforge_protocol::{Counters, HostCode, Reply, ReplyError, ReplyKind, StartCell, TeamCode};
use proptest::prelude::*;

const SEQUENCES: usize = 100_000;

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
                    0 => HostCode::Handshake,
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
                    HostCode::Handshake | HostCode::End => in_game = false,
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
