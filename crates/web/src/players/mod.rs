//! Players that games can be created with: built-in programs, and those that the operator named.

mod entrants;
mod offer;

use std::sync::Arc;

use duoforge_engine::Engine;
use duoforge_maxn::{MaxnEngine, MaxnSettings};
use duoforge_players::{PlayerSpec, VariantContext, VariantMover};
use duoforge_rules::GameVariant;
use duoforge_twin::Rng;

use crate::devices::{Device, DeviceOpener};
use crate::dto::PlayerView;
use crate::seat_players::{
    DuoSeat, EngineSeat, GreedySeat, MaxnSeat, RandomSeat, SeatPlayer, UnpluggedSeat, VariantSeat,
};
use crate::serial::{SerialBoards, is_board};

pub use entrants::Entrant;
use offer::{Offer, OfferKind};

/// Player that the operator named.
#[derive(Clone, Debug)]
pub enum Profile {
    /// Program that can be asked for moves directly.
    Program(PlayerSpec),
    /// Device at the far end of a link: an FPGA board, a simulation or a program that speaks the
    /// contest's protocol.
    Device(Arc<dyn DeviceOpener>),
}

/// Reason why a player cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OfferError {
    /// The name is unknown.
    #[error("no player is called '{0}'")]
    Unknown(String),
    /// The level is out of range.
    #[error("level {level} of {name} is out of range: expected {expected}")]
    Level {
        /// Name of the player.
        name: String,
        /// The level.
        level: u8,
        /// Permitted levels.
        expected: String,
    },
    /// The player does not play the variant.
    #[error("{name} does not play {variant}: expected {expected}")]
    Variant {
        /// Name of the player.
        name: String,
        /// Name of the variant.
        variant: String,
        /// Variants that it plays.
        expected: String,
    },
    /// A game, an examination or a tournament uses the device.
    #[error("{0} is in use: it plays a game or a tournament, or is examined")]
    Busy(String),
    /// The player cannot be started.
    #[error("{name} cannot be started: {reason}")]
    Start {
        /// Name of the player.
        name: String,
        /// Reason.
        reason: String,
    },
}

/// All players that games can be created with.
#[derive(Clone, Debug)]
pub struct Players {
    offers: Vec<Offer>,
    /// Boards that visitors plug in; they are not listed.
    boards: SerialBoards,
}

impl Players {
    /// Built-in players, and profiles of the operator by name. Profiles with the name of a built-in
    /// player are not taken; their names are returned.
    #[must_use]
    pub fn new(profiles: Vec<(String, Profile)>) -> (Self, Vec<String>) {
        let duo = |name: &str, label: &str| Offer {
            name: name.to_owned(),
            label: label.to_owned(),
            kind: OfferKind::Named {
                spec: name.parse().expect("a built-in player"),
                is_profile: false,
            },
        };
        let offer = |name: &str, label: &str, kind| Offer {
            name: name.to_owned(),
            label: label.to_owned(),
            kind,
        };
        let mut offers = vec![
            offer("engine", "Engine", OfferKind::Engine),
            offer("maxn", "Engine for every variant", OfferKind::Maxn),
            duo("pattern", "Pattern player"),
            duo("sample:1", "Sample player 1"),
            duo("sample:2", "Sample player 2"),
            offer("greedy", "Greedy player", OfferKind::Greedy),
            offer("random", "Random player", OfferKind::Random),
        ];
        let mut refused = Vec::new();
        for (name, profile) in profiles {
            if offers.iter().any(|offer| offer.name == name) {
                refused.push(name);
                continue;
            }
            let kind = match profile {
                Profile::Program(spec) => OfferKind::Named {
                    spec,
                    is_profile: true,
                },
                Profile::Device(opener) => {
                    OfferKind::Device(Arc::new(Device::new(name.clone(), opener)))
                }
            };
            offers.push(Offer {
                label: name.clone(),
                name,
                kind,
            });
        }
        let boards = SerialBoards::default();
        (Self { offers, boards }, refused)
    }

    /// Describes all players.
    #[must_use]
    pub fn views(&self) -> Vec<PlayerView> {
        self.offers.iter().map(Offer::view).collect()
    }

    /// Boards that visitors plug in.
    pub(crate) const fn boards(&self) -> &SerialBoards {
        &self.boards
    }

    fn offer(&self, name: &str) -> Option<Offer> {
        let offer = self.offers.iter().find(|offer| offer.name == name);
        let plugged = || {
            let board = self.boards.get(name)?;
            Some(Offer {
                name: name.to_owned(),
                label: board.label(),
                kind: OfferKind::Device(Arc::clone(board.device())),
            })
        };
        offer.cloned().or_else(plugged)
    }

    /// Checks that a player can play a variant at a level.
    ///
    /// # Errors
    /// `OfferError`.
    pub fn check(
        &self,
        name: &str,
        level: Option<u8>,
        variant: &GameVariant,
    ) -> Result<Offer, OfferError> {
        let offer = self.offer(name);
        let offer = offer.ok_or_else(|| OfferError::Unknown(crate::position::shown(name)))?;
        let levels = offer.levels();
        if let Some(level) = level
            && !(1..=levels.unwrap_or(0)).contains(&level)
        {
            return Err(OfferError::Level {
                name: name.to_owned(),
                level,
                expected: levels.map_or("no level".to_owned(), |levels| format!("1 to {levels}")),
            });
        }
        let variants = offer.variants();
        if !variants.iter().any(|it| it == variant.name()) {
            return Err(OfferError::Variant {
                name: name.to_owned(),
                variant: variant.name().to_owned(),
                expected: variants.join(", "),
            });
        }
        Ok(offer)
    }

    /// Opens a player for one game.
    ///
    /// # Errors
    /// `OfferError`.
    pub fn open(
        &self,
        name: &str,
        level: Option<u8>,
        variant: &GameVariant,
        seed: u64,
    ) -> Result<Box<dyn SeatPlayer>, OfferError> {
        if is_board(name) && self.boards.get(name).is_none() {
            return Ok(Box::new(UnpluggedSeat));
        }
        let offer = self.check(name, level, variant)?;
        let spec = match &offer.kind {
            OfferKind::Random => return Ok(Box::new(RandomSeat(Rng::new(seed)))),
            OfferKind::Greedy => return Ok(Box::new(GreedySeat)),
            OfferKind::Maxn => {
                let level = level.unwrap_or(DEFAULT_LEVEL);
                let text = format!("level={level},seed={seed}");
                let settings: MaxnSettings = text.parse().expect("settings of the engine");
                return Ok(Box::new(MaxnSeat(MaxnEngine::new(&settings))));
            }
            OfferKind::Named { spec, .. } => spec.clone(),
            OfferKind::Device(device) => {
                let seat = device.take();
                return match seat {
                    Some(seat) => Ok(Box::new(seat)),
                    None => Err(OfferError::Busy(name.to_owned())),
                };
            }
            OfferKind::Engine => {
                let level = level.unwrap_or(DEFAULT_LEVEL);
                let text = format!("engine:level={level},threads=1,memory=128,seed={seed}");
                text.parse().expect("settings of the engine")
            }
        };
        if let PlayerSpec::Engine(settings) = spec {
            return Ok(Box::new(EngineSeat(Engine::new(*settings))));
        }
        let failed = |error: duoforge_players::PlayerError| OfferError::Start {
            name: name.to_owned(),
            reason: error.to_string(),
        };
        if variant.name() == GameVariant::DUO.name() {
            return Ok(Box::new(DuoSeat(spec.mover().map_err(failed)?)));
        }
        let mover = spec.variant_mover(variant, &mut Seeds(seed));
        let mut mover = mover.map_err(failed)?;
        mover.seed(seed);
        Ok(Box::new(VariantSeat::new(mover)))
    }

    /// Checks that the devices of a new game are free, and that none of which only one exists has
    /// two seats.
    ///
    /// # Errors
    /// `OfferError::Busy`.
    pub fn check_free<'a>(&self, names: impl Iterator<Item = &'a str>) -> Result<(), OfferError> {
        let mut single = Vec::new();
        for name in names {
            if let Some(device) = self.device(name) {
                let again = device.is_single() && single.contains(&name);
                if again || !device.is_free() {
                    return Err(OfferError::Busy(name.to_owned()));
                }
                single.push(name);
            }
        }
        Ok(())
    }

    /// True if moves can be taken back against a player.
    #[must_use]
    pub fn undoes(&self, name: &str) -> bool {
        !is_board(name) && self.device(name).is_none_or(|device| device.repeats())
    }

    /// Returns a device of the operator by its name; `None` for another player.
    ///
    /// # Errors
    /// `OfferError::Unknown`.
    pub fn find_device(&self, name: &str) -> Result<Option<Arc<Device>>, OfferError> {
        let offer = self.offers.iter().find(|offer| offer.name == name);
        let offer = offer.ok_or_else(|| OfferError::Unknown(crate::position::shown(name)))?;
        Ok(match &offer.kind {
            OfferKind::Device(device) => Some(Arc::clone(device)),
            _ => None,
        })
    }

    fn device(&self, name: &str) -> Option<Arc<Device>> {
        match self.offer(name)?.kind {
            OfferKind::Device(device) => Some(device),
            _ => None,
        }
    }
}

/// Services for opening players of variants.
struct Seeds(u64);

impl VariantContext for Seeds {
    fn person(&mut self) -> Box<dyn VariantMover> {
        unreachable!("profiles of persons are refused")
    }

    fn seed(&mut self) -> u64 {
        self.0
    }
}

/// Level of the engine if none is given.
const DEFAULT_LEVEL: u8 = 4;

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use duoforge_rules::Game;

    use super::*;

    #[test]
    fn every_player_plays_a_legal_game_of_each_of_its_variants() {
        let bot = concat!(
            "bot:python3 ",
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/bots/bot.py"
        );
        let profiles = ["maxn:sims=20", bot]
            .map(|text| (text.to_owned(), Profile::Program(text.parse().unwrap())));
        let profiles = profiles.into_iter().filter(|_| cfg!(unix)).collect();
        let (players, refused) = Players::new(profiles);
        assert!(refused.is_empty());
        for view in players.views() {
            if view.kind == "profile" {
                assert_eq!(view.variants.len(), GameVariant::BUILT_IN.len());
            }
            for name in &view.variants {
                let variant = GameVariant::named(name).unwrap();
                let level = view.levels.map(|_| 1);
                let mut player = players.open(&view.name, level, variant, 7).unwrap();
                let mut game = Game::new(variant);
                // Later plies of large boards are like these.
                while !game.is_over() && game.plies().len() < 24 {
                    let mv = player.choose(&game, &AtomicBool::new(false)).unwrap();
                    game.play(mv)
                        .unwrap_or_else(|error| panic!("{}: {error}", view.name));
                }
                assert!(game.plies().len() >= 20, "{} {name}", view.name);
            }
        }
    }

    #[test]
    fn unknown_players_levels_and_variants_are_refused() {
        let (players, _) = Players::new(Vec::new());
        let error = |name: &str, level, variant| {
            let variant = GameVariant::named(variant).unwrap();
            players.check(name, level, variant).unwrap_err().to_string()
        };
        assert_eq!(
            error("serial:/dev/x", None, "duo"),
            "no player is called 'serial:/dev/x'"
        );
        assert_eq!(
            error("engine", Some(10), "duo"),
            "level 10 of engine is out of range: expected 1 to 9"
        );
        assert_eq!(
            error("random", Some(1), "duo"),
            "level 1 of random is out of range: expected no level"
        );
        assert_eq!(
            error("engine", Some(1), "classic"),
            "engine does not play classic: expected duo"
        );
    }
}
