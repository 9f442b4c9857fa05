//! Builds blocks that have many signals and few values.

/// A block from the fields that have a value, and the names of those that take their default.
///
/// rust-hdl's constants have no default, so a block that holds one cannot derive its own.
macro_rules! block {
    ($block:ident { $($field:ident: $value:expr,)* } default $($default:ident)*) => {
        $block { $($field: $value,)* $($default: Default::default(),)* }
    };
}

pub(crate) use block;
