//! Kinds of players that games can be created with, and how the page shows them.

use std::sync::Arc;

use duoforge_engine::EngineSettings;
use duoforge_maxn::MaxnSettings;
use duoforge_players::PlayerSpec;
use duoforge_rules::GameVariant;

use crate::devices::Device;
use crate::dto::PlayerView;
use crate::serial::is_board;

/// Kind of player that games can be created with.
#[derive(Clone, Debug)]
pub struct Offer {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) kind: OfferKind,
}

#[derive(Clone, Debug)]
pub(super) enum OfferKind {
    /// The engine for processors, by level.
    Engine,
    /// The engine for every variant, by level.
    Maxn,
    /// Player in software of Blokus Duo, or a profile: also a bot or an engine in another process.
    Named { spec: PlayerSpec, is_profile: bool },
    /// Random placements, in every variant.
    Random,
    /// Greatest lead in cells and corner points, in every variant.
    Greedy,
    /// Device that the operator named.
    Device(Arc<Device>),
}

impl Offer {
    pub(super) fn view(&self) -> PlayerView {
        let device = match &self.kind {
            OfferKind::Device(device) => Some(device),
            _ => None,
        };
        let kind = match &self.kind {
            OfferKind::Named {
                is_profile: true, ..
            } => "profile",
            OfferKind::Device(_) => "device",
            _ => "software",
        };
        PlayerView {
            name: self.name.clone(),
            label: self.label.clone(),
            kind,
            levels: self.levels(),
            variants: self.variants(),
            undo: device.is_none_or(|device| device.repeats()),
            single: device.is_some_and(|device| device.is_single()),
            busy: device.is_some_and(|device| !device.is_free()),
        }
    }

    /// True if the times of the player's replies contain those of a browser.
    #[must_use]
    pub fn is_unofficial(&self) -> bool {
        is_board(&self.name)
    }

    /// Name for people, with the level.
    #[must_use]
    pub fn title(&self, level: Option<u8>) -> String {
        match level {
            Some(level) => format!("{}, level {level}", self.label),
            None => self.label.clone(),
        }
    }

    pub(super) fn levels(&self) -> Option<u8> {
        match self.kind {
            OfferKind::Engine => Some(EngineSettings::LEVELS.len() as u8),
            OfferKind::Maxn => Some(MaxnSettings::LEVELS.len() as u8),
            OfferKind::Named { .. }
            | OfferKind::Device(_)
            | OfferKind::Random
            | OfferKind::Greedy => None,
        }
    }

    pub(super) fn variants(&self) -> Vec<String> {
        match &self.kind {
            OfferKind::Engine | OfferKind::Device(_) => vec!["duo".to_owned()],
            OfferKind::Named { spec, .. } => {
                let plays = |it: &&GameVariant| **it == GameVariant::DUO || spec.plays(it);
                let played = GameVariant::BUILT_IN.iter().filter(plays);
                played.map(|variant| variant.name().to_owned()).collect()
            }
            OfferKind::Maxn | OfferKind::Random | OfferKind::Greedy => {
                let all = GameVariant::BUILT_IN.iter();
                all.map(|variant| variant.name().to_owned()).collect()
            }
        }
    }
}
