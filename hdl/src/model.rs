//! In-process simulation of a block by rust-hdl, with the simulators' common interface.

use rust_hdl_core::prelude::*;

use crate::design::Model;

/// Evaluation passes within which a block must settle; its logic is far shallower.
const PASSES: usize = 200;

/// Block with ports that are accessible by name.
pub trait Ported: Block {
    /// Drives an input port. Returns false if the block has no input of that name.
    fn poke(&mut self, port: &str, value: u64) -> bool;

    /// Returns the value of a port, or `None` if the block has no port of that name.
    fn peek(&self, port: &str) -> Option<u64>;

    /// Sets the level of the clock.
    fn set_clock(&mut self, level: bool);
}

/// Connected block, stepped in this process.
#[derive(Debug)]
pub struct BlockModel<B>(B);

impl<B: Ported> BlockModel<B> {
    /// Connects the block and settles it.
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
        self.0.set_clock(true);
        self.settle();
        self.0.set_clock(false);
        self.settle();
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

/// Implements [`Ported`] for a block from the names of its ports.
///
/// The elements of a port array are called `name$0`, `name$1` and so on, as in the Verilog text.
/// The keyword `combinational` marks a block without a clock.
#[macro_export]
macro_rules! ported {
    ($block:ty; $($rest:tt)*) => {
        impl $crate::model::Ported for $block {
            $crate::ported!(@ports $($rest)*);

            fn set_clock(&mut self, level: bool) {
                self.clock.next = rust_hdl_core::prelude::Clock { clk: level };
            }
        }
    };
    (combinational $block:ty; $($rest:tt)*) => {
        impl $crate::model::Ported for $block {
            $crate::ported!(@ports $($rest)*);

            fn set_clock(&mut self, _level: bool) {}
        }
    };
    (@ports in $($input:ident)* $([$($inputs:ident)*])?;
        out $($output:ident)* $([$($outputs:ident)*])?) => {
        fn poke(&mut self, port: &str, value: u64) -> bool {
            match port {
                $(stringify!($input) => {
                    self.$input.next = $crate::model::PortValue::from_number(value);
                })*
                _ => match port.split_once('$') {
                    $($(Some((stringify!($inputs), index)) => {
                        let index = index.parse::<usize>().ok();
                        let Some(signal) = index.and_then(|i| self.$inputs.get_mut(i)) else {
                            return false;
                        };
                        signal.next = $crate::model::PortValue::from_number(value);
                    })*)?
                    _ => return false,
                },
            }
            true
        }

        fn peek(&self, port: &str) -> Option<u64> {
            match port {
                $(stringify!($input) => {
                    Some($crate::model::PortValue::number(self.$input.val()))
                })*
                $(stringify!($output) => {
                    Some($crate::model::PortValue::number(self.$output.val()))
                })*
                _ => match port.split_once('$') {
                    $($(Some((stringify!($inputs), index)) => {
                        let signal = self.$inputs.get(index.parse::<usize>().ok()?)?;
                        Some($crate::model::PortValue::number(signal.val()))
                    })*)?
                    $($(Some((stringify!($outputs), index)) => {
                        let signal = self.$outputs.get(index.parse::<usize>().ok()?)?;
                        Some($crate::model::PortValue::number(signal.val()))
                    })*)?
                    _ => None,
                },
            }
        }
    };
}
