use super::*;
use duoforge_rules::{Cell, Tile};

/// Fault with its expected properties: kind, family, aspect, true if it is soft, the prompt and the
/// reply sought in the log, and the sentence.
type Row = (
    Fault,
    &'static str,
    &'static str,
    Aspect,
    bool,
    [&'static str; 2],
    &'static str,
);

fn illegal(reason: IllegalMove) -> Fault {
    Fault::Illegal {
        got: *b"11u0",
        reason,
        after: "53e0 a8e0".to_owned(),
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn table() -> Vec<Row> {
    const MS: fn(u64) -> Duration = Duration::from_millis;
    let asked = || "25".to_owned();
    let team = |letters: &[u8; 2]| TeamCode::new(*letters).unwrap();
    vec![
        (
            Fault::Silent {
                asked: asked(),
                waited: MS(2_200),
            },
            "silent",
            "no-answer",
            Aspect::Answers,
            false,
            ["25", ""],
            "no reply to 25 within 2.200 s",
        ),
        (
            Fault::Short {
                asked: asked(),
                got: b"53e".to_vec(),
                waited: MS(1_005),
            },
            "short",
            "no-answer",
            Aspect::Answers,
            false,
            ["25", "53e"],
            "reply to 25 is incomplete: '53e' within 1.005 s",
        ),
        (
            Fault::Late {
                asked: asked(),
                after: MS(1_001),
                limit: MS(1_000),
            },
            "late",
            "late",
            Aspect::Timing,
            true,
            ["25", ""],
            "reply to 25 took 1.001 s: the limit is 1.000 s",
        ),
        (
            Fault::Trickle {
                asked: asked(),
                between: [MS(900), MS(1_100)],
                limit: MS(1_000),
            },
            "trickle",
            "late",
            Aspect::Timing,
            true,
            ["25", ""],
            "reply to 25 took from 0.900 s to 1.100 s: the limit is 1.000 s",
        ),
        (
            Fault::Lost {
                asked: asked(),
                got: b"5\x00".to_vec(),
                reason: "the other end has gone".to_owned(),
            },
            "lost",
            "lost",
            Aspect::Answers,
            false,
            ["25", "5\0"],
            "link lost after 25 and '5\\x00': the other end has gone",
        ),
        (
            Fault::Space {
                asked: asked(),
                got: b"53 e0".to_vec(),
            },
            "space",
            "space",
            Aspect::Codes,
            true,
            ["25", "53 e0"],
            "reply '53 e0' to 25 has a space, which the contest's host counts as a letter",
        ),
        (
            Fault::Capitals {
                got: b"53E0".to_vec(),
            },
            "capitals",
            "capitals",
            Aspect::Codes,
            true,
            ["", "53E0"],
            "reply '53E0' has capital letters: expected small ones for column, row and tile",
        ),
        (
            Fault::Bytes {
                asked: asked(),
                got: b"53\x070".to_vec(),
            },
            "bytes",
            "bytes",
            Aspect::Codes,
            false,
            ["25", "53\u{7}0"],
            "reply '53\\x070' to 25 has bytes that are not printable characters (a possible \
             cause is a wrong baud rate)",
        ),
        (
            Fault::BadPrefix {
                got: b"2AA".to_vec(),
            },
            "no-one",
            "no-one",
            Aspect::Codes,
            false,
            ["", "2AA"],
            "reply to 0 is '2AA': expected 1XX",
        ),
        (
            Fault::Code {
                got: *b"z3e0",
                reason: CodeError::Column(b'z'),
            },
            "code",
            "illegal",
            Aspect::Codes,
            false,
            ["", "z3e0"],
            "reply 'z3e0' is not a code: 'z' is not a column (1-9, then a, b, c, ...)",
        ),
        (
            illegal(IllegalMove::OffBoard),
            "illegal-off-board",
            "illegal",
            Aspect::Rules,
            false,
            ["", "11u0"],
            "illegal move 11u0 after [53e0 a8e0]: the tile reaches beyond the board",
        ),
        (
            Fault::Unsolicited {
                after: "9".to_owned(),
                got: b"!\n".to_vec(),
            },
            "stray",
            "stray",
            Aspect::Quiet,
            true,
            ["9", "!\n"],
            "unsolicited bytes '!\\n' after 9",
        ),
        (
            Fault::OtherTeam {
                first: team(b"AA"),
                now: team(b"ZZ"),
            },
            "other-team",
            "other-team",
            Aspect::Other,
            true,
            ["", ""],
            "team code ZZ differs from the first team code AA",
        ),
        (
            Fault::Differs {
                asked: "53e2".to_owned(),
                plain: *b"a8e0",
                got: *b"a8u0",
            },
            "differs",
            "differs",
            Aspect::Other,
            false,
            ["", "a8u0"],
            "reply to 53e2 is a8u0; reply to the canonical form is a8e0",
        ),
        (
            Fault::EarlyPass {
                legal: 414,
                after: "53e0".to_owned(),
            },
            "early-pass",
            "early-pass",
            Aspect::Other,
            true,
            ["", ""],
            "voluntary pass with 414 legal placements after [53e0]",
        ),
    ]
}

#[test]
fn every_fault_has_its_kind_family_aspect_bytes_and_sentence() {
    for (fault, kind, family, aspect, soft, [asked, got], text) in table() {
        assert_eq!((fault.kind(), fault.family()), (kind, family));
        assert_eq!(fault.aspect(), aspect, "{kind}");
        assert_eq!(fault.is_soft(), soft, "{kind}");
        assert_eq!(fault.bytes(), (asked.as_bytes(), got.as_bytes()), "{kind}");
        assert_eq!(fault.to_string(), text);
    }
}

#[test]
fn every_rule_has_its_own_kind() {
    let cell = Cell::new(4, 4);
    let tile = Tile::from_letter(b'u').unwrap();
    let kinds = [
        (IllegalMove::GameOver, "illegal-game-over"),
        (IllegalMove::PassOnFirstTurn, "illegal-pass"),
        (IllegalMove::TileUsed { tile }, "illegal-tile-used"),
        (IllegalMove::OffBoard, "illegal-off-board"),
        (IllegalMove::Occupied { cell }, "illegal-occupied"),
        (IllegalMove::EdgeContact { cell }, "illegal-edge-contact"),
        (
            IllegalMove::StartCellMissed { start: cell },
            "illegal-start-cell",
        ),
        (IllegalMove::NoCornerContact, "illegal-no-corner"),
    ];
    for (reason, kind) in kinds {
        assert_eq!(illegal(reason).kind(), kind);
    }
}
