//! Moves in place of forfeited ones, in games of variants.

use std::thread;
use std::time::Duration;

use duoforge_referee::TimeControl;
use duoforge_referee::variant::{
    MoverFault, TimeLeft, VariantMover, VariantPlayer, VariantReferee,
};
use duoforge_rules::{Game, GameVariant, Move, Seat};

/// Time bank of the late player. Its other moves take far less time.
const BANK: Duration = Duration::from_millis(500);

/// Player that makes the first legal placement, and exceeds its time bank at one move.
struct LateOnce {
    late_at: Option<usize>,
    moves: usize,
}

impl VariantMover for LateOnce {
    fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        self.moves += 1;
        if Some(self.moves) == self.late_at {
            // The referee subtracts host stalls.
            thread::sleep(4 * BANK);
        }
        Ok(game.legal_moves()[0])
    }
}

fn player(late_at: Option<usize>) -> VariantPlayer {
    let mover = LateOnce { late_at, moves: 0 };
    VariantPlayer::new("player", mover)
}

/// One time-out costs a player one move: where a pass is final, it does not end the colour's game.
#[test]
fn a_forfeited_move_does_not_put_a_colour_out_of_the_game() {
    for variant in &GameVariant::BUILT_IN {
        if variant.seat_count() != 2 {
            continue;
        }
        let bank = TimeControl::TimeBank {
            start: BANK,
            increment: BANK,
        };
        let players = vec![player(Some(3)).with_time(bank), player(None)];
        let mut referee = VariantReferee::new(variant, players).unwrap();
        let game = referee.play(&[0, 1], &mut ()).unwrap();
        let name = variant.name();
        assert_eq!(game.word(), "finished", "{name}");
        let own = || game.plies.iter().filter(|ply| ply.played.seat == Seat(0));
        let forfeit = own().nth(2).unwrap();
        assert!(
            forfeit.forfeit && own().filter(|ply| ply.forfeit).count() == 1,
            "{name}"
        );
        let later = own()
            .skip(3)
            .any(|ply| ply.played.colour == forfeit.played.colour);
        assert!(later, "{name}: the colour is out of the game");
        let may_pass = variant.name() == "duo";
        assert_eq!(forfeit.played.mv == Move::Pass, may_pass, "{name}");
    }
}
