//! Cycles of a search whose tree is in an external memory, in simulation of its Verilog.
//!
//! Prints the cycles of a simulation for numbers of nodes in block RAM; 0 stands for a tree that is
//! in block RAM as a whole. The memory transfers a word per cycle, after waits that are at random
//! and last as long as those of the SDRAM on average.
//!
//! ```sh
//! cargo run --release -p duoforge-sim --example external_memory -- \
//!     sims=20000,lanes=4,children=32,nodes=16383,expand_threshold=10 512,256 "" "53e0 a8e0"
//! ```

use std::env;
use std::error::Error;

use duoforge_hdl::search::settings::{ClockedSearchConfig, check_supported};
use duoforge_rules::DuoBoard;
use duoforge_sim::Backend;
use duoforge_sim::search::{SearchUnit, compare, set_up, twin};
use duoforge_twin::search::{Limit, SearchSettings};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [settings, lines, positions @ ..] = &args[..] else {
        return Err("usage: external_memory SETTINGS LINES,... CODES...".into());
    };
    let settings: SearchSettings = settings.parse()?;
    let Limit::Simulations(simulations) = settings.limit else {
        return Err("the limit is a number of simulations: sims=N".into());
    };
    let parameters = settings.parameters;
    println!("| ply | lines | cycles per simulation | tree | expander | lanes |");
    println!("|--:|--:|--:|--:|--:|--:|");
    for lines in lines.split(',') {
        let lines = Some(lines.parse()?).filter(|&lines: &usize| lines > 0);
        check_supported(&parameters, simulations, lines)?;
        let settings = ClockedSearchConfig {
            parameters: parameters.clone(),
            seed: settings.seed,
            simulations: u32::try_from(simulations)?,
            cycles: u32::MAX,
            lines,
            ponder: false,
            book: None,
        };
        let mut unit = SearchUnit::open(Backend::Verilator, &settings, true)?;
        for codes in positions {
            let mut board = DuoBoard::duo();
            for code in codes.split_whitespace() {
                board.play(code.parse()?)?;
            }
            set_up(&mut unit, &board)?;
            let heard = unit.think(board.to_move(), None)?;
            let (found, told) = twin(&settings, &board, simulations);
            compare(&found, &told, &heard)?;
            let each = |cycles: u64| cycles as f64 / simulations as f64;
            let cycles = heard.cycles;
            println!(
                "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
                board.ply(),
                lines.unwrap_or_default(),
                each(cycles.whole),
                each(cycles.tree),
                each(cycles.expander),
                each(cycles.lanes),
            );
        }
    }
    Ok(())
}
