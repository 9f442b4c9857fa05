//! Socket of a board: bytes in binary frames, requests and reports in text frames, limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Error;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use duoforge_links::wirelog::{Decoder, Direction};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{interval, timeout};

use super::messages::{Action, Job, Report, Request};
use super::port::Outgoing;
use super::{Plugged, REPLY_TIME, SerialBoard, jobs};
use crate::app::App;

/// Maximum size of a message in bytes.
pub const MAX_FRAME: usize = 4096;

/// Bytes per second that a page may send: almost three times those of a line at 115200 baud. Each
/// message counts as one byte more.
const RATE: f64 = 32_768.0;

/// Bytes that a page may send at once, after a delay.
const BURST: f64 = 65_536.0;

/// Bytes as which a request counts.
const REQUEST: usize = 1024;

/// Interval of pings.
const PING: Duration = Duration::from_secs(10);

/// Time after which a page that sends nothing, not even a pong, has gone.
const SILENCE: Duration = Duration::from_secs(30);

/// Time for closing a socket.
const CLOSING: Duration = Duration::from_secs(1);

/// Maximum length of a reason in bytes, by RFC 6455.
const MAX_REASON: usize = 123;

const FLOOD: &str = "more bytes came than a board sends at 115200 baud";

/// Reason why a socket ends.
enum End {
    /// The page has closed it, or has vanished.
    Gone,
    /// The service stops.
    Stopped,
    /// The page broke a rule.
    Refused(String),
}

/// Event that a socket waits for.
enum Event {
    Message(Option<Result<Message, Error>>),
    Outgoing(Option<Outgoing>),
    Ping,
    Stop,
}

/// Serves the socket of a board until it ends. A game of the board then ends too.
pub async fn run(socket: WebSocket, app: Arc<App>, mut plugged: Plugged) {
    let board = Arc::clone(&plugged.board);
    let now = Instant::now();
    let mut session = Session {
        socket,
        board: Arc::clone(&board),
        decoder: Decoder::new(),
        begun: now,
        heard: now,
        budget: Budget {
            left: BURST,
            at: now,
        },
    };
    let end = session.serve(&mut plugged.queue, app.streams.ending());
    let Err(end) = end.await;
    // No game finds the board any more, and bytes that wait are not sent.
    drop(plugged);
    let (code, reason) = match end {
        End::Gone => (close_code::NORMAL, String::new()),
        End::Stopped => (close_code::AWAY, "the service stops".to_owned()),
        End::Refused(reason) => (close_code::POLICY, reason),
    };
    if code != close_code::AWAY {
        // A service that stops decides no game.
        board.port.close();
        spawn_blocking(move || app.tables.lose(board.name()));
    }
    session.close(code, &reason).await;
}

/// Open socket.
struct Session {
    socket: WebSocket,
    board: Arc<SerialBoard>,
    decoder: Decoder,
    begun: Instant,
    /// Time of the last message of the page.
    heard: Instant,
    budget: Budget,
}

impl Session {
    async fn serve(
        &mut self,
        queue: &mut mpsc::Receiver<Outgoing>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<std::convert::Infallible, End> {
        let hello = Report::Hello {
            player: self.board.name().to_owned(),
            limit_ms: REPLY_TIME.as_millis() as u64,
        };
        self.report(&hello).await?;
        let mut pings = interval(PING);
        loop {
            let event = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => Event::Stop,
                message = self.socket.recv() => Event::Message(message),
                outgoing = queue.recv() => Event::Outgoing(outgoing),
                _ = pings.tick() => Event::Ping,
            };
            match event {
                Event::Stop => return Err(End::Stopped),
                Event::Message(Some(Ok(message))) => self.receive(message).await?,
                Event::Message(Some(Err(error))) => return Err(End::Refused(error.to_string())),
                Event::Message(None) | Event::Outgoing(None) => return Err(End::Gone),
                Event::Outgoing(Some(outgoing)) => self.forward(outgoing).await?,
                Event::Ping if self.heard.elapsed() > SILENCE => return Err(End::Gone),
                Event::Ping => self.send(Message::Ping(Vec::new().into())).await?,
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<(), End> {
        let now = Instant::now();
        self.heard = now;
        let cost = match &message {
            Message::Binary(bytes) => bytes.len(),
            Message::Text(_) => REQUEST,
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => 0,
        };
        if !self.budget.pays(cost + 1, now) {
            return Err(End::Refused(FLOOD.to_owned()));
        }
        match message {
            Message::Binary(bytes) if bytes.is_empty() => Ok(()),
            Message::Binary(bytes) => {
                let kept = self.board.port.receive(&bytes, now);
                kept.map_err(|_| End::Refused(FLOOD.to_owned()))?;
                self.explain(Direction::FromBoard, &bytes).await
            }
            Message::Text(text) => self.act(&text).await,
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(End::Gone),
        }
    }

    async fn act(&mut self, text: &str) -> Result<(), End> {
        let Ok(Request { action }) = serde_json::from_str(text) else {
            let reason = "a text frame is not a request; bytes come in binary frames";
            return Err(End::Refused(reason.to_owned()));
        };
        let started = match action {
            Action::Identify => jobs::start(&self.board, Job::Identify),
            Action::Conform => jobs::start(&self.board, Job::Conform),
            Action::Cancel => {
                jobs::cancel(&self.board);
                Ok(())
            }
        };
        match started {
            Ok(()) => Ok(()),
            Err(refusal) => self.report(&refusal).await,
        }
    }

    async fn forward(&mut self, outgoing: Outgoing) -> Result<(), End> {
        match outgoing {
            Outgoing::Report(text) => self.send(Message::Text(text.into())).await,
            Outgoing::Bytes(bytes, done) => {
                self.send(Message::Binary(bytes.clone().into())).await?;
                // A link that waits no longer needs no time.
                let _ = done.try_send(Instant::now());
                self.explain(Direction::ToBoard, &bytes).await
            }
        }
    }

    /// Reports the meaning of bytes, which the page shows next to them.
    async fn explain(&mut self, direction: Direction, bytes: &[u8]) -> Result<(), End> {
        let decoded = self.decoder.feed(direction, bytes, self.begun.elapsed());
        self.report(&Report::meaning(direction.word(), &decoded))
            .await
    }

    async fn report(&mut self, report: &Report) -> Result<(), End> {
        self.send(Message::Text(report.text().into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        self.socket.send(message).await.map_err(|_| End::Gone)
    }

    /// Closes the socket, if the page still takes part.
    async fn close(mut self, code: u16, reason: &str) {
        let reason: String = reason.chars().filter(char::is_ascii).collect();
        let reason = reason[..reason.len().min(MAX_REASON)].to_owned().into();
        let closing = async {
            let close = Message::Close(Some(CloseFrame { code, reason }));
            if self.socket.send(close).await.is_ok() {
                while let Some(Ok(_)) = self.socket.recv().await {}
            }
        };
        // A page that does not answer loses the connection.
        let _ = timeout(CLOSING, closing).await;
    }
}

/// Bytes that a page may send.
struct Budget {
    left: f64,
    at: Instant,
}

impl Budget {
    /// Pays for bytes; false if there are too many.
    fn pays(&mut self, cost: usize, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + passed * RATE).min(BURST) - cost as f64;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_at_full_rate_is_no_flood_and_one_at_three_times_the_rate_is() {
        let begun = Instant::now();
        let minute = |bytes_per_second: u32| {
            let mut budget = Budget {
                left: BURST,
                at: begun,
            };
            // Single bytes, as a browser may read them.
            (1..=60 * bytes_per_second).all(|byte| {
                let after = Duration::from_secs(1) * byte / bytes_per_second;
                budget.pays(1 + 1, begun + after)
            })
        };
        assert!(minute(11_520));
        assert!(!minute(3 * 11_520));
    }

    #[test]
    fn the_burst_is_what_a_page_may_send_at_once() {
        let at = Instant::now();
        let mut budget = Budget { left: BURST, at };
        assert!(budget.pays(BURST as usize, at));
        assert!(!budget.pays(1, at));
        assert!(budget.pays(1, at + Duration::from_secs(1)));
    }
}
