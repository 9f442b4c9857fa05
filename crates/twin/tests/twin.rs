//! Twin of the hardware player, from the point of view of the host.

use duoforge_protocol::{ByteDevice, TeamCode};
use duoforge_rules::{Code, DuoBoard, Move};
use duoforge_twin::book::Book;
use duoforge_twin::search::{Search, SearchParameters};
use duoforge_twin::{OpponentMove, Policy, SearchChooser, Twin};

fn twin() -> Twin {
    Twin::new(
        TeamCode::new(*b"DF").expect("two letters"),
        Policy::default(),
    )
}

/// Returns all replies of the twin to some bytes.
fn ask(twin: &mut Twin, bytes: &[u8]) -> String {
    let frames = bytes.iter().filter_map(|&byte| twin.receive(byte));
    frames
        .map(|frame| String::from_utf8_lossy(frame.as_bytes()).into_owned())
        .collect()
}

#[test]
fn it_names_its_team_and_forgets_the_game() {
    let mut twin = twin();
    let first = ask(&mut twin, b"025");
    assert!(first.starts_with("1DF") && first.len() == 7, "{first}");
    assert_eq!(ask(&mut twin, b"9"), "");
    assert_eq!(ask(&mut twin, b"4 53e0"), "0000");
    assert_eq!(ask(&mut twin, b"025"), first);
}

#[test]
fn it_plays_on_the_start_cell_that_it_is_given() {
    for (request, start) in [
        ("25", (4, 4)),
        ("2A", (9, 9)),
        ("3Aa8e0", (9, 9)),
        ("35a8e0", (4, 4)),
    ] {
        let mut twin = twin();
        ask(&mut twin, request.as_bytes());
        let decision = twin.decision().expect("a request for a move");
        let placement = decision.choice.expect("the first move is free").placement;
        assert!(
            placement.cells().any(|cell| (cell.x, cell.y) == start),
            "{request}"
        );
    }
}

#[test]
fn an_opponents_move_is_placed_whatever_its_alias() {
    // 43b2 and 33b6 name the same two cells; neither covers a start cell, but 55b2 and 45b6 do.
    let mut answers = ["35aab2", "359ab6"].map(|request| {
        let mut twin = twin();
        let answer = ask(&mut twin, request.as_bytes());
        assert!(
            matches!(
                twin.decision().expect("asked").opponent,
                OpponentMove::Placed(_)
            ),
            "{request}"
        );
        answer
    });
    answers.sort();
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn broken_and_illegal_moves_count_as_passes() {
    for (code, broken) in [
        ("zzzz", true),
        ("53E0", true),
        ("11j0", true),
        ("f3e0", true),
        ("3fe0", true),
        ("11a0", false),
        ("e5j2", false),
        ("53e0", false),
    ] {
        let mut twin = twin();
        ask(&mut twin, b"0");
        let after_illegal = ask(&mut twin, format!("35{code}").as_bytes());
        assert_eq!(twin.flags().broken, broken, "{code}");
        assert_eq!(twin.flags().illegal, !broken, "{code}");
        assert_eq!(after_illegal, ask(&mut self::twin(), b"350000"), "{code}");
        ask(&mut twin, b"0");
        assert_eq!(twin.flags(), Default::default(), "0 clears the flags");
    }
}

#[test]
fn it_answers_after_the_end_too() {
    let mut twin = twin();
    ask(&mut twin, b"025");
    for _ in 0..40 {
        let answer = ask(&mut twin, b"40000");
        assert_eq!(answer.len(), 4);
    }
    assert_eq!(ask(&mut twin, b"40000"), "0000");
}

#[test]
fn silence_and_lost_bytes_drop_what_was_begun() {
    let mut twin = twin();
    ask(&mut twin, b"0453");
    twin.on_silence();
    assert_eq!(ask(&mut twin, b"0"), "1DF");
    ask(&mut twin, b"4a");
    twin.framing_error();
    assert_eq!(ask(&mut twin, b"0"), "1DF");
}

/// As a device of bytes, the twin is the same.
#[test]
fn it_is_a_device_of_bytes() {
    let (mut twin, mut same) = (twin(), twin());
    for &byte in b"025" {
        let Ok(frame) = ByteDevice::receive(&mut twin, byte);
        assert_eq!(frame, same.receive(byte));
    }
    assert_eq!(twin.board().moves(), same.board().moves());
    assert_eq!(twin.board().moves().len(), 1);
    ask(&mut twin, b"4");
    ByteDevice::on_silence(&mut twin);
    assert_eq!(ask(&mut twin, b"0"), "1DF");
}

/// Returns a search, and a twin that makes 40 simulations of it per move.
fn searching(book: Option<&'static Book>) -> (Search, Twin) {
    let parameters = SearchParameters {
        expand_threshold: 4,
        ..SearchParameters::default()
    };
    let search = Search::new(parameters, 5);
    let chooser = SearchChooser {
        search: search.clone(),
        simulations: 40,
        book,
    };
    let team = TeamCode::new(*b"DF").expect("two letters");
    (search, Twin::new(team, chooser))
}

/// With a search it plays the best move of that many simulations, and reports their number.
#[test]
fn it_plays_what_its_search_finds() {
    let (search, mut twin) = searching(None);
    for (simulations, request) in [(40, &b"025"[..]), (90, b"0025")] {
        twin.set_simulations(simulations);
        let reply = ask(&mut twin, request);
        let found = search
            .clone()
            .run(&DuoBoard::duo(), |done| done < simulations);
        let best = found.lines[0];
        let decision = twin.decision().expect("a prompt for a move");
        let choice = decision.choice.expect("a placement");
        assert_eq!(decision.simulations, simulations);
        assert_eq!(
            (choice.placement, choice.score),
            (best.placement, best.value as u16)
        );
        let code: Code = reply[reply.len() - 4..].parse().expect("a code");
        assert_eq!(code.placement(), Some(best.placement));
        assert_eq!(decision.position.moves(), []);
        assert_eq!(twin.board().moves(), [Move::Place(best.placement)]);
    }
}

/// In a position of its book it replies without a search, and searches in others.
#[test]
fn it_plays_from_its_book() {
    let book = Book::built_in();
    let (_, mut twin) = searching(Some(book));
    for (request, simulations) in [(&b"025"[..], 0), (b"03A54t7", 0), (b"03A53e0", 40)] {
        ask(&mut twin, request);
        let decision = twin.decision().expect("a prompt for a move");
        let choice = decision.choice.map(|choice| choice.placement);
        let reply = book.reply(&decision.position);
        assert_eq!(decision.simulations, simulations, "{reply:?}");
        assert_eq!(reply.is_some(), simulations == 0);
        assert!(reply.is_none() || reply == choice);
    }
}

/// A search in the opponent's time comes before the next prompt, and the search after it continues
/// in its tree. A new game begins without one.
#[test]
fn it_searches_in_the_opponent_s_time() {
    let (mut search, mut twin) = searching(None);
    ask(&mut twin, b"025");
    let mut board = twin.board().clone();
    search.ponder(&board, 2_000);
    twin.set_pondered(2_000);
    // The reply that a search of the same position finds.
    let reply = search.clone().run(&board, |done| done < 500).lines[0].placement;
    board.play(Move::Place(reply)).expect("legal");
    let code = Move::Place(reply).to_code_bytes();
    ask(&mut twin, &[b"4".as_slice(), &code].concat());
    let found = search.run(&board, |done| done < 40);
    let decision = twin.decision().expect("a prompt for a move");
    assert!(found.continued && decision.continued);
    let choice = decision.choice.expect("a placement");
    assert_eq!(choice.placement, found.lines[0].placement);
    ask(&mut twin, b"025");
    assert!(!twin.decision().expect("a prompt for a move").continued);
}
