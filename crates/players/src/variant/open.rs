//! Opening of players for games of every variant.

use duoforge_referee::TimeControl;
use duoforge_referee::variant::VariantMover;
use duoforge_rules::GameVariant;

use super::{Greedy, GtpVariantMover, MaxnMover};
use crate::{PlayerError, PlayerSpec, Random};

/// Services that opening a player of a variant requires from the calling program.
pub trait VariantContext {
    /// Returns the person that plays.
    fn person(&mut self) -> Box<dyn VariantMover>;

    /// Returns the seed for a random player that was given none.
    fn seed(&mut self) -> u64;
}

impl PlayerSpec {
    /// Forms of the players that play every variant, and of those that play some of them.
    pub const VARIANT_PLAYERS: &str = "random, greedy, maxn, bot:COMMAND and human in every variant, gtp:COMMAND in duo, classic, \
         classic-2 and classic-3; all players in duo";

    /// True if the player can play games of `variant` without the contest's protocol.
    #[must_use]
    pub fn plays(&self, variant: &GameVariant) -> bool {
        match self {
            Self::Random(_) | Self::Greedy(_) | Self::Maxn(_) | Self::Human => true,
            Self::Bot(_) => cfg!(unix),
            Self::Gtp(_) => variant.engine_name().is_some(),
            _ => false,
        }
    }

    /// Returns the time control that the name of the player sets: the time bank of a bot.
    #[must_use]
    pub fn own_time_control(&self) -> Option<TimeControl> {
        match self {
            Self::Bot(bot) => Some(TimeControl::TimeBank {
                start: bot.timebank,
                increment: bot.move_time,
            }),
            _ => None,
        }
    }

    /// Opens the player for games of `variant`.
    ///
    /// # Errors
    /// [`PlayerError::OtherVariant`], [`PlayerError::Engine`], `PlayerError::Bot`.
    pub fn variant_mover(
        &self,
        variant: &GameVariant,
        context: &mut dyn VariantContext,
    ) -> Result<Box<dyn VariantMover>, PlayerError> {
        if !self.plays(variant) {
            return Err(PlayerError::OtherVariant {
                player: self.to_string(),
                variant: variant.name().to_owned(),
            });
        }
        Ok(match self {
            Self::Random(seed) => {
                let seed = seed.unwrap_or_else(|| context.seed());
                Box::new(Random::new(seed))
            }
            Self::Greedy(seed) => {
                let seed = seed.unwrap_or_else(|| context.seed());
                Box::new(Greedy::new(seed))
            }
            #[cfg(unix)]
            Self::Bot(spec) => Box::new(super::BotVariantMover::new(spec)?),
            Self::Gtp(words) => Box::new(GtpVariantMover::start(words)?),
            Self::Maxn(settings) => Box::new(MaxnMover::new(settings)),
            Self::Human => context.person(),
            _ => unreachable!("the player does not play the variant"),
        })
    }
}
