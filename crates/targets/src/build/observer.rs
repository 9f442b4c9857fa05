//! Observer of a build.

use std::time::Duration;

use super::stages::Stage;

/// Observer of a build's progress.
pub trait Observer {
    /// Reports the start of a stage.
    fn begin(&mut self, stage: Stage);
    /// Reports progress with the last line that the tool printed. Returns false to stop the build.
    fn tick(&mut self, line: &str) -> bool;
    /// Reports the successful end of a stage.
    fn end(&mut self, stage: Stage, time: Duration);
}

/// Observer that ignores all events.
impl Observer for () {
    fn begin(&mut self, _stage: Stage) {}
    fn tick(&mut self, _line: &str) -> bool {
        true
    }
    fn end(&mut self, _stage: Stage, _time: Duration) {}
}
