//! Ladder as a picture: the rating of each competitor with its interval.

use duoforge_pictures::xml::{Frame, escape, shortened};

use super::cells::interval;
use super::ladder::TITLE;
use crate::Ladder;

/// Height of a row.
const ROW: usize = 28;

/// Margin at the left and right.
const MARGIN: usize = 16;

/// Width of the rank.
const PLACE: usize = 30;

/// Approximate width of a character in names.
const LETTER: usize = 9;

/// Greatest number of characters of a name.
const MAX_NAME: usize = 40;

/// Width of the ratings.
const PLOT: f64 = 340.0;

/// Width of an Elo rating with its interval.
const ELO: usize = 170;

/// Width of the number of games.
const GAMES: usize = 64;

/// Colour of auxiliary texts.
const GREY: &str = " fill=\"#6b6459\"";

/// Scale from Elo ratings to coordinates of the picture.
struct Scale {
    left: f64,
    low: f64,
    high: f64,
    /// Distance of two grid lines in Elo.
    step: f64,
}

impl Scale {
    fn new(ladder: &Ladder, left: usize) -> Self {
        let lows = ladder.rungs.iter().map(|rung| rung.elo.low);
        let highs = ladder.rungs.iter().map(|rung| rung.elo.high);
        let (low, high) = (lows.fold(-50.0, f64::min), highs.fold(50.0, f64::max));
        let step = [50.0, 100.0, 200.0, 500.0, 1000.0]
            .into_iter()
            .find(|step| (high - low) / step <= 8.0)
            .unwrap_or(2000.0);
        Self {
            left: left as f64,
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }

    fn x(&self, elo: f64) -> f64 {
        self.left + PLOT * (elo - self.low) / (self.high - self.low)
    }

    /// Ratings of the grid lines.
    fn grid(&self) -> impl Iterator<Item = f64> {
        let lines = ((self.high - self.low) / self.step).round() as u32;
        (0..=lines).map(|line| self.low + f64::from(line) * self.step)
    }
}

pub(super) fn render(ladder: &Ladder) -> String {
    let labels: Vec<String> = ladder
        .rungs
        .iter()
        .map(|rung| shortened(&rung.competitor.label(), MAX_NAME))
        .collect();
    let letters = labels.iter().map(|label| label.chars().count()).max();
    let plot = MARGIN + PLACE + letters.unwrap_or(0).max(6) * LETTER;
    let scale = Scale::new(ladder, plot + MARGIN);
    let end = plot + 2 * MARGIN + PLOT as usize;
    let width = end + ELO + GAMES + MARGIN;
    let height = (ladder.rungs.len() + 3) * ROW + MARGIN;
    let frame = Frame {
        size: [width as f64, height as f64],
        attributes: "font-size=\"14\" fill=\"#2d2a26\"",
        style: None,
        title: TITLE,
    };
    let line = |row: usize| (row + 2) * ROW;
    let mut out = String::new();
    // The grid lies below all other elements.
    let bottom = line(ladder.rungs.len()) + 9;
    for elo in scale.grid() {
        let stroke = if elo == 0.0 { "#8d8474" } else { "#e2dac8" };
        let (x, top) = (scale.x(elo), line(0) + 9);
        out += &format!("<path stroke=\"{stroke}\" d=\"M{x:.1} {top}V{bottom}\"/>\n");
        out += &format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\"{GREY}>{elo:+.0}</text>\n",
            line(0)
        );
    }
    let mut text = |x: usize, y: usize, anchor: &str, rest: &str, text: &str| {
        out += &format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{rest}>{}</text>\n",
            escape(text)
        );
    };
    let bold = " font-weight=\"bold\" font-size=\"17\"";
    text(MARGIN, ROW, "start", bold, TITLE);
    text(width - MARGIN, ROW, "end", GREY, &ladder.state());
    text(end + ELO, line(0), "end", GREY, "Elo");
    text(width - MARGIN, line(0), "end", GREY, ladder.results_title());
    for (row, (rung, label)) in (1..).zip(ladder.rungs.iter().zip(&labels)) {
        let y = line(row);
        text(MARGIN + 20, y, "end", GREY, &rung.place.to_string());
        text(MARGIN + PLACE, y, "start", "", label);
        text(
            end + ELO,
            y,
            "end",
            "",
            &interval([rung.elo.elo, rung.elo.low, rung.elo.high]),
        );
        text(width - MARGIN, y, "end", "", &rung.games.to_string());
    }
    for (row, rung) in (1..).zip(&ladder.rungs) {
        let y = line(row) - 5;
        let [elo, low, high] = [rung.elo.elo, rung.elo.low, rung.elo.high].map(|elo| scale.x(elo));
        out += &format!(
            "<path stroke=\"#2b7a78\" stroke-width=\"3\" d=\"M{low:.1} {y}H{high:.1}\"/>\
             <circle cx=\"{elo:.1}\" cy=\"{y}\" r=\"5\" fill=\"#2d2a26\"/>\n"
        );
    }
    for row in 0..=ladder.rungs.len() {
        let (y, from, to) = (line(row) + 9, MARGIN, width - MARGIN);
        out += &format!("<path stroke=\"#d5cdbb\" d=\"M{from} {y}H{to}\"/>\n");
    }
    frame.around(&out)
}
