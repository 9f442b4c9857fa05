//! Tests of the controller alone, with the bench in place of the chooser: its timer, its latches
//! and its signals to the chooser. Some choosers never become idle.

mod bench;

use bench::{BIT, Bench, DEADLINE, LIMIT, NOTICE};
use duoforge_protocol::BuildId;
use duoforge_rules::{Orientation, Placement};

/// Flag of a decision that the deadline ended.
const CUT_SHORT: u64 = 16;

/// Flag of a superseded prompt.
const SUPERSEDED: u64 = 32;

/// `cut` rises at the deadline, and again at the deadline of the next prompt.
#[test]
fn the_deadline_ends_each_reply_in_its_own_time() {
    let mut bench = Bench::open();
    bench.handshake();
    for prompt in [&b"25"[..], b"40000", b"40000", b"25"] {
        let sent = bench.ask(prompt, 1);
        bench.step(DEADLINE + 100);
        let [cut, ..] = bench.told();
        let [cut] = cut[..] else {
            panic!("cut rose at {cut:?}");
        };
        // The byte is received half a bit before the end of the stop bit.
        let least = sent + DEADLINE - BIT;
        assert!(
            (least..=least + BIT + NOTICE).contains(&cut),
            "{cut}, {least}"
        );
        assert_eq!(bench.settle().len(), 4);
        assert_eq!(bench.peek("flags"), CUT_SHORT);
        bench.told();
    }
}

/// A reply that is found in time does not raise `cut`, even after one that was cut short.
#[test]
fn answers_in_time_are_not_cut() {
    let mut bench = Bench::open();
    for cycles in [10, 1_000, DEADLINE - 200] {
        bench.handshake();
        bench.ask(b"25", 1);
        bench.step(cycles);
        assert_eq!(bench.settle().len(), 4);
        assert_eq!((bench.told()[0].len(), bench.peek("flags")), (0, 0));
        // The pause between two prompts may have any length.
        bench.step(2 * DEADLINE);
        bench.ask(b"40000", 1);
        bench.step(cycles);
        assert_eq!(bench.settle().len(), 4);
        assert_eq!((bench.told()[0].len(), bench.peek("flags")), (0, 0));
        bench.ask(b"40000", 1);
        bench.step(DEADLINE + 100);
        assert_eq!(bench.settle().len(), 4);
        assert_eq!(bench.told()[0].len(), 1);
        bench.ask(b"40000", 1);
        bench.step(cycles);
        assert_eq!(bench.settle().len(), 4);
        assert_eq!(bench.told()[0], [0; 0]);
    }
}

/// `cut` does not rise before a placement is found.
#[test]
fn the_deadline_waits_for_a_placement() {
    let mut bench = Bench::open();
    bench.handshake();
    bench.ask(b"25", 0);
    bench.step(DEADLINE + 200);
    assert_eq!(bench.told()[0], [0; 0]);
    bench.drive("found", 1);
    let found = bench.sim.cycles();
    bench.step(100);
    assert_eq!(bench.told()[0], [found]);
    assert_eq!(bench.settle().len(), 4);
}

/// A newer code raises `superseded` at once and gets the reply; the older code gets none.
#[test]
fn a_newer_code_supersedes() {
    let mut bench = Bench::open();
    for cycles in [0, 500, DEADLINE] {
        bench.handshake();
        bench.ask(b"25", 0);
        bench.step(cycles);
        assert_eq!(bench.told()[1], [0; 0]);
        let sent = bench.send(b"0");
        bench.step(100);
        let [_, superseded, ..] = bench.told();
        let [rise] = superseded[..] else {
            panic!("superseded rose at {superseded:?}");
        };
        assert!(
            (sent - BIT..=sent + NOTICE).contains(&rise),
            "{rise}, {sent}"
        );
        assert_eq!(bench.settle(), b"1DF");
        assert_eq!(bench.peek("flags"), 0, "cleared by the 0");
        bench.ask(b"25", 0);
        bench.send(b"9");
        bench.step(100);
        assert_eq!(bench.settle(), b"");
        assert_eq!(
            (bench.peek("flags"), bench.peek("playing")),
            (SUPERSEDED, 0)
        );
    }
}

/// A reset holds `drop` until the chooser is idle; the prompt is dropped.
#[test]
fn a_reset_drops_what_is_in_progress() {
    let mut bench = Bench::open();
    for cycles in [5, 500, DEADLINE + 100] {
        bench.handshake();
        bench.ask(b"25", 0);
        bench.step(cycles);
        bench.told();
        bench.drive("reset", 1);
        bench.step(3);
        bench.drive("reset", 0);
        bench.step(200);
        let [_, _, drop, _] = bench.told();
        assert_eq!((drop.len(), bench.peek("abort")), (1, 1), "after {cycles}");
        bench.drive("idle", 1);
        bench.step(5);
        assert_eq!((bench.peek("abort"), bench.peek("thinking")), (0, 0));
        assert_eq!(bench.receive(1, 500).0, b"");
    }
}

/// A chooser that never becomes idle: `0000` leaves when the limit is over, also at the next
/// prompts, and a `0` gets its reply. A chooser that becomes idle then plays again.
#[test]
fn the_limit_answers_for_a_chooser_that_never_rests() {
    let mut bench = Bench::open();
    for found in [0, 1] {
        bench.handshake();
        let sent = bench.ask(b"25", found);
        bench.answers(b"0000", sent);
        assert_eq!(bench.peek("flags"), CUT_SHORT);
        for _ in 0..2 {
            let sent = bench.send(b"40000");
            bench.answers(b"0000", sent);
        }
        let sent = bench.send(b"0");
        bench.answers(b"1DF", sent);
        assert_eq!(bench.peek("clear"), 1, "until the chooser rests");
        bench.handshake();
        assert_eq!(bench.peek("clear"), 0);
        bench.ask(b"25", 1);
        assert_eq!(bench.settle().len(), 4);
        assert_eq!((bench.told()[0].len(), bench.peek("flags")), (0, 0));
    }
}

/// A chosen placement leaves at the limit, even if the chooser never finishes the write.
#[test]
fn the_limit_sends_what_is_decided_on() {
    let mut bench = Bench::open();
    bench.handshake();
    let sent = bench.ask(b"25", 1);
    bench.drive("idle", 1);
    bench.step_until("place", 100);
    bench.step(1);
    bench.drive("idle", 0);
    // Orientation 0 at column 0 and row 0.
    let code = Placement::new(Orientation::from_index(0).expect("the first"), 0, 0).code();
    bench.answers(&code.to_bytes(), sent);
}

/// Each prompt has its full time: the age of a superseded prompt does not count.
#[test]
fn the_limit_counts_from_the_newest_code() {
    let mut bench = Bench::open();
    bench.handshake();
    bench.ask(b"25", 0);
    bench.step(LIMIT - 1_000);
    let sent = bench.send(b"25");
    bench.answers(b"0000", sent);
}

/// The limit also passes while the opponent's placement is looked up or written; the next game is
/// whole.
#[test]
fn the_limit_answers_while_the_opponent_s_placement_is_taken() {
    let mut bench = Bench::open();
    let orientation = Orientation::from_index(5).expect("one of the 91");
    let placement = Placement::new(orientation, 3, 6);
    let prompt = [&b"4"[..], &placement.code().to_bytes()].concat();
    for stage in ["list", "place"] {
        bench.handshake();
        bench.ask(b"25", 1);
        assert_eq!(bench.settle().len(), 4);
        let sent = bench.send_until(&prompt, "list");
        bench.step(1);
        bench.drive("idle", 0);
        if stage == "place" {
            for (name, value) in [
                ("listed", 1),
                ("listed_orientation", orientation.index() as u64),
                ("listed_x", 3),
                ("listed_y", 6),
            ] {
                bench.drive(name, value);
            }
            bench.step(2);
            bench.drive("listed", 0);
            bench.drive("idle", 1);
            bench.step_until("place", 100);
            assert_eq!(bench.peek("side"), 1, "the opponent's");
            bench.step(1);
            bench.drive("idle", 0);
        }
        bench.answers(b"0000", sent);
        assert_eq!(bench.peek("flags"), CUT_SHORT, "{stage}");
        bench.told();
    }
    bench.handshake();
    bench.ask(b"25", 1);
    assert_eq!(bench.settle().len(), 4);
    assert_eq!(bench.peek("flags"), 0);
}

/// The build id leaves whole: the second four digits follow while the transmitter still sends the
/// fourth one.
#[test]
fn the_build_id_leaves_whole() {
    let mut bench = Bench::open();
    for _ in 0..2 {
        bench.handshake();
        bench.send(b"????");
        let (digits, _) = bench.receive(8, 10 * 10 * BIT);
        assert_eq!(digits, BuildId(0).reply().as_bytes());
        assert_eq!(bench.receive(1, 20 * BIT).0, b"");
    }
    bench.ask(b"25", 1);
    assert_eq!(bench.settle().len(), 4);
}

/// `legal_count` is the number of placements listed during the last decision, up to the end of the
/// counter.
#[test]
fn listed_placements_are_counted() {
    let mut bench = Bench::open();
    bench.handshake();
    for (prompt, count) in [
        (&b"25"[..], 0),
        (b"40000", 1),
        (b"40000", 127),
        (b"40000", 128),
        (b"25", 1_365),
        (b"40000", 682),
        (b"40000", 2_047),
        (b"40000", 0),
    ] {
        bench.ask(prompt, 1);
        bench.drive("listed", 1);
        bench.step(count);
        bench.drive("listed", 0);
        bench.step(10);
        assert_eq!(bench.settle().len(), 4);
        assert_eq!(bench.peek("legal_count"), count);
    }
}
