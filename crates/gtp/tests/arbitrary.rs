//! Server under arbitrary input.

mod common;

use common::{First, answers_of};
use duoforge_arbitrary::Inputs;

#[test]
fn whatever_comes_as_commands_is_answered() {
    let inputs = Inputs {
        name: "GTP commands",
        pieces: &[
            "play", "b", "w", "1", "2", "genmove", "undo", "name", "clear_board", "set_game", "Blokus Duo",
            "Blokus", "showboard", "e10", "e10,e11", "pass", ",", " ", "\n", "#", "\t", "quit", "param", "level",
            "time_left", "time_settings", "99999999999", "-1", "set_random_seed", "reg_genmove", "list_commands",
        ],
        real: &[
            b"1 name\n2 version\nclear_board\nplay b e10,e11,e12\ngenmove w\nundo\nshowboard\n",
            b"list_commands\nknown_command play\nset_random_seed 7\nparam level 3\nparam\ngenmove b\n",
            b"time_settings 10 5 1\ntime_left b 3 2\nreg_genmove b\ncputime\nget_value\nquit\n",
        ],
    };
    inputs.try_all(|bytes| {
        let answers = answers_of(&mut First::default(), bytes);
        for answer in &answers {
            assert!(answer.starts_with(['=', '?']), "{answer:?}");
        }
        answers.iter().any(|answer| answer.starts_with('='))
    });
}
