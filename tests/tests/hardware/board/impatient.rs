//! Tests with a host that never waits: bytes without pauses, whatever the device is doing.

use duoforge_hdl::line::decoder;
use duoforge_protocol::{HostCode, HostCodeParser, PASS};
use duoforge_sim::Backend;
use duoforge_sim::uart::LineWave;
use duoforge_twin::Rng;

use super::{TIMEOUT, open, parameters};
use crate::support::sequences::{Item, sequence};

const SEQUENCES: usize = 4000;

/// Each prompt gets at most one reply, complete and of the right kind, in order. The last `0`
/// always gets one.
#[test]
fn at_most_one_answer_for_each_request() {
    let mut board = open(Backend::Verilator, &parameters());
    let mut rng = Rng::new(8);
    let (mut asked, mut answered) = (0, 0);
    for _ in 0..SEQUENCES {
        let mut wave = LineWave::new(board.divisor() as f64);
        let mut parser = HostCodeParser::new();
        let mut requests = Vec::new();
        let mut bytes = Vec::new();
        for _ in 0..1 + rng.below(3) {
            for item in sequence(&mut rng) {
                let Item::Byte(byte) = item else {
                    continue;
                };
                bytes.push(byte);
                wave.byte(byte);
                requests.extend(parser.feed(byte).code.and_then(answer_to));
            }
        }
        let mut answer = board.answer_to(&wave).expect("it runs").bytes;
        let simulator = board.simulator();
        simulator.step(u64::from(TIMEOUT) + 8).expect("it runs");
        answer.extend(board.exchange(b"0").expect("it runs").bytes);
        requests.push(Answer::Handshake);
        board.trace().expect("it runs");
        assert!(answer.ends_with(b"1DF"));
        assert!(
            fits(&requests, &answer),
            "{}: {requests:?} answered with {}",
            bytes.escape_ascii(),
            answer.escape_ascii()
        );
        asked += requests.len();
        answered += answer.len();
    }
    println!("{asked} requests, {answered} bytes answered");
    assert!(asked > SEQUENCES + SEQUENCES / 2);
}

/// Kind of the reply to a prompt.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Handshake,
    Move,
    Build,
}

fn answer_to(code: HostCode) -> Option<Answer> {
    match code {
        HostCode::Handshake => Some(Answer::Handshake),
        HostCode::Identify => Some(Answer::Build),
        HostCode::End => None,
        _ => Some(Answer::Move),
    }
}

/// Returns true if the bytes are replies to some of the prompts, in order, and to the last one.
fn fits(requests: &[Answer], bytes: &[u8]) -> bool {
    let Some((first, rest)) = requests.split_first() else {
        return bytes.is_empty();
    };
    let length = match first {
        Answer::Handshake => 3,
        Answer::Move => 4,
        Answer::Build => 8,
    };
    let answered = bytes
        .split_at_checked(length)
        .is_some_and(|(answer, bytes)| {
            let is_kind = match first {
                Answer::Handshake => answer == b"1DF",
                Answer::Move => is_move(answer),
                Answer::Build => answer == parameters().build.reply().as_bytes(),
            };
            is_kind && fits(rest, bytes)
        });
    answered || (!rest.is_empty() && fits(rest, bytes))
}

fn is_move(letters: &[u8]) -> bool {
    let letters: [u8; 4] = letters.try_into().expect("four letters");
    letters == PASS || decoder::twin(letters).is_some()
}
