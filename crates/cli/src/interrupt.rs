//! Ctrl-C: the first one asks for an orderly end, the second one ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, Result};

/// Exit status of a program that was interrupted: 128 + the number of SIGINT.
pub const INTERRUPTED: i32 = 130;

/// Whether Ctrl-C was pressed.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches Ctrl-C from now on. The first one prints `notice`; without a notice it ends the
    /// program at once.
    pub fn catch(notice: Option<&'static str>) -> Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        let handler = move || match notice {
            Some(notice) if !flag.0.swap(true, Ordering::Relaxed) => eprintln!("\n{notice}"),
            _ => process::exit(INTERRUPTED),
        };
        ctrlc::set_handler(handler).map_err(|error| {
            Failure::new(
                "duoforge::signal",
                format!("Ctrl-C cannot be caught: {error}"),
            )
        })?;
        Ok(interrupt)
    }

    /// Whether it was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
