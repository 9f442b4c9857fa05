//! Tests of the playout core: whole playouts from positions of games, with each placement, the
//! order and the margin.

use std::collections::BTreeMap;

use duoforge_hdl::harness::search::CoreUnit;
use duoforge_hdl::search::playout::core::PLAYOUT_REVOLUTION;
use duoforge_hdl::search::playout::playout_maps::maps;
use duoforge_hdl::search::position_ring::code;
use duoforge_rules::{Colour, DuoBoard, Move, Placement};
use duoforge_sim::{Backend, ListId, Options, PortId, Simulator, open};
use duoforge_twin::Rng;
use duoforge_twin::search::{DrawMemory, Position, Replies, SearchParameters, draw, playout};

use super::reply_counts;
use crate::support::games::Game;
use crate::support::in_every_simulator;

in_every_simulator!(bench; verilator (100, 1, 1), icarus (1, 8, 4), rust (1, 20, 1));

/// Two reply cells before one.
mod reply_pairs {
    use super::{Backend, bench_with, in_every_simulator, reply_counts};

    fn bench(backend: Backend, (games, share, local): (u32, usize, u32)) {
        bench_with(backend, games, share, &reply_counts(local, 2));
    }

    in_every_simulator!(bench; verilator (40, 1, 1), icarus (1, 8, 3), rust (1, 20, 1));
}

const SEED: u64 = 17;

/// Cycles of a revolution that does not begin a playout.
const REVOLUTION: u64 = 16;

/// Upper bound on the cycles of a playout.
const LIMIT: u64 = 2000;

struct Driver {
    sim: Box<dyn Simulator>,
    root_start: PortId,
    root_take: PortId,
    root_stamp: PortId,
    restart: PortId,
    start_is_a: PortId,
    start: PortId,
    take: PortId,
    stamp: PortId,
    side: PortId,
    placement: PortId,
    finish: PortId,
    to_move: PortId,
    ready: PortId,
    done: PortId,
    margin: PortId,
    played: ListId,
    me: Colour,
    parameters: SearchParameters,
    // Twin of the core's random generator.
    twin: Rng,
    rng: Rng,
    counts: Counts,
}

/// Statistics of the playouts.
#[derive(Default)]
struct Counts {
    playouts: u32,
    placements: u64,
    // Number of playouts and their cycles, by the ply at which they began.
    plies: BTreeMap<usize, (u64, u64)>,
}

/// Plays games; playouts start from one of `share` positions, some placements below the root.
fn bench(backend: Backend, (games, share, local): (u32, usize, u32)) {
    bench_with(backend, games, share, &reply_counts(local, 1));
}

fn bench_with(backend: Backend, games: u32, share: usize, parameters: &SearchParameters) {
    let mut driver = Driver::open(backend, parameters);
    driver.restart();
    for _ in 0..games {
        let game = Game::random(&mut driver.rng);
        driver.new_game(&game);
        for (number, (board, mv)) in game.moves.iter().enumerate() {
            if number % share == share - 1 {
                driver.playout(board);
            }
            if driver.rng.below(40) == 0 {
                driver.restart();
            }
            if let Move::Place(placement) = *mv {
                driver.advance_root(board.to_move(), placement);
            }
        }
    }
    let Counts {
        playouts,
        placements,
        plies,
    } = driver.counts;
    println!("{backend}: {playouts} playouts, {placements} placements");
    for (ply, (playouts, cycles)) in plies {
        println!(
            "{backend}: from ply {ply}: {} cycles a playout",
            cycles / playouts
        );
    }
    assert!(placements > u64::from(playouts) * 2);
}

impl Driver {
    fn open(backend: Backend, parameters: &SearchParameters) -> Self {
        let core = CoreUnit::new(parameters, SEED);
        let sim = open(backend, core, "core_unit", &Options::default());
        let mut sim = sim.expect("the model can be built");
        let port = |name: &str| sim.port(name).expect("the unit has the port");
        let [valid, side, placement] = ["played", "played_side", "played_placement"].map(port);
        let mut driver = Self {
            root_start: port("root_start"),
            root_take: port("root_take"),
            root_stamp: port("root_stamp"),
            restart: port("restart"),
            start_is_a: port("start_is_a"),
            start: port("start"),
            take: port("take"),
            stamp: port("stamp"),
            side: port("side"),
            placement: port("placement"),
            finish: port("finish"),
            to_move: port("to_move"),
            ready: port("ready"),
            done: port("done"),
            margin: port("margin"),
            played: sim.sample(valid, &[side, placement]).expect("a list"),
            me: Colour(0),
            parameters: parameters.clone(),
            twin: Rng::new(SEED),
            rng: Rng::new(51),
            counts: Counts::default(),
            sim,
        };
        driver.sim.step(1).expect("the simulator runs");
        driver
    }

    fn poke(&mut self, port: PortId, value: u64) {
        self.sim.poke(port, value).expect("the value fits");
    }

    /// Drives all inputs for the next cycle, with random values where they must not matter.
    fn clock(&mut self, driven: &[(PortId, u64)]) {
        let word = u64::from(self.rng.next_u32());
        let any = [self.take, self.stamp, self.side, self.finish, self.to_move];
        for (bit, port) in any.into_iter().enumerate() {
            self.poke(port, word >> bit & 1);
        }
        self.poke(self.placement, word >> 8 & 0x7fff);
        for port in [
            self.root_start,
            self.root_take,
            self.root_stamp,
            self.restart,
            self.start,
        ] {
            self.poke(port, 0);
        }
        for &(port, value) in driven {
            self.poke(port, value);
        }
        self.sim.step(1).expect("the simulator runs");
        for port in [self.root_start, self.restart, self.start] {
            self.poke(port, 0);
        }
    }

    fn number(&self, player: Colour) -> u64 {
        u64::from(player != self.me)
    }

    fn restart(&mut self) {
        self.clock(&[(self.restart, 1)]);
        self.twin = Rng::new(SEED);
    }

    fn new_game(&mut self, game: &Game) {
        self.me = game.me;
        self.poke(self.start_is_a, game.start_is_a.into());
        self.clock(&[(self.root_start, 1), (self.root_take, 1)]);
        self.sim.step(REVOLUTION - 1).expect("the simulator runs");
    }

    fn advance_root(&mut self, player: Colour, placement: Placement) {
        self.clock(&[
            (self.root_start, 1),
            (self.root_stamp, 1),
            (self.side, self.number(player)),
            (self.placement, code(placement).into()),
        ]);
        self.sim.step(REVOLUTION - 1).expect("the simulator runs");
    }

    /// Descends from the root by up to four placements, runs the playout and compares.
    ///
    /// The take, the placements and the first move share revolutions at random where possible.
    fn playout(&mut self, board: &DuoBoard) {
        let mut position = Position::new(board);
        let mut board = board.clone();
        let mut jobs = Vec::new();
        let mut taken = false;
        for _ in 0..self.rng.below(5) {
            let count = board.count_legal();
            if count == 0 {
                break;
            }
            let pick = self.rng.below(count) as usize;
            let placement = board.legal().nth(pick).expect("one of them");
            if !taken && self.rng.below(2) == 0 {
                jobs.push((true, None));
                taken = true;
            }
            jobs.push((!taken, Some((board.to_move(), placement))));
            taken = true;
            board.play(Move::Place(placement)).expect("a legal move");
            position.place(placement);
        }
        let alone = self.rng.below(3) == 0;
        if jobs.is_empty() || alone {
            jobs.push((!taken, None));
        }
        // The side to move may also be the side that has just placed.
        if self.rng.below(8) == 0 {
            position.set_to_move(position.to_move().opponent());
        }
        let to_move = self.number(position.to_move());

        let count = jobs.len();
        for (number, (take, stamped)) in jobs.into_iter().enumerate() {
            let last = number + 1 == count;
            let mut driven = vec![
                (self.start, 1),
                (self.take, take.into()),
                (self.root_start, take.into()),
                (self.stamp, stamped.is_some().into()),
                (self.finish, last.into()),
            ];
            if let Some((player, placement)) = stamped {
                driven.push((self.side, self.number(player)));
                driven.push((self.placement, code(placement).into()));
            }
            if last {
                driven.push((self.to_move, to_move));
            }
            self.clock(&driven);
            if !last {
                let run = self.sim.run_until(self.ready, 1, REVOLUTION);
                let run = run.expect("it runs");
                assert_eq!(run.cycles, REVOLUTION - 1, "cycles of a revolution");
            }
        }
        self.compare(position, board.moves().len());
    }

    /// Waits for the end of the playout and compares it with the twin's.
    fn compare(&mut self, mut position: Position, ply: usize) {
        let begun = self.sim.cycles();
        let run = self.sim.run_until(self.done, 1, LIMIT).expect("it runs");
        assert!(run.reached, "done after {LIMIT} cycles");
        let values = self.sim.peek_all(&[self.margin, self.ready]);
        let [margin, ready] = values.expect("it runs")[..] else {
            panic!("two values");
        };
        assert_eq!(ready, 1);
        let revolutions = revolutions(position, &self.parameters, self.twin.clone());
        let mut moves = Vec::new();
        let from = position;
        playout::finish(
            &mut position,
            &self.parameters,
            &mut self.twin,
            &Replies::new(0),
            &mut DrawMemory::default(),
            &mut moves,
        );
        let moves = moves.into_iter();
        let expected = moves.map(|(player, mv)| (self.number(player), u64::from(code(mv))));
        let expected: Vec<_> = expected.collect();
        let samples = self.sim.samples().expect("it runs");
        assert!(samples.iter().all(|sample| sample.list == self.played));
        if let Some(first) = samples.first() {
            let clock = begun + revolutions.0 * PLAYOUT_REVOLUTION;
            assert_eq!(first.clock, clock, "the first placement");
        }
        let played: Vec<_> = samples.iter().map(|s| (s.values[0], s.values[1])).collect();
        assert_eq!(played, expected, "a playout from {from:?}");
        assert_eq!(margin as i8 as i32, position.margin(self.me), "margin");
        assert_eq!(run.cycles, revolutions.1 * PLAYOUT_REVOLUTION);
        self.counts.playouts += 1;
        self.counts.placements += played.len() as u64;
        let of_ply = self.counts.plies.entry(ply).or_default();
        *of_ply = (of_ply.0 + 1, of_ply.1 + run.cycles);
    }
}

/// Returns the revolutions of a playout up to its first placement, and to its end. A move takes two
/// if none of the sampled tiles fits, and none if the side was stuck before.
fn revolutions(mut position: Position, p: &SearchParameters, mut rng: Rng) -> (u64, u64) {
    let memory = &mut DrawMemory::default();
    let (mut blocked, mut first, mut all) = ([false; 2], 0, 0);
    while blocked != [true; 2] {
        let player = position.to_move();
        let random = rng.next_u32();
        if blocked[player.index()] {
            position.set_to_move(player.opponent());
            continue;
        }
        let tiles = position.tiles(player);
        let mut look = |tiles| draw(&maps(&position, p), tiles, p, random, memory);
        let some = look(playout::tile_sample(tiles, random));
        all += if some.is_some() { 1 } else { 2 };
        if let Some(placement) = some.or_else(|| look(tiles)) {
            position.place(placement);
            if first == 0 {
                first = all;
            }
        } else {
            blocked[player.index()] = true;
            position.set_to_move(player.opponent());
        }
    }
    (first, all)
}
