//! `duoforge-mock KIND`: a player with one specific fault.

use std::process::ExitCode;

fn main() -> ExitCode {
    duoforge_conform::mock::main()
}
