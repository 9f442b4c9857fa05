//! Definition of a block: its ports and parts are written once.

/// Defines a block from its struct.
///
/// The struct lists the ports, which are public and documented, then the private parts. The macro
/// derives `LogicBlock` and implements [`Ported`](crate::model::Ported) from the ports.
///
/// rust-hdl's constants have no default, and other parts need parameters. Such fields are marked
/// `= given`, and `from` names a second struct that holds them. The macro defines that struct and
/// the conversion from it. All other fields take their default.
///
/// ```text
/// block! {
///     /// Transmitter.
///     pub struct Sender from SenderParts {
///         /// The only clock.
///         pub clock: Signal<In, Clock>,
///         /// Serial output.
///         pub tx: Signal<Out, Bit>,
///         left: DFF<Bits<4>>,
///         period: Constant<Bits<16>> = given,
///     }
/// }
/// ```
macro_rules! block {
    (
        $(#[$about:meta])*
        $vis:vis struct $block:ident $(<$(const $size:ident: usize),+>)? {
            $($(#[$port_about:meta])+ pub $port:ident: $port_type:ty,)*
            $($part:ident: $part_type:ty,)*
        }
    ) => {
        $crate::block::block!(@define
            $(#[$about])*
            #[derive(Default)]
            $vis struct $block ($(<$(const $size: usize),+>)?) ($(<$($size),+>)?) {
                $($(#[$port_about])+ pub $port: $port_type,)*
                $($part: $part_type,)*
            }
        );
    };
    (
        $(#[$about:meta])*
        $vis:vis struct $block:ident $(<$(const $size:ident: usize),+>)? from $parts:ident {
            $($(#[$port_about:meta])+ pub $port:ident: $port_type:ty $(= $port_given:ident)?,)*
            $($part:ident: $part_type:ty $(= $part_given:ident)?,)*
        }
    ) => {
        $crate::block::block!(@define
            $(#[$about])*
            $vis struct $block ($(<$(const $size: usize),+>)?) ($(<$($size),+>)?) {
                $($(#[$port_about])+ pub $port: $port_type,)*
                $($part: $part_type,)*
            }
        );

        $crate::block::block!(@parts
            $block $parts ($(<$(const $size: usize),+>)?) ($(<$($size),+>)?)
            [$($port: $port_type $(= $port_given)?,)* $($part: $part_type $(= $part_given)?,)*]
        );
    };
    (@define
        $(#[$about:meta])*
        $vis:vis struct $block:ident ($($sizes:tt)*) ($($names:tt)*) {
            $($(#[$port_about:meta])+ pub $port:ident: $port_type:ty,)*
            $($part:ident: $part_type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(LogicBlock)]
        $vis struct $block $($sizes)* {
            $($(#[$port_about])+ pub $port: $port_type,)*
            $($part: $part_type,)*
        }

        impl $($sizes)* $crate::model::Ported for $block $($names)* {
            fn poke(&mut self, port: &str, value: u64) -> bool {
                $(if let Some(index) = $crate::model::element(port, stringify!($port)) {
                    return $crate::model::PortField::poke(&mut self.$port, index, value);
                })*
                false
            }

            fn peek(&self, port: &str) -> Option<u64> {
                $(if let Some(index) = $crate::model::element(port, stringify!($port)) {
                    return $crate::model::PortField::peek(&self.$port, index);
                })*
                None
            }
        }
    };
    (@parts $block:ident $parts:ident ($($sizes:tt)*) ($($names:tt)*)
        [$($field:ident: $type:ty $(= $given:ident)?,)*]
    ) => {
        #[doc = concat!("Parts of [`", stringify!($block), "`] without a default.")]
        pub(crate) struct $parts $($sizes)* {
            $($(
                #[doc = concat!("Field that is ", stringify!($given), ".")]
                $field: $type,
            )?)*
        }

        impl $($sizes)* From<$parts $($names)*> for $block $($names)* {
            fn from(parts: $parts $($names)*) -> Self {
                Self {
                    $($field: $crate::block::block!(@value parts $field $($given)?),)*
                }
            }
        }
    };
    (@value $from:ident $field:ident) => { Default::default() };
    (@value $from:ident $field:ident given) => { $from.$field };
}

pub(crate) use block;

#[cfg(test)]
mod tests {
    use rust_hdl_core::prelude::*;

    use crate::design::Model;
    use crate::model::{BlockModel, Ported};

    block! {
        /// Adds a constant to each input.
        pub struct Adders<const N: usize> from AddersParts {
            /// Enables the sums.
            pub enable: Signal<In, Bit>,
            /// Numbers.
            pub numbers: [Signal<In, Bits<N>>; 2],
            /// Sums.
            pub sums: [Signal<Out, Bits<N>>; 2],
            inner: Signal<Local, Bits<N>>,
            added: Constant<Bits<N>> = given,
        }
    }

    impl<const N: usize> Logic for Adders<N> {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                self.inner.next = self.numbers[i].val() + self.added.val();
                self.sums[i].next = bits::<N>(0);
                if self.enable.val() {
                    self.sums[i].next = self.inner.val();
                }
            }
        }
    }

    fn adders() -> Adders<8> {
        Adders::from(AddersParts {
            added: Constant::new(bits::<8>(5)),
        })
    }

    #[test]
    fn ports_are_driven_and_read_by_name() {
        let mut model = BlockModel::new(adders());
        for (port, value) in [("enable", 1), ("numbers$0", 1), ("numbers$1", 2)] {
            model.poke(port, value);
        }
        model.tick();
        let values = ["sums$0", "sums$1", "numbers$1"].map(|port| model.peek(port));
        assert_eq!(values, [6, 7, 2]);
    }

    #[test]
    fn other_names_are_no_ports() {
        let mut block = adders();
        for port in [
            "sums$0",
            "numbers",
            "numbers$2",
            "inner",
            "enable$0",
            "clock",
        ] {
            assert!(!block.poke(port, 1), "{port}");
        }
        for port in ["sums", "sums$2", "inner", "added", "clock"] {
            assert_eq!(block.peek(port), None, "{port}");
        }
    }
}
