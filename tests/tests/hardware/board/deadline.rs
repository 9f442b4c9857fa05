//! Tests of the reply deadline: a reply leaves in time, and it is the best placement that
//! was scored by then.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::pattern::{cycles, scan};
use duoforge_rules::{Cell, DuoBoard, Move, Placement, Variant};
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use super::{open, parameters};

/// Flag of a decision that the deadline ended.
const CUT_SHORT: u8 = 16;

/// Maximum cycles from the deadline, or from the first score if that is later, to the first bit of
/// the reply. In this time the pipeline drains and the placement is written.
const LAST_WORDS: u32 = 60;

#[test]
fn games_under_a_short_deadline() {
    let [whole, cut, after] = play(Backend::Verilator, 540, 12);
    assert!(whole > 5 && cut > 5, "{whole} whole, {cut} cut");
    assert!(after > 5, "{after} whole answers follow a cut one");
}

#[test]
fn a_deadline_of_zero() {
    let cut = play(Backend::Icarus, 0, 1);
    assert!(cut[1] > 8, "{cut:?}");
}

/// Plays games against random moves. A reply whose cycles fit before the deadline must be complete.
/// Returns the number of complete replies, of replies cut short, and of replies that had to be
/// complete and follow one cut short.
fn play(backend: Backend, deadline_cycles: u32, games: u64) -> [u32; 3] {
    let parameters = PlayerParameters {
        deadline_cycles,
        ..parameters()
    };
    let mut board = open(backend, &parameters);
    let mut rng = Rng::new(31);
    let mut cut = [0; 3];
    for _ in 0..games {
        assert_eq!(board.exchange(b"0").expect("it runs").bytes, b"1DF");
        let mut position =
            DuoBoard::with_starts(&Variant::ENDLESS_DUO, &[Cell::new(9, 9), Cell::new(4, 4)]);
        let mut request = b"2A".to_vec();
        let mut searched = 0;
        let mut was_cut = false;
        loop {
            let answer = board.exchange(&request).expect("it runs");
            let trace = board.trace().expect("it runs");
            let status = board.status().expect("it runs");
            let complete = scan::twin(&position);
            let placements = complete
                .iter()
                .map(|p| (p.orientation.index() as u8, p.x, p.y));
            let placements: Vec<_> = placements.collect();
            assert!(
                placements.starts_with(&trace.own),
                "what was seen is a beginning"
            );
            assert_eq!(status.legal_count as usize, trace.own.len());
            let seen = &complete[..trace.own.len()];
            let mv = best(&parameters, &position, seen);
            assert_eq!(answer.bytes, mv.to_code_bytes(), "the best of those seen");
            assert_eq!(seen.is_empty(), complete.is_empty());

            let is_cut = seen.len() < complete.len();
            cut[usize::from(is_cut)] += 1;
            if searched + cycles::search(&position) <= deadline_cycles {
                assert!(!is_cut, "the answer is complete before the deadline");
                cut[2] += u32::from(was_cut);
            }
            was_cut = is_cut;
            if is_cut {
                assert!(status.flags & CUT_SHORT != 0);
            }
            assert!(status.flags & !CUT_SHORT == 0, "{status:?}");
            let delay = answer.delay.expect("an answer") as u32;
            assert!(
                delay <= deadline_cycles.max(searched + first_score(&complete)) + LAST_WORDS,
                "{delay} cycles"
            );

            position.play(mv).expect("the answer is legal");
            if !position.has_legal() {
                break;
            }
            let pick = rng.below(position.count_legal()) as usize;
            let opponent = position.legal().nth(pick).expect("one of them");
            searched = cycles::search(&position) + cycles::WRITE;
            request = [b"4", &opponent.code().to_bytes()[..]].concat();
            position.play(Move::Place(opponent)).expect("a legal move");
        }
    }
    println!(
        "{backend}, deadline {deadline_cycles}: {} answers complete, {} cut short, {} in time after one cut short",
        cut[0], cut[1], cut[2]
    );
    cut
}

/// Returns the cycles from the start of a scan to the first score. Each earlier row takes one cycle
/// to load and one per column; the stages before and after the rows take 16.
fn first_score(placements: &[Placement]) -> u32 {
    let (x, y) = placements
        .first()
        .map_or((0, 14), |first| (first.x, first.y));
    15 * u32::from(y) + u32::from(x) + 16
}

/// Returns the best of the placements, and the first one among equals.
fn best(parameters: &PlayerParameters, position: &DuoBoard, seen: &[Placement]) -> Move {
    let maps = duoforge_twin::PolicyMaps::new(position, position.to_move());
    let score = |placement: &Placement| parameters.policy.score(&maps, *placement);
    let best = seen.iter().rev().max_by_key(|placement| score(placement));
    best.map_or(Move::Pass, |&placement| Move::Place(placement))
}
