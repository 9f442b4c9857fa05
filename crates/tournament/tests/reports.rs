//! Reports of tournaments in every form, and fingerprints of their games.

mod common;

use common::four::{four, played};
use common::{game, history, plan, report};
use duoforge_journal::GameResult::One;
use duoforge_journal::Moved;
use duoforge_tournament::{Form, Results, Schedule, fingerprint};

/// Fingerprint of the games: SHA-256 of one line per game, computed with `printf ... | sha256sum`.
#[test]
fn the_fingerprint_is_a_hash_over_what_was_played() {
    let plan = plan("round-robin", 2, "");
    let mut results = Results::new();
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let print =
        |results: &Results| fingerprint(&Schedule::new(&plan, results), &history(&plan, results));
    assert_eq!(print(&results), empty);
    results.insert(1, game(One, [60, 50]).into());
    let whole = report(&plan, &results);
    assert_eq!(whole.fingerprint, print(&results));
    // Command: printf '1\tP0\tP1\t1\t5\t1-0\tboth-passed\t0:0\t\n'
    let first = "209e54bcaf639b60d2a2875835d19e1c7346d3aea9b34f3589f89f0c793ad015";
    assert_eq!(whole.fingerprint, first);
    // The same with the moves `53e0 a8e0`.
    let mut history = history(&plan, &results);
    for (ply, code) in (1..).zip(["53e0", "a8e0"]) {
        history.games.get_mut(&1).unwrap().moves.push(Moved {
            game: 1,
            attempt: 1,
            ply,
            player: 1,
            code: code.to_owned(),
            legal: 0,
            us: 0,
            sim_us: None,
            host_us: None,
            forfeit: false,
        });
    }
    let moved = "0696a6a7b3fa777063c93a8e0c23b3beaf116536ba3242d23be3081d8a9ef268";
    assert_eq!(
        fingerprint(&Schedule::new(&plan, &results), &history),
        moved
    );
}

/// Report of the round robin of four. Tie-breaks are rounded to a tenth, halves to even.
#[test]
fn a_report_in_every_form_is_what_was_worked_out() {
    let plan = four();
    let report = report(&plan, &played(&plan, 12));
    let print = &report.fingerprint;
    let text = format!("{}\nfingerprint {print}\n", include_str!("report.txt"));
    assert_eq!(report.render(Form::Text), text);
    let markdown = format!("{}\nFingerprint `{print}`.\n", include_str!("report.md"));
    assert_eq!(report.render(Form::Markdown), markdown);
    let page = format!(
        "{}<p>Fingerprint <code>{print}</code></p>\n</html>\n",
        include_str!("report.html")
    );
    assert_eq!(report.render(Form::Html), page);
    // Layout: rows of 28, columns of 58 after 46 for numbers and 9 for each of six letters, 170 for
    // Elo.
    assert_eq!(report.render(Form::Svg), include_str!("report.svg"));
}

#[test]
fn forms_go_by_their_names_and_by_the_endings_of_files() {
    let table = [
        (Form::Text, ["text", "txt"]),
        (Form::Markdown, ["markdown", "md"]),
        (Form::Json, ["json", "json"]),
        (Form::Html, ["html", "htm"]),
        (Form::Svg, ["svg", "svg"]),
    ];
    for (form, names) in table {
        assert_eq!(names.map(str::parse::<Form>), [Ok(form), Ok(form)]);
    }
    let error = "pdf".parse::<Form>().unwrap_err();
    assert_eq!(
        error,
        "unknown format 'pdf': expected text, markdown, json, html or svg"
    );
}
