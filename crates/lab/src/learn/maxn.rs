//! Training of the prior of `maxn` on games of any variant.

use std::f64::consts::LN_2;
use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use duoforge_maxn::training::{FEATURES, PriorSample, Weights};
use duoforge_records::Record;
use duoforge_rules::{Game, Move, Tile};

use super::report::{rows, table};
use super::samples::{Sample, Samples};
use super::{STEPS, learn, steps};

/// Game with its name in errors, such as its number in a file.
#[derive(Clone, Debug)]
pub struct NamedRecord {
    /// Name.
    pub name: String,
    /// Game.
    pub record: Record,
}

/// Collects the positions of games in which a player placed a tile. All games need boards of one
/// size; returns it too.
///
/// # Errors
/// If there is no game, a move is illegal, or the boards have several sizes.
pub fn samples(records: &[NamedRecord]) -> Result<(usize, Samples)> {
    let first = records.first().context("the files hold no game")?;
    let size = first.record.variant.size();
    let mut samples = Samples::new(FEATURES);
    for (number, NamedRecord { name, record }) in records.iter().enumerate() {
        let (variant, other) = (record.variant.name(), record.variant.size());
        ensure!(
            other == size,
            "{name}: the game is {variant}, with {other} columns; expected {size}, as in {}",
            first.name
        );
        let mut game = Game::new(&record.variant);
        for ply in &record.plies {
            let position = PriorSample::of(&game).filter(|_| ply.mv != Move::Pass);
            let at = game.plies().len();
            let played = game.play(ply.mv);
            played.with_context(|| format!("{name}, ply {at}: {}", ply.mv))?;
            let (Some(PriorSample { phase, placements }), Move::Place(chosen)) = (position, ply.mv)
            else {
                continue;
            };
            let chosen = placements.iter().position(|&(it, _)| it == chosen);
            let chosen = chosen.context("a legal placement is not listed")?;
            let rows = placements
                .iter()
                .map(|(it, counts)| (it.tile().index(), counts));
            samples.add(number, phase, chosen, rows);
        }
    }
    Ok((size.into(), samples))
}

/// Trains weights on games and reports their quality. Every `holdout`-th game is held out.
///
/// # Errors
/// As for [`samples`].
pub fn report(records: &[NamedRecord], holdout: usize) -> Result<(Weights, String)> {
    let (size, samples) = samples(records)?;
    let held = |sample: &&Sample| sample.game % holdout == holdout - 1;
    let (test, train): (Vec<_>, Vec<_>) = samples.samples.iter().partition(held);
    let fitted = learn(&samples, &train);
    let (tiles, features) = steps(&fitted);
    let weights = Weights { tiles, features };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} games, {} positions, {} placements",
        records.len(),
        samples.samples.len(),
        samples.placements(),
    );
    let exact = |samples: &Samples, sample: &Sample, row| fitted[sample.phase].score(samples, row);
    table(&mut out, "learned, train", &samples, &train, exact);
    table(&mut out, "learned, held out", &samples, &test, exact);
    let by = |weights: &Weights| {
        let weights = weights.clone();
        move |samples: &Samples, sample: &Sample, row| score(&weights, samples, sample, row)
    };
    table(&mut out, "rounded, held out", &samples, &test, by(&weights));
    let built_in = by(Weights::for_size(size));
    table(&mut out, "as built in, held out", &samples, &test, built_in);
    let tiles = rows(weights.tiles.iter().map(|row| &row[..]));
    let features = rows(weights.features.iter().map(|row| &row[..]));
    let _ = writeln!(
        out,
        "\nWeights {{\n    tiles: [\n{tiles}    ],\n    features: [\n{features}    ],\n}}"
    );
    Ok((weights, out))
}

/// Returns the score of a placement by weights, in units of the natural exponent.
fn score(weights: &Weights, samples: &Samples, sample: &Sample, row: usize) -> f64 {
    let counts = samples.counts(row).try_into().expect("all features");
    let score = weights.score(sample.phase, Tile::ALL[samples.tile(row)], counts);
    f64::from(score) * LN_2 / STEPS
}
