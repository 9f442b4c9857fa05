//! Port of a board that hangs on a visitor's computer: bytes between its socket and a link.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use duoforge_links::{DRAIN_LIMIT, Link, LinkError, Received, SEND_LIMIT, Sent};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// Name of the link in messages.
pub const LINK: &str = "the board in the browser";

/// Messages that wait for the socket before a sender waits.
const QUEUE: usize = 64;

/// Signal that a job is to end.
pub type Cancel = Arc<AtomicBool>;

/// Message for the socket.
pub enum Outgoing {
    /// Bytes for the board; the time at which the socket took them goes back.
    Bytes(Vec<u8>, SyncSender<Instant>),
    /// Report as JSON.
    Report(String),
}

/// Port of one board: opened by one link at a time.
pub struct Port {
    state: Mutex<State>,
    changed: Condvar,
    socket: mpsc::Sender<Outgoing>,
}

struct State {
    /// Bytes of the board that the link has not taken.
    inbox: VecDeque<u8>,
    /// Arrival of the last byte.
    at: Instant,
    is_open: bool,
    has_gone: bool,
}

/// The board sent more bytes than its link takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Port {
    /// Creates a port, and the queue of the messages for its socket.
    pub fn new() -> (Arc<Self>, mpsc::Receiver<Outgoing>) {
        let (socket, queue) = mpsc::channel(QUEUE);
        let state = State {
            inbox: VecDeque::new(),
            at: Instant::now(),
            is_open: false,
            has_gone: false,
        };
        let port = Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            socket,
        };
        (Arc::new(port), queue)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a link to the board. Bytes from before are dropped. The link fails once `cancel` is
    /// true, see [`wake`](Self::wake).
    ///
    /// # Errors
    /// [`LinkError::Busy`] if another link is open, [`LinkError::Closed`] if the socket has gone.
    pub fn open(self: &Arc<Self>, cancel: &Cancel) -> Result<PortLink, LinkError> {
        let mut state = self.lock();
        state.check(cancel)?;
        if state.is_open {
            let name = LINK.to_owned();
            return Err(LinkError::Busy { name });
        }
        state.is_open = true;
        state.inbox.clear();
        Ok(PortLink {
            port: Arc::clone(self),
            cancel: Arc::clone(cancel),
        })
    }

    /// Takes bytes of the board. Without a link they are dropped.
    ///
    /// # Errors
    /// [`Overflow`] if more than [`DRAIN_LIMIT`] bytes wait.
    pub fn receive(&self, bytes: &[u8], at: Instant) -> Result<(), Overflow> {
        let mut state = self.lock();
        if !state.is_open {
            return Ok(());
        }
        if state.inbox.len() + bytes.len() > DRAIN_LIMIT {
            return Err(Overflow);
        }
        state.inbox.extend(bytes);
        state.at = at;
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Sends a report to the page; it is lost if the socket has gone.
    pub fn report(&self, text: String) {
        // Jobs run in separate threads: they may wait.
        let _ = self.socket.blocking_send(Outgoing::Report(text));
    }

    /// Ends every link: the socket has gone.
    pub fn close(&self) {
        self.lock().has_gone = true;
        self.changed.notify_all();
    }

    /// True once the socket has gone.
    pub fn has_gone(&self) -> bool {
        self.lock().has_gone
    }

    /// Lets a waiting link notice that it is cancelled.
    pub fn wake(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }
}

impl State {
    fn check(&self, cancel: &Cancel) -> Result<(), LinkError> {
        if cancel.load(Ordering::SeqCst) {
            return Err(LinkError::Inside {
                name: LINK.to_owned(),
                source: "the job was cancelled".into(),
            });
        }
        if self.has_gone {
            return Err(LinkError::Closed);
        }
        Ok(())
    }
}

/// Open link to the board of a port.
pub struct PortLink {
    port: Arc<Port>,
    cancel: Cancel,
}

impl PortLink {
    /// Closes the port and returns the error. The socket takes no bytes and may not have ended yet:
    /// no other link may use it.
    fn gone(&self) -> LinkError {
        self.port.close();
        LinkError::Closed
    }
}

impl Link for PortLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        self.port.lock().check(&self.cancel)?;
        let (done, sent) = sync_channel(1);
        let queued = self
            .port
            .socket
            .try_send(Outgoing::Bytes(bytes.into(), done));
        queued.map_err(|error| match error {
            TrySendError::Full(_) => LinkError::Timeout,
            TrySendError::Closed(_) => self.gone(),
        })?;
        match sent.recv_timeout(SEND_LIMIT) {
            Ok(at) => Ok(Sent {
                at,
                simulated: None,
            }),
            Err(RecvTimeoutError::Timeout) => Err(LinkError::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        let mut state = self.port.lock();
        loop {
            match state.check(&self.cancel) {
                // The last bytes come before the end.
                Err(LinkError::Closed) if !state.inbox.is_empty() => {}
                checked => checked?,
            }
            if !state.inbox.is_empty() {
                let len = state.inbox.len().min(buf.len());
                for (slot, byte) in buf.iter_mut().zip(state.inbox.drain(..len)) {
                    *slot = byte;
                }
                return Ok(Received {
                    bytes: &buf[..len],
                    at: state.at,
                    simulated: None,
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(LinkError::Timeout);
            }
            let waited = self.port.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn describe(&self) -> String {
        LINK.to_owned()
    }
}

impl Drop for PortLink {
    fn drop(&mut self) {
        self.port.lock().is_open = false;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn bytes_pass_in_both_directions_and_those_from_before_are_dropped() {
        let (port, mut queue) = Port::new();
        port.receive(b"old", Instant::now()).unwrap();
        let mut link = port.open(&Cancel::default()).unwrap();
        assert!(matches!(
            port.open(&Cancel::default()),
            Err(LinkError::Busy { .. })
        ));
        let socket = thread::spawn(move || {
            let Some(Outgoing::Bytes(bytes, done)) = queue.blocking_recv() else {
                panic!("no bytes came");
            };
            done.send(Instant::now()).unwrap();
            (bytes, queue)
        });
        link.send(b"0").unwrap();
        assert_eq!(socket.join().unwrap().0, b"0");
        let at = Instant::now();
        port.receive(b"1TW", at).unwrap();
        let mut buf = [0; 2];
        let received = link.recv(&mut buf, soon()).unwrap();
        assert_eq!((received.bytes, received.at), (&b"1T"[..], at));
        assert_eq!(link.drain().unwrap(), b"W");
        let none = link.recv(&mut buf, Instant::now());
        assert!(matches!(none, Err(LinkError::Timeout)));
        drop(link);
        assert!(port.open(&Cancel::default()).is_ok());
    }

    #[test]
    fn a_socket_that_has_gone_closes_the_link_after_its_last_bytes() {
        let (port, queue) = Port::new();
        let mut link = port.open(&Cancel::default()).unwrap();
        port.receive(b"1", Instant::now()).unwrap();
        let own = Arc::clone(&port);
        let closing = thread::spawn(move || own.close());
        assert_eq!(link.recv(&mut [0; 8], soon()).unwrap().bytes, b"1");
        assert!(matches!(
            link.recv(&mut [0; 8], soon()),
            Err(LinkError::Closed)
        ));
        closing.join().unwrap();
        assert!(matches!(link.send(b"9"), Err(LinkError::Closed)));
        drop((link, queue));
        assert!(matches!(
            port.open(&Cancel::default()),
            Err(LinkError::Closed)
        ));
    }

    #[test]
    fn a_socket_that_takes_nothing_lets_sends_time_out() {
        let (port, queue) = Port::new();
        let mut link = port.open(&Cancel::default()).unwrap();
        assert!(matches!(link.send(b"0"), Err(LinkError::Timeout)));
        drop(queue);
        assert!(!port.has_gone());
        assert!(matches!(link.send(b"0"), Err(LinkError::Closed)));
        assert!(port.has_gone());
    }

    #[test]
    fn a_socket_that_fails_has_gone_before_it_ends() {
        let (port, mut queue) = Port::new();
        let mut link = port.open(&Cancel::default()).unwrap();
        assert!(!port.has_gone());
        let failing = thread::spawn(move || {
            drop(queue.blocking_recv());
            queue
        });
        assert!(matches!(link.send(b"0"), Err(LinkError::Closed)));
        assert!(port.has_gone());
        drop(failing.join().unwrap());
    }

    #[test]
    fn a_cancelled_job_ends_its_waits_as_a_failure_inside() {
        let (port, _queue) = Port::new();
        let cancel = Cancel::default();
        let mut link = port.open(&cancel).unwrap();
        let (own, signal) = (Arc::clone(&port), Arc::clone(&cancel));
        let cancelling = thread::spawn(move || {
            signal.store(true, Ordering::SeqCst);
            own.wake();
        });
        let mut buf = [0; 8];
        let ended = link.recv(&mut buf, soon());
        assert!(matches!(ended, Err(LinkError::Inside { .. })));
        cancelling.join().unwrap();
        assert!(matches!(link.send(b"0"), Err(LinkError::Inside { .. })));
        assert!(matches!(port.open(&cancel), Err(LinkError::Inside { .. })));
        drop(link);
        assert!(port.open(&Cancel::default()).is_ok());
    }

    #[test]
    fn a_flood_is_an_overflow() {
        let (port, _queue) = Port::new();
        let _link = port.open(&Cancel::default()).unwrap();
        port.receive(&[b'x'; DRAIN_LIMIT], Instant::now()).unwrap();
        assert_eq!(port.receive(b"x", Instant::now()), Err(Overflow));
    }
}
