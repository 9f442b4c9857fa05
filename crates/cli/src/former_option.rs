//! Options that have a new name.

use clap::Arg;
use clap::builder::UnknownArgumentValueParser;

/// Returns a hidden option with a former name, which is refused with the present name. It takes no
/// value, so that the error comes first, also if a value follows.
pub fn former(name: &'static str, present: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .hide(true)
        .num_args(0)
        .default_missing_value("")
        .value_parser(UnknownArgumentValueParser::suggest_arg(present))
}
