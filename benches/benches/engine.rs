//! Benchmarks of the engine for Duo: MCTS simulations per second along a game.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duoforge_engine::{Engine, EngineSettings};
use duoforge_rules::DuoBoard;
use duoforge_twin::search::Limit;

/// Simulations of a search.
const SIMULATIONS: u64 = 20_000;

/// Measures searches with one thread of positions of one game, which the engine plays against
/// itself. Each search begins with an empty tree.
fn simulations(c: &mut Criterion) {
    let settings: EngineSettings = "threads=1,endgame_mobility=0,early_stop=0"
        .parse()
        .expect("settings");
    let mut group = c.benchmark_group("simulations of duo");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5))
        .throughput(Throughput::Elements(SIMULATIONS));
    let mut player = Engine::new(settings.clone());
    let mut board = DuoBoard::duo();
    for ply in 0..=18 {
        if ply % 6 == 0 {
            group.bench_function(BenchmarkId::new("ply", ply), |b| {
                b.iter_batched_ref(
                    || Engine::new(settings.clone()),
                    |engine| engine.choose(black_box(&board), Limit::Simulations(SIMULATIONS)),
                    BatchSize::PerIteration,
                );
            });
        }
        let result = player.choose(&board, Limit::Simulations(500));
        board.play(result.mv).expect("a legal move");
    }
    group.finish();
}

criterion_group!(benches, simulations);
criterion_main!(benches);
