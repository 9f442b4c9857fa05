//! JUnit files of reports.

pub mod conform;
