//! Tests of the expander: every entry with its prior and first mean, and every legal placement. The
//! positions are those of games below a root, for both sides, and positions so cramped that no
//! candidate tile fits.

use duoforge_hdl::harness::expander::ExpanderUnit;
use duoforge_hdl::search::expansion::expander::{self, Entry};
use duoforge_hdl::search::position_ring::code;
use duoforge_rules::{
    Colour, DuoBoard, Move, Orientation, Placement, Tile, Variant, legal_anchors,
};
use duoforge_sim::{Backend, ListId, Options, PortId, Simulator, open};
use duoforge_twin::Rng;
use duoforge_twin::search::{Position, SearchParameters, prior};

use crate::support::games::{Game, placements};
use crate::support::in_every_simulator;

in_every_simulator!(bench; verilator (24, 3, 32), icarus (1, 12, 32), rust (1, 16, 32));

mod network {
    use super::{Backend, in_every_simulator};

    fn bench(backend: Backend, (games, share, children): (u32, usize, usize)) {
        super::bench_with(backend, (games, share), &super::with_network(children));
    }

    in_every_simulator!(bench; verilator (24, 3, 32), icarus (1, 30, 32), rust (1, 40, 32));

    mod cramped {
        use super::{Backend, in_every_simulator};

        fn tight(backend: Backend, positions: u32) {
            super::super::tight_with(backend, positions, &super::super::with_network(32));
        }

        in_every_simulator!(tight; verilator 200, icarus 6, rust 4);
    }
}

mod few_children {
    use super::{bench, in_every_simulator};

    in_every_simulator!(bench; verilator (4, 3, 5), icarus (1, 30, 31), rust (1, 30, 7));
}

mod cramped {
    use super::{in_every_simulator, tight};

    in_every_simulator!(tight; verilator 200, icarus 6, rust 4);
}

/// Maximum cycles of any request.
const LIMIT: u64 = 4_000;

/// Expander with its reports.
struct Expander {
    sim: Box<dyn Simulator>,
    parameters: SearchParameters,
    idle: PortId,
    legal: ListId,
    entry: ListId,
    done: ListId,
}

/// Report of an expander.
#[derive(Default)]
struct Report {
    legal: Vec<u64>,
    entries: Vec<[u64; 3]>,
    // Number of entries and of legal placements.
    counts: Vec<[u64; 2]>,
    // Cycles of the entries, and of `done`.
    entry_cycles: Vec<u64>,
    done_clock: u64,
    cycles: u64,
}

impl Expander {
    fn open(backend: Backend, parameters: &SearchParameters) -> Self {
        let unit = ExpanderUnit::new(parameters);
        let sim = open(backend, unit, "expander_unit", &Options::default());
        let mut sim = sim.expect("the model can be built");
        let mut list = |valid: &str, values: &[&str]| {
            let port = |name: &&str| sim.port(name).expect("the unit has the port");
            let values: Vec<_> = values.iter().map(port).collect();
            let valid = port(&valid);
            sim.sample(valid, &values).expect("a list")
        };
        Self {
            legal: list("legal", &["legal_placement"]),
            entry: list("entry", &["placement", "prior", "mean"]),
            done: list("done", &["count", "legal_count"]),
            idle: sim.port("idle").expect("the unit has the port"),
            sim,
            parameters: parameters.clone(),
        }
    }

    fn poke(&mut self, name: &str, value: u64) {
        let port = self.sim.port(name).expect("the unit has the port");
        self.sim.poke(port, value).expect("the value fits");
    }

    /// Raises ports for one cycle and waits until the unit is idle. Returns the elapsed cycles.
    fn request(&mut self, ports: &[&str]) -> u64 {
        for port in ports {
            self.poke(port, 1);
        }
        let begin = self.sim.cycles();
        self.sim.step(1).expect("it runs");
        for port in ports {
            self.poke(port, 0);
        }
        let run = self.sim.run_until(self.idle, 1, LIMIT).expect("it runs");
        assert!(run.reached, "idle after {LIMIT} cycles");
        self.sim.cycles() - begin
    }

    fn stamp(&mut self, ports: &[&str], side: u64, placement: Placement) {
        self.poke("side", side);
        self.poke("stamped", code(placement).into());
        self.request(ports);
    }

    /// Requests the placements of a side.
    fn ask(&mut self, port: &str, side: u64) -> Report {
        self.poke("side", side);
        let cycles = self.request(&[port]);
        let mut report = Report {
            cycles,
            ..Report::default()
        };
        for sample in self.sim.samples().expect("it runs") {
            let values = &sample.values;
            if sample.list == self.legal {
                report.legal.push(values[0]);
            } else if sample.list == self.entry {
                report.entries.push([values[0], values[1], values[2]]);
                report.entry_cycles.push(sample.clock);
            } else if sample.list == self.done {
                report.counts.push([values[0], values[1]]);
                report.done_clock = sample.clock;
            }
        }
        report
    }

    /// Compares both answers about the side to move with the twin's, and returns those of the
    /// hardware.
    fn compare(&mut self, position: &Position, me: Colour, rng: &mut Rng) -> [Report; 2] {
        let side = u64::from(position.to_move() != me);
        let value = rng.below(1 << 16) as u16;
        self.poke("value", value.into());
        let scored = self.ask("score", side);
        let entries = expander::twin(position, me, value, &self.parameters);
        let number = |(placement, prior, mean): &Entry| {
            [code(*placement).into(), u64::from(*prior), (*mean).into()]
        };
        let expected: Vec<_> = entries.iter().map(number).collect();
        assert_eq!(scored.entries, expected, "entries");
        let entries = expected.len() as u64;
        let cycles: Vec<_> = (scored.done_clock - entries..scored.done_clock).collect();
        assert_eq!(scored.entry_cycles, cycles, "cycles side by side");
        let candidates = prior::count_features(position);
        let candidates = in_order(candidates.into_iter().map(|(placement, _)| placement));
        assert_eq!(scored.legal, candidates, "placements that are scored");
        assert_eq!(
            scored.counts,
            [[expected.len() as u64, candidates.len() as u64]]
        );

        let listed = self.ask("list", side);
        let legal = legal(position);
        assert_eq!(listed.legal, legal, "legal placements");
        assert!(listed.entries.is_empty(), "no entries");
        let [[_, count]] = listed.counts[..] else {
            panic!("done {} times", listed.counts.len());
        };
        assert_eq!(count, legal.len() as u64);
        [scored, listed]
    }
}

/// Returns the bus values of the placements, in scan order.
fn in_order(placements: impl Iterator<Item = Placement>) -> Vec<u64> {
    let mut placements: Vec<_> = placements.collect();
    placements.sort_by_key(|p| (p.y, p.x, p.orientation));
    placements.into_iter().map(|p| code(p).into()).collect()
}

/// Returns the complete legal set of the side to move.
fn legal(position: &Position) -> Vec<u64> {
    let me = position.to_move();
    let (allowed, corners) = (position.allowed(me), position.corner_points(me));
    let anchors = legal_anchors(&allowed, &corners, position.tiles(me));
    in_order(Orientation::all().flat_map(|o| {
        let anchors: Vec<_> = anchors[o.index()].iter().collect();
        anchors
            .into_iter()
            .map(move |at| Placement::new(o, at.x, at.y))
    }))
}

/// Returns parameters with this number of children.
fn with_children(children: usize) -> SearchParameters {
    SearchParameters {
        children,
        ..SearchParameters::default()
    }
}

/// Returns parameters with the network and this number of children.
fn with_network(children: usize) -> SearchParameters {
    let mut parameters = with_children(children);
    parameters.formulas.prior_network = true;
    parameters
}

fn bench(backend: Backend, (games, share, children): (u32, usize, usize)) {
    bench_with(backend, (games, share), &with_children(children));
}

/// Plays games at the root; from one of `share` positions the expander descends up to four plies.
fn bench_with(backend: Backend, (games, share): (u32, usize), parameters: &SearchParameters) {
    let mut expander = Expander::open(backend, parameters);
    let mut rng = Rng::new(31);
    let (mut entries, mut ties, mut full) = (0, 0, 0);
    // Sums by ply: expansions, their cycles, and their scored placements.
    let mut by_ply = [[0_u64; 3]; 60];
    for _ in 0..games {
        let game = Game::random(&mut rng);
        expander.poke("start_is_a", game.start_is_a.into());
        expander.request(&["clear"]);
        for (ply, (board, mv)) in game.moves.iter().enumerate() {
            if ply % share == 0 {
                let end = (ply + rng.below(5) as usize).min(game.moves.len() - 1);
                descend(&mut expander, &game, ply..end);
                let mut position = Position::new(&game.moves[end].0);
                for _ in 0..2 {
                    let [scored, _] = expander.compare(&position, game.me, &mut rng);
                    let same = |two: &[[u64; 3]]| two[0][1] == two[1][1];
                    ties += scored.entries.windows(2).filter(|two| same(two)).count();
                    entries += scored.entries.len();
                    full += u32::from(scored.legal.len() > parameters.children);
                    let sums = [1, scored.cycles, scored.legal.len() as u64];
                    for (sum, more) in by_ply[end].iter_mut().zip(sums) {
                        *sum += more;
                    }
                    position.set_to_move(position.to_move().opponent());
                }
            }
            if let Move::Place(placement) = *mv {
                expander.stamp(&["root_stamp"], game.side(board.to_move()), placement);
            }
        }
    }
    println!("{backend}: {entries} entries, {ties} equal neighbours, {full} full lists");
    for (ply, [count, cycles, legal]) in by_ply.into_iter().enumerate().step_by(4) {
        if let Some(cycles) = cycles.checked_div(count) {
            let legal = legal / count;
            println!("ply {ply}: {count} times, {cycles} cycles for {legal} placements");
        }
    }
    assert!(ties > 0 && full > 0);
}

/// Copies the root and plays these moves.
fn descend(expander: &mut Expander, game: &Game, plies: std::ops::Range<usize>) {
    let mut taken = false;
    for (board, mv) in &game.moves[plies] {
        if let Move::Place(placement) = *mv {
            let side = game.side(board.to_move());
            if taken {
                expander.stamp(&["stamp"], side, placement);
            } else {
                expander.stamp(&["take", "stamp"], side, placement);
            }
            taken = true;
        }
    }
    if !taken {
        expander.request(&["take"]);
    }
}

fn tight(backend: Backend, positions: u32) {
    tight_with(backend, positions, &with_children(32));
}

/// Returns the cycles of a request for the candidates of the empty board.
fn cycles_on_the_empty_board(parameters: &SearchParameters) -> u64 {
    let mut expander = Expander::open(Backend::Verilator, parameters);
    expander.request(&["clear"]);
    expander.request(&["take"]);
    expander.ask("score", 0).cycles
}

#[test]
fn the_network_takes_the_stated_cycles() {
    let [with, without] =
        [with_network(32), with_children(32)].map(|p| cycles_on_the_empty_board(&p));
    assert_eq!(with - without, 532);
}

/// Tests positions with the opponent's tiles around the start cell of a side that has no tile yet.
fn tight_with(backend: Backend, positions: u32, parameters: &SearchParameters) {
    let mut expander = Expander::open(backend, parameters);
    let mut rng = Rng::new(5);
    let [mut again, mut none] = [0, 0];
    let all = placements();
    for _ in 0..positions {
        let game = Game::random(&mut rng);
        expander.poke("start_is_a", game.start_is_a.into());
        expander.request(&["clear"]);
        let mut position =
            Position::new(&DuoBoard::with_starts(&Variant::ENDLESS_DUO, &game.starts));
        let player = Colour(rng.below(2) as u8);
        let start = game.starts[player.index()];
        // Occasionally they cover the start cell, so that nothing is legal.
        let open = rng.below(8) > 0;
        let near = |placement: &&Placement| {
            let mut cells = placement.cells();
            let mut others = placement.cells();
            cells.any(|cell| cell.x.abs_diff(start.x) + cell.y.abs_diff(start.y) == 1)
                && others.all(|cell| cell != start || !open)
                && placement.tile().size() > 3
        };
        let near: Vec<_> = all.iter().filter(near).collect();
        for _ in 0..3 + rng.below(6) {
            let placement = *near[rng.below(near.len() as u32) as usize];
            position.set_to_move(player.opponent());
            position.place(placement);
            expander.stamp(&["root_stamp"], game.side(player.opponent()), placement);
        }
        expander.request(&["take"]);
        position.set_to_move(player);
        let [scored, listed] = expander.compare(&position, game.me, &mut rng);
        none += u32::from(listed.legal.is_empty());
        let big = |tile: &Tile| prior::candidate_tiles(&position).contains(*tile);
        let small = Tile::ALL.iter().any(|tile| !big(tile));
        again += u32::from(small && !scored.legal.is_empty() && scored.legal == listed.legal);
    }
    println!("{backend}: {again} with small tiles only, {none} without any");
    assert!(again > 0 && none > 0);
}
