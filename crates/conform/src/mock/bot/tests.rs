//! Answers of the text bots, line by line.

use duoforge_view::read_move;

use super::*;

/// Bot after `ready`, with all lines that it wrote so far.
fn ready(kind: BotMockKind) -> BotMock {
    let mut mock = BotMock::new(kind);
    mock.hear("settings variant duo\n");
    mock.hear("action warmup 1000\n");
    mock
}

/// Answer to a request after some moves.
fn answer(mock: &mut BotMock, moves: &str) -> String {
    mock.hear(&format!("update game moves {moves}\n"));
    let actions = mock.hear("action move 1000\n");
    match &actions[..] {
        [BotMockAction::Say(line)] => line.clone(),
        _ => panic!("{actions:?}"),
    }
}

#[test]
fn the_correct_bot_places_large_tiles_first() {
    let mut mock = ready(BotMockKind::Correct);
    for moves in ["", "54u0"] {
        let mv: Move = answer(&mut mock, moves).parse().unwrap();
        let Move::Place(placement) = mv else {
            panic!("the bot passes");
        };
        assert_eq!(placement.tile().size(), 5);
    }
}

/// The number names the move that the correct bot writes as a code.
#[test]
fn a_bot_with_action_numbers_writes_one_and_a_text() {
    let code = answer(&mut ready(BotMockKind::Correct), "54u0");
    let answer = answer(&mut ready(BotMockKind::Numbers), "54u0");
    let number = answer.strip_suffix(" largest tile").unwrap();
    assert!(number.bytes().all(|byte| byte.is_ascii_digit()), "{answer}");
    let actions = Game::new(&GameVariant::DUO).actions();
    assert_eq!(read_move(number, &actions), Ok(code.parse().unwrap()));
}

#[test]
fn a_bot_that_asks_for_the_state_answers_from_it() {
    let mut mock = ready(BotMockKind::Asks);
    mock.hear("update game state {\"legal\": {\"codes\": [\"77a0\", \"33a0\"]}}\n");
    assert_eq!(answer(&mut mock, ""), "77a0");
}

/// A game with one move is not yet a game in the middle.
#[test]
fn a_bot_that_needs_the_start_accepts_the_first_move_of_its_opponent() {
    let right = answer(&mut ready(BotMockKind::Correct), "54u0");
    assert_eq!(answer(&mut ready(BotMockKind::NeedsStart), "54u0"), right);
}

#[test]
fn a_complaint_follows_ready_and_a_line_with_words() {
    let mut mock = BotMock::new(BotMockKind::Complains);
    assert_eq!(mock.hear("hello\n"), []);
    assert_eq!(mock.hear("action warmup 1000\n"), [say("ready")]);
    assert_eq!(mock.hear("\n"), []);
    assert_eq!(mock.hear(" \n"), []);
    assert_eq!(mock.hear("hello\n"), [say("? unknown line")]);
}

/// The wait exceeds the time left by a fifth.
#[test]
fn a_late_answer_is_that_to_the_eighth_request() {
    let mut mock = ready(BotMockKind::Late);
    for _ in 0..7 {
        answer(&mut mock, "");
    }
    let actions = mock.hear("action move 1000\n");
    let wait = BotMockAction::Wait(Duration::from_millis(1200));
    assert!(matches!(&actions[..], [first, BotMockAction::Say(_)] if *first == wait));
}
