//! Finished game of a journal of the contest's game.

use duoforge_journal::{Ended, GameHistory, GameResult, Header};
use duoforge_page::{ReplayGame, ReplayResult};
use duoforge_records::Record;
use duoforge_rules::{GameVariant, Move};
use serde::Serialize;

use super::{Args, Wanted, complete, damaged, time};
use crate::failure::Result;

/// Finished game of a journal.
pub struct Played<'a> {
    pub event: &'a Header,
    pub game: &'a GameHistory,
    pub ended: &'a Ended,
}

/// Game in JSON. Pairs hold player 1 first.
#[derive(Serialize)]
pub struct Row<'a> {
    event: &'a str,
    game: u32,
    round: u32,
    players: &'a [String; 2],
    first: u8,
    start: char,
    result: &'static str,
    ending: &'a str,
    detail: &'a str,
    score: [i32; 2],
    cells_placed: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    ended: String,
    moves: Vec<&'a str>,
    /// Time of each reply in microseconds.
    us: Vec<u64>,
}

impl Played<'_> {
    /// Names of the players, player 1 first.
    pub fn players(&self) -> &[String; 2] {
        &self.game.begun.players
    }

    /// Name of the winner, if any.
    fn winner(&self) -> Option<&String> {
        let [one, two] = self.players();
        match self.ended.result {
            GameResult::One => Some(one),
            GameResult::Two => Some(two),
            GameResult::Draw | GameResult::Open => None,
        }
    }

    /// True if the game matches all filters.
    pub fn matches(&self, args: &Args) -> bool {
        let player = args.player.as_ref();
        let result = match args.result {
            None => true,
            Some(Wanted::Won) => self
                .winner()
                .is_some_and(|winner| player.is_none_or(|player| player == winner)),
            Some(Wanted::Lost) => self
                .winner()
                .is_some_and(|winner| player.is_none_or(|player| player != winner)),
            Some(Wanted::Drawn) => self.ended.result == GameResult::Draw,
            Some(Wanted::Open) => self.ended.result == GameResult::Open,
        };
        let event = |event: &String| [&self.event.id, &self.event.event].contains(&event);
        result
            && self.is_between(player, args.against.as_ref())
            && args.game.is_none_or(|number| number == self.ended.game)
            && args
                .ending
                .as_ref()
                .is_none_or(|word| *word == self.ended.ending)
            && args.event.as_ref().is_none_or(event)
    }

    /// True if one player has the name `player` and the other has the name `against`; `None` is any
    /// name.
    fn is_between(&self, player: Option<&String>, against: Option<&String>) -> bool {
        let [one, two] = self.players();
        let fits = |wanted: Option<&String>, name: &String| wanted.is_none_or(|it| it == name);
        fits(player, one) && fits(against, two) || fits(player, two) && fits(against, one)
    }

    pub fn row(&self) -> Row<'_> {
        let Self { event, game, ended } = self;
        Row {
            event: &event.event,
            game: ended.game,
            round: game.begun.round,
            players: self.players(),
            first: game.begun.first,
            start: game.begun.starts[0],
            result: ended.result.text(),
            ending: &ended.ending,
            detail: &ended.detail,
            score: ended.score,
            cells_placed: ended.cells_placed,
            evidence: ended.evidence.as_deref(),
            ended: time(ended.at_ms, "%Y-%m-%dT%H:%M:%SZ"),
            moves: game.moves.iter().map(|moved| moved.code.as_str()).collect(),
            us: game.moves.iter().map(|moved| moved.us).collect(),
        }
    }

    /// Record of the accepted moves. Its first player is the player that moved first.
    pub fn record(&self) -> Result<Record> {
        let Self { event, game, ended } = self;
        let moves = game.moves.iter().map(|moved| moved.code.parse::<Move>());
        let moves: Vec<_> = moves
            .collect::<std::result::Result<_, _>>()
            .map_err(|error| damaged(&error.to_string()))?;
        let mut record = Record::new(GameVariant::DUO, moves);
        record.players = self.players().to_vec();
        let mut score = ended.score[0] - ended.score[1];
        let first = game.begun.first;
        if first == 2 {
            record.players.reverse();
            score = -score;
        }
        let winner = match ended.result {
            GameResult::One => Some(first == 1),
            GameResult::Two => Some(first == 2),
            GameResult::Draw | GameResult::Open => None,
        };
        let normal = matches!(ended.ending.as_str(), "both-passed" | "all-placed");
        let result = match winner {
            Some(first) => {
                let colour = if first { "B" } else { "W" };
                let by = match ended.ending.as_str() {
                    _ if normal => score.abs().to_string(),
                    "timeout" => "Time".to_owned(),
                    "resigned" => "Resign".to_owned(),
                    _ => "Forfeit".to_owned(),
                };
                format!("{colour}+{by}")
            }
            None if ended.result == GameResult::Draw => "0".to_owned(),
            None => "?".to_owned(),
        };
        let facts = [
            ("EV", event.event.clone()),
            ("RO", game.begun.round.to_string()),
            ("DT", time(ended.at_ms, "%Y-%m-%d")),
            ("RE", result),
        ];
        record.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
        if !normal {
            record.comment.clone_from(&ended.detail);
        }
        Ok(record)
    }

    /// Replay of the accepted moves, with their times.
    pub fn replay(&self) -> Result<ReplayGame> {
        let Self { event, game, ended } = self;
        let record = self.record()?;
        let variant = record.played_variant();
        let mut replay = ReplayGame::new(&variant, &record.players, record.moves());
        complete(&replay, &record)?;
        for (shown, moved) in replay.moves.iter_mut().zip(&game.moves) {
            shown.us = Some(moved.us);
            (shown.sim_us, shown.host_us) = (moved.sim_us, moved.host_us);
            shown.forfeit = moved.forfeit;
        }
        let second = u8::from(game.begun.first == 2);
        let winners = match ended.result {
            GameResult::One => vec![second],
            GameResult::Two => vec![1 - second],
            GameResult::Draw => vec![0, 1],
            GameResult::Open => Vec::new(),
        };
        let mut scores = ended.score;
        scores.rotate_left(second.into());
        replay.id = ended.game.to_string();
        replay.ended_ms = Some(ended.at_ms);
        replay.result = Some(ReplayResult {
            scores: scores.to_vec(),
            draw: winners.len() > 1,
            winners,
            ending: ended.ending.clone(),
            detail: ended.detail.clone(),
        });
        replay.fact("event", &event.event);
        replay.fact("round", game.begun.round.to_string());
        replay.fact("game", replay.id.clone());
        replay.fact("evidence", ended.evidence.as_deref().unwrap_or_default());
        Ok(replay)
    }
}
