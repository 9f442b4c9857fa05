//! Evaluation curve of a game, as SVG.

use std::fmt::Write as _;

use crate::xml::{Frame, escape, put, shortened};

/// Evaluation of the position after a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvePoint {
    /// Winning chance of the first player, from 0 to 1; a draw counts half.
    pub chance: f64,
    /// Expected margin of the first player in points.
    pub margin: Option<f64>,
    /// Label of the point, for example its move; shown as a tooltip.
    pub label: String,
}

/// Margins around the curve in SVG units: left, right, top, bottom.
const ROOM: [f64; 4] = [58.0, 58.0, 54.0, 46.0];

/// Width and height of the curve in SVG units.
const SIZE: [f64; 2] = [760.0, 260.0];

/// Greatest number of characters of a name.
const MAX_NAME: usize = 26;

/// Style sheet: grid and middle line, curves of chance and margin, players (`p1`, `p2`) and texts.
const STYLE: &str = ".g{stroke:#e2dac8}.m{stroke:#8d8474}\
    .c{fill:none;stroke:#2d2a26;stroke-width:2;stroke-linejoin:round}\
    .d{fill:none;stroke:#2b7a78;stroke-width:1.5;stroke-dasharray:5 4}\
    .p1{fill:#f08a24}.p2{fill:#7a5bd0}.e{text-anchor:end}.k{text-anchor:middle}\
    .t{font-size:14px;fill:#2d2a26}";

/// Draws the evaluation of a game over the number of moves. The first player's winning chance is an
/// area around one half; its expected margin is a dashed line. `points[0]` is the position before
/// the first move.
///
/// The picture has an opaque background, so it is readable on light and dark pages.
#[must_use]
pub fn curve_svg(players: [&str; 2], points: &[CurvePoint]) -> String {
    let [left, right, above, below] = ROOM;
    let moves = points.len().saturating_sub(1);
    let frame = Frame {
        size: [SIZE[0] + left + right, SIZE[1] + above + below],
        attributes: "font-size=\"12\" fill=\"#6b6459\"",
        style: Some(STYLE),
        title: &format!("How the game went, over {moves} moves"),
    };
    let mut out = String::new();
    let scale = Scale::new(points);
    legend(&mut out, players);
    axes(&mut out, &scale);
    areas(&mut out, &scale, points);
    lines(&mut out, &scale, points);
    frame.around(&out)
}

/// Scales from moves, chances and margins to coordinates of the picture.
struct Scale {
    moves: usize,
    /// Margin at the upper end, in points; a multiple of 10.
    margin: f64,
}

impl Scale {
    fn new(points: &[CurvePoint]) -> Self {
        let margins = points.iter().filter_map(|point| point.margin);
        let largest = margins.map(f64::abs).fold(1.0, f64::max);
        Self {
            moves: points.len().saturating_sub(1).max(1),
            margin: (largest / 10.0).ceil() * 10.0,
        }
    }

    fn x(&self, moves: usize) -> f64 {
        ROOM[0] + SIZE[0] * moves as f64 / self.moves as f64
    }

    fn chance(&self, chance: f64) -> f64 {
        ROOM[2] + SIZE[1] * (1.0 - chance.clamp(0.0, 1.0))
    }

    fn margin(&self, margin: f64) -> f64 {
        self.chance((margin / self.margin + 1.0) / 2.0)
    }
}

fn legend(out: &mut String, players: [&str; 2]) {
    let [left, right, above, below] = ROOM;
    let (end, bottom) = (left + SIZE[0], above + SIZE[1]);
    let base = above - 22.0;
    for (player, name) in players.into_iter().enumerate() {
        let number = player + 1;
        let name = match name {
            "" => format!("player {number}"),
            name => escape(&shortened(name, MAX_NAME)),
        };
        let x = left + SIZE[0] / 3.0 * player as f64;
        put!(
            out,
            "<rect class=\"p{number}\" x=\"{x}\" y=\"{}\" width=\"14\" height=\"14\" rx=\"3\"/>\
             <text class=\"t\" x=\"{}\" y=\"{base}\">{name}</text>",
            base - 12.0,
            x + 20.0
        );
    }
    put!(
        out,
        "<path class=\"d\" d=\"M{} {}h26\"/><text class=\"t e\" x=\"{end}\" y=\"{base}\">margin in points</text>",
        end - 156.0,
        base - 5.0
    );
    put!(
        out,
        "<text class=\"k\" x=\"{}\" y=\"{}\">moves</text>",
        left + SIZE[0] / 2.0,
        bottom + below - 10.0
    );
    let middle = above + SIZE[1] / 2.0;
    let (x, y) = (left - 44.0, left + SIZE[0] + right - 10.0);
    put!(
        out,
        "<text class=\"k\" transform=\"translate({x} {middle}) rotate(-90)\">chance of the first player</text>\
         <text class=\"k\" transform=\"translate({y} {middle}) rotate(-90)\">margin of the first player</text>"
    );
}

fn axes(out: &mut String, scale: &Scale) {
    let [left, _, above, _] = ROOM;
    let (end, bottom) = (left + SIZE[0], above + SIZE[1]);
    for quarter in 0..=4_u8 {
        let chance = f64::from(quarter) / 4.0;
        let (y, class) = (scale.chance(chance), if quarter == 2 { "m" } else { "g" });
        let margin = (chance * 2.0 - 1.0) * scale.margin;
        let sign = if margin > 0.0 { "+" } else { "" };
        put!(
            out,
            "<path class=\"{class}\" d=\"M{left} {y}H{end}\"/>\
             <text class=\"e\" x=\"{}\" y=\"{}\">{} %</text>\
             <text x=\"{}\" y=\"{}\">{sign}{margin}</text>",
            left - 6.0,
            y + 4.0,
            quarter * 25,
            end + 6.0,
            y + 4.0
        );
    }
    let step = if scale.moves > 12 { 5 } else { 1 };
    for moves in (0..=scale.moves).step_by(step) {
        let x = scale.x(moves);
        put!(
            out,
            "<path class=\"g\" d=\"M{x:.1} {above}V{bottom}\"/>\
             <text class=\"k\" x=\"{x:.1}\" y=\"{}\">{moves}</text>",
            bottom + 17.0
        );
    }
}

/// Draws the areas between the curve and one half, in the colour of the player in the lead.
fn areas(out: &mut String, scale: &Scale, points: &[CurvePoint]) {
    let even = scale.chance(0.5);
    for (player, ahead) in [(1, 1.0), (2, -1.0)] {
        let mut path = format!("M{:.1} {even}", scale.x(0));
        let mut before: Option<(f64, f64)> = None;
        for (moves, point) in points.iter().enumerate() {
            let (x, lead) = (scale.x(moves), (point.chance - 0.5) * ahead);
            // The area ends at the crossing if the lead changes.
            if let Some((from, had)) = before
                && had * lead < 0.0
            {
                let crossing = from + (x - from) * had / (had - lead);
                path += &format!("L{crossing:.1} {even}");
            }
            let y = if lead > 0.0 {
                scale.chance(point.chance)
            } else {
                even
            };
            path += &format!("L{x:.1} {y:.1}");
            before = Some((x, lead));
        }
        put!(
            out,
            "<path class=\"p{player}\" fill-opacity=\"0.55\" d=\"{path}V{even}Z\"/>"
        );
    }
}

fn lines(out: &mut String, scale: &Scale, points: &[CurvePoint]) {
    let each = || points.iter().enumerate();
    let margins = each().filter_map(|(moves, point)| Some((moves, scale.margin(point.margin?))));
    put!(out, "<path class=\"d\" d=\"{}\"/>", path(scale, margins));
    let chances = each().map(|(moves, point)| (moves, scale.chance(point.chance)));
    put!(out, "<path class=\"c\" d=\"{}\"/>", path(scale, chances));
    for (moves, point) in each() {
        let (x, y) = (scale.x(moves), scale.chance(point.chance));
        let margin = point
            .margin
            .map_or(String::new(), |margin| format!(", {margin:+.1}"));
        put!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#2d2a26\"><title>{}: {:.0} %{margin}</title></circle>",
            escape(&point.label),
            point.chance * 100.0
        );
    }
}

fn path(scale: &Scale, places: impl Iterator<Item = (usize, f64)>) -> String {
    let mut path = String::new();
    for (moves, y) in places {
        let letter = if path.is_empty() { 'M' } else { 'L' };
        path += &format!("{letter}{:.1} {y:.1}", scale.x(moves));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(chance: f64, margin: Option<f64>) -> CurvePoint {
        let label = "move <1>".to_owned();
        CurvePoint {
            chance,
            margin,
            label,
        }
    }

    #[test]
    fn chances_and_margins_have_their_places() {
        let points = [
            point(0.5, Some(0.0)),
            point(1.0, Some(-13.0)),
            point(0.0, None),
        ];
        let picture = curve_svg(["A & B", ""], &points);
        // From the middle to the upper end, then to the lower end.
        assert!(
            picture.contains("d=\"M58.0 184.0L438.0 54.0L818.0 314.0\""),
            "{picture}"
        );
        // The scale ends at 20 points, so -13 lies at 17.5 % of the height.
        assert!(
            picture.contains("d=\"M58.0 184.0L438.0 268.5\""),
            "{picture}"
        );
        assert!(picture.contains("A &amp; B") && picture.contains("move &lt;1&gt;: 100 %, -13.0"));
        assert!(!picture.contains("NaN"));
    }

    #[test]
    fn long_names_leave_room_for_others() {
        let picture = curve_svg(["A player with a very long name", "B"], &[]);
        assert!(
            picture.contains(">A player with a very long …<"),
            "{picture}"
        );
    }

    #[test]
    fn areas_end_where_the_lead_changes_hands() {
        let picture = curve_svg(["", ""], &[point(0.75, None), point(0.25, None)]);
        let halfway = "L438.0 184";
        assert_eq!(picture.matches(halfway).count(), 2, "{picture}");
    }

    #[test]
    fn nothing_is_a_picture_too() {
        for points in [&[][..], &[point(0.5, None)]] {
            let picture = curve_svg(["", ""], points);
            assert!(picture.ends_with("</svg>\n") && !picture.contains("NaN"));
        }
    }
}
