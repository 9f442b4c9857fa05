//! Ctrl-C: the first one requests an orderly end, the second one ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, Result};

/// Exit status of an interrupted program: 128 + the number of SIGINT.
pub const INTERRUPTED: i32 = 130;

/// Flag that Ctrl-C sets.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the handler of Ctrl-C. The first Ctrl-C prints `notice`; without a notice it ends
    /// the program.
    pub fn catch(notice: Option<&'static str>) -> Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        let handler = move || match notice {
            Some(notice) if !flag.0.swap(true, Ordering::Relaxed) => note!("\n{notice}"),
            _ => process::exit(INTERRUPTED),
        };
        ctrlc::set_handler(handler).map_err(|error| {
            Failure::new(
                "duoforge::signal",
                format!("cannot install the handler of Ctrl-C: {error}"),
            )
        })?;
        Ok(interrupt)
    }

    /// True if Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
