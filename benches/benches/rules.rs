//! Benchmarks of legal placements: counted in bulk, as sets, one by one, and by the slow checker.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duoforge_rules::naive::NaiveBoard;
use duoforge_rules::{Board, Classic, Duo, DuoBoard, Move, Orientation, Placement, Variant, perft};
use duoforge_tests::data;

/// Measures placement sequences per second, with the last ply counted in bulk.
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
    group.finish();
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
        let turn: Move = code.parse().expect("the game is well-formed");
        board.play(turn).expect("the game is legal");
        slow.play(turn.to_code_bytes()).expect("the game is legal");
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

criterion_group!(benches, perft_rates, legal_sets);
criterion_main!(benches);
