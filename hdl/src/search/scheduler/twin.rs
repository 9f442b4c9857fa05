//! Twin function of the scheduler: the turns of the cores in a search.

/// Turn of a core in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneTurn {
    /// Starts a simulation on the core.
    Simulate(u64),
    /// Backs up the result of the core.
    BackUp(u64),
}

/// Returns the turns of the cores in a search of this number of simulations: the twin function of
/// this block. Simulations start on the cores in turn. Each result is backed up before the next
/// simulation of its core.
pub fn twin(lanes: u64, simulations: u64) -> Vec<LaneTurn> {
    let (mut begun, mut ended) = (0, 0);
    let mut turns = Vec::new();
    while ended < simulations {
        if begun < simulations && begun - ended < lanes {
            turns.push(LaneTurn::Simulate(begun % lanes));
            begun += 1;
        } else {
            turns.push(LaneTurn::BackUp(ended % lanes));
            ended += 1;
        }
    }
    turns
}
