//! Links to devices that are unplugged and replugged, over real pseudo-terminals.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use duoforge_links::{
    Link, LinkError, PtyLink, ReconnectObserver, ReconnectingLink, SerialLink, WaitStopped,
};
use tempfile::TempDir;

/// Time limit: long enough for any machine, short enough for a failing test.
const SOON: Duration = Duration::from_secs(10);

/// Device at a path, and a link that waits up to `reconnect_timeout` for its return.
struct Setup {
    _directory: TempDir,
    path: PathBuf,
    device: Option<PtyLink>,
    link: ReconnectingLink,
}

impl Setup {
    fn new(reconnect_timeout: Duration) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ttyUSB0");
        let device = PtyLink::open_at(&path).unwrap();
        let name = path.to_str().unwrap().to_owned();
        let reopen = move || SerialLink::open(&name).map(|link| Box::new(link) as Box<dyn Link>);
        let link = ReconnectingLink::open(Box::new(reopen), reconnect_timeout).unwrap();
        Self {
            _directory: directory,
            path,
            device: Some(device),
            link,
        }
    }

    /// Unplugs the device; the link notices it at the next read.
    fn unplug(&mut self) {
        self.device = None;
        closed(self.link.recv(&mut [0; 8], Instant::now() + SOON));
    }

    fn plug(&mut self) {
        self.device = Some(PtyLink::open_at(&self.path).unwrap());
    }

    /// Asserts that the device receives these bytes.
    fn hears(&mut self, expected: &[u8]) {
        let device = self.device.as_mut().unwrap();
        let (mut heard, until) = (Vec::<u8>::new(), Instant::now() + SOON);
        while heard.len() < expected.len() {
            heard.extend(device.recv(&mut [0; 16], until).unwrap().bytes);
        }
        assert_eq!(heard, expected);
    }
}

fn plug_later(path: &Path, after: Duration) -> JoinHandle<PtyLink> {
    let path = path.to_owned();
    thread::spawn(move || {
        thread::sleep(after);
        PtyLink::open_at(&path).unwrap()
    })
}

fn closed<T: std::fmt::Debug>(result: Result<T, LinkError>) {
    assert!(matches!(result, Err(LinkError::Closed)), "{result:?}");
}

#[test]
fn bytes_go_through() {
    let mut it = Setup::new(SOON);
    assert_eq!(it.link.describe(), format!("serial:{}", it.path.display()));
    it.link.send(b"0").unwrap();
    it.hears(b"0");
    it.device.as_mut().unwrap().send(b"1AA").unwrap();
    let until = Instant::now() + SOON;
    let mut heard = Vec::<u8>::new();
    while heard.len() < 3 {
        heard.extend(it.link.recv(&mut [0; 8], until).unwrap().bytes);
    }
    assert_eq!(heard, b"1AA");
    it.device.as_mut().unwrap().send(b"late").unwrap();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(it.link.drain().unwrap(), b"late");
}

#[test]
fn a_device_that_returns_between_games_is_opened_again() {
    let mut it = Setup::new(SOON);
    it.unplug();
    // An absent device has no bytes to drain, which is not an error.
    assert_eq!(it.link.drain().unwrap(), b"");
    let plugged = plug_later(&it.path, Duration::from_millis(200));
    it.link.send(b"0").unwrap();
    it.device = Some(plugged.join().unwrap());
    it.hears(b"0");
}

#[test]
fn a_device_that_stays_away_is_closed_after_the_time_for_it() {
    let reconnect_timeout = Duration::from_millis(300);
    let mut it = Setup::new(reconnect_timeout);
    it.unplug();
    let begun = Instant::now();
    closed(it.link.send(b"0"));
    assert!((reconnect_timeout..SOON).contains(&begun.elapsed()));
}

#[test]
fn in_a_game_no_device_returns() {
    for begin in [&b"25"[..], b"3A53e0"] {
        let mut it = Setup::new(SOON);
        it.link.send(b"0").unwrap();
        it.link.send(begin).unwrap();
        it.unplug();
        it.plug();
        let begun = Instant::now();
        closed(it.link.send(b"453e0"));
        closed(it.link.recv(&mut [0; 8], Instant::now() + SOON));
        closed(it.link.drain());
        // The end of the game does not wait either.
        it.device = None;
        closed(it.link.send(b"9"));
        assert!(begun.elapsed() < SOON / 2);
        // The next game has the device again.
        assert_eq!(it.link.drain().unwrap(), b"");
        it.plug();
        it.link.send(b"0").unwrap();
        it.hears(b"0");
    }
}

#[test]
fn the_end_of_a_game_reaches_the_device_and_frees_it() {
    let mut it = Setup::new(SOON);
    it.link.send(b"25").unwrap();
    it.link.send(b"9").unwrap();
    it.hears(b"259");
    it.unplug();
    let plugged = plug_later(&it.path, Duration::from_millis(100));
    it.link.send(b"Q").unwrap();
    it.device = Some(plugged.join().unwrap());
    it.hears(b"Q");
}

/// Observer that records the waits, and stops the first one if its test asks for it.
struct Recorder {
    events: Arc<Mutex<Vec<String>>>,
    stops: bool,
}

impl ReconnectObserver for Recorder {
    fn waits(&mut self, device: &str, _: Duration) {
        self.events.lock().unwrap().push(format!("wait {device}"));
    }

    fn returned(&mut self, device: &str) {
        self.events.lock().unwrap().push(format!("back {device}"));
    }

    fn wants_stop(&self) -> bool {
        self.stops && !self.events.lock().unwrap().is_empty()
    }
}

/// Sets a device with an observer up and unplugs the device.
fn observed(reconnect_timeout: Duration, stops: bool) -> (Setup, Arc<Mutex<Vec<String>>>) {
    let mut it = Setup::new(reconnect_timeout);
    let events = Arc::<Mutex<Vec<String>>>::default();
    let recorder = Recorder {
        events: Arc::clone(&events),
        stops,
    };
    it.link = it.link.with_observer(Box::new(recorder));
    it.unplug();
    (it, events)
}

#[test]
fn a_send_waits_once_and_announces_the_wait() {
    let (mut it, events) = observed(Duration::from_millis(300), false);
    closed(it.link.send(b"0"));
    let name = it.link.describe();
    assert_eq!(*events.lock().unwrap(), [format!("wait {name}")]);
    // A device that has returned before the send needs no wait.
    it.plug();
    it.link.send(b"0").unwrap();
    it.hears(b"0");
    assert_eq!(events.lock().unwrap().len(), 1);
}

#[test]
fn the_return_of_an_awaited_device_is_announced() {
    let (mut it, events) = observed(SOON, false);
    let plugged = plug_later(&it.path, Duration::from_millis(300));
    it.link.send(b"0").unwrap();
    it.device = Some(plugged.join().unwrap());
    let name = it.link.describe();
    let expected = [format!("wait {name}"), format!("back {name}")];
    assert_eq!(*events.lock().unwrap(), expected);
}

#[test]
fn an_observer_stops_a_wait() {
    let (mut it, events) = observed(Duration::from_secs(24 * 3600), true);
    let error = it.link.send(b"0").unwrap_err();
    let LinkError::Inside { name, source } = error else {
        panic!("{error:?}");
    };
    assert_eq!(name, it.link.describe());
    assert!(source.is::<WaitStopped>(), "{source:?}");
    assert_eq!(events.lock().unwrap().len(), 1);
}
