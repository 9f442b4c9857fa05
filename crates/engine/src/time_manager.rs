//! Time management: time budget of each move.

use std::time::Duration;

use duoforge_rules::{Colour, DuoBoard, Move};

/// Number of tiles that a player rarely exceeds in a game.
const MOVES: usize = 18;

/// Reserve per move for latency outside the engine, in other programs and in transit.
const UNSEEN: Duration = Duration::from_millis(20);

/// Minimum budget of a move.
const LEAST: Duration = Duration::from_millis(1);

/// Time control of both players: a main time, then periods for a number of moves each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeManager {
    rule: Option<Rule>,
    sides: [Side; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    main: Duration,
    period: Duration,
    moves: u32,
}

/// Remaining time of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Side {
    time: Duration,
    /// Moves to play within `time`; 0 means the rest of the game.
    moves: u32,
}

impl TimeManager {
    /// Starts a time control: a main time, then periods of this length for this number of moves. A
    /// non-empty period for no moves means no limit.
    pub fn set(&mut self, main: Duration, period: Duration, moves: u32) {
        let unlimited = !period.is_zero() && moves == 0;
        self.rule = (!unlimited).then_some(Rule {
            main,
            period,
            moves,
        });
        self.begin();
    }

    /// Resets both players' times for a new game.
    pub fn begin(&mut self) {
        if let Some(rule) = self.rule {
            let side = if rule.main.is_zero() && rule.moves > 0 {
                Side {
                    time: rule.period,
                    moves: rule.moves,
                }
            } else {
                Side {
                    time: rule.main,
                    moves: 0,
                }
            };
            self.sides = [side; 2];
        }
    }

    /// Sets the remaining time of a player, for this number of moves; 0 moves mean the rest of the
    /// game.
    pub fn tell(&mut self, player: Colour, time: Duration, moves: u32) {
        // A report of remaining time without a time control implies a main time without periods.
        self.rule.get_or_insert(Rule {
            main: time,
            period: Duration::ZERO,
            moves: 0,
        });
        self.sides[player.index()] = Side { time, moves };
    }

    /// Subtracts the time that a player took for a move.
    pub fn spend(&mut self, player: Colour, time: Duration) {
        let Some(rule) = self.rule else {
            return;
        };
        let side = &mut self.sides[player.index()];
        let over = time.saturating_sub(side.time);
        side.time = side.time.saturating_sub(time);
        match side.moves {
            0 if side.time.is_zero() && rule.moves > 0 => {
                *side = Side {
                    time: rule.period.saturating_sub(over),
                    moves: rule.moves,
                };
            }
            0 => {}
            1 => {
                *side = Side {
                    time: rule.period,
                    moves: rule.moves,
                };
            }
            moves => side.moves = moves - 1,
        }
    }

    /// Returns the time budget for the next move of the side to move, or `None` without a time
    /// control.
    ///
    /// Early moves get more time: they matter more and have more alternatives.
    pub fn budget(&self, board: &DuoBoard) -> Option<Duration> {
        let rule = self.rule?;
        let Side { time, moves } = self.sides[board.to_move().index()];
        let time = time.saturating_sub(UNSEEN);
        let placed = board
            .moves()
            .iter()
            .rev()
            .skip(1)
            .step_by(2)
            .filter(|mv| **mv != Move::Pass)
            .count();
        let share = if moves > 0 {
            time / moves
        } else {
            let weight = |k: usize| (MOVES.saturating_sub(k)).max(3) as f64;
            let rest: f64 = (placed..MOVES.max(placed + 2)).map(weight).sum();
            let share = time.mul_f64(weight(placed) / rest);
            // Main time has no value after it ends if periods follow.
            let period = if rule.moves > 0 {
                (rule.period / rule.moves).saturating_sub(UNSEEN)
            } else {
                Duration::ZERO
            };
            share.max(period.min(time + period))
        };
        Some(share.max(LEAST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn clock(main: u64, period: u64, moves: u32) -> TimeManager {
        let mut clock = TimeManager::default();
        clock.set(
            Duration::from_secs(main),
            Duration::from_secs(period),
            moves,
        );
        clock
    }

    /// Returns a board on which both players have placed `placed` tiles, or passed.
    fn board(placed: usize) -> DuoBoard {
        let mut board = DuoBoard::duo();
        for _ in 0..2 * placed {
            let mv = board.legal().last().map_or(Move::Pass, Move::Place);
            board.play(mv).expect("legal");
        }
        board
    }

    #[test]
    fn a_game_stays_within_its_time_and_early_moves_take_more() {
        let mut clock = clock(60, 0, 0);
        let mut spent = Duration::ZERO;
        let mut last = MINUTE;
        for placed in 0..21 {
            let budget = clock.budget(&board(placed.min(10))).expect("a clock");
            assert!(budget <= last);
            last = budget;
            spent += budget;
            clock.spend(Colour(0), budget);
        }
        assert!(spent < MINUTE && spent > MINUTE / 2, "{spent:?}");
        let first = clock.budget(&board(0)).expect("a clock");
        assert!(first < MINUTE / 8);
    }

    #[test]
    fn periods_are_shared_out_among_their_moves() {
        let mut clock = clock(0, 10, 5);
        let board = board(0);
        for _ in 0..12 {
            let budget = clock.budget(&board).expect("a clock");
            assert!(budget > Duration::from_millis(1900) && budget < Duration::from_millis(2600));
            clock.spend(Colour(0), budget);
        }
    }

    #[test]
    fn after_the_main_time_a_period_begins() {
        let mut clock = clock(1, 10, 5);
        clock.spend(Colour(0), Duration::from_secs(3));
        let budget = clock.budget(&board(0)).expect("a clock");
        assert!(budget < Duration::from_secs(8) / 5 && budget > Duration::from_secs(1));
    }

    fn near(clock: &TimeManager, board: &DuoBoard, seconds: f64) {
        let budget = clock.budget(board).expect("a clock").as_secs_f64();
        assert!((budget - seconds).abs() < 1e-8, "{budget} is not {seconds}");
    }

    /// A main time minus 20 ms is divided by weights: 18 for a player's first tile, 17 for the
    /// second and so on, at least 3. After n tiles, the tiles up to the eighteenth remain, and at
    /// least two. The weights add up to 174 before the first tile, 156 after one, 123 after three,
    /// 48 after nine, 39 after ten.
    #[test]
    fn a_main_time_is_shared_out_by_weights() {
        let clock = clock(60, 0, 0);
        near(&clock, &board(0), 59.98 * 18.0 / 174.0);
        near(&clock, &board(1), 59.98 * 17.0 / 156.0);
        near(&clock, &board(10), 59.98 * 8.0 / 39.0);
        // Passes are not tiles: six more tiles of one side do not count for the other.
        let mut passes = board(3);
        for _ in 0..6 {
            let mv = passes.legal().last().map_or(Move::Pass, Move::Place);
            passes.play(mv).expect("legal");
            passes.play(Move::Pass).expect("legal");
        }
        near(&clock, &passes, 59.98 * 9.0 / 48.0);
        let mv = passes.legal().last().map_or(Move::Pass, Move::Place);
        passes.play(mv).expect("legal");
        near(&clock, &passes, 59.98 * 15.0 / 123.0);
    }

    /// A period minus 20 ms is divided into equal parts. During the main time, a move gets at least
    /// one such part.
    #[test]
    fn periods_are_worked_out_move_by_move() {
        let (first, mut clock) = (board(0), clock(1, 10, 5));
        let spend = |clock: &mut TimeManager, ms| clock.spend(Colour(0), Duration::from_millis(ms));
        // A period has 2 s per move, minus the reserve of 20 ms; 0.98 s of the main time remain.
        near(&clock, &first, 1.98);
        // 3 s: 2 s come from the period, which keeps 8 s for five moves.
        spend(&mut clock, 3_000);
        near(&clock, &first, 7.98 / 5.0);
        spend(&mut clock, 1_500);
        near(&clock, &first, 6.48 / 4.0);
        spend(&mut clock, 0);
        near(&clock, &first, 6.48 / 3.0);
        spend(&mut clock, 6_000);
        near(&clock, &first, 0.48 / 2.0);
        spend(&mut clock, 100);
        near(&clock, &first, 0.38);
        // The fifth move ends the period, regardless of its time.
        spend(&mut clock, 100);
        near(&clock, &first, 9.98 / 5.0);
        // The opponent still has its main time, which ends to the millisecond.
        let mut second = first.clone();
        second.play(board(1).moves()[0]).expect("legal");
        near(&clock, &second, 1.98);
        clock.spend(Colour(1), Duration::from_millis(999));
        near(&clock, &second, 1.98);
        clock.spend(Colour(1), Duration::from_millis(1));
        near(&clock, &second, 9.98 / 5.0);
        // A long main time gives more than one part of a period.
        clock.set(Duration::from_secs(60), Duration::from_secs(10), 5);
        near(&clock, &first, 59.98 * 18.0 / 174.0);
        // Without a main time the first period starts at once.
        clock.set(Duration::ZERO, Duration::from_secs(10), 5);
        near(&clock, &first, 9.98 / 5.0);
    }

    #[test]
    fn what_is_told_counts_and_no_limit_is_none() {
        let mut clock = TimeManager::default();
        assert_eq!(clock.budget(&board(0)), None);
        clock.set(MINUTE, MINUTE, 0);
        assert_eq!(clock.budget(&board(0)), None);
        clock.tell(Colour(0), Duration::from_secs(9), 3);
        let budget = clock.budget(&board(0)).expect("a clock");
        assert!(budget < Duration::from_secs(3) && budget > Duration::from_secs(2));
        clock.tell(Colour(0), Duration::ZERO, 0);
        assert_eq!(clock.budget(&board(0)), Some(LEAST));
        // A new game starts with the times of the time control.
        clock.set(MINUTE, Duration::ZERO, 0);
        clock.spend(Colour(0), MINUTE);
        clock.begin();
        assert!(clock.budget(&board(0)).expect("a clock") > Duration::from_secs(3));
    }
}
