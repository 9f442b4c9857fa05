//! Tests of the transmitter: the level of the line and the ready signal, cycle by cycle.

use duoforge_hdl::line::uart_tx::{UartTx, twin};
use duoforge_hdl::parameters::{PlayerParameters, TARGET_CLOCKS_HZ};
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 400, icarus 20, rust 20);

/// Sends bytes: all of them at 8 cycles per bit, fewer on slower lines. Among these are the
/// contest's lines at every target's clock. An odd number of cycles per bit reveals faults that an
/// even one hides; the longest bit uses every bit of the counter.
fn bench(backend: Backend, bytes: usize) {
    let targets = TARGET_CLOCKS_HZ.map(|hz| (PlayerParameters::contest(hz).divisor(), 10));
    let others = [(8, 1), (9, 2), (33_001, 200)];
    for (divisor, share) in others.into_iter().chain(targets) {
        let bytes = bytes / share;
        if bytes > 0 {
            run(backend, divisor, bytes);
        }
    }
}

fn run(backend: Backend, divisor: u16, bytes: usize) {
    let mut bench = Bench::open(backend, UartTx::new(divisor), "uart_tx");
    let [strobe, data] = ["strobe", "data"].map(|name| bench.input(name));
    let [ready, tx] = ["ready", "tx"].map(|name| bench.output(name));
    let mut rng = Rng::new(u64::from(divisor));
    // Frame on the line, and the cycles since its start.
    let mut sending: Option<([bool; 10], usize)> = None;
    let mut sent = 0;
    while sent < bytes || sending.is_some() {
        // Bytes are also offered while the transmitter is busy and must be ignored then. Some bytes
        // follow one another without a pause.
        let offer = sent < bytes && rng.below(3) > 0;
        let byte = rng.next_u32() as u8;
        bench.drive(strobe, offer.into());
        bench.drive(data, byte.into());
        bench.expect(ready, sending.is_none().into());
        let period = usize::from(divisor);
        let level = sending.is_none_or(|(frame, clock)| frame[clock / period]);
        bench.expect(tx, level.into());
        bench.clock();
        sending = match sending {
            None if offer => {
                sent += 1;
                Some((twin(byte), 0))
            }
            Some((_, clock)) if clock + 1 == 10 * period => None,
            Some((frame, clock)) => Some((frame, clock + 1)),
            None => None,
        };
    }
    bench.finish();
}
