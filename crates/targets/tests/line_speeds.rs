//! Coverage of the proofs: every baud rate divisor, inter-byte timeout and reply limit of a target
//! is proved.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use duoforge_hdl::parameters::{PlayerParameters, TARGET_CLOCKS_HZ};
use duoforge_targets::catalogue;
use toml::{Table, Value};

/// Returns the parameters of every target, for the pattern and the search player.
fn targets() -> Vec<PlayerParameters> {
    let boards = catalogue::all().expect("every board's file can be read");
    let configured = boards.iter().flat_map(|board| board.configured());
    configured.map(|board| board.parameters(*b"DF")).collect()
}

/// Returns the macros of each run of a property.
fn definitions(property: &str) -> Vec<BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/formal");
    let path = root.join(property).join("proof.toml");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let proof: Table = text.parse().expect("a proof's file is TOML");
    let runs = proof["run"].as_array().expect("a property has runs");
    let definitions = runs.iter().map(|run| {
        let define = run.get("define").and_then(Value::as_array);
        let texts = define.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    });
    definitions.collect()
}

/// Panics unless one run of the property has all these macros.
fn is_proved(property: &str, macros: &[String]) {
    let proved = definitions(property)
        .iter()
        .any(|run| macros.iter().all(|name| run.contains(name)));
    assert!(
        proved,
        "no run of hdl/formal/{property} defines {}, which a target is built with",
        macros.join(" and ")
    );
}

#[test]
fn the_hardware_lists_the_clocks_of_all_targets() {
    let clocks: BTreeSet<_> = targets().iter().map(|target| target.clock_hz).collect();
    assert!(clocks.into_iter().eq(TARGET_CLOCKS_HZ));
}

#[test]
fn receiver_and_transmitter_are_proved_at_every_line_speed() {
    for target in targets() {
        let divisor = target.divisor();
        let macros = |block: &str, part: &str| {
            [
                format!("{block}=uart_{part}_{divisor}"),
                format!("DIVISOR={divisor}"),
            ]
        };
        let inductive = |part| {
            macros("BLOCK", part)
                .into_iter()
                .chain(["INVARIANT".into()])
        };
        is_proved("uart_receiver", &inductive("rx").collect::<Vec<_>>());
        is_proved("uart_transmitter", &inductive("tx").collect::<Vec<_>>());
        is_proved("uart_recovery", &macros("RECEIVER", "rx"));
        is_proved("uart_recovery", &macros("TRANSMITTER", "tx"));
    }
}

#[test]
fn the_parser_is_proved_with_every_inter_byte_timeout() {
    for target in targets() {
        let timeout = target.inter_byte_timeout_cycles;
        let macros = [
            format!("BLOCK=parser_{timeout}"),
            format!("TIMEOUT={timeout}"),
        ];
        let inductive = macros.iter().cloned().chain(["INVARIANT".into()]);
        is_proved("parser", &inductive.collect::<Vec<_>>());
        is_proved("parser_recovery", &macros);
    }
}

#[test]
fn every_clock_has_its_proof_of_the_reply() {
    for target in targets() {
        let clock = target.clock_hz;
        assert_eq!(clock % 1_000_000, 0, "blocks are named by megahertz");
        let macros = [
            format!("BLOCK=controller_{}mhz", clock / 1_000_000),
            format!("DIVISOR={}", target.divisor()),
            format!("DEADLINE=32'd{}", target.deadline_cycles),
            format!("LIMIT=32'd{}", target.reply_limit_cycles),
            "INVARIANT".into(),
        ];
        is_proved("reply_in_time", &macros);
        // Sum in cycles: the limit, the steps of the controller, up to nine letters already queued
        // on the line, and the four letters of the reply. It stays below the contest's second.
        let rest = 2 + 13 + 13 * 10 * u32::from(target.divisor());
        assert!(target.reply_limit_cycles + rest < clock, "{clock} Hz");
    }
}

#[test]
#[should_panic(
    expected = "no run of hdl/formal/parser defines GAP=1, which a target is built with"
)]
fn an_inter_byte_timeout_without_a_proof_is_reported() {
    is_proved("parser", &["GAP=1".into()]);
}
