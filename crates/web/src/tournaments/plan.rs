//! Requests for tournaments, and their plans: the TOML text that `duoforge tournament` reads too.

use std::cell::RefCell;
use std::sync::Arc;

use duoforge_journal::{History, Journal, now_ms};
use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_rules::GameVariant;
use duoforge_tournament::{
    Plan, PlanError, TournamentError, VariantPlan, run_variant, test_players, test_variant_players,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::run::Run;
use crate::devices::Device;
use crate::names::printable;
use crate::play::{bad_player, unknown_variant};
use crate::players::{Entrant, Players};
use crate::position;
use crate::problem::Problem;

/// Maximum number of players of a requested tournament.
const MAX_PLAYERS: usize = 64;

/// Maximum number of games of a requested tournament.
const MAX_GAMES: u64 = 10_000;

/// Maximum length of the names of an event and of its players in characters.
const MAX_NAME: usize = 80;

/// Range of the time limit in milliseconds.
const LIMITS: std::ops::RangeInclusive<u32> = 1..=600_000;

/// Code of the commands for a plan with a fault.
const CODE: &str = "duoforge::tournament::plan";

/// Request for a tournament, which the service plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvent {
    /// Name of the event, up to 80 printable characters.
    #[schema(example = "Autumn cup")]
    pub name: String,
    /// Name of a built-in variant; default: `duo`.
    pub variant: Option<String>,
    /// Pairing system of a tournament of `duo`; default: `round-robin`.
    pub format: Option<EventFormat>,
    /// Pairs of games of each meeting in `duo`; in a pair each player moves first once. Default: 1.
    #[schema(minimum = 1)]
    pub pairs: Option<u32>,
    /// Rounds of a Swiss tournament. In other variants than `duo`: how often each group of players
    /// plays, each player in each seat; default: 1.
    #[schema(minimum = 1)]
    pub rounds: Option<u32>,
    /// Plies of random openings in `duo`, for software players; default: 0.
    #[schema(maximum = 12)]
    pub opening: Option<u32>,
    /// Time limit of a reply in milliseconds, up to 10 minutes; default: 1000. A device has the
    /// limit of its profile.
    #[schema(minimum = 1, maximum = 600_000)]
    pub limit_ms: Option<u32>,
    /// Seed of all random choices; default: from the clock.
    pub seed: Option<u32>,
    /// Players, up to 64.
    #[schema(max_items = 64, example = json!([{"player": "random"}, {"player": "greedy"}]))]
    pub players: Vec<NewEntrant>,
}

/// Pairing system of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventFormat {
    /// Each player meets each other player.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Each round pairs players with similar points that have not met yet.
    Swiss,
    /// The loser of a match is eliminated.
    Knockout,
}

/// Player of a requested tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEntrant {
    /// Name of a player in `GET players`.
    pub player: String,
    /// Level, from 1, for a player with levels.
    #[schema(minimum = 1, maximum = 255)]
    pub level: Option<u8>,
    /// Name in the event, up to 80 printable characters; default: that of the player, with the level.
    pub name: Option<String>,
}

/// Text of a plan.
#[derive(Serialize)]
struct Text<'a> {
    event: &'a str,
    variant: Option<&'a str>,
    format: Option<EventFormat>,
    pairs: Option<u32>,
    rounds: Option<u32>,
    opening: Option<u32>,
    seed: u32,
    limit: Option<String>,
    player: Vec<PlayerText>,
}

#[derive(Serialize)]
struct PlayerText {
    name: String,
    spec: String,
    version: Option<String>,
    reset: Option<String>,
    limit: Option<String>,
}

impl NewEvent {
    /// Writes the plan of the request.
    ///
    /// # Errors
    /// A problem if the request has a player, a variant or a value that it may not have.
    pub fn text(&self, players: &Players) -> Result<String, Problem> {
        let name = self.variant.as_deref().unwrap_or(GameVariant::DUO.name());
        let variant = position::variant(name).map_err(|_| unknown_variant(name))?;
        let is_duo = *variant == GameVariant::DUO;
        let of_duo = [
            ("format", self.format.is_some()),
            ("pairs", self.pairs.is_some()),
            ("opening", self.opening.is_some()),
        ];
        if !is_duo && let Some((key, _)) = of_duo.iter().find(|(_, given)| *given) {
            let message = format!("{key} is not permitted for {name}: expected variant duo");
            return Err(Problem::invalid(CODE, message));
        }
        let counts = [("pairs", self.pairs), ("rounds", self.rounds)];
        if let Some((key, _)) = counts.iter().find(|(_, count)| *count == Some(0)) {
            let message = format!("{key}=0 is out of range: expected 1 or more");
            return Err(Problem::invalid(CODE, message));
        }
        let (found, seats) = (self.players.len(), variant.seat_count());
        if !(seats..=MAX_PLAYERS).contains(&found) {
            let message = format!(
                "number of players: {found} is out of range: expected {seats} to {MAX_PLAYERS}"
            );
            return Err(Problem::invalid(CODE, message));
        }
        let limit = self.limit_ms.unwrap_or(1000);
        if !LIMITS.contains(&limit) {
            let (low, high) = LIMITS.into_inner();
            let message = format!("limit_ms={limit} is out of range: expected {low} to {high}");
            return Err(Problem::invalid(CODE, message));
        }
        let event = visible("name", &self.name)?;
        let entrants = self.players.iter().map(|entrant| {
            let player = players.entrant(&entrant.player, entrant.level, variant);
            PlayerText::new(entrant, &player.map_err(|error| bad_player(&error))?)
        });
        let text = Text {
            event,
            variant: (!is_duo).then_some(name),
            format: is_duo.then(|| self.format.unwrap_or_default()),
            pairs: self.pairs,
            rounds: self.rounds,
            opening: self.opening,
            seed: self.seed.unwrap_or_else(|| now_ms() as u32),
            limit: Some(format!("{limit}ms")),
            player: entrants.collect::<Result<_, _>>()?,
        };
        let text = toml::to_string(&text);
        text.map_err(|_| Problem::internal("the plan cannot be written"))
    }
}

impl PlayerText {
    fn new(requested: &NewEntrant, entrant: &Entrant) -> Result<Self, Problem> {
        let name = match &requested.name {
            Some(name) => visible("name of a player", name)?.to_owned(),
            None => entrant.title.clone(),
        };
        let ms = |time: std::time::Duration| format!("{}ms", time.as_millis());
        Ok(Self {
            name,
            spec: entrant.spec.to_string(),
            version: entrant.version(),
            reset: entrant.reset().map(ms),
            limit: entrant.limit().map(ms),
        })
    }
}

/// Checks a name.
fn visible<'a>(key: &str, name: &'a str) -> Result<&'a str, Problem> {
    printable(name, MAX_NAME).map_err(|fault| {
        let message = format!("invalid {key}: {fault}");
        Problem::invalid(CODE, message).help(fault.help())
    })
}

/// Plan of a tournament that the service may play: all its players are in `GET players`.
#[derive(Debug)]
pub enum EventPlan {
    /// Contest games of Blokus Duo.
    Contest(Plan),
    /// Games of another variant.
    Variant(VariantPlan),
}

impl EventPlan {
    /// Reads the text of a plan, and returns the devices that it uses.
    ///
    /// # Errors
    /// A problem if the text is not a plan, or has a player that the service may not start.
    pub fn read(text: &str, players: &Players) -> Result<(Self, Vec<Arc<Device>>), Problem> {
        let devices = RefCell::new(Vec::new());
        let read = |spec: &str| -> Result<PlayerSpec, PlayerError> {
            let found = players.find_entrant(spec);
            let entrant = found.ok_or_else(|| PlayerError::Unknown(spec.to_owned()))?;
            devices.borrow_mut().extend(entrant.device);
            Ok(entrant.spec)
        };
        let plan = if VariantPlan::is_plan(text) {
            VariantPlan::read_with(text, read).map(Self::Variant)
        } else {
            Plan::read_with(text, read).map(Self::Contest)
        };
        let plan = plan.map_err(|error| faulty(&error))?;
        let games = match &plan {
            Self::Contest(plan) => plan.most_games(),
            Self::Variant(plan) => plan.game_count(),
        };
        if games > MAX_GAMES {
            let message = format!("{games} games are out of range: expected at most {MAX_GAMES}");
            return Err(Problem::invalid(CODE, message));
        }
        Ok((plan, devices.into_inner()))
    }

    /// Name of the event.
    pub fn name(&self) -> &str {
        match self {
            Self::Contest(plan) => &plan.event,
            Self::Variant(plan) => &plan.event,
        }
    }

    /// Plays the games that the journal lacks, as `duoforge tournament` does. Returns true if all
    /// games were played.
    ///
    /// # Errors
    /// `TournamentError`.
    pub fn play(
        &self,
        journal: &Journal,
        history: &History,
        run: &Run,
    ) -> Result<bool, TournamentError> {
        match self {
            Self::Contest(plan) => match test_players(plan, journal, history, run)? {
                Some(mut tested) => Ok(tested.run(journal, history, run)?.finished),
                None => Ok(false),
            },
            Self::Variant(plan) => match test_variant_players(plan, journal, history, run)? {
                Some(tested) => run_variant(&tested, journal, history, run),
                None => Ok(false),
            },
        }
    }
}

/// Refusal of a plan; the first line of an error of TOML names the fault.
fn faulty(error: &PlanError) -> Problem {
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default();
    Problem::invalid(CODE, message)
        .help("docs/formats.md lists the keys of a plan and their values")
}
