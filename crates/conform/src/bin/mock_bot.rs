//! Program of the text bots with a fault for the tests of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    duoforge_conform::mock::bot::main()
}
