//! How much of a game's time a move is given.

use std::time::Duration;

use duoforge_rules::{DuoBoard, Move, Player};

/// Moves that a player rarely needs more of.
const MOVES: usize = 18;

/// Time that may pass unseen for each move, in other programs and on the way.
const UNSEEN: Duration = Duration::from_millis(20);

/// The least that a move is given.
const LEAST: Duration = Duration::from_millis(1);

/// The clocks of both players: a main time, then periods for some moves each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    rule: Option<Rule>,
    sides: [Side; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    main: Duration,
    period: Duration,
    moves: u32,
}

/// What a player has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Side {
    time: Duration,
    /// Moves to be made in it; 0 for the rest of the game.
    moves: u32,
}

impl Clock {
    /// Counts from now on by a main time and periods of this length for this many moves. A period
    /// for no moves, which is not empty, means that there is no limit.
    pub fn set(&mut self, main: Duration, period: Duration, moves: u32) {
        let unlimited = !period.is_zero() && moves == 0;
        self.rule = (!unlimited).then_some(Rule {
            main,
            period,
            moves,
        });
        self.begin();
    }

    /// A new game begins.
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

    /// A player has this left, for this many moves, or for the rest of the game with 0.
    pub fn tell(&mut self, player: Player, time: Duration, moves: u32) {
        // Somebody counts who has not told how.
        self.rule.get_or_insert(Rule {
            main: time,
            period: Duration::ZERO,
            moves: 0,
        });
        self.sides[player.index()] = Side { time, moves };
    }

    /// A player took this long for a move.
    pub fn spend(&mut self, player: Player, time: Duration) {
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

    /// What the next move of the player to move may take; none where nobody counts.
    ///
    /// Early moves decide more and have more to choose from, so that they are given more.
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
            .filter(|turn| **turn != Move::Pass)
            .count();
        let share = if moves > 0 {
            time / moves
        } else {
            let weight = |k: usize| (MOVES.saturating_sub(k)).max(3) as f64;
            let rest: f64 = (placed..MOVES.max(placed + 2)).map(weight).sum();
            let share = time.mul_f64(weight(placed) / rest);
            // Nothing of the main time is worth keeping where periods follow.
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

    fn clock(main: u64, period: u64, moves: u32) -> Clock {
        let mut clock = Clock::default();
        clock.set(
            Duration::from_secs(main),
            Duration::from_secs(period),
            moves,
        );
        clock
    }

    /// Both players place what the rules list first.
    fn board(placed: usize) -> DuoBoard {
        let mut board = DuoBoard::duo();
        for _ in 0..2 * placed {
            let turn = board.legal().last().map_or(Move::Pass, Move::Place);
            board.play(turn).expect("legal");
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
            clock.spend(Player(0), budget);
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
            clock.spend(Player(0), budget);
        }
    }

    #[test]
    fn after_the_main_time_a_period_begins() {
        let mut clock = clock(1, 10, 5);
        clock.spend(Player(0), Duration::from_secs(3));
        let budget = clock.budget(&board(0)).expect("a clock");
        assert!(budget < Duration::from_secs(8) / 5 && budget > Duration::from_secs(1));
    }

    fn near(clock: &Clock, board: &DuoBoard, seconds: f64) {
        let budget = clock.budget(board).expect("a clock").as_secs_f64();
        assert!((budget - seconds).abs() < 1e-8, "{budget} is not {seconds}");
    }

    /// A main time less 20 ms is shared out by weights: 18, 17 and so on for a player's first, second and
    /// further tiles, 3 from the sixteenth one on; after n tiles those up to the eighteenth are to come, and
    /// two at least. They add up to 174 before the first, 156 after one, 123 after three, 48 after nine, 39 after ten.
    #[test]
    fn a_main_time_is_shared_out_by_weights() {
        let clock = clock(60, 0, 0);
        near(&clock, &board(0), 59.98 * 18.0 / 174.0);
        near(&clock, &board(1), 59.98 * 17.0 / 156.0);
        near(&clock, &board(10), 59.98 * 8.0 / 39.0);
        // Passes are no tiles: after three of each, six more tiles of the one side are not the other's.
        let mut passes = board(3);
        for _ in 0..6 {
            let turn = passes.legal().last().map_or(Move::Pass, Move::Place);
            passes.play(turn).expect("legal");
            passes.play(Move::Pass).expect("legal");
        }
        near(&clock, &passes, 59.98 * 9.0 / 48.0);
        let turn = passes.legal().last().map_or(Move::Pass, Move::Place);
        passes.play(turn).expect("legal");
        near(&clock, &passes, 59.98 * 15.0 / 123.0);
    }

    /// Less 20 ms, in equal parts; a move's part is the least that is taken of a main time before it.
    #[test]
    fn periods_are_worked_out_move_by_move() {
        let (first, mut clock) = (board(0), clock(1, 10, 5));
        let spend = |clock: &mut Clock, ms| clock.spend(Player(0), Duration::from_millis(ms));
        // A period has 2 s for a move, of which 20 ms are not seen; the main time has 0.98 s left.
        near(&clock, &first, 1.98);
        // 3 s: 2 of them are the period's, of which 8 s are left for five moves.
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
        // The fifth move ends the period, whatever it took.
        spend(&mut clock, 100);
        near(&clock, &first, 9.98 / 5.0);
        // The other player has its main time, which ends to the millisecond.
        let mut second = first.clone();
        second.play(board(1).moves()[0]).expect("legal");
        near(&clock, &second, 1.98);
        clock.spend(Player(1), Duration::from_millis(999));
        near(&clock, &second, 1.98);
        clock.spend(Player(1), Duration::from_millis(1));
        near(&clock, &second, 9.98 / 5.0);
        // A long main time is worth more than a period's part.
        clock.set(Duration::from_secs(60), Duration::from_secs(10), 5);
        near(&clock, &first, 59.98 * 18.0 / 174.0);
        // Without one the first period begins at once.
        clock.set(Duration::ZERO, Duration::from_secs(10), 5);
        near(&clock, &first, 9.98 / 5.0);
    }

    #[test]
    fn what_is_told_counts_and_no_limit_is_none() {
        let mut clock = Clock::default();
        assert_eq!(clock.budget(&board(0)), None);
        clock.set(MINUTE, MINUTE, 0);
        assert_eq!(clock.budget(&board(0)), None);
        clock.tell(Player(0), Duration::from_secs(9), 3);
        let budget = clock.budget(&board(0)).expect("a clock");
        assert!(budget < Duration::from_secs(3) && budget > Duration::from_secs(2));
        clock.tell(Player(0), Duration::ZERO, 0);
        assert_eq!(clock.budget(&board(0)), Some(LEAST));
        // A new game begins with what the rule says.
        clock.set(MINUTE, Duration::ZERO, 0);
        clock.spend(Player(0), MINUTE);
        clock.begin();
        assert!(clock.budget(&board(0)).expect("a clock") > Duration::from_secs(3));
    }
}
