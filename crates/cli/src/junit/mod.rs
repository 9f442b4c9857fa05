//! JUnit files of reports.

pub mod campaign;
pub mod conform;
mod suite;
