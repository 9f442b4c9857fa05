//! Boards that hang on the computers of visitors: a page opens its board through WebSerial, and
//! forwards the bytes over a socket, behind which an ordinary link ends.
//!
//! | module | content |
//! |---|---|
//! | `port` | bytes between a socket and a link |
//! | `messages` | requests of the page and reports to it |
//! | `jobs` | handshake and conformance run, in threads |
//! | `socket` | socket of one board, its limits and its end |

mod jobs;
mod messages;
mod port;
mod socket;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use duoforge_referee::{Player, Seat};
use tokio::sync::mpsc;

use crate::devices::{Device, DeviceOpener};
use port::{Cancel, LINK, Outgoing, Port};

pub use socket::{MAX_FRAME, run};

/// Maximum number of boards that are plugged in at once.
pub const MAX_BOARDS: usize = 16;

/// Number of digits of a key.
const KEY: usize = 32;

/// Begin of the names of these boards in requests and journals.
const PREFIX: &str = "browser:";

/// Time limit of a reply in a game. The share of the browser and of its socket in the time of a
/// reply is unknown, so that the contest's limit cannot be judged.
pub const REPLY_TIME: Duration = Duration::from_secs(5);

/// True if a player's name is that of a board in a browser, plugged in or not.
pub fn is_board(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Boards that are plugged in, by name.
#[derive(Clone, Debug, Default)]
pub struct SerialBoards(Arc<Mutex<BTreeMap<String, Arc<SerialBoard>>>>);

/// Board on a visitor's computer.
pub struct SerialBoard {
    name: String,
    port: Arc<Port>,
    device: Arc<Device>,
    team: Mutex<Option<String>>,
    /// Signal that ends the job that runs.
    job: Mutex<Option<Cancel>>,
}

/// Reason why a board cannot be plugged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlugError {
    /// The key is malformed.
    #[error("the device key is invalid: expected {KEY} digits 0-9 and a-f")]
    Key,
    /// Another socket has the key.
    #[error("the device is plugged in already")]
    Taken,
    /// Too many boards.
    #[error("{MAX_BOARDS} boards are plugged in: expected at most {MAX_BOARDS}")]
    Full,
}

/// Board from its plugging in until this value is dropped.
pub struct Plugged {
    boards: SerialBoards,
    board: Arc<SerialBoard>,
    queue: mpsc::Receiver<Outgoing>,
}

/// Opens the link to a board.
struct Opener(Arc<Port>);

impl SerialBoards {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<SerialBoard>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plugs a board in. Its page chose the key at random; no other page can guess it.
    ///
    /// # Errors
    /// [`PlugError`].
    pub fn plug(&self, key: &str) -> Result<Plugged, PlugError> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if key.len() != KEY || !key.bytes().all(is_digit) {
            return Err(PlugError::Key);
        }
        let name = format!("{PREFIX}{key}");
        let mut boards = self.lock();
        if boards.contains_key(&name) {
            return Err(PlugError::Taken);
        }
        if boards.len() >= MAX_BOARDS {
            return Err(PlugError::Full);
        }
        let (port, queue) = Port::new();
        let opener = Arc::new(Opener(Arc::clone(&port)));
        let board = Arc::new(SerialBoard {
            name: name.clone(),
            port,
            device: Arc::new(Device::new(LINK.to_owned(), opener)),
            team: Mutex::default(),
            job: Mutex::default(),
        });
        boards.insert(name, Arc::clone(&board));
        drop(boards);
        Ok(Plugged {
            boards: self.clone(),
            board,
            queue,
        })
    }

    /// Returns a board that is plugged in; none whose socket has gone, even before it is unplugged.
    pub fn get(&self, name: &str) -> Option<Arc<SerialBoard>> {
        let board = self.lock().get(name).cloned();
        board.filter(|board| !board.port.has_gone())
    }
}

impl SerialBoard {
    /// Name in requests.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name for people, with the team code once it is known.
    pub fn label(&self) -> String {
        match self.lock_team().as_deref() {
            Some(team) => format!("Board {team} in a browser"),
            None => "Board in a browser".to_owned(),
        }
    }

    /// The board as a device of games.
    pub const fn device(&self) -> &Arc<Device> {
        &self.device
    }

    fn lock_job(&self) -> MutexGuard<'_, Option<Cancel>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_team(&self) -> MutexGuard<'_, Option<String>> {
        self.team.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SerialBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SerialBoard")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Drop for Plugged {
    fn drop(&mut self) {
        self.boards.lock().remove(&self.board.name);
    }
}

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(LINK)
    }
}

impl DeviceOpener for Opener {
    fn open(&self, _: Seat) -> Result<Player, String> {
        let link = self.0.open(&Cancel::default());
        link.map(Player::board).map_err(|error| error.to_string())
    }

    fn open_once(&self) -> Result<Player, String> {
        self.open(Seat::One)
    }

    fn reset(&self) -> Duration {
        Duration::ZERO
    }

    fn limit(&self) -> Duration {
        REPLY_TIME
    }

    fn is_single(&self) -> bool {
        true
    }

    fn repeats(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_limited_and_each_key_is_plugged_in_once() {
        let boards = SerialBoards::default();
        for wrong in [
            "",
            "0",
            "../../dev/ttyUSB0",
            &"g".repeat(KEY),
            &"A".repeat(KEY),
        ] {
            assert_eq!(boards.plug(wrong).err(), Some(PlugError::Key), "{wrong}");
        }
        let key = |n: usize| format!("{n:032x}");
        let mut plugged: Vec<_> = (0..MAX_BOARDS)
            .map(|n| boards.plug(&key(n)).ok().unwrap())
            .collect();
        assert_eq!(boards.plug(&key(0)).err(), Some(PlugError::Taken));
        assert_eq!(boards.plug(&key(99)).err(), Some(PlugError::Full));
        let name = format!("{PREFIX}{}", key(3));
        assert_eq!(boards.get(&name).unwrap().name(), name);
        plugged[4].board.port.close();
        assert!(boards.get(&format!("{PREFIX}{}", key(4))).is_none());
        plugged.remove(3);
        assert!(boards.get(&name).is_none() && is_board(&name));
        assert!(boards.plug(&key(99)).is_ok());
    }
}
