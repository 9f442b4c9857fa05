//! Codes in any order, each with its reply awaited. A game may begin in the middle of another,
//! without `0` or `9` between them, and a move may be prompted when there is none.

use duoforge_sim::Backend;
use duoforge_sim::campaign::Lockstep;
use duoforge_twin::Rng;

use super::{equal, open, parameters};

const CODES: usize = 1000;

#[test]
fn any_code_after_any_other() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let mut pair = Lockstep::new(&mut board, &parameters);
    let mut rng = Rng::new(41);
    // Number of times that each kind of code followed each other kind; a kind is a first letter.
    let kinds = b"02349";
    let mut pairs = [[0; 5]; 5];
    let mut last = 0;
    for number in 0..CODES {
        let kind = [0, 1, 1, 2, 2, 3, 3, 3, 3, 4][rng.below(10) as usize];
        let mut code = vec![kinds[kind]];
        if kind == 1 || kind == 2 {
            code.push([b'5', b'A'][rng.below(2) as usize]);
        }
        if kind == 2 {
            code.extend([b"53e0", b"a8e0", b"55u0", b"aau0"][rng.below(4) as usize]);
        } else if kind == 3 {
            let count = pair.twin.board().count_legal();
            let pick = rng.below(count + 1) as usize;
            let opponent = pair.twin.board().legal().nth(pick);
            code.extend(opponent.map_or(*b"0000", |placement| placement.code().to_bytes()));
        }
        equal(&pair.ask(number, &code).expect("it runs"));
        pairs[last][kind] += 1;
        last = kind;
    }
    assert!(pairs.iter().flatten().all(|&count| count > 0), "{pairs:?}");
}
