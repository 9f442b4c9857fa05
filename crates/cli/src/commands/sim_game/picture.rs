//! Picture of a decision's waveform: from the prompt on the line to the reply on the line.

use std::path::Path;

use duoforge_hdl::controller::state::ControllerState;
use duoforge_pictures::{Span, Track, Values, Waveform, waveform_svg};
use duoforge_sim::uart::UartDecoder;
use duoforge_sim::waves::{Signals, scope};
use duoforge_sim::{Backend, SimError};

/// Draws the waveform in the VCD file `wave` of a device with `cycles_per_bit` on its serial line.
///
/// # Errors
/// The file cannot be read.
pub fn draw(wave: &Path, backend: Backend, cycles_per_bit: f64) -> Result<String, SimError> {
    let signals = Signals::read(wave)?;
    let view = View::new(&signals, backend);
    let line = |name: &'static str, side: &str| {
        let levels = view.changes(name);
        let levels: Vec<_> = levels.into_iter().map(|(at, it)| (at, it != 0)).collect();
        [
            track(&format!("{name}, {side}"), Values::Levels(levels)),
            track(
                "characters",
                Values::Spans(view.characters(name, cycles_per_bit)),
            ),
        ]
    };
    let [received, asked] = line("rx", "from the host");
    let [sent, replied] = line("tx", "to the host");
    let mut tracks = vec![received, asked];
    let states = view.states();
    if !states.is_empty() {
        tracks.push(track("controller", Values::Spans(states)));
    }
    tracks.extend([
        track("legal set", Values::Spans(view.legal_sets())),
        track("scores", Values::Spans(view.scores())),
        sent,
        replied,
    ]);
    Ok(waveform_svg(&Waveform {
        title: &format!("Prompt to reply, with {cycles_per_bit} cycles per bit on the line"),
        cycles: view.cycles,
        tracks,
    }))
}

fn track(name: &str, values: Values) -> Track {
    Track {
        name: name.to_owned(),
        values,
    }
}

/// Signals of the device, over cycles.
struct View<'a> {
    signals: &'a Signals,
    scope: &'static str,
    /// Units of time per cycle.
    period: f64,
    /// First and last cycle.
    cycles: [f64; 2],
}

impl<'a> View<'a> {
    fn new(signals: &'a Signals, backend: Backend) -> Self {
        let scope = scope(backend);
        let clock = signals
            .changes(&format!("{scope}.clock"))
            .unwrap_or_default();
        let mut rising = clock.iter().filter(|(_, level)| *level == 1);
        let period = match (rising.next(), rising.next()) {
            (Some((first, _)), Some((second, _))) => (second - first) as f64,
            _ => 1.0,
        };
        Self {
            signals,
            scope,
            period,
            cycles: signals.times().map(|time| time as f64 / period),
        }
    }

    /// Returns the changes of a signal by cycle.
    fn changes(&self, name: &str) -> Vec<(f64, u64)> {
        let found = self.signals.changes(&format!("{}.{name}", self.scope));
        let changes = found.unwrap_or_default().iter();
        changes
            .map(|&(time, value)| (time as f64 / self.period, value))
            .collect()
    }

    /// Returns the periods between changes, with the value of each.
    fn periods(&self, name: &str) -> Vec<([f64; 2], u64)> {
        let changes = self.changes(name);
        let ends = changes.iter().skip(1).map(|(cycle, _)| *cycle);
        let ends = ends.chain([self.cycles[1]]);
        let periods = changes.iter().zip(ends);
        periods
            .map(|(&(cycle, value), end)| ([cycle, end], value))
            .collect()
    }

    /// Returns the characters on a line, each from its start bit to its stop bit.
    fn characters(&self, name: &str, cycles_per_bit: f64) -> Vec<Span> {
        let mut decoder = UartDecoder::new(cycles_per_bit);
        let first = self.cycles[0];
        for (cycle, level) in self.changes(name) {
            decoder.change((cycle - first) as u64, level != 0);
        }
        decoder.pass((self.cycles[1] - first) as u64 + 2 * cycles_per_bit as u64);
        let received = decoder.take().into_iter();
        let span = received.map(|it| Span {
            cycles: [it.start, it.end].map(|cycle| first + cycle as f64),
            label: char::from(it.byte).escape_default().to_string(),
        });
        span.collect()
    }

    /// Returns the states of the controller.
    fn states(&self) -> Vec<Span> {
        let names = ControllerState::names();
        let named = |(cycles, value): ([f64; 2], u64)| Span {
            cycles,
            label: names
                .get(value as usize)
                .cloned()
                .unwrap_or(value.to_string()),
        };
        let periods = self.periods("controller.state$q").into_iter();
        periods.map(named).collect()
    }

    /// Returns the periods in which the generator streams a legal placement.
    fn legal_sets(&self) -> Vec<Span> {
        self.active("trace_valid", "legal placements")
    }

    /// Returns the periods in which a score is ready.
    fn scores(&self) -> Vec<Span> {
        self.active("score_valid", "scores of legal placements")
    }

    fn active(&self, name: &str, label: &str) -> Vec<Span> {
        let periods = self.periods(name).into_iter();
        let active = periods.filter(|(_, value)| *value != 0);
        let span = active.map(|(cycles, _)| Span {
            cycles,
            label: label.to_owned(),
        });
        span.collect()
    }
}
