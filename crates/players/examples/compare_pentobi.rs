//! Comparison with Pentobi: plays games of several variants and replays them in `pentobi-gtp`,
//! which must agree on every legal count and on the final scores.
//!
//!     cargo run --release -p duoforge-players --example compare_pentobi -- PROGRAM [GAMES]
//!
//! PROGRAM is `pentobi-gtp`; GAMES is the number of games of each variant, 30 by default.

use std::env;
use std::error::Error;
use std::time::Duration;

use duoforge_gtp::Client;
use duoforge_players::{Greedy, GtpVariantMover, VariantMover};
use duoforge_referee::TimeControl;
use duoforge_referee::variant::{VariantGame, VariantPlayer, VariantReferee};
use duoforge_rules::{Colour, Game, GameVariant, Notation, Seat};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Time limit of a move and of any other reply.
const LIMIT: Duration = Duration::from_secs(60);

/// Tiles of a colour have 89 cells. Pentobi counts the cells that are placed, this program those
/// that are left.
const CELLS: i32 = 89;

fn main() -> Result<()> {
    let mut words = env::args().skip(1);
    let program = words.next().ok_or("expected the path of pentobi-gtp")?;
    let games = words.next().map_or(Ok(30), |word| word.parse::<usize>())?;
    for variant in [
        GameVariant::CLASSIC,
        GameVariant::CLASSIC_2,
        GameVariant::CLASSIC_3,
    ] {
        let mut plies = 0;
        for number in 0..games {
            let game = play(&program, &variant, number)?;
            if game.word() != "finished" {
                return Err(format!("{}, game {number}: {game}", variant.name()).into());
            }
            compare(&program, &game)
                .map_err(|error| format!("{}, game {number}: {error}", variant.name()))?;
            plies += game.plies.len();
        }
        println!("{}: {games} games with {plies} plies agree", variant.name());
    }
    Ok(())
}

fn command(program: &str, variant: &GameVariant) -> Vec<String> {
    let game = variant.name().replace('-', "_");
    let options = format!("--game {game} --level 1 --nobook --noresign --quiet --threads 1");
    let mut words = vec![program.to_owned()];
    words.extend(options.split(' ').map(str::to_owned));
    words
}

/// Plays a game of Pentobi in all seats but one, which is the greedy player's.
fn play(program: &str, variant: &GameVariant, number: usize) -> Result<VariantGame> {
    let mut players = Vec::new();
    for seat in 1..variant.seat_count() {
        let mut mover = GtpVariantMover::start(&command(program, variant))?;
        mover.seed(((number * 4 + seat) as u64) << 33);
        let player = VariantPlayer::new("pentobi", mover);
        players.push(player.with_time(TimeControl::Fixed(LIMIT)));
    }
    players.push(VariantPlayer::new("greedy", Greedy::new(number as u64)));
    let seats = players.len();
    let seating: Vec<_> = (0..seats).map(|seat| (seat + number) % seats).collect();
    Ok(VariantReferee::new(variant, players)?.play(&seating, &mut ())?)
}

/// Replays a game in Pentobi, and compares legal counts and scores.
fn compare(program: &str, game: &VariantGame) -> Result<()> {
    let variant = game.game.variant();
    let notation = Notation::of_size(variant.size());
    let mut client = Client::start(&command(program, variant))?;
    let mut position = Game::new(variant);
    for (ply, played) in game.game.plies().iter().enumerate() {
        let colour = played.colour.index() + 1;
        let legal = client.send(&format!("all_legal {colour}"), LIMIT)?;
        let (theirs, ours) = (legal.lines().count() as u32, position.count_legal());
        if theirs != ours {
            return Err(format!("ply {ply}: {theirs} legal placements, here {ours}").into());
        }
        let cells = notation.write(played.mv);
        client.send(&format!("play {colour} {cells}"), LIMIT)?;
        position.play(played.mv)?;
    }
    for colour in position.colours() {
        let legal = client.send(&format!("all_legal {}", colour.index() + 1), LIMIT)?;
        if let Some(cells) = legal.lines().next() {
            return Err(format!("{cells} is legal after the end").into());
        }
    }
    let theirs = client.send("final_score", LIMIT)?;
    let ours = score(&position);
    if theirs != ours {
        return Err(format!("final score {theirs}, here {ours}").into());
    }
    Ok(())
}

/// Returns the score as Pentobi writes it: of two seats the winner and the margin, otherwise the
/// points of each colour.
fn score(position: &Game) -> String {
    if position.variant().seat_count() == 2 {
        let [one, two] = [0, 1].map(|seat| position.seat_score(Seat(seat)));
        return match one - two {
            0 => "0".to_owned(),
            margin @ 1.. => format!("B+{margin}"),
            margin => format!("W+{}", -margin),
        };
    }
    let points = |colour: Colour| (position.colour_score(colour) + CELLS).to_string();
    let points: Vec<_> = position.colours().map(points).collect();
    points.join(" ")
}
