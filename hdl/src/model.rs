//! In-process simulation of a block by rust-hdl, with the simulators' common interface.

use rust_hdl_core::prelude::*;

use crate::design::{CLOCK, Model};

/// Evaluation passes within which a block must settle; its logic is far shallower.
const PASSES: usize = 200;

/// Block with ports that are accessible by name.
///
/// The elements of a port array are called `name$0`, `name$1` and so on, as in the Verilog text.
/// The macro `block!` implements the trait.
pub trait Ported: Block {
    /// Drives an input port. Returns false if the block has no input of that name.
    fn poke(&mut self, port: &str, value: u64) -> bool;

    /// Returns the value of a port, or `None` if the block has no port of that name.
    fn peek(&self, port: &str) -> Option<u64>;
}

/// Connected block, stepped in this process.
#[derive(Debug)]
pub struct BlockModel<B>(B);

impl<B: Ported> BlockModel<B> {
    /// Connects the block and evaluates it.
    ///
    /// # Panics
    /// If the block does not settle, that is, if it contains a combinational loop.
    pub fn new(mut block: B) -> Self {
        block.connect_all();
        let mut model = Self(block);
        model.settle();
        model
    }
}

impl<B: Ported> Model for BlockModel<B> {
    fn poke(&mut self, port: &str, value: u64) {
        assert!(self.0.poke(port, value), "the block has no input {port}");
    }

    fn settle(&mut self) {
        assert!(simulate(&mut self.0, PASSES), "the block does not settle");
    }

    fn peek(&self, port: &str) -> u64 {
        self.0
            .peek(port)
            .unwrap_or_else(|| panic!("the block has no port {port}"))
    }

    fn tick(&mut self) {
        self.settle();
        // A combinational block has no clock.
        for level in [1, 0] {
            self.0.poke(CLOCK, level);
            self.settle();
        }
    }
}

/// Conversion between a port's value and a number.
pub trait PortValue: Synth {
    /// Returns the value in the low bits of a number.
    fn from_number(value: u64) -> Self;
    /// Returns the value as a number.
    fn number(self) -> u64;
}

impl PortValue for Bit {
    fn from_number(value: u64) -> Self {
        value & 1 == 1
    }

    fn number(self) -> u64 {
        self.into()
    }
}

impl<const N: usize> PortValue for Bits<N> {
    fn from_number(value: u64) -> Self {
        value.into()
    }

    fn number(self) -> u64 {
        self.to_u64()
    }
}

impl PortValue for Clock {
    fn from_number(value: u64) -> Self {
        Self {
            clk: value & 1 == 1,
        }
    }

    fn number(self) -> u64 {
        self.clk.into()
    }
}

/// Returns the element of the port `name` that `port` denotes: `Some(None)` for the port itself,
/// `None` if `port` denotes another port.
pub(crate) fn element(port: &str, name: &str) -> Option<Option<usize>> {
    match port.strip_prefix(name)? {
        "" => Some(None),
        rest => rest.strip_prefix('$')?.parse().ok().map(Some),
    }
}

/// Port of a block, or array of ports.
pub(crate) trait PortField {
    /// Drives the port, or this element of the array. Returns false if it is not an input.
    fn poke(&mut self, element: Option<usize>, value: u64) -> bool;

    /// Returns the value of the port, or of this element of the array.
    fn peek(&self, element: Option<usize>) -> Option<u64>;
}

impl<T: PortValue> PortField for Signal<In, T> {
    fn poke(&mut self, element: Option<usize>, value: u64) -> bool {
        if element.is_none() {
            self.next = T::from_number(value);
        }
        element.is_none()
    }

    fn peek(&self, element: Option<usize>) -> Option<u64> {
        element.is_none().then(|| self.val().number())
    }
}

impl<T: PortValue> PortField for Signal<Out, T> {
    fn poke(&mut self, _element: Option<usize>, _value: u64) -> bool {
        false
    }

    fn peek(&self, element: Option<usize>) -> Option<u64> {
        element.is_none().then(|| self.val().number())
    }
}

impl<P: PortField, const N: usize> PortField for [P; N] {
    fn poke(&mut self, element: Option<usize>, value: u64) -> bool {
        let port = element.and_then(|index| self.get_mut(index));
        port.is_some_and(|port| port.poke(None, value))
    }

    fn peek(&self, element: Option<usize>) -> Option<u64> {
        self.get(element?)?.peek(None)
    }
}
