//! Events: journals of tournaments and matches, with standings.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use duoforge_tournament::Report;
use duoforge_view::Version;

use super::games::MAX_GAMES;
use super::play::blocking;
use super::{Refused, Shared};
use crate::access::API;
use crate::app::App;
use crate::dto::{Cross, EventList, EventView, StandingView};
use crate::extract::{Body, Segments};
use crate::feed::ShownGame;
use crate::problem::Problem;
use crate::tournaments::{NewEvent, unknown};

/// Events, the newest first
#[utoipa::path(get, path = "/events", tag = "events", responses((status = 200, body = EventList), Refused))]
pub async fn list(State(app): Shared) -> Json<EventList> {
    let version = Version;
    let events = app.feed.events();
    Json(EventList { version, events })
}

/// Event with standings, crosstable and games
#[utoipa::path(
    get,
    path = "/events/{id}",
    tag = "events",
    params(("id" = String, Path, description = "Id of the journal")),
    responses((status = 200, body = EventView), Refused)
)]
pub async fn get(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<EventView>, Problem> {
    view(&app, &id).map(Json)
}

/// New tournament, which the service plays
///
/// One is in progress at a time. Needs the role `referee`.
#[utoipa::path(
    post,
    path = "/events",
    tag = "events",
    request_body = NewEvent,
    responses((status = 201, body = EventView), Refused)
)]
pub async fn create(
    State(app): Shared,
    Body(request): Body<NewEvent>,
) -> Result<impl IntoResponse, Problem> {
    let create = move |app: &App| view(app, &app.tournaments.create(&request)?);
    let event = blocking(app, create).await?;
    let place = format!("{API}/events/{}", event.id);
    Ok((
        StatusCode::CREATED,
        [(header::LOCATION, place)],
        Json(event),
    ))
}

/// Stop a tournament of the service
///
/// Games in progress are finished. Needs the role `referee`.
#[utoipa::path(
    post,
    path = "/events/{id}/stop",
    tag = "events",
    params(("id" = String, Path, description = "Id of the journal")),
    responses((status = 200, body = EventView), Refused)
)]
pub async fn stop(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<EventView>, Problem> {
    let stop = move |app: &App| {
        app.tournaments.stop(&id)?;
        view(app, &id)
    };
    blocking(app, stop).await.map(Json)
}

/// Resume a tournament of the service
///
/// Finished games are kept; interrupted ones continue or restart. Needs the role `referee`.
#[utoipa::path(
    post,
    path = "/events/{id}/resume",
    tag = "events",
    params(("id" = String, Path, description = "Id of the journal")),
    responses((status = 200, body = EventView), Refused)
)]
pub async fn resume(
    State(app): Shared,
    Segments(id): Segments<String>,
) -> Result<Json<EventView>, Problem> {
    let resume = move |app: &App| {
        app.tournaments.resume(&id)?;
        view(app, &id)
    };
    blocking(app, resume).await.map(Json)
}

/// Describes an event.
fn view(app: &App, id: &str) -> Result<EventView, Problem> {
    let lost = || Some((app.tournaments.lost(id)?, Vec::new(), None));
    let event = app.feed.event(id).or_else(lost);
    let (summary, games, report) = event.ok_or_else(|| unknown(id))?;
    let run = app.tournaments.view(&summary);
    let (standings, crosstable) = standings(&games, report.as_ref());
    let newest = games.iter().rev().take(MAX_GAMES);
    Ok(EventView {
        id: summary.id,
        kind: summary.kind,
        name: summary.name,
        made_ms: summary.made_ms,
        finished: summary.finished,
        counts: summary.games,
        records: summary.records,
        fault: summary.fault,
        tie_break: report.map(|report| report.tie_break),
        standings,
        crosstable,
        games: newest.map(|game| game.summary(None)).collect(),
        run,
    })
}

/// Points and number of games of one player against another one.
#[derive(Clone, Copy, Debug, Default)]
struct Against {
    halves: u32,
    games: u32,
}

/// Standings of the games that ended with a result. A win over several opponents counts against
/// each of them. The report of a tournament determines ranks, points and their order.
fn standings(games: &[ShownGame], report: Option<&Report>) -> (Vec<StandingView>, Cross) {
    let mut players: BTreeMap<&str, StandingView> = BTreeMap::new();
    let mut cross: BTreeMap<(&str, &str), Against> = BTreeMap::new();
    for game in games {
        for seat in &game.seats {
            players.entry(&seat.name).or_default();
        }
        let Some(result) = game
            .result
            .as_ref()
            .filter(|result| !result.winners.is_empty())
        else {
            continue;
        };
        for (seat, view) in (0u8..).zip(&game.seats) {
            let won = result.winners.contains(&seat);
            let standing = players.entry(&view.name).or_default();
            standing.games += 1;
            match (won, result.draw) {
                (true, false) => standing.wins += 1,
                (true, true) => standing.draws += 1,
                (false, _) => standing.losses += 1,
            }
            let score = |seat: usize| result.scores.get(seat).copied().unwrap_or_default();
            let own = usize::from(seat);
            let others = (0..game.seats.len()).filter(|&other| other != own);
            let best = others.clone().map(score).max().unwrap_or_default();
            standing.margin += i64::from(score(own)) - i64::from(best);
            for other in others {
                let beaten = !result.winners.contains(&(other as u8));
                let entry = cross
                    .entry((&view.name, &game.seats[other].name))
                    .or_default();
                entry.games += 1;
                entry.halves += match (won, beaten) {
                    (true, true) => 2,
                    (true, false) => 1,
                    (false, _) => 0,
                };
            }
        }
    }
    let mut standings: Vec<_> = players
        .into_iter()
        .map(|(name, standing)| StandingView {
            player: name.to_owned(),
            points: f64::from(standing.wins) + f64::from(standing.draws) / 2.0,
            ..standing
        })
        .collect();
    match report {
        Some(report) => standings = ranked(report, &standings),
        None => rank(&mut standings),
    }
    let names: Vec<String> = standings.iter().map(|it| it.player.clone()).collect();
    let row = |from: &String| -> Vec<Option<Against>> {
        let entries = names
            .iter()
            .map(|to| cross.get(&(from.as_str(), to.as_str())).copied());
        entries.collect()
    };
    let rows: Vec<_> = names.iter().map(row).collect();
    let table = Cross {
        points: rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|it| it.map(|it| f64::from(it.halves) / 2.0))
                    .collect()
            })
            .collect(),
        games: rows
            .iter()
            .map(|row| row.iter().map(|it| it.map(|it| it.games)).collect())
            .collect(),
        players: names,
    };
    (standings, table)
}

/// Orders players by points, then by margin.
fn rank(standings: &mut [StandingView]) {
    standings.sort_by(|left, right| {
        let points = right.points.total_cmp(&left.points);
        points
            .then(right.margin.cmp(&left.margin))
            .then(left.player.cmp(&right.player))
    });
    for index in 0..standings.len() {
        let before = index.checked_sub(1).map(|before| standings[before].clone());
        let own = &mut standings[index];
        own.rank = match before {
            Some(other) if other.points == own.points && other.margin == own.margin => other.rank,
            _ => index + 1,
        };
    }
}

/// Standings of a tournament's report, with the margins of the games.
fn ranked(report: &Report, standings: &[StandingView]) -> Vec<StandingView> {
    let margin = |player: &str| {
        let own = standings.iter().find(|it| it.player == player);
        own.map_or(0, |it| it.margin)
    };
    let standings = report.standings.iter().map(|standing| StandingView {
        rank: standing.place as usize,
        player: standing.name.clone(),
        games: standing.games,
        wins: standing.won,
        draws: standing.drawn,
        losses: standing.lost,
        points: standing.points,
        tie_break: Some(standing.tie_break),
        margin: margin(&standing.name),
    });
    standings.collect()
}
