//! Whatever comes as a player on a command line.

use duoforge_arbitrary::Inputs;
use duoforge_arena::{ArenaError, PlayerSpec};

#[test]
fn whatever_comes_as_a_player_is_read_or_refused() {
    let inputs = Inputs {
        name: "players",
        pieces: &[
            "engine",
            "random",
            "random:",
            "twin",
            "strong",
            "search",
            "sim",
            "sim:search",
            "gtp:",
            "exec:",
            "serial:",
            "usb:",
            "tcp:",
            "sample:",
            ":",
            ",",
            "=",
            "ms",
            "sims",
            "seed",
            "nodes",
            "lanes",
            "children",
            "threads",
            "memory",
            "0",
            "1",
            "99999999999999999999",
            "-1",
            "1e9",
            "/dev/x",
            "a b",
            "\"",
            "'",
            "\\",
            " ",
            "ü",
        ],
        real: &[
            b"search:sims=2000,lanes=2,nodes=511,seed=3",
            b"strong:ms=5000,threads=2,memory=64",
            b"sim:search:lanes=1,nodes=63,sims=20",
            b"gtp:pentobi-gtp --level 5",
            b"tcp:localhost:10000",
            b"sample:1",
            b"random:7",
        ],
    };
    inputs.try_texts(|text| {
        let spec: PlayerSpec = text.parse()?;
        // What is printed is read again as the same.
        let printed = spec.to_string();
        let again: PlayerSpec = printed.parse().expect("it was printed");
        assert_eq!(again.to_string(), printed);
        Ok::<_, ArenaError>(())
    });
}
