//! Cache misses of a search whose tree is in external memory.
//!
//! Prints, for each position, how often a write-back cache of nodes misses per simulation. A cache
//! has a number of lines, one node each, and a number of ways. The nodes of a simulation are
//! accessed from the root down, when it starts; the order of the simulations is that of the twin,
//! hence that of the hardware. A new node takes a line without a read of the memory.
//!
//! ```sh
//! cargo run --release -p duoforge-twin --example node_cache -- \
//!     sims=177000,nodes=65536,expand_threshold=10 512x1,512x4 "" "53e0 a8e0"
//! ```

use std::collections::HashSet;
use std::env;
use std::error::Error;

use duoforge_rules::DuoBoard;
use duoforge_twin::search::node_cache::NodeCache;
use duoforge_twin::search::{Limit, Search, SearchSettings};

/// Creates an empty cache from its number of lines and of ways, as in `512x4`.
fn parse(text: &str) -> Option<NodeCache> {
    let (lines, ways) = text.split_once('x')?;
    let (lines, ways): (usize, usize) = (lines.parse().ok()?, ways.parse().ok()?);
    (ways > 0 && lines > 0 && lines.is_multiple_of(ways)).then(|| NodeCache::new(lines, ways))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [settings, caches, positions @ ..] = &args[..] else {
        return Err("usage: node_cache SETTINGS LINESxWAYS,... CODES...".into());
    };
    let settings: SearchSettings = settings.parse()?;
    let Limit::Simulations(limit) = settings.limit else {
        return Err("the limit is a number of simulations: sims=N".into());
    };
    println!("| ply | simulations | nodes | nodes per path | cache | misses | write-backs |");
    println!("|--:|--:|--:|--:|---|--:|--:|");
    for codes in positions {
        let mut board = DuoBoard::duo();
        for code in codes.split_whitespace() {
            board.play(code.parse()?)?;
        }
        let parse = |text| parse(text).ok_or(format!("`{text}` is not LINESxWAYS"));
        let mut cached: Vec<_> = caches.split(',').map(parse).collect::<Result<_, _>>()?;
        let mut search = Search::new(settings.parameters.clone(), settings.seed);
        let (mut steps, mut nodes) = (0, HashSet::new());
        let found = search.run_traced(
            &board,
            |made| made < limit,
            |simulation| {
                steps += simulation.path.len();
                for step in &simulation.path {
                    let is_new = nodes.insert(step.node);
                    for cache in &mut cached {
                        // A simulation writes to every node of its path.
                        cache.access(step.node, is_new, true);
                    }
                }
            },
        );
        let simulations = found.simulations.max(1) as f64;
        for (cache, name) in cached.iter().zip(caches.split(',')) {
            println!(
                "| {} | {} | {} | {:.2} | {name} | {:.3} | {:.3} |",
                board.moves().len(),
                found.simulations,
                nodes.len(),
                steps as f64 / simulations,
                cache.reads() as f64 / simulations,
                cache.write_backs() as f64 / simulations,
            );
        }
    }
    Ok(())
}
