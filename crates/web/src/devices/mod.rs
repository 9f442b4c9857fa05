//! Devices as players of casual games: FPGA boards and simulations behind links. One that exists
//! once is used by one game, one examination or one tournament at a time.

mod seat;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use duoforge_players::PlayerSpec;
use duoforge_referee::{Player, Seat};

use seat::DeviceSeat;

/// Device that the operator allows. What opens it lies above this crate: a simulator, for example.
pub trait DeviceOpener: fmt::Debug + Send + Sync {
    /// Opens the device in a seat. May build a model or wait for a connection.
    ///
    /// # Errors
    /// A sentence for the players.
    fn open(&self, seat: Seat) -> Result<Player, String>;

    /// Opens the device for an examination, which sees its link as it is: it does not wait for a
    /// device that disconnects.
    ///
    /// # Errors
    /// A sentence for the operator.
    fn open_once(&self) -> Result<Player, String>;

    /// Time that the device needs for its hard reset after `9`; zero without one.
    fn reset(&self) -> Duration;

    /// Time limit of a reply.
    fn limit(&self) -> Duration;

    /// True if only one instance of the device exists, so that it plays one game at a time.
    fn is_single(&self) -> bool;

    /// True if the device is deterministic: it repeats a game for the same moves.
    fn repeats(&self) -> bool;

    /// The device as the plan of a tournament names it; `None` if a plan cannot, so that the device
    /// plays single games only.
    fn spec(&self) -> Option<PlayerSpec> {
        None
    }

    /// Declared version of the device, if any.
    fn version(&self) -> Option<String> {
        None
    }
}

/// Device of the service.
#[derive(Debug)]
pub struct Device {
    name: String,
    opener: Arc<dyn DeviceOpener>,
    lease: Mutex<Lease>,
}

/// Use of a device by a game, an examination or a tournament.
#[derive(Debug, Default)]
struct Lease {
    taken: bool,
    /// End of the hard reset after the last game.
    reset: Option<Instant>,
}

impl Device {
    /// Creates a device that no game uses.
    pub fn new(name: String, opener: Arc<dyn DeviceOpener>) -> Self {
        Self {
            name,
            opener,
            lease: Mutex::default(),
        }
    }

    /// Name of the device's profile.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if only one instance of the device exists.
    pub fn is_single(&self) -> bool {
        self.opener.is_single()
    }

    /// True if moves can be taken back against the device: it repeats its moves after a restart.
    pub fn repeats(&self) -> bool {
        self.opener.repeats()
    }

    /// True if a game may use the device.
    pub fn is_free(&self) -> bool {
        !self.is_single() || !self.with_lease(|lease| lease.taken)
    }

    /// Takes the device for a game, without opening it; `None` if another game uses it.
    pub fn take(self: &Arc<Self>) -> Option<DeviceSeat> {
        let single = self.is_single();
        let taken = self.with_lease(|lease| single && std::mem::replace(&mut lease.taken, true));
        (!taken).then(|| DeviceSeat::new(Arc::clone(self)))
    }

    /// Time limit of a reply.
    pub fn limit(&self) -> Duration {
        self.opener.limit()
    }

    /// Time that the device needs for its hard reset.
    pub fn reset(&self) -> Duration {
        self.opener.reset()
    }

    /// The device as the plan of a tournament names it, if a plan can.
    pub fn spec(&self) -> Option<PlayerSpec> {
        self.opener.spec()
    }

    /// Declared version of the device, if any.
    pub fn version(&self) -> Option<String> {
        self.opener.version()
    }

    /// Takes the device for an examination or a tournament; `None` if it is in use.
    pub fn examine(self: &Arc<Self>) -> Option<ExaminedDevice> {
        let single = self.is_single();
        let taken = self.with_lease(|lease| single && std::mem::replace(&mut lease.taken, true));
        (!taken).then(|| ExaminedDevice(Arc::clone(self)))
    }

    fn with_lease<T>(&self, action: impl FnOnce(&mut Lease) -> T) -> T {
        action(&mut self.lease.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Device in an examination, or in a tournament, which opens it itself.
pub struct ExaminedDevice(Arc<Device>);

impl ExaminedDevice {
    /// Time until the device has finished its reset; `None` if it resets no more.
    pub fn resets_for(&self) -> Option<Duration> {
        let until = self.0.with_lease(|lease| lease.reset)?;
        let left = until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Opens the device after its reset, unless `stops` returns true before.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub fn open(&self, stops: impl Fn() -> bool) -> Result<Player, String> {
        let until = self.0.with_lease(|lease| lease.reset);
        let mut player = self.0.opener.open_once()?.resetting_until(until);
        if player.wait_for_reset(&stops) && !stops() {
            return Ok(player);
        }
        Err("the examination was cancelled".to_owned())
    }
}

impl Drop for ExaminedDevice {
    fn drop(&mut self) {
        // An examination may have ended with `9`.
        let reset = self.0.opener.reset();
        self.0.with_lease(|lease| {
            lease.taken = false;
            if !reset.is_zero() {
                lease.reset = Some(Instant::now() + reset);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use duoforge_rules::{Game, GameVariant};

    use super::*;
    use crate::players::{OfferError, Players, Profile};

    /// Device that cannot be opened.
    #[derive(Debug)]
    struct Absent {
        single: bool,
    }

    impl DeviceOpener for Absent {
        fn open(&self, _: Seat) -> Result<Player, String> {
            Err("it is absent".to_owned())
        }

        fn open_once(&self) -> Result<Player, String> {
            self.open(Seat::One)
        }

        fn reset(&self) -> Duration {
            Duration::from_secs(60)
        }

        fn limit(&self) -> Duration {
            Duration::from_secs(1)
        }

        fn is_single(&self) -> bool {
            self.single
        }

        fn repeats(&self) -> bool {
            !self.single
        }
    }

    #[test]
    fn profiles_are_offered_unless_a_built_in_player_has_their_name() {
        let program = |text: &str| Profile::Program(text.parse().unwrap());
        let device = |single| Profile::Device(Arc::new(Absent { single }));
        let profiles = vec![
            ("left".to_owned(), device(true)),
            ("model".to_owned(), device(false)),
            ("strong".to_owned(), program("engine:level=2")),
            ("random".to_owned(), program("random:3")),
        ];
        let (players, refused) = Players::new(profiles);
        assert_eq!(refused, ["random"]);
        let views = players.views();
        let seen: Vec<_> = views.iter().rev().take(3).rev().collect();
        let seen: Vec<_> = seen
            .iter()
            .map(|view| (&*view.name, view.kind, view.levels, view.undo))
            .collect();
        let expected = [
            ("left", "device", None, false),
            ("model", "device", None, true),
            ("strong", "profile", None, true),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_single_device_plays_one_game_at_a_time() {
        let device = |single| Profile::Device(Arc::new(Absent { single }));
        let profiles = vec![
            ("left".to_owned(), device(true)),
            ("model".to_owned(), device(false)),
        ];
        let (players, _) = Players::new(profiles);
        let free = |names: &[&str]| players.check_free(names.iter().copied());
        let busy = Err(OfferError::Busy("left".to_owned()));
        assert_eq!(free(&["left", "model", "model", "engine"]), Ok(()));
        assert_eq!(free(&["left", "left"]), busy);
        let open = || players.open("left", None, &GameVariant::DUO, 1);
        let mut seat = open().unwrap();
        assert!(open().is_err());
        assert_eq!(free(&["left"]), busy);
        let game = Game::new(&GameVariant::DUO);
        let reason = seat.choose(&game, &AtomicBool::new(false)).unwrap_err();
        assert_eq!(reason.to_string(), "left: it is absent");
        drop(seat);
        assert!(open().is_ok());
    }

    #[test]
    fn a_single_device_is_in_one_game_or_one_examination() {
        let opener = Arc::new(Absent { single: true });
        let device = Arc::new(Device::new("left".to_owned(), opener));
        let seat = device.take().unwrap();
        assert!(device.examine().is_none());
        drop(seat);
        let examined = device.examine().unwrap();
        assert!(!device.is_free() && device.take().is_none() && device.examine().is_none());
        assert_eq!(examined.resets_for(), None);
        assert_eq!(
            examined.open(|| false).err().as_deref(),
            Some("it is absent")
        );
        drop(examined);
        // The reset of the profile begins with the end of the examination.
        let again = device.examine().unwrap();
        assert!(again.resets_for().unwrap() > Duration::from_secs(1));
        let many = Arc::new(Device::new(
            "model".to_owned(),
            Arc::new(Absent { single: false }),
        ));
        let both = [many.examine(), many.examine()];
        assert!(both.iter().all(Option::is_some) && many.is_free() && many.take().is_some());
    }
}
