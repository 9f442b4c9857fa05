//! Parsing of plans, and the resulting schedules.

use std::collections::{HashMap, HashSet};

use duoforge_arbitrary::Inputs;
use duoforge_journal::GameResult;
use duoforge_referee::Seat;
use duoforge_tournament::{Fixture, Plan, PlanError, Played, Results, Schedule};
use proptest::prelude::*;

const WHOLE: &str = r#"
event = "Autumn cup"
format = "swiss"
pairs = 2
rounds = 3
seed = 7
concurrency = 4
limit = "1s"
opening = 0
evidence = "all"
reconnect = "30s"

[[player]]
name = "Board 1"
spec = "/dev/ttyUSB0"

[[player]]
name = "Bot"
spec = "tcp:localhost:10000"
bank = "10s"
increment = "500ms"

[[player]]
spec = "random:3"
limit = "250ms"

[[player]]
spec = "twin"
"#;

fn of(format: &str, players: usize, rest: &str) -> Plan {
    let mut text = format!("event = \"Test\"\nformat = \"{format}\"\n{rest}\n");
    for number in 0..players {
        text += &format!("[[player]]\nname = \"P{number}\"\nspec = \"random:{number}\"\n");
    }
    Plan::read(&text).unwrap()
}

/// Plays a schedule to its end with results by strength: the player listed first wins, or the other
/// one if `upset` returns true.
fn through(plan: &Plan, upset: impl Fn(&Fixture) -> bool) -> (Schedule, Results) {
    let mut results = Results::new();
    let mut schedule = Schedule::new(plan, &results);
    while !schedule.is_over(&results) {
        let open: Vec<Fixture> = schedule
            .counted()
            .filter(|game| !results.contains_key(&game.number))
            .copied()
            .collect();
        assert!(!open.is_empty(), "the schedule stands still");
        for game in open {
            let first = (game.players[0] < game.players[1]) != upset(&game);
            let result = if first {
                GameResult::One
            } else {
                GameResult::Two
            };
            let played = Played {
                result,
                ending: "both-passed".to_owned(),
                score: [0, 0],
                cells_placed: [0, 0],
            };
            results.insert(game.number, played);
        }
        schedule.advance(plan, &results);
    }
    (schedule, results)
}

/// Number of games of each two players, the one listed first at the left.
fn meetings(schedule: &Schedule) -> HashMap<[usize; 2], u32> {
    let mut met = HashMap::new();
    for game in schedule.fixtures() {
        let [a, b] = game.players;
        *met.entry([a.min(b), a.max(b)]).or_default() += 1;
    }
    met
}

#[test]
fn a_plan_has_all_that_the_help_says() {
    let plan = Plan::read(WHOLE).unwrap();
    assert_eq!((plan.pairs, plan.rounds, plan.concurrency), (2, 3, 4));
    assert_eq!(plan.players[2].name, "random:3");
    assert!(plan.players[0].is_single() && !plan.players[3].is_single());
    assert!(plan.players[1].clock.is_some() && plan.players[3].clock.is_none());
}

#[test]
fn the_plans_of_the_documentation_are_good() {
    let plan = Plan::read(include_str!("../../../docs/plans/pentobi.toml")).unwrap();
    assert_eq!((plan.players.len(), plan.most_games()), (3, 8));
}

#[test]
fn broken_plans_are_refused_with_the_reason() {
    let refused = |from: &str, to: &str| {
        let text = WHOLE.replacen(from, to, 1);
        assert_ne!(text, WHOLE, "{from}");
        Plan::read(&text).unwrap_err().to_string()
    };
    assert!(refused("swiss", "league").contains("league"));
    assert!(refused("seed", "sed").contains("sed"));
    assert!(refused("rounds = 3", "").contains("rounds"));
    assert!(refused("rounds = 3", "rounds = 4").contains("1 to 3"));
    assert!(refused("pairs = 2", "pairs = 0").contains("pairs"));
    assert!(refused("pairs = 2", "pairs = 4000000").contains("pairs"));
    assert!(refused("concurrency = 4", "concurrency = 0").contains("concurrency"));
    assert!(refused("limit = \"1s\"", "limit = \"soon\"").contains("duration 'soon'"));
    assert!(refused("limit = \"1s\"", "limit = \"0s\"").contains("more than 0s"));
    assert!(refused("\"250ms\"", "\"soon\"").starts_with("player 'random:3': limit: invalid"));
    assert!(refused("opening = 0", "opening = 4").contains("opening"));
    assert!(refused("random:3", "random:x").contains("invalid spec 'random:x'"));
    assert_eq!(
        refused("\"tcp:localhost:10000\"", "\"twinz\""),
        "player 'Bot': invalid spec 'twinz': unknown kind of player"
    );
    assert!(refused("\"twin\"", "\"human\"").contains("'human'"));
    assert!(refused("\"twin\"", "\"/dev/ttyUSB0\"").contains("duplicate device"));
    assert!(refused("\"Bot\"", "\"Board 1\"").contains("duplicate name"));
    assert!(refused("\"250ms\"", "\"250ms\"\nbank = \"1s\"").contains("time control"));
    assert!(refused("seed = 7", "sprt = { elo0 = 0, elo1 = 5 }").contains("2 players"));
    assert!(refused("[[player]]\nname = \"Board 1\"", "[[player]\n").contains("line"));
    assert!(matches!(Plan::read(""), Err(PlanError::Toml(_))));
}

#[test]
fn everybody_meets_everybody_as_often_as_the_plan_says() {
    for players in 2..9 {
        let plan = of("round-robin", players, "pairs = 3");
        let (schedule, _) = through(&plan, |_| false);
        let met = meetings(&schedule);
        assert_eq!(met.len(), players * (players - 1) / 2);
        assert!(met.values().all(|&games| games == 6), "{met:?}");
        assert_eq!(schedule.fixtures().len() as u64, plan.most_games());
        // No player plays two matches in a round.
        let mut seen = HashSet::new();
        for game in schedule.fixtures().iter().step_by(2) {
            assert!(
                game.players
                    .iter()
                    .all(|&player| seen.insert((game.round, player)))
            );
        }
    }
}

#[test]
fn the_games_of_a_pair_swap_colours_and_start_cells() {
    let plan = of("round-robin", 4, "pairs = 2");
    let schedule = Schedule::new(&plan, &Results::new());
    let mut starts = HashSet::new();
    for pair in schedule.fixtures().chunks(2) {
        let [one, two] = pair else {
            panic!("a pair has two games")
        };
        assert_eq!(
            (one.pair, one.players, one.opening),
            (two.pair, two.players, two.opening)
        );
        assert_ne!(one.setup.first, two.setup.first);
        for seat in Seat::BOTH {
            assert_ne!(one.setup.start(seat), two.setup.start(seat));
        }
        // Both have the same opening: the first player starts at the same cell.
        let [first, again] = [one, two].map(|game| game.setup.start(game.setup.first));
        assert_eq!(first, again);
        starts.insert(first);
    }
    assert_eq!(starts.len(), 2);
}

#[test]
fn the_first_player_of_a_gauntlet_meets_all_others() {
    let (schedule, _) = through(&of("gauntlet", 5, "pairs = 2"), |_| true);
    let met = meetings(&schedule);
    assert_eq!(met.len(), 4);
    assert!(met.iter().all(|(both, &games)| both[0] == 0 && games == 4));
}

#[test]
fn the_best_win_a_knockout_and_upsets_count() {
    for players in 2..=17 {
        let (schedule, _) = through(&of("knockout", players, ""), |_| false);
        assert_eq!(schedule.fixtures().len(), 2 * (players - 1));
        // The first two meet in the last round.
        assert_eq!(schedule.fixtures().last().unwrap().players, [0, 1]);
    }
    let (schedule, _) = through(&of("knockout", 8, ""), |game| game.players[0] == 0);
    let last = schedule.fixtures().last().unwrap().players;
    assert_eq!(
        last,
        [1, 3],
        "the first one lost to the eighth, who lost to the fourth"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nobody_meets_twice_in_a_swiss_tournament_and_byes_go_round(
        players in 4_usize..24,
        luck in prop::collection::vec(any::<bool>(), 64),
    ) {
        // With few rounds a pairing always exists.
        let rounds = (players / 2).min(5);
        let plan = of("swiss", players, &format!("rounds = {rounds}"));
        let (schedule, _) = through(&plan, |game| luck[game.number as usize % luck.len()]);
        prop_assert_eq!(schedule.fixtures().len(), players / 2 * rounds * 2);
        prop_assert!(meetings(&schedule).values().all(|&games| games == 2));
        let byes: HashSet<usize> = schedule.byes().iter().map(|bye| bye.player).collect();
        prop_assert_eq!(byes.len(), players % 2 * rounds);
    }
}

#[test]
fn whatever_comes_as_a_plan_is_read_or_refused() {
    let inputs = Inputs {
        name: "plan",
        pieces: &[
            "event",
            "format",
            "pairs",
            "rounds",
            "seed",
            "concurrency",
            "limit",
            "opening",
            "evidence",
            "reconnect",
            "[[player]]",
            "[sprt]",
            "name",
            "spec",
            "bank",
            "increment",
            "=",
            "\"",
            "\n",
            " ",
            "#",
            "\"swiss\"",
            "\"knockout\"",
            "\"gauntlet\"",
            "\"round-robin\"",
            "\"1s\"",
            "\"1e300s\"",
            "0",
            "1",
            "4294967295",
            "-1",
            "1e9",
            "\"twin\"",
            "\"random:1\"",
            "\"exec:true\"",
            "ü",
            "[",
            "]",
            "{",
            "}",
            ",",
            "elo0",
            "elo1",
            "'",
        ],
        real: &[WHOLE.as_bytes()],
    };
    inputs.try_texts(|text| {
        let plan = Plan::read(text)?;
        // A plan may ask for more games than a test has time for; the first ones follow from it.
        if plan.most_games() <= 1_000 {
            let schedule = Schedule::new(&plan, &Results::new());
            assert!(schedule.fixtures().len() as u64 <= plan.most_games());
        }
        Ok::<_, PlanError>(())
    });
}

proptest! {
    #[test]
    fn an_edited_plan_is_read_or_refused(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3_u8), 1..6),
    ) {
        let mut text: Vec<char> = WHOLE.chars().collect();
        for (at, character, kind) in edits {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = character,
                1 => text.insert(at, character),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(plan) = Plan::read(&text) {
            let schedule = Schedule::new(&plan, &Results::new());
            prop_assert!(schedule.fixtures().len() as u64 <= plan.most_games());
        }
    }
}
