//! Tests of searches in the opponent's time: every simulation of them and of the searches that
//! continue in their trees equals the twin's.

use std::time::Duration;

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_rules::{DuoBoard, Move, Placement};
use duoforge_sim::Backend;
use duoforge_sim::search::{SearchUnit, compare, set_up_for};
use duoforge_twin::Rng;
use duoforge_twin::search::{Search, Simulation};

use super::pair::{Pair, prompt, reply};
use super::{external, settings, two_lanes};
use crate::support::games::Game;
use crate::support::share::{all, share};

/// Numbers of searches by what came before them.
#[derive(Debug, Default)]
struct Seen {
    /// Searches that continue in a tree.
    continued: usize,
    /// Searches after a reply without a node, or whose node is the opponent's.
    fresh: usize,
    /// Searches after a pass, or after two placements of the opponent.
    other: usize,
    /// Searches in the opponent's time that were stopped.
    stopped: usize,
}

fn games(backend: Backend, settings: &ClockedSearchConfig, count: usize, step: usize) -> Seen {
    let mut unit = SearchUnit::open(backend, settings, true).expect("the model can be built");
    let mut rng = Rng::new(47);
    let mut seen = Seen::default();
    for number in 0..count {
        let game = Game::random(&mut rng);
        for (board, _) in game.moves.iter().skip(1).step_by(step) {
            search(&mut unit, settings, board, &mut rng, &mut seen);
        }
        println!("game {number}: {seen:?}");
    }
    seen
}

/// Searches a position in the opponent's time, then the position after one of the opponent's moves.
fn search(
    unit: &mut SearchUnit,
    settings: &ClockedSearchConfig,
    board: &DuoBoard,
    rng: &mut Rng,
    seen: &mut Seen,
) {
    let me = board.to_move().opponent();
    set_up_for(unit, board, me).expect("it runs");
    let stop = (rng.below(3) == 0).then(|| u64::from(rng.below(30_000)));
    let heard = unit.ponder(me, stop).expect("it runs");
    let pondered = heard.traced.len() as u64;
    let mut twin = Search::new(settings.parameters.clone(), settings.seed);
    let mut told: Vec<Simulation> = Vec::new();
    let end = match stop {
        Some(_) => pondered,
        None => settings.simulations.into(),
    };
    twin.ponder_traced(board, |done| done < end, |it| told.push(it.clone()));
    assert_eq!(heard.traced, told, "ply {}", board.ply());
    seen.stopped += usize::from(stop.is_some() && pondered < u64::from(settings.simulations));

    // Mostly the reply that was searched first and most, else any.
    let reply = told.iter().map(|it| it.moves[0].1).next_back();
    let reply = reply
        .filter(|_| rng.below(4) > 0)
        .or_else(|| any(board, rng));
    let mut after = board.clone();
    let mut place = |unit: &mut SearchUnit, placement: Option<Placement>| {
        let mv = placement.map_or(Move::Pass, Move::Place);
        after.play(mv).expect("legal");
        if let Some(placement) = placement {
            unit.place(1, placement).expect("it runs");
        }
    };
    let other = rng.below(6);
    if other == 0 {
        place(unit, None);
    } else {
        place(unit, reply);
    }
    if other == 1 && reply.is_some() {
        place(unit, None);
        let second = any(&after, rng);
        let mv = second.map_or(Move::Pass, Move::Place);
        after.play(mv).expect("legal");
        if let Some(placement) = second {
            unit.place(1, placement).expect("it runs");
        }
    }
    let first = told.len() as u64;
    let mut told = Vec::new();
    let limit = u64::from(settings.simulations);
    let found = twin.run_traced(&after, |done| done < limit, |it| told.push(it.clone()));
    let heard = unit.think(me, None).expect("it runs");
    if let Err(divergence) = compare(&found, &told, &heard) {
        panic!("ply {}: {divergence}", after.ply());
    }
    if other < 2 {
        seen.other += 1;
    } else if found.continued {
        seen.continued += 1;
        assert_eq!(unit.pondered().expect("it runs"), first);
    } else {
        seen.fresh += 1;
    }
}

/// Returns a legal placement of the side to move.
fn any(board: &DuoBoard, rng: &mut Rng) -> Option<Placement> {
    let count = board.count_legal();
    (count > 0).then(|| board.legal().nth(rng.below(count) as usize).expect("one"))
}

fn assert_all(seen: &Seen) {
    let counts = [seen.continued, seen.fresh, seen.other, seen.stopped];
    assert!(counts.iter().all(|&count| count > 2), "{seen:?}");
}

#[test]
fn searches_continue_after_the_opponent_s_reply() {
    assert_all(&games(Backend::Verilator, &two_lanes(), 2, 2));
}

#[test]
fn searches_with_other_formulas_continue_in_an_external_memory() {
    assert_all(&games(Backend::Verilator, &external(4, 16), 1, 2));
}

/// Plays games between a board that searches in the opponent's time, with its twin, and a search
/// that replies after a random one of these times in microseconds. Returns what the board's searches
/// began with.
fn board_games(settings: &ClockedSearchConfig, games: u32, waits: &[u32]) -> Begun {
    let parameters = PlayerParameters {
        baud: 5_000_000,
        deadline_cycles: u32::MAX,
        reply_limit_cycles: u32::MAX,
        ..PlayerParameters::contest(50_000_000)
    };
    let whole = settings.simulations;
    let mut pair = Pair::open(&parameters, settings);
    let mut opponent = Search::new(settings.parameters.clone(), 3);
    let mut rng = Rng::new(53);
    let mut begun = Begun::default();
    for _ in 0..games {
        pair.exchange(b"0");
        let mut request = b"25".to_vec();
        while pair.exchange(&request).bytes != b"0000" {
            let pondered = pair.board.status().expect("it runs").pondered;
            match pondered {
                0 => begun.none += 1,
                number if number == whole => begun.whole += 1,
                _ => begun.stopped += 1,
            }
            begun.continued += u32::from(pair.twin.decision().expect("a request").continued);
            let found = opponent.run(pair.twin.board(), |done| done < 60);
            let wait = waits[rng.below(waits.len() as u32) as usize] + rng.below(50);
            let wait = Duration::from_micros(wait.into());
            pair.board.idle(wait).expect("it runs");
            request = match found.lines.first() {
                Some(line) if rng.below(5) > 0 => prompt(Move::Place(line.placement)),
                _ => reply(pair.twin.board(), &mut rng),
            };
        }
        // A reset during the search.
        pair.board.reset().expect("it runs");
    }
    println!("{begun:?}");
    begun
}

/// Numbers of a board's searches by the search in the opponent's time before them.
#[derive(Debug, Default)]
struct Begun {
    /// Without such a search.
    none: u32,
    /// After one that the host code stopped.
    stopped: u32,
    /// After one with all simulations.
    whole: u32,
    /// Searches that continued in its tree.
    continued: u32,
}

/// Boards that search in the opponent's time play whole games like their twins. Some host codes come
/// at once, others during or after such a search.
#[test]
fn boards_that_ponder_play_like_their_twins() {
    let settings = ClockedSearchConfig {
        ponder: true,
        ..settings(2, 60)
    };
    let begun = board_games(&settings, share(3), &[20, 200, 3_000]);
    let counts = [begun.none, begun.stopped, begun.whole, begun.continued];
    assert!(counts.iter().all(|&count| count >= share(4)), "{begun:?}");
}

/// Nearly every simulation makes a node here, so host codes come while a node is being made.
#[test]
fn a_host_code_that_comes_while_a_node_is_made_does_not_disturb_the_search() {
    let mut settings = ClockedSearchConfig {
        ponder: true,
        ..settings(1, 120)
    };
    settings.parameters.expand_threshold = 0;
    settings.parameters.nodes = 511;
    let waits: Vec<u32> = (0..20).map(|step| 20 + 60 * step).collect();
    let games = if all() { 15 } else { 1 };
    let begun = board_games(&settings, games, &waits);
    assert!(begun.stopped >= 4 * games, "{begun:?}");
}
