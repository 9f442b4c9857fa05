//! Benchmarks of the twin's search: MCTS simulations per second along a game.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::{Search, SearchSettings};

/// Simulations of a search.
const SIMULATIONS: u64 = 10_000;

/// Measures searches of positions of one game, which the search plays against itself. Each search
/// begins with an empty tree in an external memory, and computes the prior by the network.
fn simulations(c: &mut Criterion) {
    let settings = "lanes=4,nodes=16383,expand_threshold=10,reply_count_max=2,prior_network=1";
    let settings: SearchSettings = settings.parse().expect("settings");
    let search = || Search::new(settings.parameters.clone(), settings.seed);
    let mut group = c.benchmark_group("simulations of the twin");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5))
        .throughput(Throughput::Elements(SIMULATIONS));
    let mut board = DuoBoard::duo();
    for ply in 0..=18 {
        if ply % 6 == 0 {
            group.bench_function(BenchmarkId::new("ply", ply), |b| {
                b.iter_batched_ref(
                    search,
                    |search| search.run(black_box(&board), |done| done < SIMULATIONS),
                    BatchSize::PerIteration,
                );
            });
        }
        let result = search().run(&board, |done| done < 500);
        let placement = result.lines.first().expect("a legal placement").placement;
        board.play(Move::Place(placement)).expect("a legal move");
    }
    group.finish();
}

criterion_group!(benches, simulations);
criterion_main!(benches);
