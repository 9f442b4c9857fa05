//! Finished games of variants in journals, for `duoforge games`.

use duoforge_journal::{Header, History, VariantEnded, VariantHistory};
use duoforge_page::{ReplayGame, ReplayResult};
use duoforge_records::Record;
use duoforge_rules::{GameVariant, Move};
use duoforge_view::read_variant;
use serde::Serialize;

use crate::commands::games::{Args, Wanted, complete, damaged, time};
use crate::failure::Result;

/// Finished game of a variant.
pub struct VariantRow<'a> {
    event: &'a Header,
    game: &'a VariantHistory,
    ended: &'a VariantEnded,
}

/// Game in JSON. Lists are in the order of seats.
#[derive(Serialize)]
pub struct Object<'a> {
    event: &'a str,
    game: u32,
    variant: &'a str,
    players: &'a [String],
    places: Vec<u8>,
    score: Vec<i32>,
    cells_placed: Vec<u32>,
    faults: Vec<Option<&'a str>>,
    ending: &'a str,
    detail: &'a str,
    ended: String,
    moves: Vec<&'a str>,
    /// Time of each reply in microseconds.
    us: Vec<u64>,
}

/// Returns the finished games of variants that match all filters.
pub fn matching<'a>(histories: &'a [History], args: &Args) -> Vec<VariantRow<'a>> {
    let rows = histories.iter().flat_map(|history| {
        let games = history.variant_games.ended();
        games.map(move |(game, ended)| VariantRow {
            event: &history.header,
            game,
            ended,
        })
    });
    rows.filter(|row| row.matches(args)).collect()
}

impl<'a> VariantRow<'a> {
    fn players(&self) -> &'a [String] {
        &self.game.begun.players
    }

    /// Returns the seats in the first place.
    fn winners(&self) -> Vec<usize> {
        let seats = self.ended.seats.iter().enumerate();
        let first = seats.filter(|(_, seat)| seat.place == 1);
        first.map(|(seat, _)| seat).collect()
    }

    fn matches(&self, args: &Args) -> bool {
        let seats = |name: &String| -> Vec<usize> {
            let players = self.players().iter().enumerate();
            let own = players.filter(|(_, player)| *player == name);
            own.map(|(seat, _)| seat).collect()
        };
        let all = || (0..self.players().len()).collect();
        let own: Vec<usize> = args.player.as_ref().map_or_else(all, seats);
        let against: Vec<usize> = args.against.as_ref().map_or_else(all, seats);
        let alone = self.players().len() == 1 && args.against.is_none();
        let meet = own.iter().any(|a| against.iter().any(|b| a != b || alone));
        let winners = self.winners();
        let result = match args.result {
            None => true,
            Some(Wanted::Won) => winners.len() == 1 && own.contains(&winners[0]),
            Some(Wanted::Lost) => own.iter().any(|seat| !winners.contains(seat)),
            Some(Wanted::Drawn) => winners.len() > 1 && own.iter().any(|it| winners.contains(it)),
            Some(Wanted::Open) => false,
        };
        let event = |event: &String| [&self.event.id, &self.event.event].contains(&event);
        meet && result
            && args.game.is_none_or(|number| number == self.ended.game)
            && args
                .ending
                .as_ref()
                .is_none_or(|word| *word == self.ended.ending)
            && args.event.as_ref().is_none_or(event)
    }

    /// Returns the game in JSON.
    pub fn object(&self) -> Object<'a> {
        let (game, ended) = (self.game, self.ended);
        let seats = ended.seats.iter();
        Object {
            event: &self.event.event,
            game: ended.game,
            variant: &game.begun.variant,
            players: self.players(),
            places: seats.clone().map(|seat| seat.place).collect(),
            score: seats.clone().map(|seat| seat.score).collect(),
            cells_placed: seats.clone().map(|seat| seat.cells).collect(),
            faults: seats.map(|seat| seat.fault.as_deref()).collect(),
            ending: &ended.ending,
            detail: &ended.detail,
            ended: time(ended.at_ms, "%Y-%m-%dT%H:%M:%SZ"),
            moves: game.moves.iter().map(|moved| moved.code.as_str()).collect(),
            us: game.moves.iter().map(|moved| moved.us).collect(),
        }
    }

    fn variant(&self) -> Result<GameVariant> {
        let begun = &self.game.begun;
        if let Some(definition) = &begun.definition {
            return read_variant(definition).map_err(|error| damaged(&error.to_string()));
        }
        let variant = GameVariant::named(&begun.variant);
        let unknown = || damaged(&format!("unknown variant `{}`", begun.variant));
        variant.cloned().ok_or_else(unknown)
    }

    /// Returns the record of the accepted moves.
    pub fn record(&self) -> Result<Record> {
        let (game, ended) = (self.game, self.ended);
        let moves = game.moves.iter().map(|moved| moved.code.parse::<Move>());
        let moves: Vec<_> = moves
            .collect::<std::result::Result<_, _>>()
            .map_err(|error| damaged(&error.to_string()))?;
        let mut record = Record::new(self.variant()?, moves);
        record.players = self.players().to_vec();
        let facts = [
            ("EV", self.event.event.clone()),
            ("DT", time(ended.at_ms, "%Y-%m-%d")),
            ("RE", self.result()),
        ];
        record.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
        if ended.ending != "finished" {
            record.comment.clone_from(&ended.detail);
        }
        Ok(record)
    }

    /// Returns the replay of the accepted moves, with their times and remarks.
    pub fn replay(&self) -> Result<ReplayGame> {
        let (game, ended) = (self.game, self.ended);
        let record = self.record()?;
        let mut replay = ReplayGame::new(&record.variant, &record.players, record.moves());
        complete(&replay, &record)?;
        let mut logs = vec![String::new(); record.players.len()];
        for (shown, moved) in replay.moves.iter_mut().zip(&game.moves) {
            shown.us = Some(moved.us);
            shown.host_us = Some(moved.host_us);
            shown.forfeit = moved.forfeit;
            shown.comment = moved.remark.clone().unwrap_or_default();
            let log = moved.log.iter().flat_map(|log| log.lines());
            if let Some(lines) = logs.get_mut(usize::from(moved.seat)) {
                lines.extend(log.map(|line| format!("move {}: {line}\n", moved.ply)));
            }
        }
        for ((player, lines), seat) in record.players.iter().zip(&mut logs).zip(&ended.seats) {
            lines.push_str(seat.log.as_deref().unwrap_or_default());
            replay.text(&format!("log of {player}"), lines.as_str());
        }
        let winners: Vec<_> = self.winners().iter().map(|&seat| seat as u8).collect();
        replay.id = ended.game.to_string();
        replay.ended_ms = Some(ended.at_ms);
        replay.result = Some(ReplayResult {
            scores: ended.seats.iter().map(|seat| seat.score).collect(),
            draw: winners.len() > 1,
            winners,
            ending: ended.ending.clone(),
            detail: ended.detail.clone(),
        });
        replay.fact("event", &self.event.event);
        replay.fact("game", replay.id.clone());
        Ok(replay)
    }

    /// Header of the journal.
    pub fn event(&self) -> &'a Header {
        self.event
    }

    /// Returns the result: of two seats the winner and the margin, otherwise the scores.
    fn result(&self) -> String {
        let [one, two] = &self.ended.seats[..] else {
            return self.scores(" ");
        };
        let winner = match one.place.cmp(&two.place) {
            std::cmp::Ordering::Less => "B",
            std::cmp::Ordering::Greater => "W",
            std::cmp::Ordering::Equal => return "0".to_owned(),
        };
        let by = match self.ended.ending.as_str() {
            "finished" => (one.score - two.score).abs().to_string(),
            "timeout" => "Time".to_owned(),
            "resigned" => "Resign".to_owned(),
            _ => "Forfeit".to_owned(),
        };
        format!("{winner}+{by}")
    }

    fn scores(&self, separator: &str) -> String {
        let seats = self.ended.seats.iter();
        let scores: Vec<_> = seats.map(|seat| seat.score.to_string()).collect();
        scores.join(separator)
    }

    /// Titles of [`cells`](Self::cells).
    pub const HEAD: [&'static str; 7] = [
        "game", "variant", "players", "places", "scores", "moves", "ending",
    ];

    /// Returns the cells of the game in the table. The name of the event is added if `named`.
    pub fn cells(&self, named: bool) -> [String; 7] {
        let (game, ended) = (self.game, self.ended);
        let places: Vec<_> = ended.seats.iter().map(|it| it.place.to_string()).collect();
        [
            if named {
                format!("{} {}", self.event.event, ended.game)
            } else {
                ended.game.to_string()
            },
            game.begun.variant.clone(),
            self.players().join(", "),
            places.join(":"),
            self.scores(":"),
            ended.plies.to_string(),
            ended.ending.clone(),
        ]
    }

    /// Id of the journal.
    pub fn id(&self) -> &'a str {
        &self.event.id
    }
}
