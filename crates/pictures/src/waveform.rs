//! Waveform of a digital design, as SVG.

use std::fmt::Write as _;

use crate::xml::{Frame, escape, put};

/// Waveform: signals over the same cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Waveform<'a> {
    /// Title of the picture.
    pub title: &'a str,
    /// First cycle and the cycle after the last one.
    pub cycles: [f64; 2],
    /// Signals from top to bottom.
    pub tracks: Vec<Track>,
}

/// Signal with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Name, left of the signal.
    pub name: String,
    /// Values.
    pub values: Values,
}

/// Values of a signal.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Signal of one bit: cycles of its changes with the level from there on, in ascending order.
    /// Before the first change, if that is after the first cycle, it has the opposite level.
    Levels(Vec<(f64, bool)>),
    /// Values with their names, such as the states of an FSM or the characters on a line.
    Spans(Vec<Span>),
}

/// Period in which a signal has one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// First cycle and the cycle after the last one.
    pub cycles: [f64; 2],
    /// Value; it is a tooltip where the span is too narrow for it.
    pub label: String,
}

/// Margins around the signals in SVG units: left, right, top, bottom.
const ROOM: [f64; 4] = [150.0, 20.0, 44.0, 34.0];

/// Width of the signals, and the height of a signal with the space below it, in SVG units.
const WIDTH: f64 = 790.0;
const PITCH: f64 = 36.0;

/// Height of a signal in SVG units.
const HEIGHT: f64 = 22.0;

/// Width of a character in SVG units, about.
const CHARACTER: f64 = 7.5;

/// Style sheet: grid, level, span, names, labels and title.
const STYLE: &str = ".g{stroke:#e2dac8}.l{fill:none;stroke:#2b7a78;stroke-width:1.5}\
    .s{fill:#f6e3cc;stroke:#c46f1a}.n{text-anchor:end;fill:#2d2a26}\
    .v{text-anchor:middle;fill:#2d2a26}.k{text-anchor:middle}.t{font-size:14px;fill:#2d2a26}";

/// Draws a waveform. Its axis counts cycles.
///
/// The picture has an opaque background, so it is readable on light and dark pages.
#[must_use]
pub fn waveform_svg(waveform: &Waveform) -> String {
    let [left, right, above, below] = ROOM;
    let height = PITCH * waveform.tracks.len() as f64;
    let frame = Frame {
        size: [WIDTH + left + right, height + above + below],
        attributes: "font-size=\"12\" fill=\"#6b6459\"",
        style: Some(STYLE),
        title: waveform.title,
    };
    let scale = Scale(waveform.cycles);
    let mut out = String::new();
    let title = escape(waveform.title);
    put!(
        out,
        "<text class=\"t\" x=\"{left}\" y=\"26\">{title}</text>"
    );
    axis(&mut out, &scale, above + height);
    for (row, track) in waveform.tracks.iter().enumerate() {
        let top = above + PITCH * row as f64;
        let (x, y) = (left - 10.0, top + 0.75 * HEIGHT);
        let name = escape(&track.name);
        put!(out, "<text class=\"n\" x=\"{x}\" y=\"{y}\">{name}</text>");
        match &track.values {
            Values::Levels(changes) => levels(&mut out, &scale, top, changes),
            Values::Spans(spans) => draw_spans(&mut out, &scale, top, spans),
        }
    }
    frame.around(&out)
}

/// Scale from the cycles of a waveform to coordinates.
struct Scale([f64; 2]);

impl Scale {
    /// Returns the coordinate of a cycle; a cycle outside the waveform has that of its border.
    fn x(&self, cycle: f64) -> f64 {
        let [first, last] = self.0;
        let part = (cycle - first) / (last - first).max(f64::MIN_POSITIVE);
        let x = ROOM[0] + WIDTH * part.clamp(0.0, 1.0);
        (10.0 * x).round() / 10.0
    }

    /// Returns the distance of two labels of the axis: 1, 2 or 5 times a power of ten, of which at
    /// most ten fit.
    fn step(&self) -> f64 {
        let least = ((self.0[1] - self.0[0]) / 10.0).max(1.0);
        let power = 10_f64.powf(least.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let fits = factors.into_iter().find(|step| *step >= least);
        fits.unwrap_or(10.0 * power)
    }
}

/// Draws the grid with the number of cycles since the beginning.
fn axis(out: &mut String, scale: &Scale, bottom: f64) {
    let [first, last] = scale.0;
    let step = scale.step();
    for index in 0..=((last - first) / step) as u32 {
        let cycle = f64::from(index) * step;
        let x = scale.x(first + cycle);
        let top = ROOM[2] - 6.0;
        put!(
            out,
            "<path class=\"g\" d=\"M{x} {top}V{bottom}\"/>\
             <text class=\"k\" x=\"{x}\" y=\"{}\">{cycle}</text>",
            bottom + 18.0
        );
    }
    let (x, y) = (ROOM[0] - 10.0, bottom + 18.0);
    put!(out, "<text class=\"n\" x=\"{x}\" y=\"{y}\">cycles</text>");
}

/// Draws a signal of one bit.
fn levels(out: &mut String, scale: &Scale, top: f64, changes: &[(f64, bool)]) {
    let y = |level: bool| if level { top } else { top + HEIGHT };
    let before = changes.first();
    let before = before.is_some_and(|&(cycle, level)| level == (cycle <= scale.0[0]));
    let mut path = format!("M{} {}", scale.x(scale.0[0]), y(before));
    for &(cycle, level) in changes {
        let _ = write!(path, "H{}V{}", scale.x(cycle), y(level));
    }
    put!(
        out,
        "<path class=\"l\" d=\"{path}H{}\"/>",
        scale.x(scale.0[1])
    );
}

/// Draws values with their names.
fn draw_spans(out: &mut String, scale: &Scale, top: f64, spans: &[Span]) {
    for Span { cycles, label } in spans {
        let [x, end] = cycles.map(|cycle| scale.x(cycle));
        let width = (10.0 * (end - x)).round() / 10.0;
        let label = escape(label);
        put!(
            out,
            "<rect class=\"s\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{HEIGHT}\">\
             <title>{label}</title></rect>"
        );
        if width >= CHARACTER * label.chars().count() as f64 + 2.0 {
            let (x, y) = (x + width / 2.0, top + 0.72 * HEIGHT);
            put!(
                out,
                "<text class=\"v\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(tracks: Vec<Track>) -> String {
        waveform_svg(&Waveform {
            title: "A & B",
            cycles: [100.0, 179.0],
            tracks,
        })
    }

    #[test]
    fn levels_change_at_their_cycles() {
        let values = Values::Levels(vec![(110.0, true), (139.5, false), (300.0, true)]);
        let picture = drawn(vec![Track {
            name: "rx<".into(),
            values,
        }]);
        assert!(
            picture.contains("M150 66H250V44H545V66H940V44H940"),
            "{picture}"
        );
        assert!(picture.contains(">rx&lt;</text>") && picture.contains("A &amp; B"));
    }

    #[test]
    fn a_span_that_is_too_narrow_has_its_value_as_a_tooltip_alone() {
        let span = |cycles, label: &str| Span {
            cycles,
            label: label.into(),
        };
        let values = Values::Spans(vec![
            span([110.0, 111.0], "Read"),
            span([111.0, 179.0], "Send"),
        ]);
        let picture = drawn(vec![Track {
            name: "state".into(),
            values,
        }]);
        assert_eq!(picture.matches("<title>Read</title>").count(), 1);
        assert_eq!(picture.matches(">Read</text>").count(), 0);
        assert_eq!(picture.matches(">Send</text>").count(), 1);
    }

    #[test]
    fn the_axis_has_round_numbers() {
        for (length, step) in [
            (79.0, 10.0),
            (100.0, 10.0),
            (101.0, 20.0),
            (2_400.0, 500.0),
            (0.0, 1.0),
        ] {
            assert_eq!(Scale([5.0, 5.0 + length]).step(), step, "{length}");
        }
        assert!(drawn(Vec::new()).contains(">70</text>"));
    }
}
