//! Tests of the opening book: random games that follow it or leave it, and every entry of the book
//! that ships.

use duoforge_hdl::search::opening_book::OpeningBook;
use duoforge_hdl::search::position_ring::code;
use duoforge_rules::{Cell, DuoBoard, Move, Variant};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::book::{Book, PLIES};

use crate::support::bench::Bench;
use crate::support::in_every_simulator;

in_every_simulator!(small; verilator 2_000, icarus 40, rust 40);

/// The book that ships, and none.
mod shipped {
    use super::{in_every_simulator, shipped};

    in_every_simulator!(shipped; verilator 2_000, icarus 2, rust 2);
}

/// Start cells (5,5) and (10,10).
const STARTS: [Cell; 2] = [Cell::new(4, 4), Cell::new(9, 9)];

/// Lines of a book with keys of every length.
const LINES: &str = "\
66t3
56u0 aau0
56u0 aau0 88r0
56u0 aau0 88r0 a7t4";

fn small(backend: Backend, games: u32) {
    let book = Book::parse(LINES).expect("a book");
    let [found, none] = bench(backend, Some(&book), games);
    assert!(found > games / 2 && none > games, "{found} and {none}");
}

fn shipped(backend: Backend, games: u32) {
    let [found, _] = bench(backend, Some(Book::built_in()), games);
    assert!(found > 0);
    let [found, none] = bench(backend, None, games);
    assert!(found == 0 && none > 0);
}

/// Plays games of a few moves. Returns the numbers of positions with a reply and without.
fn bench(backend: Backend, book: Option<&Book>, games: u32) -> [u32; 2] {
    let mut dut = Dut::open(backend, book);
    let mut rng = Rng::new(71);
    let mut counts = [0, 0];
    for _ in 0..games {
        let mine = rng.below(2) as usize;
        let first = rng.below(2) as usize;
        let starts = [STARTS[first], STARTS[1 - first]];
        let mut board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &starts);
        dut.clear();
        for ply in 0..PLIES + 3 {
            let to_move = board.to_move().index();
            if to_move == mine {
                let expected = book.and_then(|book| book.reply(&board)).map(code);
                counts[usize::from(expected.is_none())] += 1;
                dut.think(board.start(board.to_move()) == STARTS[1], expected);
            }
            let mv = choose(&board, book, ply, &mut rng);
            if let Move::Place(placement) = mv {
                dut.place(u64::from(to_move != mine), code(placement));
            }
            board.play(mv).expect("a legal move");
        }
    }
    dut.bench.finish();
    counts
}

/// Chooses a move: mostly one that leads to a key of the book, else any, at times a pass.
fn choose(board: &DuoBoard, book: Option<&Book>, ply: usize, rng: &mut Rng) -> Move {
    if rng.below(12) == 0 {
        return Move::Pass;
    }
    if rng.below(4) > 0 {
        let before = board.moves();
        let continues = |entry: &&[duoforge_rules::Placement]| {
            let same = before.iter().zip(*entry);
            entry.len() > ply
                && same
                    .into_iter()
                    .all(|(mv, entry)| *mv == Move::Place(*entry))
        };
        let keys = book.into_iter().flat_map(Book::entries);
        let keys: Vec<_> = keys.map(|(key, _)| &key.placements[..]).collect();
        let keys: Vec<_> = keys.into_iter().filter(continues).collect();
        if !keys.is_empty() {
            let mv = Move::Place(keys[rng.below(keys.len() as u32) as usize][ply]);
            if board.check(mv).is_ok() {
                return mv;
            }
        }
        if let Some(reply) = book.and_then(|book| book.reply(board)) {
            return Move::Place(reply);
        }
    }
    let pick = rng.below(board.count_legal()) as usize;
    Move::Place(board.legal().nth(pick).expect("one of them"))
}

/// Book under test.
struct Dut {
    bench: Bench,
    clear: PortId,
    place: PortId,
    side: PortId,
    placement: PortId,
    think: PortId,
    start_is_a: PortId,
    ready: PortId,
    found: PortId,
    reply: PortId,
    /// Cycles in which a request is not complete.
    reading: usize,
}

impl Dut {
    fn open(backend: Backend, book: Option<&Book>) -> Self {
        let mut bench = Bench::open(backend, OpeningBook::new(book), "opening_book");
        let [clear, place, side] = ["clear", "place", "side"].map(|name| bench.input(name));
        let inputs = ["placement", "think", "start_is_a"];
        let [placement, think, start_is_a] = inputs.map(|name| bench.input(name));
        let [ready, found, reply] = ["ready", "found", "reply"].map(|name| bench.output(name));
        let entries = book.map_or(0, |book| book.entries().len());
        Self {
            bench,
            clear,
            place,
            side,
            placement,
            think,
            start_is_a,
            ready,
            found,
            reply,
            // One to begin, one for each entry, one for the last comparison.
            reading: entries.max(1) + 2,
        }
    }

    fn clear(&mut self) {
        self.bench.drive(self.clear, 1);
        self.bench.clock();
        self.bench.drive(self.clear, 0);
    }

    fn place(&mut self, side: u64, placement: u16) {
        self.bench.drive(self.place, 1);
        self.bench.drive(self.side, side);
        self.bench.drive(self.placement, placement.into());
        self.bench.clock();
        self.bench.drive(self.place, 0);
    }

    /// Requests the reply, and takes it in a later cycle.
    fn think(&mut self, start_is_a: bool, expected: Option<u16>) {
        self.bench.drive(self.think, 1);
        self.bench.drive(self.start_is_a, start_is_a.into());
        for _ in 0..self.reading {
            self.bench.expect(self.ready, 0);
            self.bench.clock();
        }
        for think in [1, 1, 0] {
            self.bench.drive(self.think, think);
            self.bench.expect(self.ready, 1);
            self.bench.expect(self.found, expected.is_some().into());
            if let Some(reply) = expected {
                self.bench.expect(self.reply, reply.into());
            }
            self.bench.clock();
        }
        self.bench.expect(self.ready, 0);
    }
}
