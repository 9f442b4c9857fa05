//! Tests of the status flags about the line.

use duoforge_sim::Backend;
use duoforge_sim::device::SimDevice;
use duoforge_sim::uart::LineWave;

use super::{open, parameters};

#[test]
fn what_goes_wrong_on_the_line_shows_until_the_next_greeting() {
    let mut board = open(Backend::Verilator, &parameters());
    let flags = |board: &mut SimDevice| board.status().expect("it runs").flags;
    let greet = |board: &mut SimDevice| {
        let answer = board.exchange(b"0").expect("it runs");
        assert_eq!(answer.bytes.len(), 3);
    };
    greet(&mut board);
    assert_eq!(flags(&mut board), 0);
    // No code begins with this letter.
    board.exchange(b"x").expect("it runs");
    assert_eq!(flags(&mut board), 8);
    greet(&mut board);
    assert_eq!(flags(&mut board), 0);
    let mut wave = LineWave::new(board.divisor() as f64);
    wave.bad_frame(b'9');
    board.answer_to(&wave).expect("it runs");
    assert_eq!(flags(&mut board), 4);
    greet(&mut board);
    assert_eq!(flags(&mut board), 0);
}
