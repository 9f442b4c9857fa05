//! Child processes that end together with all processes they started.
//!
//! A [`Child`] leads a process group: its descendants join the group, a terminal's Ctrl-C does not
//! reach it, and one signal kills all of it. A thread reads the child's standard error, so that the
//! child never blocks on that pipe, and keeps the end of the text. Once the program exits, or when
//! the value is dropped, the rest of the group is killed.
//!
//! ```
//! use std::process::{Command, Stdio};
//! use std::time::Duration;
//! use duoforge_process::Child;
//!
//! let mut command = Command::new("sh");
//! command.args(["-c", "echo 'out of memory' >&2; exit 3"]);
//! let mut child = Child::start(command.stderr(Stdio::piped()), 2000)?;
//! let end = child.end(Duration::from_secs(60))?;
//! assert_eq!((end.status.code(), end.killed), (Some(3), false));
//! assert_eq!(child.tail(), "out of memory");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! The crate calls `nix` and does not use the crate `process-wrap`, for two reasons:
//!
//! - `process-wrap` collects the exit status of the group's leader at each poll, before the group
//!   is killed. From then on the system may give the group's number to another group. On Linux a
//!   [`Child`] polls without collecting the status, kills the group, and collects the status last.
//! - `process-wrap` kills a group only through its exclusive handle. A handler for Ctrl-C kills
//!   groups while other threads wait for them: [`Group::kill`], or [`exit`] for all of them.
//!
//! A `LineChild` converses in lines, and [`Limits`] bound the memory and the CPU time of a program
//! (both on Unix only).
//!
//! On systems without process groups, only the program itself is killed.

mod child;
mod group;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod line_child;
mod tail;

pub use child::{Child, End};
pub use group::{Group, exit};
#[cfg(unix)]
pub use limits::Limits;
#[cfg(unix)]
pub use line_child::{Line, LineChild, LineError, MAX_LINE};
