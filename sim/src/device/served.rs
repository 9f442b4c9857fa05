//! Simulated devices as devices that hosts elsewhere can use.

use duoforge_links::{LinkError, Served};
use duoforge_protocol::INTER_BYTE_TIMEOUT;

use super::SimDevice;
use crate::impaired_device::ImpairedDevice;

impl Served for SimDevice {
    fn exchange(&mut self, bytes: &[u8]) -> std::result::Result<Vec<u8>, LinkError> {
        let answer = Self::exchange(self, bytes).map(|answer| answer.bytes);
        answer.map_err(|error| self.failed(error))
    }

    fn on_silence(&mut self) -> std::result::Result<(), LinkError> {
        let idle = self.idle(INTER_BYTE_TIMEOUT + INTER_BYTE_TIMEOUT / 10);
        idle.map_err(|error| self.failed(error))
    }
}

impl Served for ImpairedDevice {
    fn exchange(&mut self, bytes: &[u8]) -> std::result::Result<Vec<u8>, LinkError> {
        let answer = Self::exchange(self, bytes);
        answer.map_err(|error| self.board().failed(error))
    }

    fn on_silence(&mut self) -> std::result::Result<(), LinkError> {
        let result = Self::on_silence(self);
        result.map_err(|error| self.board().failed(error))
    }
}
