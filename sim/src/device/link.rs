//! [`Link`] implementation for the serial line of the simulated device.

use std::time::Instant;

use duoforge_links::{Link, LinkError, Received, Sent};

use super::SimDevice;

impl SimDevice {
    pub(super) fn failed(&self, error: crate::SimError) -> LinkError {
        LinkError::Inside {
            name: self.describe(),
            source: Box::new(error),
        }
    }
}

impl Link for SimDevice {
    fn send(&mut self, bytes: &[u8]) -> std::result::Result<Sent, LinkError> {
        self.uart
            .send(&mut *self.sim, bytes)
            .map_err(|error| self.failed(error))?;
        self.anchor = (Instant::now(), self.now());
        Ok(Sent {
            at: self.anchor.0,
            simulated: Some(self.anchor.1),
        })
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> std::result::Result<Received<'b>, LinkError> {
        if self.early.is_empty() {
            let limit = self.anchor.1 + deadline.saturating_duration_since(self.anchor.0);
            let left = self.cycles_in(limit.saturating_sub(self.now()));
            self.early = self
                .uart
                .receive(&mut *self.sim, 1, left)
                .map_err(|error| self.failed(error))?;
        }
        let count = self.early.len().min(buf.len());
        let Some(last) = self.early[..count].last() else {
            return Err(LinkError::Timeout);
        };
        let simulated = Some(self.span(last.end));
        for (slot, received) in buf.iter_mut().zip(self.early.drain(..count)) {
            *slot = received.byte;
        }
        Ok(Received {
            bytes: &buf[..count],
            at: Instant::now(),
            simulated,
        })
    }

    fn describe(&self) -> String {
        format!("sim:{}", self.sim.backend())
    }

    /// Takes the bytes received so far without advancing the simulation.
    fn drain(&mut self) -> std::result::Result<Vec<u8>, LinkError> {
        let mut stale = std::mem::take(&mut self.early);
        stale.extend(
            self.uart
                .take(&mut *self.sim)
                .map_err(|error| self.failed(error))?,
        );
        Ok(stale.iter().map(|received| received.byte).collect())
    }
}
