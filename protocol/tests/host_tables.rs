//! Tables of the host side: each phase with each prompt, each reply with its message.

use duoforge_protocol::{
    BuildId, HostEvent, HostSession, PASS, Phase, Prompt, PromptOrderError, REPLY_LIMIT, Reply,
    ReplyError, ReplyKind, ReplyParser, StartCell, TeamCode,
};

fn team(text: &str) -> TeamCode {
    text.parse().unwrap()
}

fn hear(host: &mut HostSession, bytes: &[u8]) -> Vec<HostEvent> {
    bytes.iter().filter_map(|&byte| host.feed(byte)).collect()
}

/// Tries each prompt in each phase, with and without a reply that is due.
#[test]
fn a_host_sends_each_code_in_its_phases_only() {
    let lead = |phase: &str| {
        let mut host = HostSession::new();
        if phase != "new" {
            host.handshake().unwrap();
            hear(&mut host, b"1AB");
        }
        if matches!(phase, "playing" | "ended") {
            host.first(StartCell::Five).unwrap();
            hear(&mut host, b"53e0");
        }
        if phase == "ended" {
            host.end();
        }
        host
    };
    use PromptOrderError::{NoHandshake, NotPlaying, Playing, ReplyDue};
    type Prompted = Result<&'static str, PromptOrderError>;
    let table: [(&str, Phase, [Prompted; 5]); 4] = [
        (
            "new",
            Phase::New,
            [
                Ok("0"),
                Err(NoHandshake),
                Err(NoHandshake),
                Err(NotPlaying),
                Ok("????"),
            ],
        ),
        (
            "ready",
            Phase::Ready,
            [Ok("0"), Ok("2A"), Ok("35a8e0"), Err(NotPlaying), Ok("????")],
        ),
        (
            "playing",
            Phase::Playing,
            [
                Err(Playing),
                Err(Playing),
                Err(Playing),
                Ok("4a8e0"),
                Err(Playing),
            ],
        ),
        (
            "ended",
            Phase::Ended,
            [
                Ok("0"),
                Err(NoHandshake),
                Err(NoHandshake),
                Err(NotPlaying),
                Ok("????"),
            ],
        ),
    ];
    type Asks = fn(&mut HostSession) -> Result<Prompt, PromptOrderError>;
    let prompts: [Asks; 5] = [
        HostSession::handshake,
        |host| host.first(StartCell::A),
        |host| host.second(StartCell::Five, *b"a8e0"),
        |host| host.turn(*b"a8e0"),
        HostSession::identify,
    ];
    for (name, phase, row) in table {
        assert_eq!(lead(name).phase(), phase);
        for (prompt, expected) in prompts.iter().zip(row) {
            let mut host = lead(name);
            let before = host.clone();
            match (prompt(&mut host), expected) {
                (Ok(prompt), Ok(bytes)) => {
                    assert_eq!(prompt.frame.as_bytes(), bytes.as_bytes(), "{name}");
                    assert_eq!(prompt.code.encode(), prompt.frame);
                    assert_eq!(
                        (prompt.expect, prompt.limit),
                        (prompt.code.expects(), REPLY_LIMIT)
                    );
                    assert_eq!(host.expects(), prompt.expect);
                    // No other prompt is permitted until the reply has arrived.
                    let due = host.clone();
                    for other in &prompts {
                        assert_eq!(other(&mut host), Err(ReplyDue), "{name} {bytes}");
                    }
                    assert_eq!(host, due);
                    let end = host.end();
                    assert_eq!(
                        (end.frame.as_bytes(), host.phase()),
                        (&b"9"[..], Phase::Ended)
                    );
                    assert_eq!((end.expect, host.expects()), (None, None));
                }
                (found, expected) => {
                    assert_eq!(found.err(), expected.err(), "{name}");
                    assert_eq!(host, before, "a refused prompt changes nothing");
                }
            }
        }
    }
    let mut host = lead("ready");
    assert_eq!(host.team(), Some(team("AB")));
    host.handshake().unwrap();
    assert_eq!(
        (host.phase(), host.team()),
        (Phase::New, None),
        "a handshake begins anew"
    );
}

#[test]
fn refused_prompts_say_why() {
    for (error, text) in [
        (
            PromptOrderError::ReplyDue,
            "the answer to the prompt before is still due",
        ),
        (
            PromptOrderError::NoHandshake,
            "a game needs a handshake first",
        ),
        (
            PromptOrderError::NotPlaying,
            "a turn needs a game that has begun",
        ),
        (PromptOrderError::Playing, "a game is running; end it first"),
        (
            PromptOrderError::BlankInCode,
            "a move code cannot hold a blank",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
    for blank in [*b"5 e0", *b"53e\n", *b"\r3e0"] {
        let mut host = HostSession::default();
        assert_eq!(host.turn(blank), Err(PromptOrderError::BlankInCode));
        assert_eq!(
            host.second(StartCell::A, blank),
            Err(PromptOrderError::BlankInCode)
        );
    }
}

/// Table of reply kind, bytes, expected result and its message.
#[test]
fn answers_are_judged_byte_by_byte() {
    let (team_due, code, build) = (ReplyKind::Team, ReplyKind::Move, ReplyKind::Build);
    for (expect, bytes, error, text) in [
        (
            code,
            &b""[..],
            ReplyError::Silent { expect: code },
            "no answer where a four-letter code was due",
        ),
        (
            team_due,
            b"\r\n",
            ReplyError::Silent { expect: team_due },
            "no answer where a team code 1XX was due",
        ),
        (
            code,
            b"53e",
            ReplyError::Short {
                expect: code,
                got: 3,
            },
            "the answer broke off after 3 of 4 bytes of a four-letter code",
        ),
        (
            build,
            b"0123456",
            ReplyError::Short {
                expect: build,
                got: 7,
            },
            "the answer broke off after 7 of 8 bytes of a build id",
        ),
        (
            code,
            b"53e01",
            ReplyError::Long {
                expect: code,
                got: 5,
            },
            "5 bytes came where a four-letter code has 4",
        ),
        (
            team_due,
            b"0AB",
            ReplyError::MissingOne { found: b'0' },
            "the answer to 0 begins with '0' instead of '1'",
        ),
        (
            build,
            b"0123456g",
            ReplyError::NotHexadecimal,
            "a build id has 8 hexadecimal digits",
        ),
        (
            build,
            b"+1234567",
            ReplyError::NotHexadecimal,
            "a build id has 8 hexadecimal digits",
        ),
        (
            code,
            b"5 e0",
            ReplyError::Space { position: 1 },
            "a space stands at position 1 of the answer",
        ),
        (
            team_due,
            b"1A ",
            ReplyError::Space { position: 2 },
            "a space stands at position 2 of the answer",
        ),
        (
            team_due,
            b"1\x7fB",
            ReplyError::NotPrintable {
                byte: 0x7f,
                position: 1,
            },
            "byte 0x7f at position 1 of the answer is not printable ASCII",
        ),
        (
            code,
            b"\x0053e",
            ReplyError::NotPrintable {
                byte: 0,
                position: 0,
            },
            "byte 0x00 at position 0 of the answer is not printable ASCII",
        ),
    ] {
        let found = Reply::parse(expect, bytes).unwrap_err();
        assert_eq!((found, found.to_string().as_str()), (error, text));
    }
    for (expect, bytes, reply, printed) in [
        (team_due, &b"1AB"[..], Reply::Team(team("AB")), "1AB"),
        (team_due, b"\r1\nA!\n", Reply::Team(team("A!")), "1A!"),
        (code, b"zz~!", Reply::Move(*b"zz~!"), "zz~!"),
        (code, b"0000\r\n", Reply::Move(PASS), "0000"),
        (
            build,
            b"DEADbeef",
            Reply::Build(BuildId(0xdead_beef)),
            "deadbeef",
        ),
    ] {
        assert_eq!(Reply::parse(expect, bytes), Ok(reply));
        assert_eq!(reply.to_string(), printed);
        let mut parser = ReplyParser::new(expect);
        assert_eq!(parser.expect(), expect);
        let ends: Vec<_> = bytes.iter().map(|&byte| parser.feed(byte)).collect();
        assert_eq!(ends.iter().flatten().count(), 1, "once, at the last byte");
        assert!(parser.received().is_empty());
        assert_eq!(parser.unfinished(), ReplyError::Silent { expect });
    }
}

#[test]
fn codes_of_teams_and_builds_say_what_is_wrong() {
    let text = |text: &str| text.parse::<TeamCode>().unwrap_err().to_string();
    let printable = "a team code holds printable ASCII characters only, not the byte 0x";
    assert_eq!(text("ABC"), "a team code has 2 characters, not 3");
    assert_eq!(text(""), "a team code has 2 characters, not 0");
    assert_eq!(text(" B"), format!("{printable}20"));
    assert_eq!(text("A\x7f"), format!("{printable}7f"));
    assert_eq!(text("\x01\x02"), format!("{printable}01"));
    assert_eq!(team("~!").bytes(), *b"~!");
    assert_eq!(
        (team("~!").to_string(), team("\\'").to_string()),
        ("~!".into(), "\\\\\\'".into())
    );
    let error = "123".parse::<BuildId>().unwrap_err();
    assert_eq!(error.to_string(), "a build id has 8 hexadecimal digits");
    assert_eq!(BuildId(0xf).to_string(), "0000000f");
    assert_eq!(BuildId::default(), BuildId(0));
}
