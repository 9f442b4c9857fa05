//! Tournaments of variants: plans, runs, interruptions and standings.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use duoforge_journal::{Header, History, Journal, Kind, Record, VariantBegun, VariantEnded, read};
use duoforge_players::PlayerSpec;
use duoforge_tournament::{
    PlanError, Progress, TournamentError, VariantControl, VariantFixture, VariantPlan,
    VariantReport, run_variant,
};

fn plan(text: &str) -> Result<VariantPlan, PlanError> {
    VariantPlan::read_with(text, str::parse::<PlayerSpec>)
}

/// Plan of three players for two seats: 3 groups with 2 games in each of 2 rounds.
const CUP: &str = "event = \"Cup\"\nvariant = \"classic-2\"\nrounds = 2\nseed = 5\nconcurrency = 2\n\
    [[player]]\nname = \"A\"\nspec = \"greedy\"\n[[player]]\nname = \"B\"\nspec = \"random\"\n\
    bank = \"10s\"\n[[player]]\nname = \"C\"\nspec = \"random:9\"\n";

fn journal(path: &Path) -> (Journal, History) {
    if !path.exists() {
        drop(Journal::create(path, Header::new(Kind::Tournament, "Cup", CUP)).unwrap());
    }
    let (journal, history, _) = Journal::open(path).unwrap();
    (journal, history)
}

/// Moves of the finished games by number.
fn games(path: &Path) -> Vec<(u32, Vec<String>)> {
    let history = read(path).unwrap().history;
    let games = history.variant_games.ended().map(|(game, _)| {
        let codes = game.moves.iter().map(|moved| moved.code.clone());
        (game.begun.game, codes.collect())
    });
    games.collect()
}

/// Observer that stops the tournament after some games.
struct StopAfter(AtomicU32);

impl VariantControl for StopAfter {
    fn stops(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn ended(&self, fixture: &VariantFixture, ended: &VariantEnded, progress: Progress) {
        assert_eq!((fixture.number, progress.total), (ended.game, 12));
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
    }
}

#[test]
fn every_group_meets_with_each_player_in_each_seat() {
    let plan = plan(CUP).unwrap();
    let fixtures = plan.fixtures();
    assert_eq!((fixtures.len() as u64, plan.game_count()), (12, 12));
    let seats: Vec<_> = fixtures[..6].iter().map(|it| it.seats.clone()).collect();
    let expected = [[0, 1], [0, 2], [1, 2], [1, 0], [2, 0], [2, 1]];
    assert_eq!(seats, expected);
    assert!(
        fixtures
            .iter()
            .zip(1..)
            .all(|(it, number)| it.number == number)
    );
    assert_eq!((fixtures[5].round, fixtures[6].round), (1, 2));
    let four = CUP
        .replace("classic-2", "classic")
        .replace("rounds = 2", "rounds = 1");
    let four = four + "[[player]]\nspec = \"random\"\n[[player]]\nspec = \"greedy:3\"\n";
    let four = self::plan(&four).unwrap();
    assert_eq!((four.game_count(), four.fixtures().len()), (20, 20));
    for player in 0..5 {
        for seat in 0..4 {
            let own = four
                .fixtures()
                .into_iter()
                .filter(|it| it.seats[seat] == player);
            assert_eq!(own.count(), 4);
        }
    }
}

#[test]
fn an_interrupted_tournament_ends_like_an_undisturbed_one() {
    let plan = plan(CUP).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| directory.path().join(name));
    let (first, history) = journal(&whole);
    assert!(run_variant(&plan, &first, &history, &()).unwrap());
    drop(first);
    let mut runs = 0;
    loop {
        let (journal, history) = journal(&cut);
        if runs == 1 {
            // The process stops in the middle of a game.
            let number = history.variant_games.iter().count() as u32 + 1;
            let fixture = &plan.fixtures()[number as usize - 1];
            let names = fixture.seats.iter().map(|&it| &*plan.players[it].name);
            let names: Vec<&str> = names.collect();
            let begun = VariantBegun::new(number, 1, "classic-2", &names);
            journal.append(&Record::VariantBegun(begun)).unwrap();
            drop(journal);
            runs += 1;
            continue;
        }
        let control = StopAfter(AtomicU32::new(3));
        let finished = run_variant(&plan, &journal, &history, &control).unwrap();
        runs += 1;
        if finished {
            break;
        }
    }
    assert!(runs >= 4, "{runs}");
    assert_eq!(games(&cut), games(&whole));
    let history = read(&cut).unwrap().history;
    assert!(history.finished);
    let report = VariantReport::new(&plan, &history);
    assert_eq!(
        report,
        VariantReport::new(&plan, &read(&whole).unwrap().history)
    );
    let attempts = history.variant_games.iter().map(|it| it.begun.attempt);
    assert_eq!(attempts.max(), Some(2));
}

#[test]
fn standings_count_seats_with_a_worse_place() {
    let plan = plan(CUP).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    let (journal, history) = journal(&path);
    run_variant(&plan, &journal, &history, &()).unwrap();
    let history = read(&path).unwrap().history;
    let report = VariantReport::new(&plan, &history);
    assert!(report.finished && report.games == 12);
    assert_eq!(report.standings[0].name, "A", "{report:?}");
    let sum = |value: fn(&duoforge_tournament::VariantStanding) -> f64| -> f64 {
        report.standings.iter().map(value).sum()
    };
    assert_eq!((sum(|it| it.points), sum(|it| it.firsts)), (12.0, 12.0));
    assert!(report.standings.iter().all(|it| it.games == 8));
    // The points of a player, counted from the journal.
    let mut points = 0.0;
    for (game, ended) in history.variant_games.ended() {
        let [own, other] = match game.begun.players.iter().position(|name| name == "A") {
            Some(seat) => [ended.seats[seat].score, ended.seats[1 - seat].score],
            None => continue,
        };
        points += match own.cmp(&other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
    }
    assert_eq!(report.standings[0].points, points);
    let text = report.text();
    assert!(
        text.starts_with("Cup: classic-2, 12 of 12 games\n\n"),
        "{text}"
    );
    assert_eq!(
        (text.lines().count(), report.markdown().lines().count()),
        (6, 7)
    );
    let object: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(object["standings"][0]["name"], "A");
    // A journal of other players is refused.
    let other = CUP.replace("name = \"A\"", "name = \"D\"");
    let other = self::plan(&other).unwrap();
    let error = run_variant(&other, &journal, &history, &()).unwrap_err();
    assert!(matches!(error, TournamentError::Schedule(1)), "{error}");
}

#[test]
fn a_table_in_the_plan_defines_a_variant() {
    let text = "event = \"Small\"\n[[player]]\nspec = \"greedy:1\"\n[[player]]\nspec = \"random:2\"\n\
        [variant]\nname = \"small\"\nsize = 9\nseats = 2\n[[variant.colours]]\nseat = 0\n\
        starts = [[2, 2]]\n[[variant.colours]]\nseat = 1\nstarts = [[6, 6]]\n";
    assert!(VariantPlan::is_plan(text) && !VariantPlan::is_plan("event = \"x\""));
    let small = plan(text).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("small");
    let (journal, history) = journal(&path);
    assert!(run_variant(&small, &journal, &history, &()).unwrap());
    let history = read(&path).unwrap().history;
    let (game, _) = history.variant_games.ended().next().unwrap();
    assert!(
        game.begun
            .definition
            .as_deref()
            .unwrap()
            .contains("size = 9")
    );
}

#[test]
fn wrong_plans_are_refused_with_key_and_range() {
    let replaced = |old: &str, new: &str| {
        let text = CUP.replace(old, new);
        assert_ne!(text, CUP, "{old}");
        plan(&text).unwrap_err().to_string()
    };
    for (old, new, message) in [
        (
            "\"classic-2\"",
            "\"chess\"",
            "variant: unknown variant 'chess': expected duo, duo-corner, classic, classic-free, \
             classic-2, classic-3, or a table that defines one",
        ),
        (
            "classic-2",
            "classic",
            "number of players: 3 is out of range: expected 4 to 256",
        ),
        (
            "rounds = 2",
            "rounds = 0",
            "rounds: 0 is out of range: expected 1 to 1000000",
        ),
        (
            "rounds = 2",
            "rounds = 900000",
            "rounds: 5400000 games are out of range: expected at most 1000000",
        ),
        (
            "concurrency = 2",
            "concurrency = 65",
            "concurrency: 65 is out of range: expected 1 to 64",
        ),
        (
            "event = \"Cup\"",
            "event = \" \"",
            "event: empty name: expected visible text",
        ),
        (
            "name = \"B\"",
            "name = \"A\"",
            "player 'A': duplicate name: expected a different name for each player",
        ),
        (
            "\"greedy\"",
            "\"human\"",
            "player 'A': spec 'human' does not play classic-2 in a tournament: expected random, \
             greedy, maxn, bot:COMMAND, or gtp:COMMAND in duo, classic, classic-2 and classic-3",
        ),
        (
            "\"greedy\"",
            "\"twin\"",
            "player 'A': spec 'twin' does not play classic-2 in a tournament: expected random, \
             greedy, maxn, bot:COMMAND, or gtp:COMMAND in duo, classic, classic-2 and classic-3",
        ),
    ] {
        assert_eq!(replaced(old, new), message);
    }
    let unknown = replaced("seed = 5", "format = \"swiss\"");
    assert!(unknown.contains("unknown field `format`"), "{unknown}");
    let small = replaced(
        "\"classic-2\"",
        "{ name = \"x\", size = 4, seats = 1, colours = [] }",
    );
    assert_eq!(small, "variant: size=4 is out of range: expected 5 to 20");
}
