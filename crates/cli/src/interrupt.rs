//! Ctrl-C: the first one requests an orderly end, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, Result};

/// Exit status of an interrupted program: 128 + the number of SIGINT.
pub const INTERRUPTED: i32 = 130;

/// True if Ctrl-C has requested an orderly end of the program.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Proof that the handler of Ctrl-C is installed.
#[derive(Clone, Debug)]
pub struct Interrupt(());

impl Interrupt {
    /// Installs the handler of Ctrl-C. The first Ctrl-C prints `notice`; without a notice it ends
    /// the program and all programs that it has started.
    pub fn catch(notice: Option<&'static str>) -> Result<Self> {
        let handler = move || match notice {
            Some(notice) if !REQUESTED.swap(true, Ordering::Relaxed) => note!("\n{notice}"),
            _ => duoforge_process::exit(INTERRUPTED),
        };
        ctrlc::set_handler(handler).map_err(|error| {
            Failure::new(
                "duoforge::signal",
                format!("cannot install the handler of Ctrl-C: {error}"),
            )
        })?;
        Ok(Self(()))
    }

    /// True if Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        is_requested()
    }
}

/// True if Ctrl-C has requested an orderly end of the program.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
