//! Benchmarks of the hardware player: cycle counts, which are exact, and simulated cycles per
//! second, which depend on the machine.
//!
//!     cargo bench -p duoforge-benches --bench board

use std::time::{Duration, Instant};

use duoforge_hdl::harness::GeneratorUnit;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_sim::campaign::Campaign;
use duoforge_sim::device::SimDevice;
use duoforge_sim::{Backend, Options, open};

fn main() {
    println!("cycles for a complete legal set: {}", legal_set());
    answers();
    for backend in Backend::ALL {
        speed(backend);
    }
}

/// Returns the cycles from the request of a legal set until its last row is read.
fn legal_set() -> u64 {
    let unit = GeneratorUnit::default();
    let mut sim = open(
        Backend::Verilator,
        unit,
        "generator_unit",
        &Options::default(),
    )
    .expect("Verilator runs");
    let [stream, valid, row] = ["stream", "valid", "row"].map(|n| sim.port(n).expect("a port"));
    let list = sim.sample(valid, &[row]).expect("a sample list");
    let start = sim.cycles();
    sim.poke(stream, 1).expect("an input");
    sim.step(1).expect("it runs");
    sim.poke(stream, 0).expect("an input");
    sim.step(40).expect("it runs");
    let samples = sim.samples().expect("it runs");
    let last = samples
        .iter()
        .rfind(|sample| sample.list == list)
        .expect("14 rows");
    // Counts both ends: the cycle of the request and the cycle that reads the last row.
    last.clock + 1 - start
}

/// Prints the longest reply delay on the contest's line, from the last stop bit of a prompt to the
/// first start bit of its reply.
fn answers() {
    let parameters = PlayerParameters::default();
    let campaign = Campaign {
        parameters,
        ..Campaign::new(Backend::Verilator, 3, 1)
    };
    let report = campaign.run(|_, _| {}).expect("Verilator runs");
    assert_eq!(report.mismatches(), 0, "the board differs from its twin");
    let cycles = report.longest_delay();
    let micros = cycles as f64 * 1e6 / f64::from(campaign.parameters.clock_hz);
    println!(
        "cycles from the request's last stop bit to the answer's first start bit: at most {cycles} \
         ({micros:.1} us at {} MHz) in {} plies",
        campaign.parameters.clock_hz / 1_000_000,
        report.plies()
    );
}

/// Prints the simulated cycles per second of the whole player: on an idle line, and in games whose
/// placements are all traced.
fn speed(backend: Backend) {
    let campaign = Campaign::new(
        backend,
        if backend == Backend::Verilator { 40 } else { 1 },
        1,
    );
    let mut board = SimDevice::open(backend, &campaign.parameters, &campaign.options)
        .expect("the simulator runs");
    let mut idle = 500;
    let idle = loop {
        let started = Instant::now();
        board
            .idle(Duration::from_secs_f64(idle as f64 / 8e6))
            .expect("it runs");
        board.status().expect("it runs");
        let took = started.elapsed();
        if took > Duration::from_millis(500) {
            break idle as f64 / took.as_secs_f64();
        }
        idle *= 2;
    };
    let games = campaign
        .run(|_, _| {})
        .expect("the simulator runs")
        .cycles_per_second();
    println!("{backend:9}: {idle:>12.0} cycles/s on an idle line, {games:>10.0} in traced games");
}
