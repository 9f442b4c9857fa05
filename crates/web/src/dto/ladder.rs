//! Ladder: the object of `duoforge ladder --json`, with its schema.

use std::collections::BTreeMap;

use duoforge_tournament::{Cell, Competitor, HeadToHead, Ladder, Rung};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Unit of a ladder, which has one rating.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LadderUnitView {
    /// Each version of a player.
    #[default]
    Version,
    /// Each player, with all its versions together.
    Player,
}

/// Ratings of the players over the refereed games of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LadderView {
    /// Version of the object.
    version: u32,
    /// Name of the variant whose games are rated.
    variant: String,
    /// Number of seats of the variant. Each pair of seats of a game is one result.
    seats: u64,
    /// Unit that has a rating.
    unit: LadderUnitView,
    /// Number of rated games.
    games: u64,
    /// Number of finished games without a result, which are not rated.
    open: u64,
    /// Number of results of a competitor against itself, which are not rated.
    self_play: u64,
    /// Events, the oldest one first.
    events: Vec<LadderEventView>,
    /// Competitors, the best one first.
    rungs: Vec<RungView>,
    /// Results of each competitor (row) against each other one (column), in the order of `rungs`.
    cross: Vec<Vec<Option<CellView>>>,
    /// Competitors that met, with the Elo difference from their games.
    meetings: Vec<MeetingView>,
    /// Numbers of finished games by variant. The command prints them as messages.
    variants: Vec<VariantGamesView>,
}

/// Event of a ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
struct LadderEventView {
    /// Id of the journal.
    id: String,
    /// Name of the event.
    name: String,
    /// Kind of event, such as `tournament` or `match`.
    kind: String,
    /// Creation time in milliseconds since 1970.
    made_ms: u64,
    /// True if all games of the event have been played.
    finished: bool,
    /// Number of rated games.
    games: u64,
}

/// Competitor on a ladder.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
struct RungView {
    /// Rank from 1; competitors with equal Elo ratings share it.
    place: u32,
    /// Name of the player.
    name: String,
    /// Version of the player; null if no journal states it, or if the unit is the player.
    version: Option<String>,
    /// Number of rated results: games, or with more than two seats pairs of seats.
    games: u64,
    /// Number of wins.
    won: u64,
    /// Number of draws.
    drawn: u64,
    /// Number of losses.
    lost: u64,
    /// Points per game, from 0 to 1.
    score: f64,
    /// Elo rating over all games of all events, which count alike.
    elo: EloView,
    /// Glicko-2 rating after the last event.
    rating: f64,
    /// Rating deviation after the last event.
    deviation: f64,
    /// Glicko-2 rating after each event in which the competitor played, the oldest one first.
    history: Vec<RungEventView>,
}

/// Elo rating with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
struct EloView {
    /// Elo rating; 0 is close to the mean of all players.
    elo: f64,
    /// Lower end of the 95 % interval, in Elo.
    low: f64,
    /// Upper end of the 95 % interval, in Elo.
    high: f64,
}

/// Event in which a competitor played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
struct RungEventView {
    /// Index in the events of the ladder, from 0.
    event: usize,
    /// Number of rated results of the competitor.
    games: u64,
    /// Glicko-2 rating after the event.
    rating: f64,
    /// Rating deviation after the event.
    deviation: f64,
}

/// Results of a competitor against another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
struct CellView {
    /// Number of wins.
    won: u32,
    /// Number of draws.
    drawn: u32,
    /// Number of losses.
    lost: u32,
}

/// Two competitors that met.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
struct MeetingView {
    /// Competitors; the better one of the ladder first.
    players: [CompetitorView; 2],
    /// Number of games that the first one won.
    won: u32,
    /// Number of draws.
    drawn: u32,
    /// Number of games that the first one lost.
    lost: u32,
    /// Elo difference of the first competitor to the second.
    elo: DifferenceInElo,
}

/// Player in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
struct CompetitorView {
    /// Name of the player.
    name: String,
    /// Version of the player; null if no journal states it, or if the unit is the player.
    version: Option<String>,
}

/// Elo difference from the games of two competitors; null stands for an infinite value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
struct DifferenceInElo {
    /// Elo difference that corresponds to the score.
    elo: Option<f64>,
    /// Lower end of the 95 % interval, in Elo.
    low: Option<f64>,
    /// Upper end of the 95 % interval, in Elo.
    high: Option<f64>,
    /// Points per game of the first competitor, from 0 to 1.
    score: f64,
    /// Standard error of `score`.
    error: f64,
}

/// Number of finished games of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
struct VariantGamesView {
    /// Name of the variant.
    variant: String,
    /// Number of finished games.
    games: u64,
}

impl LadderView {
    /// Describes a ladder; `games` holds the numbers of finished games by variant.
    pub fn new(ladder: Ladder, unit: LadderUnitView, games: &BTreeMap<String, u64>) -> Self {
        let cells = |row: Vec<Option<Cell>>| row.into_iter().map(|it| it.map(cell)).collect();
        let events = ladder.events.into_iter().map(|event| LadderEventView {
            id: event.id,
            name: event.name,
            kind: event.kind,
            made_ms: event.made_ms,
            finished: event.finished,
            games: event.games,
        });
        let variants = games.iter().map(|(variant, &games)| VariantGamesView {
            variant: variant.clone(),
            games,
        });
        Self {
            version: ladder.version,
            variant: ladder.variant,
            seats: ladder.seats,
            unit,
            games: ladder.games,
            open: ladder.open,
            self_play: ladder.self_play,
            events: events.collect(),
            rungs: ladder.rungs.into_iter().map(rung).collect(),
            cross: ladder.cross.into_iter().map(cells).collect(),
            meetings: ladder.meetings.into_iter().map(meeting).collect(),
            variants: variants.collect(),
        }
    }
}

fn rung(rung: Rung) -> RungView {
    let history = rung.history.iter().map(|it| RungEventView {
        event: it.event,
        games: it.games,
        rating: it.rating,
        deviation: it.deviation,
    });
    RungView {
        place: rung.place,
        name: rung.competitor.name,
        version: rung.competitor.version,
        games: rung.games,
        won: rung.won,
        drawn: rung.drawn,
        lost: rung.lost,
        score: rung.score,
        elo: EloView {
            elo: rung.elo.elo,
            low: rung.elo.low,
            high: rung.elo.high,
        },
        rating: rung.rating,
        deviation: rung.deviation,
        history: history.collect(),
    }
}

fn meeting(meeting: HeadToHead) -> MeetingView {
    let finite = |value: f64| value.is_finite().then_some(value);
    let Cell { won, drawn, lost } = meeting.games;
    MeetingView {
        players: meeting
            .players
            .map(|Competitor { name, version }| CompetitorView { name, version }),
        won,
        drawn,
        lost,
        elo: DifferenceInElo {
            elo: finite(meeting.elo.elo),
            low: finite(meeting.elo.low),
            high: finite(meeting.elo.high),
            score: meeting.elo.score,
            error: meeting.elo.error,
        },
    }
}

const fn cell(cell: Cell) -> CellView {
    CellView {
        won: cell.won,
        drawn: cell.drawn,
        lost: cell.lost,
    }
}
