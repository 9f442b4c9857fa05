use duoforge_engine::search::{Parameters, Search};
use duoforge_rules::{DuoBoard, Move};
use std::time::Instant;
fn main() {
    let mut board = DuoBoard::duo();
    let mut search = Search::new(Parameters::default(), 1);
    let n: u64 = std::env::args()
        .nth(1)
        .map_or(20000, |t| t.parse().unwrap());
    loop {
        let t = Instant::now();
        let found = search.think(&board, |done| done < n);
        let s = t.elapsed().as_secs_f64();
        let Some(best) = found.lines.first() else {
            board.play(Move::Pass).unwrap();
            if board.is_over() {
                break;
            }
            continue;
        };
        println!(
            "ply {} {:.0} sims/s {} visits {} value {:.3} of {}",
            board.ply(),
            found.simulations as f64 / s,
            best.placement,
            best.visits,
            best.value as f64 / 65536.0,
            found.lines.len()
        );
        board.play(best.placement.into()).unwrap();
    }
    println!("{board}");
}
