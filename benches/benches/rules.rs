//! Benchmarks of legal placements: counted in bulk, as sets, one by one, and by the slow checker.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duoforge_rules::naive::NaiveBoard;
use duoforge_rules::{
    Board, Classic, Colour, Duo, DuoBoard, Move, Orientation, Placement, Variant, perft,
};
use duoforge_tests::data::{self, Position};

/// Measures placement sequences per second from the empty board.
fn perft_rates(c: &mut Criterion) {
    let expected = data::perft();
    let mut group = c.benchmark_group("perft");
    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Elements(expected.duo[&3]));
    group.bench_function(BenchmarkId::new("duo", 3), |b| {
        b.iter(|| perft(&mut DuoBoard::duo(), 3));
    });
    group.throughput(Throughput::Elements(expected.classic_20x20[&4]));
    group.bench_function(BenchmarkId::new("classic", 4), |b| {
        b.iter(|| perft(&mut Board::<Classic>::new(&Variant::CLASSIC), 4));
    });
    group.throughput(Throughput::Elements(expected.classic_20x20[&5]));
    group.bench_function(BenchmarkId::new("classic", 5), |b| {
        b.iter(|| perft(&mut Board::<Classic>::new(&Variant::CLASSIC), 5));
    });
    group.finish();
}

/// Measures perft(2) of the mid-game position with the most placements, in sequences per second,
/// and the count of all positions of the data in which a colour can place, in placements per second.
fn classic_positions(c: &mut Criterion) {
    let positions: Vec<Board<Classic>> = data::classic_positions()
        .iter()
        .filter(|position| !position.game_over)
        .map(reach)
        .collect();
    let mut group = c.benchmark_group("classic positions");
    group.sample_size(20);
    let total: u32 = positions.iter().map(Board::count_legal).sum();
    group.throughput(Throughput::Elements(total.into()));
    group.bench_function("counted in bulk", |b| {
        let count = |board: &Board<Classic>| black_box(board).count_legal();
        b.iter(|| positions.iter().map(count).sum::<u32>());
    });
    let widest = positions.iter().max_by_key(|board| board.count_legal());
    let mut widest = widest.expect("the data has positions").clone();
    group.throughput(Throughput::Elements(perft(&mut widest, 2)));
    let name = format!("perft(2) at ply {}", widest.ply());
    group.bench_function(name, |b| b.iter(|| perft(black_box(&mut widest), 2)));
    group.finish();
}

/// Returns the position as a board. Colours that the data skips have passed.
fn reach(position: &Position) -> Board<Classic> {
    let pass_to = |board: &mut Board<Classic>, color| {
        while board.to_move() != Colour(color) {
            board.play(Move::Pass).expect("a forced pass is legal");
        }
    };
    let mut board = Board::new(&Variant::CLASSIC);
    for played in &position.moves {
        pass_to(&mut board, played.color);
        let cells = played.sorted_cells(position.size);
        let mut legal = board.legal();
        let placement = legal.find(|it| it.cells().eq(cells.iter().copied()));
        let placement = placement.expect("the moves of the data are legal");
        board.play(placement.into()).expect("a legal placement");
    }
    if let Some(color) = position.to_move {
        pass_to(&mut board, color);
    }
    board
}

/// Measures the legal placements of every position of one game with all methods, in placements per
/// second.
fn legal_sets(c: &mut Criterion) {
    let game = data::random_games().swap_remove(0);
    let (mut boards, mut naive) = (Vec::new(), Vec::new());
    let (mut board, mut slow) = (DuoBoard::duo(), NaiveBoard::new(&Variant::DUO));
    for code in &game.moves {
        boards.push(board.clone());
        naive.push(slow.clone());
        let mv: Move = code.parse().expect("the game is well-formed");
        board.play(mv).expect("the game is legal");
        slow.play(mv.to_code_bytes()).expect("the game is legal");
    }
    let everywhere: Vec<Move> = all_placements().map(Move::Place).collect();

    let mut group = c.benchmark_group("legal placements of a game");
    group.sample_size(20);
    let total: u32 = game.legal_counts.iter().sum();
    group.throughput(Throughput::Elements(total.into()));
    group.bench_function("counted in bulk", |b| {
        b.iter(|| {
            boards
                .iter()
                .map(|board| black_box(board).count_legal())
                .sum::<u32>()
        });
    });
    group.bench_function("visited as sets", |b| {
        b.iter(|| {
            boards
                .iter()
                .map(|board| visit(black_box(board)))
                .sum::<u32>()
        });
    });
    group.bench_function("listed", |b| {
        b.iter(|| {
            boards
                .iter()
                .map(|board| black_box(board).legal().count())
                .sum::<usize>()
        });
    });
    group.bench_function("checked one by one", |b| {
        let legal = |board: &DuoBoard| {
            everywhere
                .iter()
                .filter(|&&m| board.check(m).is_ok())
                .count()
        };
        b.iter(|| {
            boards
                .iter()
                .map(|board| legal(black_box(board)))
                .sum::<usize>()
        });
    });
    group.bench_function("slow checker", |b| {
        b.iter(|| {
            naive
                .iter()
                .map(|board| black_box(board).legal().len())
                .sum::<usize>()
        });
    });
    group.finish();
}

fn visit(board: &Board<Duo>) -> u32 {
    let mut count = 0;
    let _ = board.visit_legal(|_, anchors| {
        count += anchors.len();
        ControlFlow::<()>::Continue(())
    });
    count
}

/// Returns the 13,729 placements on an empty board.
fn all_placements() -> impl Iterator<Item = Placement> {
    let anchors = (0..14).flat_map(|y| (0..14).map(move |x| (x, y)));
    anchors
        .flat_map(|(x, y)| Orientation::all().map(move |o| Placement::new(o, x, y)))
        .filter(|placement| placement.fits(14))
}

criterion_group!(benches, perft_rates, classic_positions, legal_sets);
criterion_main!(benches);
