use super::*;
use duoforge_links::wirelog::{Direction, WireEvent};

fn entry(at: u64, direction: Direction, bytes: &[u8]) -> WireEntry {
    WireEntry {
        wall: Duration::from_millis(at),
        simulated: None,
        line: "device".to_owned(),
        event: WireEvent::Chunk {
            direction,
            bytes: bytes.to_vec(),
        },
    }
}

fn silent(asked: &str) -> Fault {
    Fault::Silent {
        asked: asked.to_owned(),
        waited: Duration::from_secs(1),
    }
}

fn unsolicited(after: &str, got: &[u8]) -> Fault {
    Fault::Unsolicited {
        after: after.to_owned(),
        got: got.to_vec(),
    }
}

/// Report with twenty log entries. Number 10 is the prompt `25`; if `answered`, number 13 is the
/// reply.
fn tried(number: usize, verdict: Verdict, answered: bool) -> StepReport {
    let wire = (0..20).map(|at| match at {
        10 => entry(at, Direction::ToBoard, b"25"),
        13 if answered => entry(at, Direction::FromBoard, b"a53e0b"),
        _ => entry(at, Direction::FromBoard, b"-"),
    });
    StepReport {
        step: ConformanceCheck::find(&number.to_string()).unwrap(),
        verdict,
        wall: Duration::from_millis(1_500),
        wire: wire.collect(),
    }
}

/// Times in milliseconds of the entries that show a fault.
fn shown(verdict: Verdict, answered: bool) -> Vec<u128> {
    let report = tried(1, verdict, answered);
    let entries = report.evidence().iter();
    entries.map(|entry| entry.wall.as_millis()).collect()
}

#[test]
fn what_shows_a_fault_ends_with_the_answer_or_a_little_after_the_request() {
    let range = |from, to| (from..to).collect::<Vec<u128>>();
    // With a reply: eight entries up to it.
    assert_eq!(
        shown(Verdict::Failed(unsolicited("25", b"53e0")), true),
        range(6, 14)
    );
    assert_eq!(
        shown(Verdict::Warned(unsolicited("9", b"53e0")), true),
        range(6, 14)
    );
    // Without a reply: eight entries up to the fifth after the prompt.
    assert_eq!(shown(Verdict::Failed(silent("25")), false), range(8, 16));
    let fault = silent("25");
    assert_eq!(
        shown(Verdict::Blocked { by: 1, fault }, false),
        range(8, 16)
    );
    assert_eq!(
        shown(Verdict::Failed(unsolicited("25", b"none")), true),
        range(8, 16)
    );
    // With neither in the log: the last eight entries. If the prompt is among the last five, the
    // end of the log limits the range.
    assert_eq!(shown(Verdict::Failed(silent("2A")), true), range(12, 20));
    assert_eq!(shown(Verdict::Failed(silent("")), true), range(12, 20));
    let mut report = tried(1, Verdict::Failed(silent("25")), false);
    report.wire.drain(..8);
    report.wire.truncate(4);
    assert_eq!(report.evidence().len(), 4);
    // Without a fault there is no evidence.
    assert!(shown(Verdict::Passed(String::new()), true).is_empty());
    assert!(shown(Verdict::NotRun(String::new()), true).is_empty());
}

fn report() -> Report {
    let fault = || unsolicited("25", b"53e0");
    let verdicts = [
        Verdict::Passed("team AA".to_owned()),
        Verdict::Failed(fault()),
        Verdict::Passed("3 answers".to_owned()),
        Verdict::NotReached("it never had to".to_owned()),
        Verdict::Blocked {
            by: 2,
            fault: fault(),
        },
        Verdict::NotRun("it has gone".to_owned()),
    ];
    let mut steps: Vec<_> = (1..)
        .zip(verdicts)
        .map(|(number, verdict)| tried(number, verdict, true))
        .collect();
    steps.push(tried(20, Verdict::Warned(silent("25")), false));
    Report {
        device: "tcp:here:1".to_owned(),
        team: Some("AA".to_owned()),
        steps,
    }
}

#[test]
fn verdicts_have_their_words_and_sentences() {
    let report = report();
    let said: Vec<_> = report
        .steps
        .iter()
        .map(|step| (step.verdict.word(), step.verdict.text()))
        .collect();
    let unsolicited = "unsolicited bytes '53e0' after 25".to_owned();
    let right = [
        ("passed", "team AA".to_owned()),
        ("failed", unsolicited.clone()),
        ("passed", "3 answers".to_owned()),
        ("not-reached", "it never had to".to_owned()),
        ("blocked", format!("as in check 2: {unsolicited}")),
        ("not-run", "it has gone".to_owned()),
        ("warned", "no reply to 25 within 1.000 s".to_owned()),
    ];
    assert_eq!(said, right);
    assert_eq!(report.failed(), 1);
}

#[test]
fn a_summary_counts_every_verdict_and_has_the_bytes() {
    let summary = serde_json::to_value(Summary::from(&report())).unwrap();
    let counts: Vec<_> = [
        "passed",
        "failed",
        "warned",
        "not_reached",
        "blocked",
        "not_run",
    ]
    .map(|name| summary[name].as_u64().unwrap())
    .to_vec();
    assert_eq!(counts, [2, 1, 1, 1, 1, 1]);
    assert_eq!(
        (&summary["device"], &summary["team"]),
        (&"tcp:here:1".into(), &"AA".into())
    );
    let failed = &summary["steps"][1];
    let right = serde_json::json!({
        "number": 2,
        "name": "answers",
        "kind": "required",
        "verdict": "failed",
        "fault": "stray",
        "text": "unsolicited bytes '53e0' after 25",
        "seconds": 1.5,
        "bytes": [
            "    0.006000 device < -",
            "    0.007000 device < -",
            "    0.008000 device < -",
            "    0.009000 device < -",
            "    0.010000 device > 25",
            "    0.011000 device < -",
            "    0.012000 device < -",
            "    0.013000 device < a53e0b",
        ],
    });
    assert_eq!(*failed, right);
    assert_eq!(summary["steps"][6]["kind"], "advice");
    assert_eq!(summary["steps"][0]["fault"], serde_json::Value::Null);
}
