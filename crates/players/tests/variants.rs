//! Players in games of every variant.

use duoforge_players::{
    Greedy, PlayerError, PlayerSpec, Random, TimeLeft, VariantContext, VariantMover,
};
use duoforge_referee::variant::{VariantGame, VariantPlayer, VariantReferee};
use duoforge_rules::{Game, GameVariant, Move};

fn game(variant: &GameVariant, seating: &[usize], seed: u64) -> VariantGame {
    let mut players: Vec<_> = (1..variant.seat_count() as u64)
        .map(|number| VariantPlayer::new("random", Random::new(seed + number)))
        .collect();
    players.insert(0, VariantPlayer::new("greedy", Greedy::new(seed)));
    let mut referee = VariantReferee::new(variant, players).unwrap();
    referee.play(seating, &mut ()).unwrap()
}

#[test]
fn random_and_greedy_players_play_every_variant_and_repeat_their_games() {
    for variant in &GameVariant::BUILT_IN {
        let seating: Vec<_> = (0..variant.seat_count()).collect();
        let one = game(variant, &seating, 5);
        assert_eq!(one.word(), "finished", "{}: {one}", variant.name());
        assert_eq!(one.codes(), game(variant, &seating, 5).codes());
        assert_ne!(one.codes(), game(variant, &seating, 6).codes());
    }
}

/// The greedy player always places a largest tile, and of its placements one after which its colour
/// has the most corner points, counted here on a separate game for each placement.
#[test]
fn greedy_moves_are_the_largest_with_the_most_corner_points() {
    let mut greedy = Greedy::new(3);
    for variant in [&GameVariant::CLASSIC, &GameVariant::DUO_CORNER] {
        let mut game = Game::new(variant);
        while let Some(colour) = game.to_move() {
            let chosen = VariantMover::choose(&mut greedy, &game, TimeLeft::UNLIMITED).unwrap();
            let key = |mv: Move| {
                let mut next = Game::new(variant);
                for ply in game.plies() {
                    next.play(ply.mv).unwrap();
                }
                next.play(mv).unwrap();
                let size = mv.placement().map_or(0, |it| it.tile().size());
                (size, next.corner_points(colour).len())
            };
            if game.plies().len().is_multiple_of(7) {
                let best = game.legal_moves().into_iter().map(key).max();
                assert_eq!(Some(key(chosen)), best, "{chosen}");
            }
            game.play(chosen).unwrap();
        }
    }
}

/// Of the best placements of an empty board, each seed draws its own.
#[test]
fn greedy_players_draw_among_equal_placements() {
    let game = Game::new(&GameVariant::CLASSIC);
    let chosen = (0..20).map(|seed| {
        let mut greedy = Greedy::new(seed);
        VariantMover::choose(&mut greedy, &game, TimeLeft::UNLIMITED).unwrap()
    });
    let chosen: Vec<_> = chosen.collect();
    assert!(chosen.iter().any(|mv| *mv != chosen[0]), "{chosen:?}");
}

#[test]
fn the_greedy_player_beats_random_players() {
    let mut firsts = 0;
    for round in 0..8_usize {
        let seating: Vec<_> = (0..4).map(|seat| (seat + round) % 4).collect();
        let game = game(&GameVariant::CLASSIC, &seating, 100 + round as u64);
        let seat = seating.iter().position(|&player| player == 0).unwrap();
        firsts += u32::from(game.seats[seat].place == 1);
    }
    assert!(firsts >= 7, "{firsts} of 8");
}

struct Context(u64);

impl VariantContext for Context {
    fn person(&mut self) -> Box<dyn VariantMover> {
        Box::new(Random::new(1))
    }

    fn seed(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

#[test]
fn players_of_the_contest_s_protocol_play_duo_only() {
    let open = |text: &str, variant: &GameVariant| {
        let spec: PlayerSpec = text.parse().unwrap();
        spec.variant_mover(variant, &mut Context(0))
    };
    for text in ["random", "random:3", "greedy", "greedy:3", "human"] {
        for variant in &GameVariant::BUILT_IN {
            assert!(open(text, variant).is_ok(), "{text}");
        }
    }
    for text in [
        "pattern", "twin", "search", "engine", "sample:1", "exec:x", "pty",
    ] {
        let error = open(text, &GameVariant::CLASSIC).err().unwrap();
        assert_eq!(error.to_string(), format!("{text} does not play classic"));
    }
    let corner = open("gtp:engine", &GameVariant::DUO_CORNER).err().unwrap();
    assert!(
        matches!(corner, PlayerError::OtherVariant { .. }),
        "{corner}"
    );
    let missing = open("gtp:/does/not/exist", &GameVariant::CLASSIC)
        .err()
        .unwrap();
    assert!(matches!(missing, PlayerError::Engine(_)), "{missing}");
}

#[cfg(unix)]
mod engines {
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use duoforge_players::{GtpVariantMover, MoverFault, TimeLeft, VariantMover};
    use duoforge_rules::{Game, GameVariant, Move, Notation, Seat};

    /// Command line of an engine that knows these commands, runs the shell code `genmove` at each
    /// request for a move, and writes its input to `log`.
    fn engine(log: &Path, commands: &str, genmove: &str) -> Vec<String> {
        let script = format!(
            "while read id command rest; do
               echo $command $rest >> {}
               case \"$command $rest\" in
                 list_commands*) text='{commands}';;
                 genmove*) {genmove};;
                 time_left*.*) printf '?%s invalid time\\n\\n' $id; continue;;
                 play*b20*) printf '?%s illegal move\\n\\n' $id; continue;;
                 set_game*Three*) printf '?%s unknown game\\n\\n' $id; continue;;
                 *) text=;;
               esac
               printf \"=%s $text\\n\\n\" $id
             done",
            log.display()
        );
        ["sh", "-c", &script].map(str::to_owned).to_vec()
    }

    /// Takes the commands that the engine received since the last call.
    fn taken(log: &Path) -> Vec<String> {
        let text = fs::read_to_string(log).unwrap();
        fs::write(log, "").unwrap();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    fn read(text: &str) -> Move {
        Notation::CLASSIC.read(text).unwrap()
    }

    const ALL: &str = "set_game\\nset_random_seed\\ntime_left";

    #[test]
    fn an_engine_receives_game_moves_and_time() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let words = engine(&log, ALL, "text=t20");
        let mut mover = GtpVariantMover::start(&words).unwrap();
        mover.seed(u64::MAX);
        mover.begin(&GameVariant::CLASSIC_2, Seat(1)).unwrap();
        let begun = [
            "list_commands",
            "set_random_seed 2147483647",
            "set_game Blokus Two-Player",
        ];
        assert_eq!(taken(&log), begun);

        let mut game = Game::new(&GameVariant::CLASSIC_2);
        game.play(read("a20")).unwrap();
        let mv = mover.choose(&game, TimeLeft::UNLIMITED).unwrap();
        assert_eq!(mv, read("t20"));
        assert_eq!(taken(&log), ["clear_board", "play 1 a20", "genmove 2"]);

        // The engine knows its own move. It refuses fractions of a second, and receives none
        // afterwards.
        for mv in [mv, read("t1")] {
            game.play(mv).unwrap();
        }
        let mut time = TimeLeft {
            left: Some(Duration::from_millis(9_500)),
            ..TimeLeft::UNLIMITED
        };
        mover.choose(&game, time).unwrap();
        let sent = [
            "play 3 t1",
            "time_left 4 9.500 1",
            "time_left 4 9 1",
            "genmove 4",
        ];
        assert_eq!(taken(&log), sent);

        // The referee played another move for the seat: the engine receives the whole game.
        game.play(read("a1")).unwrap();
        for cells in ["b19,c19", "s18,s19", "s2,s3"] {
            game.play(read(cells)).unwrap();
        }
        time.is_bank = true;
        mover.choose(&game, time).unwrap();
        let commands = taken(&log);
        assert_eq!(commands[0], "clear_board");
        assert_eq!(commands[8..], ["time_left 4 9 0", "genmove 4"]);

        // A new game begins from the empty board.
        mover.begin(&GameVariant::CLASSIC, Seat(0)).unwrap();
        mover
            .choose(&Game::new(&GameVariant::CLASSIC), time)
            .unwrap();
        let commands = taken(&log);
        assert_eq!(commands[..2], ["set_game Blokus", "clear_board"]);
    }

    #[test]
    fn faults_of_an_engine_are_distinct() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let game = Game::new(&GameVariant::CLASSIC);
        let fault = |genmove: &str, time: TimeLeft| {
            let words = engine(&log, ALL, genmove);
            let mut mover = GtpVariantMover::start(&words).unwrap();
            mover.begin(&GameVariant::CLASSIC, Seat(0)).unwrap();
            mover.choose(&game, time).unwrap_err()
        };
        let unlimited = TimeLeft::UNLIMITED;
        assert_eq!(fault("text=resign", unlimited), MoverFault::Resigned);
        let no_move = fault("text=z9", unlimited);
        assert!(
            matches!(&no_move, MoverFault::Unreadable { reply, .. } if reply == "z9"),
            "{no_move}"
        );
        let died = fault("echo oops >&2; exit 3", unlimited);
        assert!(
            matches!(&died, MoverFault::Failed(reason)
                if reason.contains("oops") && reason.contains('3')),
            "{died}"
        );
        let short = TimeLeft {
            left: Some(Duration::from_millis(20)),
            grace: Duration::from_millis(20),
            is_bank: true,
        };
        assert_eq!(fault("sleep 4; text=a20", short), MoverFault::Silent);
        // The referee judges a late reply by the stalls of the host.
        let words = engine(&log, ALL, "sleep 1; text=a20");
        let mut mover = GtpVariantMover::start(&words).unwrap();
        mover.begin(&GameVariant::CLASSIC, Seat(0)).unwrap();
        assert_eq!(mover.choose(&game, short).unwrap(), read("a20"));
    }

    #[test]
    fn an_engine_may_not_refuse_a_placement() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let mut mover = GtpVariantMover::start(&engine(&log, ALL, "text=t20")).unwrap();
        mover.begin(&GameVariant::CLASSIC_2, Seat(1)).unwrap();
        let mut game = Game::new(&GameVariant::CLASSIC_2);
        game.play(read("a20,b20")).unwrap();
        let refused = mover.choose(&game, TimeLeft::UNLIMITED).unwrap_err();
        assert!(
            matches!(&refused, MoverFault::Failed(reason) if reason.contains("illegal move")),
            "{refused}"
        );
    }

    #[test]
    fn an_engine_receives_passes_until_it_refuses_one() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let plays = |genmove: &str| {
            let mut mover = GtpVariantMover::start(&engine(&log, ALL, genmove)).unwrap();
            mover.begin(&GameVariant::DUO, Seat(0)).unwrap();
            let mut game = Game::new(&GameVariant::DUO);
            let duo = |text| Notation::DUO.read(text).unwrap();
            let moves = ["e10", "j5", "pass", "k6,l6", "pass", "m7,m8,m9"];
            for text in moves {
                game.play(duo(text)).unwrap();
            }
            mover.choose(&game, TimeLeft::UNLIMITED).unwrap();
            let commands = taken(&log).into_iter();
            let plays = commands.filter_map(|line| line.strip_prefix("play ").map(str::to_owned));
            plays.collect::<Vec<_>>()
        };
        let all = ["b e10", "w j5", "b pass", "w k6,l6", "b pass", "w m7,m8,m9"];
        assert_eq!(plays("text=f11"), all);
        let refusing = "text=f11;; play*pass) printf '?%s illegal move\\n\\n' $id; continue";
        let without = ["b e10", "w j5", "b pass", "w k6,l6", "w m7,m8,m9"];
        assert_eq!(plays(refusing), without);
    }

    /// An engine receives only the commands that it lists.
    #[test]
    fn an_engine_with_other_commands_is_unsuitable_and_receives_no_seed() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let mut mover = GtpVariantMover::start(&engine(&log, "name\\nplay", "text=a20")).unwrap();
        mover.seed(7);
        let fault = mover.begin(&GameVariant::CLASSIC, Seat(0)).unwrap_err();
        assert!(matches!(fault, MoverFault::Unsuitable(_)), "{fault}");
        assert_eq!(taken(&log), ["list_commands"]);
    }

    #[test]
    fn an_engine_without_the_game_is_unsuitable() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let begun = |commands: &str, variant: &GameVariant| {
            let words = engine(&log, commands, "text=a20");
            let mut mover = GtpVariantMover::start(&words).unwrap();
            match mover.begin(variant, Seat(0)) {
                Ok(()) => String::new(),
                Err(MoverFault::Unsuitable(reason)) => reason,
                Err(other) => panic!("{other}"),
            }
        };
        assert_eq!(begun("", &GameVariant::DUO), "");
        let lacks = "sh lacks the command set_game, which chooses the variant";
        assert_eq!(begun("", &GameVariant::CLASSIC), lacks);
        let refuses = "sh refuses the game Blokus Three-Player: unknown game";
        assert_eq!(begun(ALL, &GameVariant::CLASSIC_3), refuses);
        let custom = begun(ALL, &GameVariant::DUO_CORNER);
        assert!(custom.contains("no name for this variant"), "{custom}");
    }
}
