//! Log of events and samples that the caller has not taken yet.

use crate::port::PortId;
use crate::simulator::{Event, Sample};

/// Events and samples in the order of their cycles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    events: Vec<Event>,
    samples: Vec<Sample>,
}

impl Log {
    pub(crate) fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(crate) fn sample(&mut self, sample: Sample) {
        self.samples.push(sample);
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    pub(crate) fn take_events_of(&mut self, port: PortId) -> Vec<Event> {
        self.events
            .extract_if(.., |event| event.port == port)
            .collect()
    }

    pub(crate) fn take_samples(&mut self) -> Vec<Sample> {
        std::mem::take(&mut self.samples)
    }
}
