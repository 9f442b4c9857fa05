//! rust-hdl's own stepping of a block, behind the simulators' common interface.

use rust_hdl_core::prelude::*;

use crate::design::Model;

/// Passes in which a block must settle; its logic is far shallower.
const PASSES: usize = 200;

/// A block whose ports can be reached by name.
pub trait Ported: Block {
    /// Drives an input; `false` if there is none of that name.
    fn poke(&mut self, port: &str, value: u64) -> bool;

    /// The value of a port, if there is one of that name.
    fn peek(&self, port: &str) -> Option<u64>;

    /// Sets the level of the clock.
    fn set_clock(&mut self, level: bool);
}

/// A connected block, stepped in this process.
#[derive(Debug)]
pub struct BlockModel<B>(B);

impl<B: Ported> BlockModel<B> {
    /// Connects the block and lets it settle.
    ///
    /// # Panics
    /// If it does not settle, that is, if it holds a combinational loop.
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

/// A signal's value as a number.
pub trait PortValue: Synth {
    /// From the low bits of a number.
    fn from_number(value: u64) -> Self;
    /// As a number.
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
/// Elements of arrays of ports are called `name$0`, `name$1` and so on, as in the Verilog text. A
/// block without a clock says so with `combinational`.
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
