//! Constructor macro for blocks with many signals and few values.

/// Builds a block from the fields that have a value and the names of the fields that take their
/// default.
///
/// rust-hdl's constants have no default, so a block that contains one cannot derive `Default`.
macro_rules! block {
    ($block:ident { $($field:ident: $value:expr,)* } default $($default:ident)*) => {
        $block { $($field: $value,)* $($default: Default::default(),)* }
    };
}

pub(crate) use block;
