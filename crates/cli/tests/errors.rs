//! Texts of errors. `UPDATE_EXPECT=1 cargo test -p duoforge --test errors` writes the present ones.
#![cfg(unix)]

mod common;

use common::with_variable;
use expect_test::{Expect, expect};

/// End of the error of a player whose name cannot be read.
const PLAYERS: &str = "
players: /dev/ttyUSB0, serial:PATH, usb:SERIAL, usb:VVVV:PPPP, NAME, pty, pty:PATH, tcp:HOST:PORT,
tcp-listen:[HOST:]PORT, sim, sim:BACKEND, sim:search:KEY=VALUE,..., sim:verilog=DIR,top=NAME, twin,
pattern, search, search:KEY=VALUE,..., engine, engine:KEY=VALUE,..., random, random:SEED, greedy,
greedy:SEED, maxn, maxn:KEY=VALUE,..., sample:1, sample:2, gtp:COMMAND LINE, bot:COMMAND LINE,
exec:COMMAND LINE, human

For more information, try '--help'.
";

/// Runs the program and returns its error.
fn error(arguments: &[&str]) -> String {
    // The text names the file of the user's profiles.
    let said = with_variable("XDG_CONFIG_HOME", "/nowhere", arguments);
    assert_eq!(said.status, 2, "{arguments:?}: {}", said.err);
    assert_eq!(said.out, "", "{arguments:?}");
    said.err
}

fn check(arguments: &[&str], expected: &Expect) {
    expected.assert_eq(&error(arguments));
}

/// Checks the error of a match of this player: its first line, and the list of players after it.
fn refused(player: &str, expected: &Expect) {
    let error = error(&["match", player, "pattern"]);
    let (first, rest) = error.split_once('\n').unwrap();
    expected.assert_eq(first);
    assert_eq!(rest, PLAYERS, "{player}");
}

#[test]
fn players_that_cannot_be_read() {
    check(
        &["match", "nobody", "pattern"],
        &expect![[r#"
            duoforge::player

              × 'nobody' is not a player, and /nowhere/duoforge/profiles.toml contains no
              │ profiles
              help: players: /dev/ttyUSB0, serial:PATH, usb:SERIAL, usb:VVVV:PPPP, NAME,
                    pty, pty:PATH, tcp:HOST:PORT,
                    tcp-listen:[HOST:]PORT, sim, sim:BACKEND, sim:search:KEY=VALUE,...,
                    sim:verilog=DIR,top=NAME, twin,
                    pattern, search, search:KEY=VALUE,..., engine, engine:KEY=VALUE,...,
                    random, random:SEED, greedy,
                    greedy:SEED, maxn, maxn:KEY=VALUE,..., sample:1, sample:2, gtp:COMMAND
                    LINE, bot:COMMAND LINE,
                    exec:COMMAND LINE, human

        "#]],
    );
    refused(
        "engine:sims=-1",
        &expect![
            "error: invalid value 'engine:sims=-1' for '<A>': bad search: sims=-1 is out of range: expected 0 to 2^64 - 1"
        ],
    );
    refused(
        "engine:simulations=5",
        &expect![
            "error: invalid value 'engine:simulations=5' for '<A>': bad search: unknown key `simulations`; expected one of sims, ms, level, seed, threads, memory, network, reuse_tree, early_stop, endgame_mobility, endgame_nodes, voluntary_pass, children, expand_threshold, exploration, value_count_cap, rave_weight_max, rave_weight_min, rave_decay, rave_child_max, rave_parent_max, fpu_weight, fpu_reduction, win_value, margin_value, reply_min_size, tile_weights, feature_weights, value_count_divisor, value_count_bits, fpu_root, expand_ply, first_children, widen, reply_count_max, playout_weights, replies, margin_bonus, length_bonus, final_wins, prior_network"
        ],
    );
    refused(
        "random:x",
        &expect![
            "error: invalid value 'random:x' for '<A>': 'x' is not a seed: expected an integer from 0 to 2^64 - 1"
        ],
    );
    refused(
        "tcp:localhost:99999",
        &expect![
            "error: invalid value 'tcp:localhost:99999' for '<A>': 'tcp:localhost:99999' lacks an address HOST:PORT with a port between 0 and 65535"
        ],
    );
    check(
        &["match", "exec:./nosuch", "pattern"],
        &expect![[r#"
        duoforge::link::not_found

          × player 1 cannot be reached: exec:./nosuch: there is no such program
          help: correct the path of the program; exec: takes a command line, as in
                "exec:./bot --fast"

    "#]],
    );
    check(
        &["match", "/dev/nosuch", "pattern"],
        &expect![[r#"
        duoforge::link::not_found

          × player 1 cannot be reached: serial:/dev/nosuch was not found, or nothing
          │ answers there
          help: `duoforge ports` lists the serial devices of this machine

    "#]],
    );
    refused(
        "sim:search:lanes=3",
        &expect![
            "error: invalid value 'sim:search:lanes=3' for '<A>': sim:search:lanes=3: bad search: lanes=3 is not supported in hardware: expected 1, 2 or 4"
        ],
    );
    check(
        &["match", "maxn:sims=5", "pattern", "--variant", "trio"],
        &expect![[r#"
            duoforge::variant

              × unknown variant `trio`: expected duo, duo-corner, classic, classic-free,
              │ classic-2, classic-3, or a file whose name ends in .toml

        "#]],
    );
}

#[test]
fn values_out_of_range() {
    check(
        &["perft", "x"],
        &expect![[r#"
        error: invalid value 'x' for '<DEPTH>': expected an integer from 0 to 84

        For more information, try '--help'.
    "#]],
    );
    check(
        &["match", "pattern", "pattern", "--games", "0"],
        &expect![[r#"
        error: invalid value '0' for '--games <N>': 0 is not in 1..=4294967295

        For more information, try '--help'.
    "#]],
    );
    check(
        &["match", "pattern", "pattern", "--limit", "fast"],
        &expect![[r#"
        error: invalid value 'fast' for '--limit <TIME>': invalid duration 'fast': expected 0s to 24h, for example 250ms, 1.5s or 1m 30s; a number without a unit is in seconds

        For more information, try '--help'.
    "#]],
    );
    check(
        &["state", "53e"],
        &expect![[r#"
        duoforge::list

          × moves, line 1, column 1: '53e' is not a move: a code has four letters,
          │ this one has 3
           ╭─[moves:1:1]
         1 │ 53e
           · ─┬─
           ·  ╰── a code has four letters, this one has 3
           ╰────
          help: a list contains four-letter codes separated by blanks, one game per
                line; # begins a comment

    "#]],
    );
    check(
        &["state", "zzzz"],
        &expect![[r#"
        duoforge::list

          × moves, line 1, column 1: 'zzzz' is not a move: 'z' is not a column (1-9,
          │ then a, b, c, ...)
           ╭─[moves:1:1]
         1 │ zzzz
           · ──┬─
           ·   ╰── 'z' is not a column (1-9, then a, b, c, ...)
           ╰────
          help: a list contains four-letter codes separated by blanks, one game per
                line; # begins a comment

    "#]],
    );
    check(
        &["state", "5zu0"],
        &expect![[r#"
        duoforge::list

          × moves, line 1, column 1: '5zu0' is not a move: 'z' is not a row (1-9, then
          │ a, b, c, ...)
           ╭─[moves:1:1]
         1 │ 5zu0
           · ──┬─
           ·   ╰── 'z' is not a row (1-9, then a, b, c, ...)
           ╰────
          help: a list contains four-letter codes separated by blanks, one game per
                line; # begins a comment

    "#]],
    );
    check(
        &["sim", "--shard", "3/2"],
        &expect![[r#"
        error: invalid value '3/2' for '--shard <I/N>': invalid shard '3/2': expected I/N with I from 0 to N - 1, such as 0/4

        For more information, try '--help'.
    "#]],
    );
    check(
        &["serve", "--listen", "0.0.0.0:0"],
        &expect![[r#"
        duoforge::serve::tokens

          × 0.0.0.0:0 can be reached from other machines, and no tokens are given
          help: --tokens FILE names the tokens of clients; without it, listen on
                127.0.0.1

    "#]],
    );
}

#[test]
fn files_that_are_missing_or_wrong() {
    check(
        &["resume", "nosuch.journal"],
        &expect![[r#"
        duoforge::journal::file

          × nosuch.journal cannot be read: No such file or directory (os error 2)
          help: name an existing journal; `duoforge tournament FILE.toml` and
                `duoforge match --journal JOURNAL` create one

    "#]],
    );
    check(
        &["tournament", "nosuch.toml"],
        &expect![[r#"
            duoforge::file

              × nosuch.toml cannot be read: No such file or directory (os error 2)
              help: check the path and its permissions

        "#]],
    );
    check(
        &["replay", "nosuch.list"],
        &expect![[r#"
            duoforge::file

              × nosuch.list cannot be read: No such file or directory (os error 2)
              help: check the path and its permissions

        "#]],
    );
    check(
        &["convert", "Cargo.toml", "out.blksgf"],
        &expect![[r#"
        duoforge::list

          × Cargo.toml, line 1, column 1: '[package]' is not a move: a code has four
          │ letters, this one has 9
           ╭─[Cargo.toml:1:1]
         1 │ [package]
           · ────┬────
           ·     ╰── a code has four letters, this one has 9
         2 │ name = "duoforge"
           ╰────
          help: a list contains four-letter codes separated by blanks, one game per
                line; # begins a comment

    "#]],
    );
    check(
        &["match", "left", "right", "--profiles", "nosuch.toml"],
        &expect![[r#"
            duoforge::file

              × nosuch.toml cannot be read: No such file or directory (os error 2)
              help: check the path and its permissions

        "#]],
    );
}

#[test]
fn files_that_are_not_journals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.journal");
    let path = common::text(&path);
    for (text, reason) in [
        ("hello\n", "the first line is not a header: no checksum"),
        ("hello", "the first line is incomplete"),
    ] {
        std::fs::write(path, text).unwrap();
        let refused = error(&["resume", path]);
        let shown = refused.replace("\n  │ ", " ");
        let message = format!("is not a journal: {reason}");
        assert!(shown.contains(&message), "{refused}");
    }
}

#[test]
fn commands_that_do_not_exist() {
    check(
        &["mach"],
        &expect![[r#"
        error: unrecognized subcommand 'mach'

          tip: some similar subcommands exist: 'man', 'match'

        Usage: duoforge [OPTIONS] <COMMAND>

        For more information, try '--help'.
    "#]],
    );
    check(
        &["match", "pattern", "pattern", "--gmaes", "2"],
        &expect![[r#"
        error: unexpected argument '--gmaes' found

          tip: a similar argument exists: '--games'

        Usage: duoforge match --games <N> <A> <B> [C]...

        For more information, try '--help'.
    "#]],
    );
    check(
        &["match", "pattern"],
        &expect![[r#"
        duoforge::usage

          × 1 players for duo: expected 2
          help: --variant classic and others have other numbers of seats

    "#]],
    );
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let refuses = |line: &str, fault: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let text = error(&words);
        assert!(text.contains(fault), "{line}: {text}");
    };
    for line in [
        "match pattern random:1 --limit 1s --increment 2s",
        "device --twin --player search",
        "device --twin --jitter 10",
        "device --twin --clock-hz 1000000",
        "analyse 53e0 --game 2",
        "show 53e0 --game 2",
        "monitor --log wire.jsonl --pty link",
    ] {
        refuses(line, "cannot be used with");
    }
    refuses("sim-search sims=5 --games 0", "0 is not in 1..");
    for line in [
        "match pattern random:1 --limit 0s",
        "conform twin --limit 0s",
    ] {
        refuses(line, "expected more than 0s");
    }
}
