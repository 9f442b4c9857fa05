//! Words: vectors that consist of named fields.
//!
//! The macro `word!` lists the fields of a word once, from bit 0 on, with their widths. It makes a
//! constant of each field: the number of its lowest bit. Blocks read a field by
//! `word.val().get_bits::<5>(StepWord::CHILD)`, and place a value by `value <<
//! StepWord::CHILD.val()`.
//!
//! rust-hdl writes a constant as its name, which the Verilog text does not declare. [`Named`] lists
//! the constants of a word, and [`crate::verilog`] replaces the names by numbers.

use rust_hdl_core::prelude::*;

/// Number of a field's lowest bit, as the right side of a shift.
pub trait ShiftBy {
    /// Returns the number for a shift. rust-hdl leaves a call of this name out of the Verilog.
    fn val(self) -> LiteralType;
}

impl ShiftBy for usize {
    fn val(self) -> LiteralType {
        self as LiteralType
    }
}

/// Returns a word in which only the bit `index` is set.
pub const fn bit(index: usize) -> u64 {
    1 << index
}

/// Constants of a word with the names that rust-hdl gives them in Verilog.
#[derive(Debug)]
pub struct Named {
    /// Name of the word.
    pub word: &'static str,
    /// Bits of the word.
    pub bits: usize,
    /// Name and number of each constant.
    pub constants: &'static [(&'static str, u64)],
}

impl Named {
    /// Replaces the constants of this word by numbers in Verilog text.
    ///
    /// # Panics
    /// If the word has no constant of a name in the text.
    pub fn resolve(&self, text: String) -> String {
        let prefix = format!("{}$", self.word);
        let mut parts = text.split(&prefix);
        let Some(first) = parts.next().filter(|first| first.len() < text.len()) else {
            return text;
        };
        let mut out = first.to_owned();
        for part in parts {
            let inside = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            let end = part.find(|c| !inside(c)).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            let (_, number) = (self.constants.iter().find(|(known, _)| *known == name))
                .unwrap_or_else(|| panic!("{} has no constant `{name}`", self.word));
            // As rust-hdl writes literals: an index into a long vector has 64 bits.
            let indexes = out.ends_with('[') && rest.starts_with(']');
            let width = match *number > u64::from(u32::MAX) {
                true => self.bits,
                false if indexes && self.bits > 32 => 64,
                false => 32,
            };
            out += &format!("{width}'h{number:x}{rest}");
        }
        out
    }
}

/// Defines a word by the names and widths of its fields, from bit 0 on.
///
/// The word gets a constant for each field, its width `BITS` and the list `NAMED`. A block `with`
/// adds numbers, for example words in which one bit is set. Every word must be listed in
/// [`crate::verilog`].
macro_rules! word {
    ($(#[$about:meta])* $vis:vis $word:ident {
        $($(#[$field_about:meta])* $field:ident: $width:expr,)*
    } $(with {
        $($(#[$value_about:meta])* $value:ident = $number:expr,)*
    })?) => {
        $(#[$about])*
        #[derive(Debug)]
        $vis enum $word {}

        impl $word {
            $crate::word::word!(@fields 0; $($(#[$field_about])* $field: $width,)*);
            $($($(#[$value_about])*
            pub const $value: rust_hdl_core::prelude::LiteralType = $number;)*)?
            /// Constants of the word, for the emitted Verilog.
            pub const NAMED: $crate::word::Named = $crate::word::Named {
                word: stringify!($word),
                bits: Self::BITS,
                constants: &[
                    $((stringify!($field), Self::$field as u64),)*
                    $($((stringify!($value), Self::$value),)*)?
                ],
            };
        }
    };
    (@fields $at:expr;) => {
        /// Bits of the word.
        pub const BITS: usize = $at;
    };
    (@fields $at:expr; $(#[$about:meta])* $field:ident: $width:expr, $($rest:tt)*) => {
        $(#[$about])*
        pub const $field: usize = $at;
        $crate::word::word!(@fields $at + $width; $($rest)*);
    };
}

pub(crate) use word;

word! {
    /// Placement on a bus.
    pub PlacementWord {
        /// Orientation, 0 to 90.
        ORIENTATION: 7,
        /// Column of the anchor.
        X: 4,
        /// Row of the anchor.
        Y: 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    word! {
        /// Word of the tests.
        Short {
            /// Lowest bit.
            FLAG: 1,
            /// Number above it.
            NUMBER: 4,
        }
    }

    word! {
        /// Word of more than 32 bits.
        Long {
            /// Lower part.
            LOW: 34,
            /// Highest bit.
            TOP: 1,
        } with {
            /// Word in which only the highest bit is set.
            ONLY_TOP = bit(Self::TOP),
        }
    }

    #[test]
    fn fields_follow_each_other() {
        assert_eq!((Short::FLAG, Short::NUMBER), (0, 1));
        assert_eq!((Short::BITS, Long::BITS), (5, 35));
        assert_eq!(Long::ONLY_TOP, 1 << 34);
        let shifted: Bits<5> = bits::<5>(9) << Short::NUMBER.val();
        assert_eq!(shifted, bits::<5>(18));
    }

    #[test]
    fn names_become_the_literals_of_rust_hdl() {
        let text = "a[Short$FLAG] = b[(Short$NUMBER)+:(4)] << Short$NUMBER;".to_owned();
        assert_eq!(
            Short::NAMED.resolve(text),
            "a[32'h0] = b[(32'h1)+:(4)] << 32'h1;"
        );
        let text = "a = ((Long$ONLY_TOP) & 35'h1) | b[Long$TOP];".to_owned();
        assert_eq!(
            Long::NAMED.resolve(text),
            "a = ((35'h400000000) & 35'h1) | b[64'h22];"
        );
    }

    #[test]
    fn other_text_stays() {
        let text = "case (state$q) State$Idle: x = Other$NUMBER;";
        assert_eq!(Short::NAMED.resolve(text.to_owned()), text);
    }

    #[test]
    #[should_panic(expected = "Short has no constant `NUMBERS`")]
    fn unknown_names_are_refused() {
        Short::NAMED.resolve("x = Short$NUMBERS;".to_owned());
    }
}
