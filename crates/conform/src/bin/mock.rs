//! Program of the mocks for the tests of this crate. It is installed as `duoforge-mock`, with the
//! command `duoforge`.

use std::process::ExitCode;

fn main() -> ExitCode {
    duoforge_conform::mock::main()
}
