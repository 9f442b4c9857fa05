//! Tests of the differences that a comparison shows.

use duoforge_rules::{DuoBoard, Move, Placement};

use super::*;

/// Comparison of the first decision, for which the device replied with this code.
fn view(device: &str) -> Comparison {
    Comparison {
        version: Version,
        id: "c1".to_owned(),
        status: JobStatus::Running,
        game: "j.1".to_owned(),
        ply: 0,
        player: "pattern".to_owned(),
        simulations: None,
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
    finish(&mut view, outcome, DeviceChoice::Compared);
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
    assert_eq!(equal.status, JobStatus::Done);
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
        simulation: None,
    };
    let fewer = decided(&legal[1..]);
    let hardware = finished(&both.reply, compared(fewer, Some(mismatch)));
    assert_eq!(hardware.differences[0].what, "the legal set");
    assert_eq!(hardware.twin.unwrap().only, [other]);
    assert!(hardware.hardware.unwrap().only.is_empty());
}

/// Search with these visits of the first placements.
fn searched(legal: &[Placement], visits: &[u32]) -> Searched {
    let children = legal
        .iter()
        .zip(visits)
        .map(|(placement, visits)| SearchedChild {
            placement: *placement,
            visits: *visits,
            value: 40_000,
            prior: Some(9),
            proven: *visits == 1,
        });
    Searched {
        legal: legal.to_vec(),
        children: children.collect(),
        reply: Move::Place(legal[0]).to_string(),
        simulations: visits.iter().copied().map(u64::from).sum(),
        cycles: None,
    }
}

#[test]
fn the_device_is_compared_with_a_search_of_its_own_length() {
    let legal: Vec<_> = DuoBoard::duo().legal().collect();
    let twin = searched(&legal, &[20, 9, 1]);
    let other = Move::Place(legal[3]).to_string();
    let compared = |simulations, device_choice| {
        let mut view = view(&other);
        view.simulations = Some(simulations);
        let outcome = HardwareOutcome::Searched {
            twin: twin.clone(),
            hardware: Searched {
                cycles: Some(700),
                ..twin.clone()
            },
            mismatch: None,
        };
        finish(&mut view, Ok(outcome), device_choice);
        view
    };
    let part = compared(30, DeviceChoice::IfSolved);
    assert_eq!((part.status, part.differences.len()), (JobStatus::Done, 0));
    let column = part.twin.unwrap();
    assert_eq!((column.legal, column.score), (414, Some(40_000)));
    assert_eq!((column.simulations, column.cycles), (Some(30), None));
    assert!(!column.proven && column.best[2].proven);
    assert_eq!(
        (column.best[1].visits, column.best[1].prior),
        (Some(9), Some(9))
    );
    assert_eq!(part.hardware.unwrap().cycles, Some(700));
    // A full search, and one that was solved before its limit.
    let full = compared(30, DeviceChoice::Compared);
    for full in [full, compared(31, DeviceChoice::IfSolved)] {
        let [difference] = &full.differences[..] else {
            panic!("{full:?}");
        };
        assert_eq!(difference.device.as_ref(), Some(&other));
    }
    // The device has an opening book, or searched in the opponent's time too.
    for limit in [30, 31] {
        assert_eq!(compared(limit, DeviceChoice::Ignored).differences, []);
    }
}

#[test]
fn simulations_are_those_of_the_request_within_those_of_the_player() {
    let of = |full, request| {
        let player = HardwarePlayer {
            name: "search".to_owned(),
            simulations: full,
            searches_alone: true,
        };
        let found = simulations(&player, request);
        found.map_err(|problem| problem.detail().to_owned())
    };
    assert_eq!(of(None, None), Ok(None));
    assert_eq!(of(Some(262_143), None), Ok(Some(300)));
    assert_eq!(of(Some(50), None), Ok(Some(50)));
    assert_eq!(of(Some(50), Some(60)), Ok(Some(50)));
    assert_eq!(of(Some(262_143), Some(20_000)), Ok(Some(20_000)));
    for (full, request, message) in [
        (None, Some(10), "the pattern player makes no simulations"),
        (
            Some(9),
            None,
            "sims=9 is out of range: expected at least 10",
        ),
        (
            Some(50),
            Some(9),
            "simulations=9 is out of range: expected 10 to 20000",
        ),
        (
            Some(50),
            Some(20_001),
            "simulations=20001 is out of range: expected 10 to 20000",
        ),
    ] {
        assert_eq!(of(full, request), Err(message.to_owned()));
    }
}

#[test]
fn deviations_failures_and_cancellations_have_their_status() {
    let chosen = "53e0".to_owned();
    let deviated = finished("53e0", Ok(HardwareOutcome::Deviated { ply: 2, chosen }));
    assert_eq!(deviated.status, JobStatus::Done);
    assert_eq!((deviated.differences[0].ply, deviated.twin), (2, None));
    let failed = finished("53e0", Err("no simulator".to_owned()));
    assert_eq!(failed.status, JobStatus::Failed);
    assert_eq!(failed.reason.as_deref(), Some("no simulator"));
    let stopped = finished("53e0", Ok(HardwareOutcome::Stopped));
    assert_eq!(stopped.status, JobStatus::Cancelled);
}

/// Model that panics for the pattern player. Its players have an opening book if their name
/// contains `book`.
#[derive(Debug)]
struct Panics;

impl HardwareModel for Panics {
    fn player(&self, text: &str) -> Result<HardwarePlayer, String> {
        Ok(HardwarePlayer {
            name: text.to_owned(),
            simulations: Some(30),
            searches_alone: !text.contains("book"),
        })
    }

    fn player_of(&self, _: &str) -> Option<String> {
        None
    }

    fn compare(
        &self,
        decision: &super::Decision,
        _: &dyn Fn() -> bool,
    ) -> Result<HardwareOutcome, String> {
        assert!(decision.player != "pattern", "the pattern player panics");
        Ok(HardwareOutcome::Stopped)
    }

    fn waveform(&self, _: &super::Decision, _: Option<&Mismatch>) -> String {
        String::new()
    }
}

#[test]
fn the_choice_of_a_device_with_a_book_is_not_compared() {
    for (name, simulations, expected) in [
        ("search", 30, DeviceChoice::Compared),
        ("search", 20, DeviceChoice::IfSolved),
        ("search:book=1", 30, DeviceChoice::Ignored),
        ("search:book=1", 20, DeviceChoice::Ignored),
    ] {
        let player = Panics.player(name).unwrap();
        let found = DeviceChoice::of(&player, Some(simulations));
        assert_eq!(found, expected, "{name}, {simulations}");
    }
}

#[test]
fn a_comparison_that_panics_fails_and_the_next_one_runs() {
    let shared = Shared {
        model: Some(Arc::new(Panics)),
        jobs: Jobs::default(),
    };
    for (id, player) in [("c1", "pattern"), ("c2", "search")] {
        let decision = Decision {
            moves: Vec::new(),
            ply: 0,
            starts_at_a: false,
            player: player.to_owned(),
            simulations: None,
        };
        let job = Job {
            decision,
            device_choice: DeviceChoice::Compared,
        };
        let view = |_, _| Comparison {
            id: id.to_owned(),
            status: JobStatus::Waiting,
            ..view("53e0")
        };
        shared.jobs.add("comparisons", job, view).unwrap();
        assert!(shared.run_next());
    }
    let failed = shared.jobs.get("c1").unwrap();
    assert_eq!(failed.status, JobStatus::Failed);
    let reason = "the comparison panicked: the pattern player panics";
    assert_eq!(failed.reason.as_deref(), Some(reason));
    let next = shared.jobs.get("c2").unwrap();
    assert_eq!(next.status, JobStatus::Cancelled);
}
