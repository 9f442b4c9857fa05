//! Benchmarks of the engine for every variant: MCTS simulations per second along a game.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duoforge_maxn::{MaxnEngine, MaxnSettings};
use duoforge_rules::{Game, GameVariant};

/// Simulations of a search.
const SIMULATIONS: u64 = 2_000;

/// Measures searches of positions of one game, which the engine plays against itself.
fn simulations(c: &mut Criterion) {
    let settings: MaxnSettings = format!("sims={SIMULATIONS}").parse().expect("settings");
    let fast: MaxnSettings = "sims=50".parse().expect("settings");
    for variant in [
        GameVariant::CLASSIC_2,
        GameVariant::CLASSIC,
        GameVariant::DUO,
    ] {
        let mut group = c.benchmark_group(format!("simulations of {}", variant.name()));
        group
            .sample_size(10)
            .measurement_time(Duration::from_secs(5))
            .throughput(Throughput::Elements(SIMULATIONS));
        let mut player = MaxnEngine::new(&fast);
        let mut game = Game::new(&variant);
        for ply in 0..=24 {
            if ply % 8 == 0 {
                let mut engine = MaxnEngine::new(&settings);
                group.bench_function(BenchmarkId::new("ply", ply), |b| {
                    b.iter(|| engine.choose(black_box(&game)));
                });
            }
            let result = player.choose(&game).expect("the game is not over");
            game.play(result.mv).expect("a legal move");
        }
        group.finish();
    }
}

criterion_group!(benches, simulations);
criterion_main!(benches);
