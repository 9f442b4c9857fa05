//! Evaluation curves, line by line.

use duoforge_pictures::{CurvePoint, curve_svg};

/// Returns a point whose label shows its chance.
fn point(chance: f64, margin: Option<f64>) -> CurvePoint {
    CurvePoint {
        chance,
        margin,
        label: format!("<\"&{chance}\">\t"),
    }
}

/// The pictures in `data` are recorded outputs of the program. Each number of the short one was
/// checked by hand: a curve is 760 wide and 260 high and starts at (58, 54).
#[test]
fn curves_are_drawn_as_they_were() {
    let short = [
        point(0.5, Some(0.0)),
        point(0.75, Some(30.0)),
        point(0.25, None),
    ];
    assert_eq!(
        curve_svg(["A & B", ""], &short),
        include_str!("data/curve_short.svg")
    );
    let chances = [
        0.5, 0.6, 0.4, 0.55, 0.5, 0.5, 0.2, 0.0, 0.1, 0.9, 1.0, 0.5, 0.7, 0.7,
    ];
    let long: Vec<_> = chances
        .iter()
        .zip(0..)
        .map(|(&chance, number)| {
            point(chance, (number % 3 > 0).then_some(f64::from(number) * -4.5))
        })
        .collect();
    let names = ["abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz0"];
    assert_eq!(curve_svg(names, &long), include_str!("data/curve_long.svg"));
    assert_eq!(
        curve_svg(names, &long[..13]),
        include_str!("data/curve_13.svg")
    );
}
