//! Legal sets as the move generator reports them.

use duoforge_hdl::generator::legality::ORIENTATIONS;
use duoforge_hdl::harness::GeneratorUnit;
use duoforge_sim::{Backend, ListId, Options, Sample, open};

use super::unit::{BoardUnit, STREAM};

/// Legal anchor columns of each orientation, for each row.
pub type Legal = [[u16; ORIENTATIONS]; 14];

/// Generator whose verdicts and rows are recorded.
pub struct Generator {
    /// Harness of the generator.
    pub unit: BoardUnit,
    verdicts: ListId,
    rows: ListId,
}

/// Reports of a generator.
#[derive(Default)]
pub struct Reports {
    /// Verdicts: the cycle, the row and the row's columns.
    pub verdicts: Vec<(u64, usize, [u16; ORIENTATIONS])>,
    /// Rows at the read-out point: the cycle, the row of `side`, the row of the other side.
    pub rows: Vec<(u64, u16, u16)>,
}

impl Generator {
    /// Opens a generator.
    pub fn open(backend: Backend) -> Self {
        let sim = open(
            backend,
            GeneratorUnit::default(),
            "generator_unit",
            &Options::default(),
        );
        let mut unit = BoardUnit::new(sim.expect("the model can be built"));
        let (valid, passing) = (unit.port("valid"), unit.port("passing"));
        let legal = (0..ORIENTATIONS).map(|o| unit.port(&format!("legal${o}")));
        let ports: Vec<_> = std::iter::once(unit.port("row")).chain(legal).collect();
        let rows = [unit.port("own_row"), unit.port("opponent_row")];
        let verdicts = unit.sim.sample(valid, &ports).expect("a list");
        let rows = unit.sim.sample(passing, &rows).expect("a list");
        Self {
            unit,
            verdicts,
            rows,
        }
    }

    /// Requests a legal set and runs its cycles. Returns the cycle of the request.
    pub fn stream(&mut self, side: u64) -> u64 {
        let clock = self.unit.stream(side);
        self.unit.step(STREAM);
        clock
    }

    /// Takes the reports since the last call.
    pub fn reports(&mut self) -> Reports {
        let mut reports = Reports::default();
        for Sample {
            clock,
            list,
            values,
        } in self.unit.sim.samples().expect("the simulator runs")
        {
            if list == self.verdicts {
                let columns = std::array::from_fn(|o| values[o + 1] as u16);
                reports.verdicts.push((clock, values[0] as usize, columns));
            } else if list == self.rows {
                reports
                    .rows
                    .push((clock, values[0] as u16, values[1] as u16));
            }
        }
        reports
    }
}

/// Assembles the verdicts of one stream, which must be in row order.
pub fn assemble(verdicts: &[(u64, usize, [u16; ORIENTATIONS])]) -> Legal {
    let rows: Vec<_> = verdicts.iter().map(|(_, row, _)| *row).collect();
    assert_eq!(rows, (0..14).collect::<Vec<_>>(), "each row once, in order");
    std::array::from_fn(|y| verdicts[y].2)
}
