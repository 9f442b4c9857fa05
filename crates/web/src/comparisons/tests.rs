//! Tests of the differences that a comparison shows.

use duoforge_rules::{DuoBoard, Move, Placement};

use super::*;

/// Comparison of the first decision, for which the device replied with this code.
fn view(device: &str) -> Comparison {
    Comparison {
        version: Version,
        id: "c1".to_owned(),
        status: ComparisonStatus::Running,
        game: "j.1".to_owned(),
        ply: 0,
        reason: None,
        device: Some(DeviceView {
            reply: device.to_owned(),
            legal: 414,
            us: 5,
            sim_us: None,
        }),
        twin: None,
        hardware: None,
        differences: Vec::new(),
        command: String::new(),
    }
}

/// Decision with rising scores: the last placement is the best one.
fn decided(placements: &[Placement]) -> Decided {
    let scored = placements.iter().copied().zip(1..);
    Decided {
        placements: scored.collect(),
        reply: Move::Place(placements[placements.len() - 1]).to_string(),
        cycles: 7,
    }
}

fn finished(device: &str, outcome: Result<HardwareOutcome, String>) -> Comparison {
    let mut view = view(device);
    finish(&mut view, outcome);
    view
}

#[test]
fn the_columns_are_those_of_both_and_the_device_is_compared_too() {
    let legal: Vec<_> = DuoBoard::duo().legal().collect();
    let both = decided(&legal);
    let compared = |hardware: Decided, mismatch| {
        Ok(HardwareOutcome::Compared {
            twin: both.clone(),
            hardware,
            mismatch,
        })
    };
    let equal = finished(&both.reply, compared(both.clone(), None));
    assert_eq!(equal.status, ComparisonStatus::Done);
    assert!(equal.differences.is_empty());
    let twin = equal.twin.unwrap();
    assert_eq!((twin.legal, twin.score), (414, Some(414)));
    assert_eq!((twin.best.len(), twin.best[0].score), (12, 414));
    assert_eq!(equal.hardware.as_ref(), Some(&twin));

    let other = Move::Place(legal[0]).to_string();
    let device = finished(&other, compared(both.clone(), None));
    let [difference] = &device.differences[..] else {
        panic!("{device:?}");
    };
    assert_eq!(difference.device.as_ref(), Some(&other));
    assert_eq!(difference.what, "the choice of the device");

    let mismatch = Mismatch {
        ply: 0,
        what: "the legal set".to_owned(),
        twin: "414".to_owned(),
        hardware: "413".to_owned(),
    };
    let fewer = decided(&legal[1..]);
    let hardware = finished(&both.reply, compared(fewer, Some(mismatch)));
    assert_eq!(hardware.differences[0].what, "the legal set");
    assert_eq!(hardware.twin.unwrap().only, [other]);
    assert!(hardware.hardware.unwrap().only.is_empty());
}

#[test]
fn deviations_failures_and_cancellations_have_their_status() {
    let chosen = "53e0".to_owned();
    let deviated = finished("53e0", Ok(HardwareOutcome::Deviated { ply: 2, chosen }));
    assert_eq!(deviated.status, ComparisonStatus::Done);
    assert_eq!((deviated.differences[0].ply, deviated.twin), (2, None));
    let failed = finished("53e0", Err("no simulator".to_owned()));
    assert_eq!(failed.status, ComparisonStatus::Failed);
    assert_eq!(failed.reason.as_deref(), Some("no simulator"));
    let stopped = finished("53e0", Ok(HardwareOutcome::Stopped));
    assert_eq!(stopped.status, ComparisonStatus::Cancelled);
}
