//! Tests with random, hostile and truncated bytes. The device replies to all of them as its twin
//! does, and it always replies to a `0` after a pause.

use std::ops::Range;

use duoforge_hdl::pattern::cycles;
use duoforge_protocol::TeamCode;
use duoforge_sim::Backend;
use duoforge_sim::device::SimDevice;
use duoforge_sim::uart::LineWave;
use duoforge_twin::{Rng, Twin};

use super::{TIMEOUT, open, parameters};
use crate::support::sequences::{Item, sequence};
use crate::support::share::share;

/// Sequences of each of two tests, which run in parallel; the test command runs a share of them.
const SEQUENCES: usize = 50_000;

/// Sequences between two comparisons of the replies.
const BATCH: usize = 500;

#[test]
fn a_hundred_thousand_sequences_first_half() {
    check(1);
}

#[test]
fn a_hundred_thousand_sequences_second_half() {
    check(2);
}

/// Transmitted sequence, with the cycles in which its replies arrive and the expected replies.
struct Sent {
    items: Vec<Item>,
    cycles: Range<u64>,
    answers: Vec<u8>,
}

#[derive(Default)]
struct Count {
    sequences: usize,
    bytes: usize,
    decisions: u32,
    answered: usize,
}

fn check(seed: u64) {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let team = TeamCode::new(parameters.team).expect("two letters");
    let mut twin = Twin::new(team, parameters.policy.clone()).with_build(parameters.build);
    let mut rng = Rng::new(seed);
    let mut count = Count::default();
    let sequences = share(SEQUENCES);
    while count.sequences < sequences {
        let sent: Vec<_> = (0..BATCH)
            .map(|_| send(&mut board, &mut twin, &mut rng, &mut count))
            .collect();
        let received = board.drain().expect("it runs");
        board.trace().expect("it runs");
        let mut received = received.into_iter().peekable();
        for Sent {
            items,
            cycles,
            answers,
        } in sent
        {
            let mine = std::iter::from_fn(|| received.next_if(|byte| byte.start < cycles.end));
            let mine: Vec<_> = mine.collect();
            assert!(
                mine.iter()
                    .all(|byte| byte.framed && byte.start >= cycles.start)
            );
            let bytes: Vec<_> = mine.iter().map(|byte| byte.byte).collect();
            assert!(
                bytes == answers,
                "seed {seed}, {items:?}: answers {}, must be {}",
                bytes.escape_ascii(),
                answers.escape_ascii()
            );
            count.answered += answers.len();
        }
        assert_eq!(received.next(), None);
    }
    println!(
        "{} sequences of {} bytes and interruptions, {} moves asked for, {} bytes answered, {} cycles",
        count.sequences,
        count.bytes,
        count.decisions,
        count.answered,
        board.cycles()
    );
    assert!(count.decisions as usize > sequences / 20);
}

/// Sends a sequence, then a pause and a `0`. After each byte that prompts a reply, the line is idle
/// for the thinking time that the twin reports.
fn send(board: &mut SimDevice, twin: &mut Twin, rng: &mut Rng, count: &mut Count) -> Sent {
    let mut items = sequence(rng);
    items.extend([Item::Silence, Item::Byte(b'0')]);
    let mut wave = LineWave::new(board.divisor() as f64);
    let mut answers = Vec::new();
    for item in &mut items {
        // A move of the opponent depends on the position.
        if let Item::Opponent(pick) = *item {
            let count = twin.board().count_legal().max(1) as usize;
            let legal = twin.board().legal().nth(pick as usize % count);
            let code = legal.map_or(*b"0000", |placement| placement.code().to_bytes());
            *item = Item::Bytes([b'4', code[0], code[1], code[2], code[3]]);
        }
        match *item {
            Item::Byte(byte) => feed(twin, byte, &mut wave, &mut answers, count),
            Item::Bytes(bytes) => {
                for byte in bytes {
                    feed(twin, byte, &mut wave, &mut answers, count);
                }
            }
            Item::BadFrame(byte) => {
                wave.bad_frame(byte);
                twin.framing_error();
            }
            Item::Silence => {
                wave.level_for(true, f64::from(TIMEOUT) + 8.0);
                twin.on_silence();
            }
            Item::Pause(cycles) => {
                wave.level_for(true, f64::from(cycles));
            }
            Item::Opponent(_) => {}
        }
    }
    count.sequences += 1;
    count.bytes += items.len();
    let start = board.cycles();
    board.play(&wave).expect("it runs");
    Sent {
        items,
        cycles: start..board.cycles(),
        answers,
    }
}

fn feed(twin: &mut Twin, byte: u8, wave: &mut LineWave, answers: &mut Vec<u8>, count: &mut Count) {
    wave.byte(byte);
    let Some(frame) = twin.receive(byte) else {
        return;
    };
    let thinking = twin.decision().map_or(0, |decision| {
        count.decisions += 1;
        cycles::request(decision) + cycles::WRITE
    });
    let answer = frame.as_bytes();
    wave.level_for(true, f64::from(thinking) + 8.0);
    wave.idle(10.0 * answer.len() as f64 + 1.0);
    answers.extend_from_slice(answer);
}
