//! Replies of the mocks, move by move.

use super::*;

const LIMIT: Duration = Duration::from_secs(1);

fn mock(kind: MockKind) -> Mock {
    Mock::new(kind, TeamCode::new(*b"MK").unwrap(), LIMIT)
}

/// Bytes that a mock sends after a chunk.
fn said(mock: &mut Mock, chunk: &[u8]) -> String {
    let actions = mock.hear(chunk, Duration::ZERO).into_iter();
    let bytes = actions.flat_map(|action| match action {
        MockAction::Say(bytes) => bytes,
        action => panic!("{action:?}"),
    });
    String::from_utf8(bytes.collect()).unwrap()
}

#[test]
fn another_team_code_comes_once() {
    let mut two_teams = mock(MockKind::TwoTeams);
    assert_eq!(
        [(); 4].map(|()| said(&mut two_teams, b"0")),
        ["1MK", "1ZZ", "1MK", "1MK"]
    );

    let mut renamed = mock(MockKind::Renamed);
    let mut teams = Vec::new();
    for _ in 0..4 {
        teams.push(said(&mut renamed, b"0"));
        said(&mut renamed, b"25");
        assert_eq!(said(&mut renamed, b"9"), "");
    }
    assert_eq!(teams, ["1MK", "1ZZ", "1MK", "1MK"]);
}

#[test]
fn an_early_pass_is_the_fourth_move_of_the_first_game() {
    let mut mock = mock(MockKind::PassEarly);
    for pass in [Some(3), None] {
        said(&mut mock, b"0");
        let mut replies = vec![said(&mut mock, b"25")];
        replies.extend((1..8).map(|_| said(&mut mock, b"40000")));
        assert_eq!(replies.iter().position(|reply| reply == "0000"), pass);
        said(&mut mock, b"9");
    }
}

/// Most faults show at the third move.
fn third_move(kind: MockKind) -> Vec<MockAction> {
    let mut mock = mock(kind);
    said(&mut mock, b"025");
    said(&mut mock, b"40000");
    mock.hear(b"40000", Duration::ZERO)
}

/// The first letter comes at once, and the last one after more than the limit.
#[test]
fn a_trickling_reply_has_equal_pauses_between_its_letters() {
    let correct = third_move(MockKind::Correct);
    let [MockAction::Say(code)] = &correct[..] else {
        panic!("{correct:?}");
    };
    let letters: Vec<_> = code
        .iter()
        .map(|&letter| MockAction::Say(vec![letter]))
        .collect();
    let pause = MockAction::Wait(Duration::from_millis(450));
    let right: Vec<_> = letters.iter().flat_map(|letter| [&pause, letter]).collect();
    let trickle = third_move(MockKind::Trickle);
    assert_eq!(trickle.iter().collect::<Vec<_>>(), right[1..]);
}

/// The cross is symmetrical: all its codes name one placement.
#[test]
fn an_alias_startles_but_a_canonical_code_does_not() {
    let reply = |kind, prompt: &[u8]| {
        let mut mock = mock(kind);
        said(&mut mock, b"0");
        said(&mut mock, prompt)
    };
    let (canonical, alias) = (b"3A54u0", b"3A54u1");
    let usual = reply(MockKind::Correct, canonical);
    assert_eq!(reply(MockKind::Correct, alias), usual);
    assert_eq!(reply(MockKind::Startled, canonical), usual);
    assert_ne!(reply(MockKind::Startled, alias), usual);
}
