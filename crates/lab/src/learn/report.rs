//! Training report, as text.

use std::fmt::Write as _;

use duoforge_twin::search::prior::{PHASES, Weights};

use super::quality::{Quality, TOP_N};
use super::samples::{Sample, Samples};
use super::{learn, positions, quantise, score};
use duoforge_rules::Move;

/// Trains weights on games and reports their quality. A game is given by its number of opening
/// plies, which are skipped, and its moves. Every `holdout`-th game is held out.
#[must_use]
pub fn report(games: &[(usize, Vec<Move>)], holdout: usize) -> (Weights, String) {
    let found = positions(
        games
            .iter()
            .map(|(drawn, moves)| (*drawn, moves.as_slice())),
    );
    let samples = &found.samples;
    let held = |sample: &&Sample| sample.game % holdout == holdout - 1;
    let (test, train): (Vec<_>, Vec<_>) = samples.samples.iter().partition(held);
    let fitted = learn(samples, &train);
    let weights = quantise(&fitted);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} games, {} positions, {} placements; {} choices beyond them",
        games.len(),
        samples.samples.len(),
        samples.placements(),
        found.missed
    );
    let exact = |samples: &Samples, sample: &Sample, row| fitted[sample.phase].score(samples, row);
    let by = |weights: Weights| {
        move |samples: &Samples, sample: &Sample, row| score(&weights, samples, sample, row)
    };
    table(&mut out, "learned, train", samples, &train, exact);
    table(&mut out, "learned, held out", samples, &test, exact);
    table(
        &mut out,
        "quantised, held out",
        samples,
        &test,
        by(weights.clone()),
    );
    table(
        &mut out,
        "as built in, held out",
        samples,
        &test,
        by(Weights::default()),
    );
    let _ = writeln!(out, "\n{}\n\n{}", text(&weights), source(&weights));
    (weights, out)
}

pub(super) fn table(
    out: &mut String,
    name: &str,
    samples: &Samples,
    of: &[&Sample],
    mut score: impl FnMut(&Samples, &Sample, usize) -> f64,
) {
    let _ = writeln!(out, "\n{name:<22}positions   bits  best of {TOP_N:?}");
    let all = (0..PHASES).map(Some).chain([None]);
    for phase in all {
        let of = of
            .iter()
            .filter(|sample| phase.is_none_or(|phase| sample.phase == phase));
        let quality = Quality::of(samples, of.copied(), &mut score);
        let name = phase.map_or("all".to_owned(), |phase| format!("phase {phase}"));
        let _ = write!(
            out,
            "  {name:<20}{:>9}{:>7.3} ",
            quality.positions,
            quality.cross_entropy()
        );
        for share in quality.shares() {
            let _ = write!(out, " {share:.3}");
        }
        out.push('\n');
    }
}

/// Formats the weights as settings of a search.
#[must_use]
pub fn text(weights: &Weights) -> String {
    let list = |rows: &mut dyn Iterator<Item = i8>| {
        let words: Vec<_> = rows.map(|weight| weight.to_string()).collect();
        words.join("/")
    };
    format!(
        "tile_weights={},feature_weights={}",
        list(&mut weights.tiles.iter().flatten().copied()),
        list(&mut weights.kinds.iter().flatten().copied())
    )
}

/// Formats the weights as Rust source.
fn source(weights: &Weights) -> String {
    let tiles = rows(weights.tiles.iter().map(|row| &row[..]));
    let kinds = rows(weights.kinds.iter().map(|row| &row[..]));
    format!("Self {{\n    tiles: [\n{tiles}    ],\n    kinds: [\n{kinds}    ],\n}}")
}

/// Formats the weights of the phases as Rust source, a line each.
pub(super) fn rows<'a>(rows: impl Iterator<Item = &'a [i8]>) -> String {
    rows.fold(String::new(), |text, row| {
        format!("{text}        {row:?},\n")
    })
}

#[cfg(test)]
mod tests {
    use duoforge_twin::search::SearchSettings;

    use super::*;

    #[test]
    fn the_text_sets_the_weights_of_a_search() {
        let mut weights = Weights::default();
        weights.tiles[1][3] = -77;
        weights.kinds[2][1] = 55;
        let settings: SearchSettings = text(&weights).parse().expect("settings");
        assert_eq!(settings.parameters.weights, weights);
    }
}
