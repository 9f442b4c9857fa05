//! Variants.

use duoforge_rules::{
    ActionSpace, Cell, Colour, GameVariant, Owner, ScoringRule, VariantDefinition,
};
use duoforge_view::{Action, read_variant};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::moves::extract_move;

/// Rules of a game as data: board, colours, seats, passes, end, scoring and ties.
#[pyclass(name = "Variant", module = "duoforge", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyVariant(pub(crate) GameVariant);

#[pymethods]
impl PyVariant {
    /// Returns a built-in variant, for example `classic-2`.
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        named(name).map(Self)
    }

    /// Names of the built-in variants.
    #[staticmethod]
    fn built_in() -> Vec<String> {
        let names = GameVariant::BUILT_IN.iter().map(GameVariant::name);
        names.map(str::to_owned).collect()
    }

    /// Reads a custom variant from the text of a TOML file.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<Self> {
        read_variant(text).map(Self).map_err(value_error)
    }

    /// Returns the definition of the variant as the text of a TOML file.
    fn to_toml(&self) -> PyResult<String> {
        toml::to_string(&self.0.definition()).map_err(value_error)
    }

    /// Returns the variant with another scoring rule: `basic`, `advanced`, `alternative`, `cells`.
    fn with_scoring(&self, scoring: &str) -> PyResult<Self> {
        let rule = ScoringRule::named(scoring).ok_or_else(|| {
            let names = ScoringRule::ALL.map(ScoringRule::name).join(", ");
            value_error(format!(
                "no scoring rule is called '{scoring}': expected {names}"
            ))
        })?;
        Ok(Self(self.0.clone().with_scoring(rule)))
    }

    /// Name of the variant.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Number of columns, equal to the number of rows: 5 to 20.
    #[getter]
    fn size(&self) -> u8 {
        self.0.size()
    }

    /// Number of colours, 1 to 4.
    #[getter]
    fn colours(&self) -> usize {
        self.0.colour_count()
    }

    /// Number of seats, 1 to 4.
    #[getter]
    fn seats(&self) -> usize {
        self.0.seat_count()
    }

    /// Seat that owns each colour; None for a shared colour.
    #[getter]
    fn owners(&self) -> Vec<Option<u8>> {
        let owner = |colour| match self.0.owner(colour) {
            Owner::Seat(seat) => Some(seat.0),
            Owner::Shared => None,
        };
        self.0.colours().map(owner).collect()
    }

    /// Name of the scoring rule.
    #[getter]
    fn scoring(&self) -> &'static str {
        self.0.scoring().name()
    }

    /// Number of actions: all placements on the board, and the pass.
    #[getter]
    fn action_count(&self) -> usize {
        self.actions().len()
    }

    /// Action number of the pass, the greatest one.
    #[getter]
    fn pass_action(&self) -> u32 {
        self.actions().pass()
    }

    /// Returns the action number of a move.
    #[pyo3(name = "action")]
    fn action_number(&self, mv: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.read(mv).map(|action| action.number)
    }

    /// Returns the canonical code of a move; `0000` is the pass.
    fn code(&self, mv: &Bound<'_, PyAny>) -> PyResult<String> {
        self.read(mv).map(|action| action.code)
    }

    fn __repr__(&self) -> String {
        format!("Variant('{}')", self.0.name())
    }

    fn __hash__(&self) -> u64 {
        let letters = self.0.name().bytes();
        letters.fold(u64::from(self.0.size()), |hash, letter| {
            hash.wrapping_mul(31).wrapping_add(letter.into())
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let restore = py.import("duoforge._native")?.getattr("_restore_variant")?;
        Ok((restore, (self.to_toml()?,)))
    }
}

impl PyVariant {
    fn actions(&self) -> ActionSpace {
        ActionSpace::new(self.0.size())
    }

    fn read(&self, mv: &Bound<'_, PyAny>) -> PyResult<Action> {
        let actions = self.actions();
        let mv = extract_move(mv, &actions)?;
        Ok(Action::new(mv, &actions).expect("the move is on the board"))
    }
}

/// Returns the variant that an argument names or is; `duo` without an argument.
pub(crate) fn variant_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<GameVariant> {
    let Some(value) = value else {
        return Ok(GameVariant::DUO);
    };
    if let Ok(name) = value.extract::<String>() {
        return named(&name);
    }
    match value.cast::<PyVariant>() {
        Ok(variant) => Ok(variant.get().0.clone()),
        Err(_) => {
            let kind = value.get_type().name()?;
            let message = format!("a variant is a name (str) or a Variant, not {kind}");
            Err(PyTypeError::new_err(message))
        }
    }
}

/// Returns the start cells of the colours if the variant is Blokus Duo; `None` for another variant.
/// The first player of Blokus Duo may start at either cell.
pub(crate) fn duo_starts(variant: &GameVariant) -> Option<[Cell; 2]> {
    let [first, other] = [0, 1].map(|colour| GameVariant::DUO.starts(Colour(colour)).as_slice()[0]);
    let orders = [[first, other], [other, first]];
    let is_order = |starts: &[Cell; 2]| GameVariant::DUO.with_starts(starts) == *variant;
    orders.into_iter().find(is_order)
}

fn named(name: &str) -> PyResult<GameVariant> {
    GameVariant::named(name).cloned().ok_or_else(|| {
        let names: Vec<_> = GameVariant::BUILT_IN
            .iter()
            .map(|it| it.name().to_owned())
            .collect();
        let names = names.join(", ");
        value_error(format!("no variant is called '{name}': expected {names}"))
    })
}

/// Restores a variant from `Variant.to_toml`; in contrast to `Variant.from_toml` also a built-in
/// one, with its scoring rule and its start cells.
#[pyfunction]
#[pyo3(name = "_restore_variant")]
pub(crate) fn restore_variant(text: &str) -> PyResult<PyVariant> {
    let definition: VariantDefinition = toml::from_str(text).map_err(value_error)?;
    let Some(built_in) = GameVariant::named(&definition.name) else {
        return GameVariant::new(&definition)
            .map(PyVariant)
            .map_err(value_error);
    };
    let variant = built_in.clone().with_scoring(definition.scoring);
    if variant.definition() == definition {
        return Ok(PyVariant(variant));
    }
    // The other start cell of Blokus Duo.
    let on_board = |value: i64| u8::try_from(value).ok().filter(|&it| it < variant.size());
    let start = |starts: &Vec<[i64; 2]>| match starts[..] {
        [[x, y]] => Some(Cell::new(on_board(x)?, on_board(y)?)),
        _ => None,
    };
    let starts: Option<Vec<Cell>> = definition
        .colours
        .iter()
        .map(|it| start(&it.starts))
        .collect();
    let moved = starts
        .filter(|starts| starts.len() == variant.colour_count())
        .map(|starts| variant.with_starts(&starts));
    moved
        .filter(|moved| moved.definition() == definition)
        .map(PyVariant)
        .ok_or_else(|| value_error(format!("this is not the variant {}", definition.name)))
}
