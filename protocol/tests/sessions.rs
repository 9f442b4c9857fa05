//! Both state machines: connected to each other on the contest's example, and alone with a peer
//! that misbehaves.

use std::time::Duration;

use duoforge_protocol::{
    BuildId, DeviceEvent, DeviceSession, Frame, HostEvent, HostSession, NoAnswerDue, PASS, Phase,
    Prompt, PromptOrderError, REPLY_LIMIT, ReplyError, ReplyKind, StartCell, TeamCode,
};

fn board(team: &str) -> DeviceSession {
    DeviceSession::new(team.parse().unwrap())
}

/// Feeds a text and returns its events and all bytes that the session sends.
fn feed(board: &mut DeviceSession, bytes: &[u8]) -> (Vec<DeviceEvent>, Vec<u8>) {
    let (mut events, mut sent) = (Vec::new(), Vec::new());
    for &byte in bytes {
        let step = board.feed(byte);
        events.extend(step.event);
        sent.extend(step.send.iter().flat_map(|frame| frame.to_vec()));
    }
    (events, sent)
}

fn hear(host: &mut HostSession, bytes: &[u8]) -> Vec<HostEvent> {
    bytes.iter().filter_map(|&byte| host.feed(byte)).collect()
}

/// Connection to one device, with the moves that the device will reply.
struct Line {
    host: HostSession,
    board: DeviceSession,
    moves: Vec<[u8; 4]>,
    heard: Vec<[u8; 4]>,
}

impl Line {
    fn new(team: &str, moves: &[&[u8; 4]]) -> Self {
        let moves = moves.iter().rev().map(|code| **code).collect();
        Self {
            host: HostSession::new(),
            board: board(team),
            moves,
            heard: Vec::new(),
        }
    }

    /// Delivers a prompt and returns its bytes with the event of the reply.
    fn carry(&mut self, prompt: Prompt) -> (Frame, Option<HostEvent>) {
        let mut answer = Vec::new();
        for &byte in prompt.frame.as_bytes() {
            let step = self.board.feed(byte);
            answer.extend(step.send.iter().flat_map(|frame| frame.to_vec()));
            match step.event {
                Some(DeviceEvent::Begin { opponent, .. }) => self.heard.extend(opponent),
                Some(DeviceEvent::Turn { opponent }) => self.heard.push(opponent),
                _ => {}
            }
        }
        if self.board.answer_due() {
            let code = self.moves.pop().expect("the script is over");
            answer.extend(self.board.answer(code).unwrap().to_vec());
        }
        answer.extend(b"\r\n");
        let events = hear(&mut self.host, &answer);
        assert!(events.len() <= 1);
        (prompt.frame, events.first().copied())
    }
}

#[test]
fn the_example_of_table_2() {
    let mut one = Line::new("AA", &[b"53e0", b"21k7", b"61a0", &PASS]);
    let mut two = Line::new("BB", &[b"a8e0", b"94j0", b"71b3"]);
    let team = |text: &str| Some(HostEvent::Team(text.parse::<TeamCode>().unwrap()));
    let sent = |line: &mut Line, prompt: Result<Prompt, PromptOrderError>| {
        let (frame, event) = line.carry(prompt.unwrap());
        (String::from_utf8(frame.to_vec()).unwrap(), event)
    };
    for _game in 0..2 {
        let prompt = one.host.handshake();
        assert_eq!(sent(&mut one, prompt), ("0".into(), team("AA")));
        let prompt = two.host.handshake();
        assert_eq!(sent(&mut two, prompt), ("0".into(), team("BB")));

        let prompt = one.host.first(StartCell::Five);
        let reply = |code: &[u8; 4]| Some(HostEvent::Move(*code));
        assert_eq!(sent(&mut one, prompt), ("25".into(), reply(b"53e0")));
        let prompt = two.host.second(StartCell::A, *b"53e0");
        assert_eq!(sent(&mut two, prompt), ("3A53e0".into(), reply(b"a8e0")));
        for (mine, theirs, prompt_one, prompt_two) in [
            (b"21k7", b"94j0", "4a8e0", "421k7"),
            (b"61a0", b"71b3", "494j0", "461a0"),
        ] {
            let asked = prompt_one.as_bytes()[1..].try_into().unwrap();
            let prompt = one.host.turn(asked);
            assert_eq!(sent(&mut one, prompt), (prompt_one.into(), reply(mine)));
            let prompt = two.host.turn(*mine);
            assert_eq!(sent(&mut two, prompt), (prompt_two.into(), reply(theirs)));
        }
        let prompt = one.host.turn(*b"71b3");
        assert_eq!(sent(&mut one, prompt), ("471b3".into(), reply(&PASS)));
        assert_eq!(one.heard, [*b"a8e0", *b"94j0", *b"71b3"]);
        assert_eq!(two.heard, [*b"53e0", *b"21k7", *b"61a0"]);
        for line in [&mut one, &mut two] {
            assert!(line.board.start().is_some());
            let prompt = line.host.end();
            assert_eq!(sent(line, Ok(prompt)), ("9".into(), None));
            assert_eq!(line.host.phase(), Phase::Ended);
            assert_eq!(line.board.start(), None);
        }
        // The next game begins with `0` on the same connection, without a reset.
        one = Line {
            moves: vec![PASS, *b"61a0", *b"21k7", *b"53e0"],
            heard: vec![],
            ..one
        };
        two = Line {
            moves: vec![*b"71b3", *b"94j0", *b"a8e0"],
            heard: vec![],
            ..two
        };
    }
}

#[test]
fn a_board_says_what_has_to_be_done() {
    let mut board = board("XY");
    assert_eq!(
        feed(&mut board, b"0"),
        (vec![DeviceEvent::Reset], b"1XY".to_vec())
    );
    assert_eq!(board.answer(PASS), Err(NoAnswerDue));

    let begin = DeviceEvent::Begin {
        start: StartCell::Five,
        opponent: Some(*b"aau0"),
    };
    assert_eq!(feed(&mut board, b"35aau0\n"), (vec![begin], vec![]));
    assert_eq!(board.start(), Some(StartCell::Five));
    assert!(board.answer_due());
    assert_eq!(board.answer(*b"55u0").unwrap().as_bytes(), b"55u0");
    assert_eq!(board.answer(*b"55u0"), Err(NoAnswerDue));

    let turn = DeviceEvent::Turn { opponent: PASS };
    assert_eq!(feed(&mut board, b"40000"), (vec![turn], vec![]));
    assert_eq!(feed(&mut board, b"9"), (vec![DeviceEvent::End], vec![]));
    assert_eq!(board.answer(PASS), Err(NoAnswerDue));
}

#[test]
fn a_turn_without_a_game_is_answered_with_a_pass() {
    for before in [&b""[..], b"0", b"25 9", b"2A 0"] {
        let mut board = board("XY");
        feed(&mut board, before);
        let unsolicited = DeviceEvent::UnsolicitedTurn { opponent: *b"53e0" };
        assert_eq!(
            feed(&mut board, b"453e0"),
            (vec![unsolicited], b"0000".to_vec())
        );
        assert_eq!(board.answer(PASS), Err(NoAnswerDue));
    }
}

#[test]
fn a_board_never_answers_late() {
    for next in [&b"9"[..], b"0"] {
        let mut board = board("XY");
        feed(&mut board, b"25");
        feed(&mut board, next);
        assert_eq!(board.answer(*b"55u0"), Err(NoAnswerDue));
    }
}

#[test]
fn broken_codes_leave_the_board_in_step() {
    let mut board = board("XY");
    feed(&mut board, b"2A");
    // Invalid contents are framed and forwarded; the rules reject them as moves.
    let turn = DeviceEvent::Turn { opponent: *b"zz??" };
    assert_eq!(feed(&mut board, b"4zz??").0, [turn]);
    assert_eq!(feed(&mut board, b"4zz").0, []);
    assert!(board.is_mid_code());
    assert!(board.framing_error());
    assert!(!board.is_mid_code());
    // The rest of the code is garbage, except for characters that begin another code.
    assert_eq!(feed(&mut board, b"zx").0, []);
    assert_eq!(feed(&mut board, b"26").0, []);
    assert_eq!(feed(&mut board, b"450").0, []);
    assert!(board.on_silence());
    let counters = board.counters();
    let counts = (
        counters.garbage,
        counters.bad_start,
        counters.unfinished,
        counters.framing,
    );
    assert_eq!(counts, (3, 1, 1, 1));
    assert_eq!(board.start(), Some(StartCell::A));
}

fn playing() -> HostSession {
    let mut host = HostSession::new();
    host.handshake().unwrap();
    hear(&mut host, b"1AA");
    host.first(StartCell::Five).unwrap();
    assert_eq!(hear(&mut host, b"53e0"), [HostEvent::Move(*b"53e0")]);
    host
}

#[test]
fn prompts_out_of_order_are_refused() {
    let mut host = HostSession::new();
    assert_eq!(host.first(StartCell::A), Err(PromptOrderError::NoHandshake));
    assert_eq!(host.turn(PASS), Err(PromptOrderError::NotPlaying));
    host.handshake().unwrap();
    assert_eq!(host.handshake(), Err(PromptOrderError::ReplyDue));
    assert_eq!(host.first(StartCell::A), Err(PromptOrderError::ReplyDue));
    assert_eq!(
        hear(&mut host, b"1AA"),
        [HostEvent::Team("AA".parse().unwrap())]
    );
    assert_eq!(host.turn(PASS), Err(PromptOrderError::NotPlaying));
    assert_eq!(
        host.second(StartCell::A, *b"53 0"),
        Err(PromptOrderError::BlankInCode)
    );
    host.handshake()
        .expect("a handshake may be repeated before a game");
    hear(&mut host, b"1AA");

    let mut host = playing();
    assert_eq!(host.handshake(), Err(PromptOrderError::Playing));
    assert_eq!(host.first(StartCell::A), Err(PromptOrderError::Playing));
    assert_eq!(
        host.second(StartCell::A, PASS),
        Err(PromptOrderError::Playing)
    );
    assert_eq!(host.turn(*b"\r\n53"), Err(PromptOrderError::BlankInCode));
    host.turn(PASS).unwrap();
    assert_eq!(host.turn(PASS), Err(PromptOrderError::ReplyDue));

    let prompt = host.end();
    assert_eq!((prompt.frame.as_bytes(), prompt.expect), (&b"9"[..], None));
    assert_eq!(prompt.limit, Duration::ZERO);
    assert_eq!(host.expects(), None);
    assert_eq!(host.turn(PASS), Err(PromptOrderError::NotPlaying));
    assert_eq!(host.first(StartCell::A), Err(PromptOrderError::NoHandshake));
    assert_eq!(host.handshake().unwrap().expect, Some(ReplyKind::Team));
}

#[test]
fn a_refused_prompt_changes_nothing() {
    let mut host = playing();
    let before = host.clone();
    let _ = host.handshake();
    let _ = host.second(StartCell::A, *b"    ");
    assert_eq!(host, before);
}

#[test]
fn prompts_carry_their_time_limit() {
    let mut host = HostSession::new();
    assert_eq!(host.handshake().unwrap().limit, REPLY_LIMIT);
    let mut host = HostSession::with_limit(Duration::from_millis(250));
    assert_eq!(host.handshake().unwrap().limit, Duration::from_millis(250));
}

#[test]
fn silence_and_broken_off_answers_are_told_apart() {
    let mut host = playing();
    host.turn(PASS).unwrap();
    assert_eq!(
        host.expire(),
        Some(ReplyError::Silent {
            expect: ReplyKind::Move
        })
    );
    assert_eq!(host.expire(), None);

    host.turn(PASS).unwrap();
    assert_eq!(hear(&mut host, b"5\n3\r"), []);
    assert_eq!(host.received(), b"53");
    assert_eq!(
        host.expire(),
        Some(ReplyError::Short {
            expect: ReplyKind::Move,
            got: 2
        })
    );
    let late = [HostEvent::Unsolicited(b'e'), HostEvent::Unsolicited(b'0')];
    assert_eq!(hear(&mut host, b"e0\r\n"), late);
}

#[test]
fn a_failed_handshake_can_be_repeated() {
    let mut host = HostSession::new();
    host.handshake().unwrap();
    let broken = ReplyError::MissingOne { found: b'X' };
    assert_eq!(hear(&mut host, b"XAA"), [HostEvent::Broken(broken)]);
    assert_eq!((host.phase(), host.team()), (Phase::New, None));
    assert_eq!(host.first(StartCell::A), Err(PromptOrderError::NoHandshake));
    host.handshake().unwrap();
    assert_eq!(
        host.expire(),
        Some(ReplyError::Silent {
            expect: ReplyKind::Team
        })
    );
    host.handshake().unwrap();
    hear(&mut host, b"1AA");
    assert_eq!(
        (host.phase(), host.team()),
        (Phase::Ready, Some("AA".parse().unwrap()))
    );
}

#[test]
fn what_was_not_asked_for_is_told() {
    let mut host = HostSession::new();
    assert_eq!(hear(&mut host, b"\r\n 1"), [HostEvent::Unsolicited(b'1')]);

    let mut host = playing();
    host.turn(PASS).unwrap();
    let events = hear(&mut host, b"21k7\r\n5");
    assert_eq!(
        events,
        [HostEvent::Move(*b"21k7"), HostEvent::Unsolicited(b'5')]
    );
    host.end();
    assert_eq!(hear(&mut host, b"\n!"), [HostEvent::Unsolicited(b'!')]);
}

#[test]
fn a_board_names_its_build_outside_games_only() {
    let mut board = board("XY").with_build(BuildId(0x00c0_ffee));
    assert_eq!(feed(&mut board, b"????").1, b"00c0ffee");
    assert_eq!(feed(&mut board, b"0????").1, b"1XY00c0ffee");
    let (events, sent) = feed(&mut board, b"25????");
    assert_eq!((events.len(), sent.as_slice()), (1, &b""[..]));
    assert_eq!(board.counters().garbage, 4);
    assert_eq!(board.answer(*b"53e0").unwrap().as_bytes(), b"53e0");
    assert_eq!(feed(&mut board, b"????9????").1, b"00c0ffee");
}

#[test]
fn a_host_asks_for_the_build_outside_games_only() {
    let mut host = HostSession::new();
    assert_eq!(host.identify().unwrap().frame.as_bytes(), b"????");
    assert_eq!(host.handshake(), Err(PromptOrderError::ReplyDue));
    let event = HostEvent::Build(BuildId(0x00c0_ffee));
    assert_eq!(hear(&mut host, b"00c0ffee\r\n"), [event]);
    assert_eq!(playing().identify(), Err(PromptOrderError::Playing));

    host.identify().unwrap();
    let broken = HostEvent::Broken(ReplyError::NotHexadecimal);
    assert_eq!(hear(&mut host, b"00coffee"), [broken]);
}
