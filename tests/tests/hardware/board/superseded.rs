//! Tests of superseded prompts: a code arrives before the reply to the previous one. The old prompt
//! gets no reply; the new one gets the correct reply.

use duoforge_hdl::pattern::cycles;
use duoforge_protocol::PASS;
use duoforge_rules::{DuoBoard, Move, Variant};
use duoforge_sim::Backend;
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::device::SimDevice;
use duoforge_sim::uart::LineWave;
use duoforge_twin::Policy;

use super::{equal, open, parameters};

/// Flag of a superseded prompt.
const SUPERSEDED: u8 = 32;

/// Sends two codes with a pause in cycles between them and returns all received bytes.
fn hurry(board: &mut SimDevice, first: &[u8], cycles: u64, second: &[u8]) -> Vec<u8> {
    let mut wave = LineWave::new(board.divisor() as f64);
    wave.bytes(first)
        .level_for(true, cycles as f64)
        .bytes(second);
    let answer = board.answer_to(&wave).expect("it runs").bytes;
    board.trace().expect("it runs");
    answer
}

/// Sends `0` at every moment while the device thinks and replies. The old reply is either complete
/// or absent, and it is absent if the `0` arrives before the decision.
#[test]
fn handshake_while_thinking() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let mut answered = Vec::new();
    let mut thinking = 0;
    for cycles in 0..1600 {
        let mut pair = Lockstep::new(&mut board, &parameters);
        equal(&pair.ask(0, b"0").expect("it runs"));
        for byte in *b"2A" {
            pair.twin.receive(byte);
        }
        let decision = pair.twin.decision().expect("a request");
        thinking = cycles::request(decision);
        let choice = decision.choice.expect("a first placement");
        let old = choice.placement.code().to_bytes();
        let answer = hurry(&mut board, b"2A", cycles, b"0");
        let both = [&old[..], b"1DF"].concat();
        assert!(
            answer == b"1DF" || answer == both,
            "{answer:?} after {cycles}"
        );
        answered.push(answer == both);
        let status = board.status().expect("it runs");
        assert!(status.flags == 0 && !status.playing, "{status:?}");
    }
    assert!(
        answered.is_sorted(),
        "from some moment on the old answer comes"
    );
    let superseded = answered.iter().filter(|&&answered| !answered).count();
    // The `0` is received at the centre of its stop bit, almost ten bits after the pause.
    let (thinking, byte) = (thinking as usize, 10 * 8);
    assert!(
        (thinking - byte - 16..=thinking - byte + 16).contains(&superseded),
        "{superseded} of the pauses let the 0 overtake {thinking} cycles of thinking"
    );
}

/// Starts a new game while the device thinks. The reply belongs to the new game, which then matches
/// the twin's.
#[test]
fn a_new_game_while_thinking() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    for (first, second) in [
        (&b"25"[..], &b"3A53e0"[..]),
        (b"3A53e0", b"25"),
        (b"2A", b"35a8e0"),
        (b"2A", b"25"),
    ] {
        let mut pair = Lockstep::new(&mut board, &parameters);
        let checked = pair.ask(0, first).expect("it runs");
        let thinking = cycles::request(&checked.decision.expect("a request"));
        let pauses = 0..u64::from(thinking) - 80 * second.len() as u64 - 16;
        for pause in pauses.step_by(7) {
            assert_eq!(board.exchange(b"0").expect("it runs").bytes, b"1DF");
            let answer = hurry(&mut board, first, pause, second);
            let mut pair = Lockstep::new(&mut board, &parameters);
            let frame = second.iter().filter_map(|&byte| pair.twin.receive(byte));
            let frame = frame.last().expect("an answer");
            assert_eq!(answer, frame.as_bytes(), "{pause} cycles between");
            pair.line_flags = SUPERSEDED;
            equal(&pair.ask(1, b"40000").expect("it runs"));
            equal(&pair.ask(2, b"471b3").expect("it runs"));
        }
    }
}

/// Sends the opponent's next move while the device thinks about the previous one. Both moves are on
/// the board, with no move of the device between them.
#[test]
fn a_move_while_thinking() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    for cycles in (0..400).step_by(13) {
        assert_eq!(board.exchange(b"0").expect("it runs").bytes, b"1DF");
        let first = board.exchange(b"25").expect("it runs").bytes;
        let answer = hurry(&mut board, b"4a8e0", cycles, b"494j0");
        let mut expected = DuoBoard::new(&Variant::ENDLESS_DUO);
        for code in [&first[..], b"a8e0", &PASS, b"94j0"] {
            let mv = Move::from_code_bytes(code.try_into().expect("four letters"));
            expected.play(mv.expect("a code")).expect("a legal move");
        }
        let best = Policy::best(&parameters.policy, &expected).expect("a placement");
        let best = best.placement.code().to_bytes();
        assert_eq!(answer, best, "{cycles} cycles between");
        let status = board.status().expect("it runs");
        assert_eq!(status.flags, SUPERSEDED);
        assert_eq!(status.legal_count, expected.count_legal());
    }
}

/// Sends codes without pauses: only the last one gets a reply.
#[test]
fn codes_back_to_back() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    for codes in [&b"2503A53e00"[..], b"25252A250", b"9900", b"3A53e02590"] {
        let answer = board.exchange(codes).expect("it runs").bytes;
        let hellos = answer.chunks(3).all(|part| part == b"1DF");
        assert!(hellos && !answer.is_empty(), "{answer:?}");
        board.trace().expect("it runs");
        let mut pair = Lockstep::new(&mut board, &parameters);
        equal(&pair.ask(0, b"0").expect("it runs"));
        equal(&pair.ask(0, b"2A").expect("it runs"));
    }
}
