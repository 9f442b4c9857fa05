//! Players of tournaments: the same as those of games, as a plan names them.

use std::sync::Arc;
use std::time::Duration;

use duoforge_players::PlayerSpec;
use duoforge_rules::GameVariant;

use super::{DEFAULT_LEVEL, Offer, OfferError, OfferKind, Players};
use crate::devices::Device;
use crate::position::shown;

/// Player of a tournament.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Name for people, with the level.
    pub title: String,
    /// Player as a plan names it.
    pub spec: PlayerSpec,
    /// Device of the operator, if it is one.
    pub device: Option<Arc<Device>>,
}

impl Entrant {
    /// Declared version of a device.
    pub fn version(&self) -> Option<String> {
        self.device.as_ref()?.version()
    }

    /// Hard reset of a device that exists once, after its games.
    pub fn reset(&self) -> Option<Duration> {
        let device = self.device.as_ref().filter(|device| device.is_single())?;
        Some(device.reset()).filter(|reset| !reset.is_zero())
    }

    /// Time limit of a device's reply.
    pub fn limit(&self) -> Option<Duration> {
        self.device.as_ref().map(|device| device.limit())
    }
}

impl Players {
    /// Checks that a player can play tournaments of a variant at a level. Boards of visitors
    /// cannot: their times contain those of a browser.
    ///
    /// # Errors
    /// `OfferError`.
    pub fn entrant(
        &self,
        name: &str,
        level: Option<u8>,
        variant: &GameVariant,
    ) -> Result<Entrant, OfferError> {
        let offer = self.check(name, level, variant)?;
        if offer.is_unofficial() {
            return Err(OfferError::Unknown(shown(name)));
        }
        offer.entrant(level).ok_or_else(|| OfferError::Start {
            name: name.to_owned(),
            reason: "a plan cannot name its device".to_owned(),
        })
    }

    /// Finds the player that a plan names, among all that can play tournaments.
    pub fn find_entrant(&self, spec: &str) -> Option<Entrant> {
        let mut all = self.offers.iter().flat_map(|offer| {
            let levels = (1..=offer.levels().unwrap_or(0)).map(Some);
            let levels = levels.chain([None]);
            levels.filter_map(|level| offer.entrant(level))
        });
        all.find(|entrant| entrant.spec.to_string() == spec)
    }
}

impl Offer {
    fn entrant(&self, level: Option<u8>) -> Option<Entrant> {
        let number = level.unwrap_or(DEFAULT_LEVEL);
        let read = |text: String| text.parse().expect("settings of the engine");
        let spec = match &self.kind {
            OfferKind::Engine => read(format!("engine:level={number},threads=1,memory=128")),
            OfferKind::Maxn => read(format!("maxn:level={number}")),
            OfferKind::Random => PlayerSpec::Random(None),
            OfferKind::Greedy => PlayerSpec::Greedy(None),
            OfferKind::Named { spec, .. } => spec.clone(),
            OfferKind::Device(device) => device.spec()?,
        };
        let device = match &self.kind {
            OfferKind::Device(device) => Some(Arc::clone(device)),
            _ => None,
        };
        Some(Entrant {
            title: self.title(level),
            spec,
            device,
        })
    }
}
