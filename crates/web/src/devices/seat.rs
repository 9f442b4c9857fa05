//! Device in the seat of a casual game.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use duoforge_links::wirelog::WireEntry;
use duoforge_referee::{RefereeOptions, Seat, SeatError, SeatedDevice};
use duoforge_rules::{Game, Move};

use super::Device;
use crate::seat_players::{Measured, NoMove, SeatPlayer};

/// Device in the seat of a game. It is opened when it is asked for its first move.
pub struct DeviceSeat {
    device: Arc<Device>,
    open: Option<SeatedDevice>,
    /// Moves of the game up to the last reply of the device.
    known: Vec<Move>,
    measured: Option<Measured>,
    bytes: Vec<(SystemTime, Vec<WireEntry>)>,
}

impl DeviceSeat {
    /// Creates the seat of a device that is not open.
    pub(super) fn new(device: Arc<Device>) -> Self {
        Self {
            device,
            open: None,
            known: Vec::new(),
            measured: None,
            bytes: Vec::new(),
        }
    }

    /// Opens the device if it is not open, and begins a game.
    fn begin(&mut self, seat: Seat, cancel: &AtomicBool) -> Result<SeatedDevice, NoMove> {
        self.known.clear();
        let name = &self.device.name;
        let broken_off = |reason: &dyn fmt::Display| NoMove::BrokenOff(format!("{name}: {reason}"));
        let mut seated = match self.open.take() {
            Some(seated) => seated,
            None => {
                let player = self.device.opener.open(seat);
                let player = player.map_err(|reason| broken_off(&reason))?;
                let until = self.device.with_lease(|lease| lease.reset.take());
                let mut player = player.resetting_until(until);
                if !player.wait_for_reset(|| cancel.load(Ordering::Relaxed)) {
                    let until = player.reset_until();
                    self.device.with_lease(|lease| lease.reset = until);
                    return Err(changed());
                }
                let options = RefereeOptions {
                    limit: self.device.opener.limit(),
                    ..RefereeOptions::default()
                };
                SeatedDevice::new(player, seat, options)
            }
        };
        match seated.begin() {
            Ok(_) => Ok(seated),
            Err(error) => {
                let failed = broken_off(&format_args!("no handshake: {error}"));
                self.close(seated);
                Err(failed)
            }
        }
    }

    /// Keeps the bytes and ends the game of an open device.
    fn close(&mut self, mut seated: SeatedDevice) {
        let until = seated.end();
        self.device.with_lease(|lease| lease.reset = until);
        self.bytes
            .push((seated.log().started(), seated.log().take()));
    }

    /// Prompts the device for the moves that it has to make to reach the end of the game, and then
    /// for the next one.
    fn play(
        &mut self,
        seated: &mut SeatedDevice,
        game: &Game,
        own: usize,
        cancel: &AtomicBool,
    ) -> Result<Move, NoMove> {
        let plies: Vec<Move> = game.plies().iter().map(|ply| ply.mv).collect();
        let name = &self.device.name;
        for ply in (own..=plies.len()).step_by(2) {
            if ply < self.known.len() {
                continue;
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(changed());
            }
            let last = ply.checked_sub(1).map(|last| plies[last].to_code_bytes());
            let (code, time) = seated.reply(last).map_err(|error| failed(name, &error))?;
            let text = code.escape_ascii();
            let mv = Move::from_code_bytes(code);
            let mv = mv.map_err(|error| NoMove::Lost(format!("replied '{text}': {error}")))?;
            if let Some(played) = plies.get(ply)
                && *played != mv
            {
                return Err(NoMove::BrokenOff(format!(
                    "{name} cannot continue the game: it replied {mv} at ply {ply}, where it had \
                     played {played}"
                )));
            }
            self.known = plies.iter().take(ply).copied().chain([mv]).collect();
            let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            self.measured = Some(Measured {
                us: micros(time.wall),
                sim_us: time.simulated.map(micros),
                host_us: micros(time.host),
            });
        }
        let last = self.known.last().copied();
        last.ok_or_else(|| NoMove::BrokenOff(format!("{name} is not to move")))
    }
}

/// Reason of a player that is no longer asked.
fn changed() -> NoMove {
    NoMove::BrokenOff("the game has changed".to_owned())
}

/// Converts the fault of a device, or of this program.
fn failed(name: &str, error: &SeatError) -> NoMove {
    if error.is_of_device() {
        NoMove::Lost(error.to_string())
    } else {
        NoMove::BrokenOff(format!("{name}: {error}"))
    }
}

impl SeatPlayer for DeviceSeat {
    fn choose(&mut self, game: &Game, cancel: &AtomicBool) -> Result<Move, NoMove> {
        self.measured = None;
        let own = game.plies().len() % 2;
        let seat = Seat::BOTH[own];
        let is_known = game.plies().len() >= self.known.len()
            && (self.known.iter().zip(game.plies())).all(|(known, ply)| *known == ply.mv);
        let mut seated = match self.open.take() {
            Some(seated) if is_known => seated,
            open => {
                self.open = open;
                self.begin(seat, cancel)?
            }
        };
        let chosen = self.play(&mut seated, game, own, cancel);
        if chosen.is_ok() {
            self.bytes
                .push((seated.log().started(), seated.log().take()));
            self.open = Some(seated);
        } else {
            self.close(seated);
        }
        chosen
    }

    fn measured(&self) -> Option<Measured> {
        self.measured
    }

    fn take_bytes(&mut self) -> Vec<(SystemTime, Vec<WireEntry>)> {
        std::mem::take(&mut self.bytes)
    }

    fn finish(&mut self) {
        if let Some(seated) = self.open.take() {
            self.close(seated);
        }
    }

    fn uses_processor(&self) -> bool {
        !self.device.is_single()
    }
}

impl Drop for DeviceSeat {
    fn drop(&mut self) {
        self.finish();
        self.device.with_lease(|lease| lease.taken = false);
    }
}
