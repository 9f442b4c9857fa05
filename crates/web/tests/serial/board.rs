//! Board in a browser: a twin behind a socket.

use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use duoforge_protocol::TeamCode;
use duoforge_twin::{Policy, Twin};
use serde_json::{Value, json};
use tungstenite::{Error, Message, WebSocket};

use crate::common::Service;
use crate::socket::{connect, read};

/// Longer than any reply takes, even on a slow machine.
const SOON: Duration = Duration::from_secs(60);

/// Action of a board.
pub enum Act {
    Send(Message),
    /// Ends the connection without a close frame.
    Vanish,
}

/// Twin behind a socket, as a page forwards it.
pub struct Board {
    pub player: String,
    pub acts: Sender<Act>,
    pub reports: Receiver<Value>,
    /// True once the board replies to nothing any more.
    pub is_mute: Arc<AtomicBool>,
}

impl Board {
    pub fn plug(service: &Service, key: &str) -> Self {
        let mut socket = connect(service, key, "").unwrap();
        let hello: Value = match read(&mut socket).unwrap() {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other}"),
        };
        assert_eq!(hello["type"], "hello");
        let poll = Some(Duration::from_millis(5));
        socket.get_ref().set_read_timeout(poll).unwrap();
        let (acts, actions) = channel();
        let (sender, reports) = channel();
        let is_mute = Arc::new(AtomicBool::new(false));
        let mute = Arc::clone(&is_mute);
        thread::spawn(move || forward(socket, &actions, &sender, &mute));
        Self {
            player: hello["player"].as_str().unwrap().to_owned(),
            acts,
            reports,
            is_mute,
        }
    }

    pub fn ask(&self, action: &str) {
        let text = json!({ "do": action }).to_string();
        self.acts.send(Act::Send(Message::text(text))).unwrap();
    }

    /// Next report of a type.
    pub fn until(&self, kind: &str) -> Value {
        loop {
            let report = self.reports.recv_timeout(SOON).expect("a report");
            if report["type"] == kind {
                return report;
            }
        }
    }
}

/// Forwards bytes between the socket and a twin until the test ends the board.
fn forward(
    mut socket: WebSocket<TcpStream>,
    actions: &Receiver<Act>,
    reports: &Sender<Value>,
    is_mute: &AtomicBool,
) {
    let mut twin = Twin::new(TeamCode::new(*b"TW").unwrap(), Policy::default());
    loop {
        match actions.try_recv() {
            Ok(Act::Send(message)) => {
                if socket.send(message).is_err() {
                    return;
                }
            }
            Ok(Act::Vanish) => return,
            Err(_) => {}
        }
        match socket.read() {
            Ok(Message::Binary(bytes)) => {
                for frame in bytes.iter().filter_map(|&byte| twin.receive(byte)) {
                    if !is_mute.load(Ordering::SeqCst) {
                        let reply = Message::binary(frame.as_bytes().to_vec());
                        if socket.send(reply).is_err() {
                            return;
                        }
                    }
                }
            }
            Ok(Message::Text(text)) => {
                // The test may have ended.
                let _ = reports.send(serde_json::from_str(&text).unwrap());
            }
            Ok(_) => {}
            Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
