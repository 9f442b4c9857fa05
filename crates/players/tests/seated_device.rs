//! Handshakes of a device whose opponent's moves the caller supplies, on links in simulated time.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::given::{Event, Given, Sends, at, stale};
use duoforge_links::wirelog::WireEvent;
use duoforge_protocol::TeamCode;
use duoforge_referee::{
    Fault, LateReply, LinkLoss, Player, RefereeOptions, Seat, SeatError, SeatedDevice,
};

/// Time limit of the contest, in microseconds.
const LIMIT: u64 = 1_000_000;

/// Creates a device with these events after each send, and a pause between the attempts.
fn device(turns: &[&[Event]], pause: Duration) -> (SeatedDevice, Sends) {
    let turns = turns.iter().map(|events| events.to_vec());
    let (link, sends) = Given::new("given", [Vec::new()].into_iter().chain(turns).collect());
    let options = RefereeOptions {
        pause,
        ..RefereeOptions::default()
    };
    let device = SeatedDevice::new(Player::inside(link), Seat::Two, options);
    (device, sends)
}

/// Notes in the log of the device.
fn notes(device: &SeatedDevice) -> Vec<String> {
    let entries = device.log().entries().into_iter();
    let notes = entries.filter_map(|entry| match entry.event {
        WireEvent::Note(text) => Some(format!("{} {text}", entry.line)),
        _ => None,
    });
    notes.collect()
}

/// A late or broken reply to `0` has further attempts, three in all; a lost link has none.
#[test]
fn a_handshake_of_a_seated_device_has_three_attempts() {
    let good = [at(0, "1AA")];
    let late = [at(LIMIT + 1, "1AA")];
    let broken = [at(0, "2AA")];
    let gone = [Event::Gone];
    let timeout = Fault::Timeout(LateReply {
        received: b"1AA".to_vec(),
        after: Some(Duration::from_micros(LIMIT + 1)),
        limit: Duration::from_micros(LIMIT),
    });
    let lost = Fault::Lost(LinkLoss::Closed);
    let late_note = "2 no handshake: '1AA' was complete after 1.000001 s of 1 s";
    let broken_note = "2 no handshake: the answer to 0 begins with '2' instead of '1'";
    let late_end = "2 '1AA' was complete after 1.000001 s of 1 s";
    let gone_link = "2 the other end of the line has gone";
    let gone_end = "2 the other end has gone";
    type Row<'a> = (&'a [&'a [Event]], Option<Fault>, &'a [&'a str], usize);
    let table: [Row<'_>; 6] = [
        (&[&good], None, &[], 1),
        (&[&late, &good], None, &[late_note], 2),
        (&[&late, &broken, &good], None, &[late_note, broken_note], 3),
        (
            &[&late, &late, &late, &good],
            Some(timeout),
            &[late_note, late_note, late_end],
            3,
        ),
        (
            &[&gone, &good],
            Some(lost.clone()),
            &[gone_link, gone_end],
            1,
        ),
        (
            &[&broken, &gone, &good],
            Some(lost),
            &[broken_note, gone_link, gone_end],
            2,
        ),
    ];
    for (number, (turns, fault, right, attempts)) in table.into_iter().enumerate() {
        let (mut device, sends) = device(turns, Duration::from_millis(1));
        match (device.begin(), fault) {
            (Ok(team), None) => assert_eq!(team, TeamCode::new(*b"AA").unwrap(), "{number}"),
            (Err(SeatError::Fault(found)), Some(fault)) => assert_eq!(found, fault, "{number}"),
            (other, fault) => panic!("{number}: {other:?} instead of {fault:?}"),
        }
        assert_eq!(notes(&device), right, "{number}");
        assert_eq!(
            sends.lock().unwrap().join(" "),
            ["0"; 3][..attempts].join(" ")
        );
    }
}

/// After several attempts, replies to the earlier ones are discarded before the first prompt.
#[test]
fn late_replies_to_a_handshake_are_discarded_after_a_pause() {
    let late = [at(LIMIT + 1, "1AA")];
    let turns: [&[Event]; 2] = [&late, &[at(0, "1AA"), stale("1AA")]];
    let (mut device, _) = device(&turns, Duration::from_millis(1));
    device.begin().unwrap();
    let last = notes(&device).pop();
    let discarded = "2 discarded, as nothing was due: 1AA";
    assert_eq!(last.as_deref(), Some(discarded));
}

/// One attempt needs no pause: here it would last an hour.
#[test]
fn a_handshake_at_the_first_attempt_has_no_pause() {
    let turns: [&[Event]; 2] = [&[at(0, "1AA"), stale("x")], &[at(0, "a8e0")]];
    let (mut device, sends) = device(&turns, Duration::from_secs(3_600));
    device.begin().unwrap();
    assert!(notes(&device).is_empty());
    let (code, _) = device.reply(Some(*b"53e0")).unwrap();
    assert_eq!(code, *b"a8e0");
    assert_eq!(notes(&device), ["2 discarded, as nothing was due: x"]);
    assert_eq!(sends.lock().unwrap().join(" "), "0 3A53e0");
}
