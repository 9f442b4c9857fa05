//! Replies during known host stalls, on a link with given times.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use duoforge_links::Received;
use duoforge_protocol::StartCell;

use super::*;
use crate::{HostStall, LinkLoss};

const LIMIT: Duration = Duration::from_secs(1);

const fn us(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

/// Result of one wait on the link.
#[derive(Clone, Copy)]
enum Event {
    /// Bytes received at this time after the last send.
    Bytes(Duration, &'static [u8]),
    /// Silence until the deadline.
    Nothing,
    /// The peer has disconnected.
    Gone,
}

/// Link whose send time is given.
struct Given {
    at: Instant,
    simulated: bool,
    events: VecDeque<Event>,
    /// Deadlines of the waits, relative to the send time.
    deadlines: Arc<Mutex<Vec<Duration>>>,
    drained: bool,
}

impl Link for Given {
    fn send(&mut self, _: &[u8]) -> Result<Sent, LinkError> {
        Ok(Sent {
            at: self.at,
            simulated: self.simulated.then_some(us(5)),
        })
    }

    fn recv<'b>(&mut self, buf: &'b mut [u8], end: Instant) -> Result<Received<'b>, LinkError> {
        // The link is drained before a prompt, when no bytes are available.
        if !std::mem::replace(&mut self.drained, true) {
            return Err(LinkError::Timeout);
        }
        let end = end.saturating_duration_since(self.at);
        self.deadlines.lock().unwrap().push(end);
        match self.events.pop_front() {
            Some(Event::Bytes(after, bytes)) => {
                buf[..bytes.len()].copy_from_slice(bytes);
                Ok(Received {
                    bytes: &buf[..bytes.len()],
                    at: self.at + after,
                    simulated: self.simulated.then_some(us(5) + after),
                })
            }
            Some(Event::Gone) => Err(LinkError::Closed),
            Some(Event::Nothing) | None => Err(LinkError::Timeout),
        }
    }

    fn describe(&self) -> String {
        "given".to_owned()
    }
}

/// Stall and its start, relative to the send time.
type Pause = (Duration, HostStall);

const fn stopped(from: u64, micros: u64) -> Pause {
    let stall = HostStall {
        stopped: us(micros),
        suspended: Duration::ZERO,
    };
    (us(from), stall)
}

const fn suspended(from: u64, seconds: u64) -> Pause {
    let stall = HostStall {
        stopped: Duration::ZERO,
        suspended: Duration::from_secs(seconds),
    };
    (us(from), stall)
}

struct Wait<'a> {
    events: &'a [Event],
    stalls: &'a [Pause],
    simulated: bool,
    person: bool,
}

impl<'a> Wait<'a> {
    const fn new(events: &'a [Event], stalls: &'a [Pause]) -> Self {
        Self {
            events,
            stalls,
            simulated: false,
            person: false,
        }
    }

    /// Opens a connection whose prompt for the first move was due ten seconds ago. Returns the prompt
    /// too, and the deadline of each wait.
    fn open(&self) -> (Connection, Prompt, Arc<Mutex<Vec<Duration>>>) {
        let at = Instant::now() - Duration::from_secs(10);
        let deadlines: Arc<Mutex<Vec<Duration>>> = Arc::default();
        let link = Given {
            at,
            simulated: self.simulated,
            events: self.events.iter().copied().collect(),
            deadlines: Arc::clone(&deadlines),
            drained: false,
        };
        let player = match Player::inside(link) {
            player if self.person => player.untimed(),
            player => player,
        };
        let mut line = Connection::new(player, Seat::One, WireLog::new(), LIMIT);
        let gaps: Vec<_> = self
            .stalls
            .iter()
            .map(|&(from, stall)| (at + from, stall))
            .collect();
        line.pulse = Box::leak(Box::new(StallMonitor::noted(&gaps)));
        line.session.handshake().unwrap();
        for byte in *b"1XX" {
            line.session.feed(byte);
        }
        let prompt = line.session.first(StartCell::Five).unwrap();
        (line, prompt, deadlines)
    }

    /// Prompts for the first move. Returns the result, and the deadline of each wait.
    fn ask(&self) -> (Result<Duration, Fault>, Vec<Duration>) {
        let (mut line, prompt, deadlines) = self.open();
        let result = match line.ask(prompt, Duration::ZERO) {
            Ok(answer) => Ok(answer.time.judged()),
            Err(PromptError::Player(fault)) => Err(fault),
            Err(PromptError::Host(error)) => panic!("{error}"),
        };
        let deadlines = deadlines.lock().unwrap().clone();
        (result, deadlines)
    }
}

const fn answer(micros: u64) -> Event {
    Event::Bytes(us(micros), b"53e0")
}

fn late(micros: u64) -> Fault {
    Fault::Timeout(LateReply {
        received: b"53e0".to_vec(),
        after: Some(us(micros)),
        limit: LIMIT,
    })
}

fn uncertain(stopped: u64, after: Option<u64>) -> Fault {
    Fault::Uncertain(StalledWait {
        stall: HostStall {
            stopped: us(stopped),
            suspended: Duration::ZERO,
        },
        after: after.map(us),
        limit: LIMIT,
    })
}

/// A reply that exceeds the limit by no more than the host stall may have been in time; one
/// microsecond more is late.
#[test]
fn a_late_answer_is_uncertain_up_to_the_length_of_the_stall() {
    let none: &[Pause] = &[];
    let table: [(u64, &[Pause], Result<u64, Fault>); 14] = [
        (0, none, Ok(0)),
        (999_999, none, Ok(999_999)),
        (1_000_000, none, Ok(1_000_000)),
        (1_000_001, none, Err(late(1_000_001))),
        // A stall never makes a timely reply late.
        (1_000_000, &[stopped(0, 900_000)], Ok(1_000_000)),
        (
            1_000_001,
            &[stopped(500_000, 1)],
            Err(uncertain(1, Some(1_000_001))),
        ),
        (1_000_002, &[stopped(500_000, 1)], Err(late(1_000_002))),
        (
            1_300_000,
            &[stopped(0, 300_000)],
            Err(uncertain(300_000, Some(1_300_000))),
        ),
        (1_300_001, &[stopped(0, 300_000)], Err(late(1_300_001))),
        // Stalls add up.
        (
            1_300_000,
            &[stopped(0, 100_000), stopped(400_000, 200_000)],
            Err(uncertain(300_000, Some(1_300_000))),
        ),
        // The part of a stall after the reply does not count: 0.1 s of this one count.
        (
            1_100_000,
            &[stopped(1_000_000, 500_000)],
            Err(uncertain(100_000, Some(1_100_000))),
        ),
        (
            1_100_001,
            &[stopped(1_000_002, 500_000)],
            Err(late(1_100_001)),
        ),
        (
            1_500_000,
            &[stopped(1_500_001, 500_000)],
            Err(late(1_500_000)),
        ),
        (
            1_500_000,
            &[stopped(500_000, 600_000)],
            Err(uncertain(600_000, Some(1_500_000))),
        ),
    ];
    for (after, stalls, right) in table {
        let events = [answer(after)];
        let (got, deadlines) = Wait::new(&events, stalls).ask();
        assert_eq!(got, right.map(us), "{after} {stalls:?}");
        assert_eq!(deadlines, [LIMIT]);
    }
}

/// The last byte determines the time, whenever the first byte arrived.
#[test]
fn an_answer_in_pieces_is_timed_by_its_last_byte() {
    let pieces = |last| {
        [
            Event::Bytes(us(100), b"53"),
            Event::Bytes(us(900_000), b"e\r\n"),
            Event::Bytes(us(last), b"0"),
        ]
    };
    assert_eq!(Wait::new(&pieces(1_000_000), &[]).ask().0, Ok(LIMIT));
    let (got, deadlines) = Wait::new(&pieces(1_000_001), &[]).ask();
    assert_eq!(got, Err(late(1_000_001)));
    assert_eq!(deadlines, [LIMIT; 3]);
}

/// A host stall does not delay a device in simulated time.
#[test]
fn in_simulated_time_stalls_do_not_count() {
    let stalls = [stopped(0, 900_000)];
    let ask = |events: &[Event]| {
        let wait = Wait {
            simulated: true,
            ..Wait::new(events, &stalls)
        };
        wait.ask()
    };
    assert_eq!(ask(&[answer(1_000_000)]).0, Ok(LIMIT));
    assert_eq!(ask(&[answer(1_000_001)]).0, Err(late(1_000_001)));
    let (got, deadlines) = ask(&[Event::Nothing, answer(1_200_000)]);
    assert!(matches!(
        got,
        Err(Fault::Timeout(LateReply { after: None, .. }))
    ));
    assert_eq!(deadlines, [LIMIT]);
}

/// After silence up to the limit during a host stall, the player gets its lost time once: the
/// length of the stall, but at most the limit.
#[test]
fn silence_during_a_stall_is_waited_for_once_more() {
    let nothing = Fault::Timeout(LateReply {
        received: Vec::new(),
        after: None,
        limit: LIMIT,
    });
    let (got, deadlines) = Wait::new(&[], &[]).ask();
    assert_eq!((got, deadlines), (Err(nothing.clone()), vec![LIMIT]));
    for (stall, more) in [(1, us(1)), (400_000, us(400_000)), (3_000_000, LIMIT)] {
        let before = Instant::now();
        let (got, deadlines) = Wait::new(&[], &[stopped(0, stall)]).ask();
        assert_eq!(got, Err(nothing.clone()), "{stall}");
        assert_eq!((deadlines.len(), deadlines[0]), (2, LIMIT));
        // The prompt was sent ten seconds before the call, and the second wait begins after the
        // call.
        let (least, most) = (Duration::from_secs(10) + more, before.elapsed());
        let second = deadlines[1];
        assert!(
            second >= least && second <= least + most,
            "{second:?} of {least:?}"
        );
    }
    // A reply in the extension is as uncertain as any other.
    let events = [Event::Nothing, answer(1_400_000)];
    let (got, _) = Wait::new(&events, &[stopped(0, 400_000)]).ask();
    assert_eq!(got, Err(uncertain(400_000, Some(1_400_000))));
    let (got, _) = Wait::new(&events, &[stopped(0, 399_999)]).ask();
    assert_eq!(got, Err(late(1_400_000)));
}

#[test]
fn a_suspended_machine_makes_silence_and_lost_links_uncertain() {
    let uncertain = Fault::Uncertain(StalledWait {
        stall: HostStall {
            stopped: Duration::ZERO,
            suspended: Duration::from_secs(60),
        },
        after: None,
        limit: LIMIT,
    });
    let pauses = [suspended(500_000, 60)];
    assert_eq!(Wait::new(&[], &pauses).ask().0, Err(uncertain.clone()));
    assert_eq!(Wait::new(&[Event::Gone], &pauses).ask().0, Err(uncertain));
    // Without a suspension, a lost link is the player's fault, even if the host stalled.
    let gone = Err(Fault::Lost(LinkLoss::Closed));
    assert_eq!(Wait::new(&[Event::Gone], &[]).ask().0, gone);
    assert_eq!(
        Wait::new(&[Event::Gone], &[stopped(0, 900_000)]).ask().0,
        gone
    );
}

/// A person has no limit, but each wait ends after a day.
#[test]
fn a_player_without_a_clock_is_never_late() {
    let day = Duration::from_secs(24 * 3_600);
    for stalls in [&[][..], &[stopped(0, 900_000)], &[suspended(0, 60)]] {
        let ask = |events: &[Event]| {
            let wait = Wait {
                person: true,
                ..Wait::new(events, stalls)
            };
            wait.ask()
        };
        assert_eq!(ask(&[answer(7_000_000)]), (Ok(us(7_000_000)), vec![day]));
        let (got, deadlines) = ask(&[]);
        let nothing = matches!(got, Err(Fault::Timeout(LateReply { after: None, .. })));
        assert!(nothing, "{got:?}");
        assert_eq!(deadlines, [day]);
    }
}

/// Bytes that complete no reply do not extend the wait, in wall clock time and in simulated time.
#[test]
fn bytes_after_the_limit_end_the_wait() {
    let events = [
        Event::Bytes(us(1_000_000), b"\r\n5"),
        Event::Bytes(us(1_000_001), b"\r\n"),
        answer(1_000_002),
    ];
    let nothing = Fault::Timeout(LateReply {
        received: b"5".to_vec(),
        after: None,
        limit: LIMIT,
    });
    for simulated in [false, true] {
        let wait = Wait {
            simulated,
            ..Wait::new(&events, &[])
        };
        assert_eq!(wait.ask(), (Err(nothing.clone()), vec![LIMIT; 2]));
    }
    // A host stall extends the wait once, as after silence.
    let (got, deadlines) = Wait::new(&events, &[stopped(0, 400_000)]).ask();
    assert!(matches!(got, Err(Fault::Uncertain(_))), "{got:?}");
    assert_eq!(deadlines.len(), 3);
}

#[test]
fn a_bank_does_not_pay_for_host_stalls() {
    let start = Duration::from_secs(5);
    let events = [answer(900_000)];
    let stalls = [stopped(100_000, 300_000)];
    for (stalls, simulated, paid) in [
        (&[][..], false, 900_000),
        (&stalls, false, 600_000),
        (&stalls, true, 900_000),
    ] {
        let wait = Wait {
            simulated,
            ..Wait::new(&events, stalls)
        };
        let (mut line, prompt, _) = wait.open();
        line.bank = TimeBank::full(TimeControl::TimeBank {
            start,
            increment: Duration::ZERO,
        });
        assert!(line.ask_move(prompt).is_ok());
        assert_eq!(line.bank.unwrap().left(), start - us(paid));
    }
}
