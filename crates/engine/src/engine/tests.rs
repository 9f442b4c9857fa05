use duoforge_rules::{Colour, Placement};
use duoforge_twin::Rng;

use std::iter;
use std::sync::Mutex;

use super::*;
use crate::random_games::find_position;
use crate::{SearchObserver, SearchProgress};

fn engine(text: &str) -> Engine {
    Engine::new(text.parse().expect("settings"))
}

fn after(codes: &[&str]) -> DuoBoard {
    let mut board = DuoBoard::duo();
    for code in codes {
        board.play(code.parse().expect("a code")).expect("legal");
    }
    board
}

/// Plays a game of the engine against itself and returns the result of each move.
fn game(engine: &mut Engine, limit: Limit) -> (DuoBoard, Vec<EngineResult>) {
    let mut board = DuoBoard::duo();
    let mut all = Vec::new();
    while !board.is_over() {
        let found = engine.choose(&board, limit);
        board.play(found.mv).expect("the engine knows the rules");
        all.push(found);
    }
    (board, all)
}

#[test]
fn games_are_legal_and_repeatable_with_one_thread() {
    let play = || {
        let mut engine = engine("threads=1,endgame_nodes=5000");
        let (board, all) = game(&mut engine, Limit::Simulations(300));
        let made: Vec<_> = all
            .iter()
            .map(|f| (f.simulations, f.exploration_visits, f.nodes))
            .collect();
        (board, made)
    };
    let (board, made) = play();
    assert!(board.is_over());
    // The tree of one move is reused for the next moves.
    assert!(
        made.iter().filter(|(_, known, _)| *known > 0).count() > 5,
        "{made:?}"
    );
    assert!(play() == (board, made));
}

#[test]
fn several_threads_make_all_simulations() {
    let board = after(&["53e0", "a8e0"]);
    let found = engine("threads=4,early_stop=0").choose(&board, Limit::Simulations(3000));
    assert_eq!(found.simulations, 3000);
    let visits: u32 = found.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, 3000);
    assert!(found.nodes > 20 && !found.full);
    assert_eq!(found.mv, found.lines[0].moves[0]);
    let games = found
        .lines
        .iter()
        .filter(|line| line.wins.is_some())
        .count();
    assert!(games > 1);
    assert!(
        found
            .lines
            .iter()
            .all(|line| line.wins.is_some() == (line.visits > 0))
    );
}

#[test]
fn nothing_is_kept_where_that_is_asked_for() {
    let (_, all) = game(
        &mut engine("threads=1,reuse_tree=0"),
        Limit::Simulations(50),
    );
    assert!(all.iter().all(|found| found.exploration_visits == 0));
}

#[test]
fn a_search_ends_when_no_other_move_can_become_the_best() {
    let limit = Limit::Simulations(4000);
    let (board, _) = game(&mut engine("threads=1"), Limit::Simulations(50));
    let mut earlier = 0;
    for ply in (4..20).step_by(4) {
        let mut before = DuoBoard::duo();
        for mv in &board.moves()[..ply] {
            before.play(*mv).expect("legal");
        }
        let full = engine("threads=1,endgame_mobility=0").analyse(&before, limit);
        let early = engine("threads=1,endgame_mobility=0").choose(&before, limit);
        assert_eq!(full.simulations, 4000);
        assert_eq!(early.mv, full.mv);
        if early.simulations < 4000 {
            earlier += 1;
            let [best, second] = [0, 1].map(|i| u64::from(early.lines[i].visits));
            assert!(best > second + (4000 - early.simulations));
        }
    }
    assert!(earlier > 0);
}

#[test]
fn time_ends_a_search() {
    let limit = Duration::from_millis(60);
    let found = engine("threads=2").analyse(&DuoBoard::duo(), Limit::Time(limit));
    assert!(found.simulations > 0 && found.time >= limit);
    let none = engine("threads=1").choose(&DuoBoard::duo(), Limit::Time(Duration::ZERO));
    assert_eq!(none.simulations, 0);
    assert!(matches!(none.mv, Move::Place(_)));
}

#[test]
fn the_end_is_played_exactly() {
    let mut engine = engine("threads=1,endgame_mobility=60,endgame_nodes=1000000");
    let (board, all) = game(&mut engine, Limit::Simulations(100));
    let solved = all
        .iter()
        .enumerate()
        .filter_map(|(ply, found)| Some((ply, found.solved?)));
    let exact: Vec<_> = solved.filter(|(_, solved)| solved.exact).collect();
    assert!(exact.len() > 1, "{exact:?}");
    // The final margin equals the predicted one: both sides play exactly from that move.
    for (ply, solved) in exact {
        let player = Colour((ply % 2) as u8);
        let margin = board.score(player) - board.score(player.opponent());
        assert_eq!(solved.margin, margin, "at ply {ply}");
    }
}

#[test]
fn a_solved_result_is_a_win_a_draw_or_a_loss() {
    let mut engine = engine("threads=1,endgame_mobility=60,endgame_nodes=1000000");
    let (_, all) = game(&mut engine, Limit::Simulations(100));
    let solved = all.into_iter().find(|found| found.solved.is_some());
    let mut found = solved.expect("the end is solved");
    for (margin, value) in [(7, 1.0), (1, 1.0), (0, 0.5), (-1, 0.0), (-30, 0.0)] {
        found.solved.as_mut().expect("a solved result").margin = margin;
        assert_eq!(found.value(), Some(value), "{margin}");
    }
}

#[test]
fn who_has_no_choice_does_not_think() {
    let mut engine = engine("threads=1,endgame_mobility=0");
    let (board, all) = game(&mut engine, Limit::Simulations(20));
    let mut replayed = DuoBoard::duo();
    let mut forced = 0;
    for (mv, found) in board.moves().iter().zip(&all) {
        if replayed.count_legal() < 2 {
            forced += 1;
            assert_eq!(found.simulations, 0);
        }
        replayed.play(*mv).expect("legal");
    }
    assert!(forced > 0);
}

/// Positions in which the side to move has a choice, and no side a placement after any of it.
fn last_choices() -> Vec<DuoBoard> {
    let mut rng = Rng::new(3);
    let is_last = |board: &DuoBoard, legal: &[Placement]| {
        let ends = |&placement: &Placement| {
            let mut after = board.clone();
            after.play(placement.into()).expect("legal");
            let first = after.legal().next().is_none();
            first && (after.play(Move::Pass).is_err() || after.legal().next().is_none())
        };
        (2..9).contains(&legal.len()) && legal.iter().all(ends)
    };
    iter::repeat_with(|| find_position(&mut rng, is_last))
        .flatten()
        .take(5)
        .collect()
}

#[test]
fn statistics_of_root_moves_are_those_of_their_simulations() {
    for board in last_choices() {
        let me = board.to_move();
        let mut engine = engine("threads=1,endgame_mobility=0");
        let found = engine.analyse(&board, Limit::Simulations(64));
        assert!(found.solved.is_none());
        let mut simulated = 0;
        for line in found.lines.iter().filter(|line| line.wins.is_some()) {
            let mut after = board.clone();
            after.play(line.placement().into()).expect("legal");
            let margin = after.score(me) - after.score(me.opponent());
            assert_eq!(line.margin, Some(f64::from(margin)));
            let expected = f64::from(margin.signum() + 1) / 2.0;
            assert_eq!(line.wins, Some(expected));
            assert!((0.0..=1.0).contains(&line.value) && (0.0..=1.0).contains(&line.prior));
            simulated += 1;
        }
        assert!(simulated > 1, "{:?}", board.moves());
        let priors: f64 = found.lines.iter().map(|line| line.prior).sum();
        assert!((priors - 1.0).abs() < 0.01, "{priors}");
    }
}

/// Observer that keeps the reports and cancels after some of them.
#[derive(Default)]
struct Recorder {
    reports: Mutex<Vec<SearchProgress>>,
    cancel_after: Option<usize>,
}

impl SearchObserver for Recorder {
    fn is_cancelled(&self) -> bool {
        let reports = self.reports.lock().unwrap().len();
        self.cancel_after.is_some_and(|limit| reports >= limit)
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(2)
    }

    fn report(&self, progress: SearchProgress) {
        self.reports.lock().unwrap().push(progress);
    }
}

#[test]
fn an_observer_sees_the_search_and_does_not_change_it() {
    let board = after(&["53e0", "a8e0"]);
    let limit = Limit::Simulations(3000);
    let recorder = Recorder::default();
    let observed = engine("threads=1").analyse_observed(&board, limit, &recorder);
    let alone = engine("threads=1").analyse(&board, limit);
    assert_eq!(
        (observed.simulations, &observed.lines),
        (3000, &alone.lines)
    );
    let reports = recorder.reports.into_inner().unwrap();
    assert!(reports.len() > 2, "{} reports", reports.len());
    for (earlier, later) in reports.iter().zip(&reports[1..]) {
        assert!(earlier.simulations < later.simulations && earlier.time < later.time);
    }
    for report in &reports {
        let visits: u32 = report.lines.iter().map(|line| line.visits).sum();
        assert_eq!(u64::from(visits), report.simulations);
    }
}

#[test]
fn an_observer_ends_a_search() {
    for threads in [1, 3] {
        let recorder = Recorder {
            cancel_after: Some(2),
            ..Recorder::default()
        };
        let mut engine = engine(&format!("threads={threads}"));
        let limit = Limit::Time(Duration::from_secs(600));
        let found = engine.analyse_observed(&DuoBoard::duo(), limit, &recorder);
        assert!(found.time < Duration::from_secs(300), "{:?}", found.time);
        assert!(found.simulations > 0 && !found.lines.is_empty());
        assert_eq!(recorder.reports.lock().unwrap().len(), 2);
        // A search that is cancelled at once still has a legal move.
        let at_once = Recorder {
            cancel_after: Some(0),
            ..Recorder::default()
        };
        let found = engine.choose_observed(&DuoBoard::duo(), limit, &at_once);
        assert_eq!(found.simulations, 0);
        assert!(matches!(found.mv, Move::Place(_)));
    }
}

/// Nodes keep the candidates and priors of their expansion, so another prior begins a new tree.
#[test]
fn a_parameter_of_the_search_clears_the_tree() {
    let board = DuoBoard::duo();
    let mut engine = engine("threads=1");
    let limit = Limit::Simulations(200);
    let mut known = |key: &str, value: &str| {
        engine.choose(&board, limit);
        engine.set(key, value).expect("a key");
        engine.choose(&board, limit).exploration_visits
    };
    assert!(known("memory", "64") > 0);
    assert!(known("prior_network", "1") > 0);
    for (key, value) in [
        ("prior_network", "0"),
        ("network", "1"),
        ("exploration", "33"),
    ] {
        assert_eq!(known(key, value), 0, "{key}");
    }
}
