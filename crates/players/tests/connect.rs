//! Devices that connect to this program.
#![cfg(unix)]

use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use duoforge_links::SerialLink;
use duoforge_players::{Mover, OpenContext, PlayerSpec};
use duoforge_referee::Seat;

/// Time after which the device connects.
const LATER: Duration = Duration::from_millis(300);

/// Context in which a device connects after [`LATER`].
#[derive(Default)]
struct Later(Option<JoinHandle<()>>);

impl OpenContext for Later {
    fn person(&mut self, _: Seat) -> Box<dyn Mover> {
        panic!("no person plays")
    }

    fn seed(&mut self, _: Seat) -> u64 {
        panic!("no random player")
    }

    fn on_build(&mut self, _: Seat, _: &str) {
        panic!("no simulated device")
    }

    fn on_wait(&mut self, _: Seat, place: &str) {
        let place = place.to_owned();
        self.0 = Some(thread::spawn(move || {
            thread::sleep(LATER);
            let (tcp, serial) = match place.strip_prefix("tcp:") {
                Some(address) => (TcpStream::connect(address).ok(), None),
                None => (None, SerialLink::open(&place).ok()),
            };
            assert!(tcp.is_some() || serial.is_some(), "{place}");
            // The player notices the device within a poll.
            thread::sleep(4 * LATER);
        }));
    }
}

#[test]
fn a_device_that_connects_late_is_waited_for() {
    for text in ["pty", "tcp-listen:127.0.0.1:0"] {
        let spec: PlayerSpec = text.parse().unwrap();
        let (mut context, begin) = (Later::default(), Instant::now());
        let player = spec.open(Seat::One, &mut context);
        assert!(player.is_ok(), "{text}: {:?}", player.err());
        assert!(begin.elapsed() >= LATER, "{text}");
        context.0.unwrap().join().unwrap();
    }
}
