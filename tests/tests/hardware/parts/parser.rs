//! Tests of the host code parser: its outputs cycle by cycle, on valid and hostile bytes.

use duoforge_hdl::line::parser::{self, HostCodeKind};
use duoforge_protocol::{HostCode, HostCodeParser, StartCell};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 60_000, icarus 4000, rust 4000);

/// Cycles of silence after which a partial code is dropped.
const TIMEOUT: u32 = 40;

/// Inputs of the parser in one cycle.
#[derive(Clone, Copy, Default)]
struct Stimulus {
    byte: Option<u8>,
    framing: bool,
    receiving: bool,
    take: bool,
    reset: bool,
}

/// Protocol parser with the hardware's timing: the inter-byte timeout, and a code that waits.
struct Model {
    parser: HostCodeParser,
    silence: u32,
    waiting: Option<HostCode>,
}

impl Model {
    fn clock(&mut self, stimulus: Stimulus) {
        let between_codes = self.parser.is_idle();
        if stimulus.take {
            self.waiting = None;
        }
        if let Some(code) = stimulus.byte.and_then(|byte| self.parser.feed(byte).code) {
            self.waiting = Some(code);
        }
        if stimulus.framing {
            self.parser.framing_error();
        }
        if self.silence == TIMEOUT {
            self.parser.on_silence();
        }
        self.silence += u32::from(!stimulus.receiving);
        if stimulus.byte.is_some() || between_codes {
            self.silence = 0;
        }
        if stimulus.reset {
            self.parser = HostCodeParser::new();
            self.waiting = None;
        }
    }

    /// Returns true if this byte causes bytes to be dropped: the byte itself because no code begins
    /// with it, or the `2` or `3` before it because the byte is not a start cell.
    fn is_garbage(&self, byte: Option<u8>) -> bool {
        let step = byte.map(|byte| self.parser.clone().feed(byte));
        step.is_some_and(|step| step.garbage || step.bad_start)
    }
}

fn bench(backend: Backend, bytes: usize) {
    let mut bench = Bench::open(backend, parser::HostCodeParser::new(TIMEOUT), "parser");
    let inputs = ["strobe", "data", "framing", "receiving", "take", "reset"];
    let inputs = inputs.map(|name| bench.input(name));
    let outputs = ["waiting", "kind", "start_is_a", "code", "garbage"];
    let outputs = outputs.map(|name| bench.output(name));
    let mut rng = Rng::new(1);
    let mut model = Model {
        parser: HostCodeParser::new(),
        silence: 0,
        waiting: None,
    };
    let mut seen = [0; 6];
    let mut query = false;
    for _ in 0..bytes {
        for stimulus in around_a_byte(&mut rng, query) {
            drive(&mut bench, inputs, stimulus);
            expect(&mut bench, outputs, &model, stimulus);
            let before = model.waiting;
            model.clock(stimulus);
            if let Some(code) = model.waiting.filter(|_| before.is_none()) {
                seen[kind(code) as usize] += 1;
            }
            bench.clock();
            query = stimulus.byte == Some(b'?');
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "codes: {seen:?}");
    bench.finish();
}

/// Returns a byte, mostly a `?` after a `?`, with the cycles before it: nothing, a frame in
/// progress, silence of about the inter-byte timeout, a framing error, or a reset.
fn around_a_byte(rng: &mut Rng, query: bool) -> Vec<Stimulus> {
    let quiet = match rng.below(16) {
        0 => TIMEOUT - 2 + rng.below(5),
        1 => rng.below(2 * TIMEOUT),
        _ => rng.below(3),
    };
    let mut stimuli = vec![Stimulus::default(); quiet as usize];
    if rng.below(4) == 0 {
        let receiving = Stimulus {
            receiving: true,
            ..Stimulus::default()
        };
        stimuli.extend(vec![
            receiving;
            1 + rng.below(TIMEOUT + TIMEOUT / 2) as usize
        ]);
        // The frame ends one cycle before its byte is valid. A pulse without a byte leaves silence.
        let quiet = if rng.below(2) == 0 {
            1
        } else {
            1 + rng.below(TIMEOUT)
        };
        stimuli.extend(vec![Stimulus::default(); quiet as usize]);
    }
    let mut last = Stimulus::default();
    if rng.below(24) == 0 {
        last.framing = true;
    } else {
        last.byte = Some(letter(rng, query));
    }
    stimuli.push(last);
    let eagerness = 1 + rng.below(6);
    for stimulus in &mut stimuli {
        stimulus.take = rng.below(eagerness) == 0;
        stimulus.reset = rng.below(400) == 0;
    }
    stimuli
}

/// Returns mostly letters of codes and ignored characters, sometimes any byte.
fn letter(rng: &mut Rng, query: bool) -> u8 {
    const USUAL: &[u8] = b"0233344445555AAA99abe17u? \r\n";
    match rng.below(10) {
        0 => rng.next_u32() as u8,
        1..9 if query => b'?',
        _ => USUAL[rng.below(USUAL.len() as u32) as usize],
    }
}

fn drive(bench: &mut Bench, inputs: [PortId; 6], stimulus: Stimulus) {
    let values = [
        stimulus.byte.is_some().into(),
        stimulus.byte.unwrap_or(b'0').into(),
        stimulus.framing.into(),
        stimulus.receiving.into(),
        stimulus.take.into(),
        stimulus.reset.into(),
    ];
    for (port, value) in inputs.into_iter().zip(values) {
        bench.drive(port, value);
    }
}

fn expect(bench: &mut Bench, outputs: [PortId; 5], model: &Model, stimulus: Stimulus) {
    let [waiting, kind_port, start_is_a, code_port, garbage] = outputs;
    bench.expect(waiting, model.waiting.is_some().into());
    bench.expect(garbage, model.is_garbage(stimulus.byte).into());
    let Some(code) = model.waiting else {
        return;
    };
    bench.expect(kind_port, kind(code) as u64);
    if let HostCode::First { start } | HostCode::Second { start, .. } = code {
        bench.expect(start_is_a, (start == StartCell::A).into());
    }
    if let HostCode::Second { code, .. } | HostCode::Turn { code } = code {
        bench.expect(code_port, u32::from_le_bytes(code).into());
    }
}

fn kind(code: HostCode) -> HostCodeKind {
    match code {
        HostCode::Handshake => HostCodeKind::Hello,
        HostCode::First { .. } => HostCodeKind::First,
        HostCode::Second { .. } => HostCodeKind::Second,
        HostCode::Turn { .. } => HostCodeKind::Turn,
        HostCode::End => HostCodeKind::End,
        HostCode::Identify => HostCodeKind::Identify,
    }
}
