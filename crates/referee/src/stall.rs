//! Host stall detection: measures when this process was not scheduled.
//!
//! A thread wakes up every few milliseconds and records its latency. If the process is stopped, or
//! the machine is suspended or swaps, one wake-up comes far too late. A reply timeout that overlaps
//! such a stall is shorter than its nominal length. The latency of ordinary wake-ups is the host
//! latency, which is added to every measured time.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two wake-ups.
const PERIOD: Duration = Duration::from_millis(5);

/// Latency above which a wake-up is a stall. Ordinary wake-ups are far less late, even on a busy
/// machine.
const STALL: Duration = Duration::from_millis(50);

/// Minimum advance of the clock that also counts suspended time.
const SUSPENDED: Duration = Duration::from_millis(500);

/// Number of wake-ups kept: the last ten seconds and more.
const BEATS: usize = 2_048;

/// Number of stalls kept.
const STALLS: usize = 256;

/// Duration of a host stall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostStall {
    /// Time in which no thread of this process ran, measured by the clock of the games.
    pub stopped: Duration,
    /// Time in which the machine was suspended, which that clock does not count.
    pub suspended: Duration,
}

impl HostStall {
    /// True if the host did not stall.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.stopped.is_zero() && self.suspended.is_zero()
    }
}

/// Stall with its start and end.
#[derive(Clone, Copy, Debug)]
struct Gap {
    from: Instant,
    to: Instant,
    suspended: Duration,
}

#[derive(Debug)]
struct State {
    last: Instant,
    /// The same instant on the clock that also counts suspended time.
    awake: Option<Duration>,
    /// Time and latency of each wake-up.
    beats: VecDeque<(Instant, Duration)>,
    gaps: VecDeque<Gap>,
}

/// Monitor of host stalls and host latency.
#[derive(Debug)]
pub struct StallMonitor(Mutex<State>);

impl StallMonitor {
    /// Monitor of this process. The first call starts its thread, which never ends.
    #[must_use]
    pub fn of_host() -> &'static Self {
        static PULSE: OnceLock<StallMonitor> = OnceLock::new();
        static THREAD: OnceLock<()> = OnceLock::new();
        let pulse = PULSE.get_or_init(|| Self::at(Instant::now(), boot_time()));
        THREAD.get_or_init(|| {
            // Without the thread the last wake-up would age, and everything would count as one
            // stall: no game would be lost on time. A process that cannot start a thread cannot
            // play either.
            thread::Builder::new()
                .name("pulse".to_owned())
                .spawn(|| {
                    loop {
                        thread::sleep(PERIOD);
                        pulse.beat(Instant::now(), boot_time());
                    }
                })
                .expect("a thread can be started");
        });
        pulse
    }

    const fn at(now: Instant, awake: Option<Duration>) -> Self {
        Self(Mutex::new(State {
            last: now,
            awake,
            beats: VecDeque::new(),
            gaps: VecDeque::new(),
        }))
    }

    /// Creates a monitor that has recorded these stalls, each with its start, and records no others
    /// for an hour.
    #[cfg(test)]
    pub(crate) fn noted(gaps: &[(Instant, HostStall)]) -> Self {
        let pulse = Self::at(Instant::now() + Duration::from_secs(3_600), None);
        pulse.state().gaps = gaps
            .iter()
            .map(|&(from, stall)| Gap {
                from,
                to: from + stall.stopped,
                suspended: stall.suspended,
            })
            .collect();
        pulse
    }

    fn beat(&self, now: Instant, awake: Option<Duration>) {
        let mut state = self.state();
        if let Some(gap) = state.gap(now, awake) {
            keep(&mut state.gaps, gap, STALLS);
        }
        let late = state.latency(now);
        keep(&mut state.beats, (now, late), BEATS);
        state.last = now;
        state.awake = awake;
    }

    /// Host stall between two instants, of which the second is about now.
    #[must_use]
    pub fn stall(&self, from: Instant, to: Instant) -> HostStall {
        self.stall_at(from, to, Instant::now(), boot_time())
    }

    fn stall_at(
        &self,
        from: Instant,
        to: Instant,
        now: Instant,
        awake: Option<Duration>,
    ) -> HostStall {
        let state = self.state();
        // A stall that has just ended may not be recorded yet.
        let open = state.gap(now, awake);
        let mut stall = HostStall::default();
        for gap in state.gaps.iter().copied().chain(open) {
            if gap.from <= to && gap.to >= from {
                let span = gap.to.min(to).saturating_duration_since(gap.from.max(from));
                stall.stopped += span;
                stall.suspended += gap.suspended;
            }
        }
        stall
    }

    /// Maximum host latency between an instant and now: of the last wake-up before the instant and
    /// of all later ones.
    #[must_use]
    pub fn latency(&self, from: Instant) -> Duration {
        let state = self.state();
        let open = state.latency(Instant::now());
        let mut worst = open;
        for &(at, late) in state.beats.iter().rev() {
            worst = worst.max(late);
            if at < from {
                break;
            }
        }
        worst
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the state partially changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Latency of a wake-up at this time.
    fn latency(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.last)
            .saturating_sub(PERIOD)
    }

    /// Stall since the last wake-up, if there was one.
    fn gap(&self, now: Instant, awake: Option<Duration>) -> Option<Gap> {
        let passed = now.saturating_duration_since(self.last);
        let awake = awake.zip(self.awake);
        let awake = awake.map_or(passed, |(now, last)| now.saturating_sub(last));
        let suspended = awake.saturating_sub(passed);
        let suspended = if suspended < SUSPENDED {
            Duration::ZERO
        } else {
            suspended
        };
        let stalled = self.latency(now) > STALL || !suspended.is_zero();
        stalled.then_some(Gap {
            from: self.last,
            to: now,
            suspended,
        })
    }
}

/// Appends a value and drops the oldest one at the maximum.
fn keep<T>(values: &mut VecDeque<T>, value: T, most: usize) {
    if values.len() == most {
        values.pop_front();
    }
    values.push_back(value);
}

/// Time since the machine started, suspended time included; `None` if the system does not report
/// it.
fn boot_time() -> Option<Duration> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use nix::time::{ClockId, clock_gettime};
        clock_gettime(ClockId::CLOCK_BOOTTIME)
            .ok()
            .map(Duration::from)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// Creates a monitor with wake-ups at these times in milliseconds, each with the advance of the
    /// boot clock.
    fn pulse(start: Instant, beats: &[(u64, u64)]) -> StallMonitor {
        let pulse = StallMonitor::at(start, Some(MS(0)));
        for &(at, ahead) in beats {
            pulse.beat(start + MS(at), Some(MS(at + ahead)));
        }
        pulse
    }

    #[test]
    fn beats_in_time_are_no_stall() {
        let start = Instant::now();
        let pulse = pulse(start, &[(5, 0), (12, 0), (40, 0), (46, 0)]);
        let now = start + MS(60);
        let stall = pulse.stall_at(start, now, now, Some(MS(60)));
        assert!(stall.is_none(), "{stall:?}");
    }

    #[test]
    fn a_stall_counts_as_far_as_it_lies_in_the_wait() {
        let start = Instant::now();
        let pulse = pulse(start, &[(5, 0), (1_005, 0), (1_010, 0)]);
        let at = |ms| start + MS(ms);
        let stopped = |from, to| {
            let now = at(1_012);
            pulse
                .stall_at(at(from), at(to), now, Some(MS(1_012)))
                .stopped
        };
        assert_eq!(stopped(0, 1_012), MS(1_000));
        assert_eq!(stopped(505, 1_012), MS(500));
        assert_eq!(stopped(0, 105), MS(100));
        assert_eq!(stopped(1_006, 1_012), MS(0));
    }

    #[test]
    fn a_stall_is_seen_before_the_beat_that_ends_it() {
        let start = Instant::now();
        let pulse = pulse(start, &[(5, 0)]);
        let now = start + MS(2_005);
        let stall = pulse.stall_at(start, now, now, Some(MS(2_005)));
        assert_eq!(stall.stopped, MS(2_000));
    }

    #[test]
    fn a_suspended_machine_is_seen_by_the_clock_that_goes_on() {
        let start = Instant::now();
        let pulse = pulse(start, &[(5, 0), (10, 60_000)]);
        let now = start + MS(15);
        let stall = pulse.stall_at(start, now, now, Some(MS(60_015)));
        assert_eq!(stall.suspended, MS(60_000));
        let after = pulse.stall_at(now, now, now, Some(MS(60_015)));
        assert!(after.is_none(), "{after:?}");
    }

    /// Limits: a wake-up may be 50 ms late after its period of 5 ms, and the boot clock less than
    /// 500 ms ahead.
    #[test]
    fn stalls_begin_beyond_their_bounds() {
        let start = Instant::now();
        let stall = |at: u64, ahead: u64| {
            let pulse = pulse(start, &[(5, 0), (5 + at, ahead)]);
            let now = start + MS(5 + at);
            pulse.stall_at(start, now, now, Some(MS(5 + at + ahead)))
        };
        let of = |stopped, suspended| HostStall {
            stopped: MS(stopped),
            suspended: MS(suspended),
        };
        assert_eq!(stall(55, 0), HostStall::default());
        assert_eq!(stall(56, 0), of(56, 0));
        assert_eq!(stall(5, 499), HostStall::default());
        assert_eq!(stall(5, 500), of(5, 500));
        assert_eq!(stall(60, 499), of(60, 0));
        assert!(!stall(56, 0).is_none() && !of(0, 1).is_none() && of(0, 0).is_none());
    }

    /// Maximum over the wake-ups from the last one before the instant.
    #[test]
    fn lateness_is_that_of_the_worst_beat_since() {
        let start = Instant::now() + Duration::from_secs(3_600);
        let pulse = pulse(start, &[(25, 0), (30, 0), (42, 0), (50, 0)]);
        let late = |from| pulse.latency(start + MS(from));
        assert_eq!(
            [late(0), late(26), late(31), late(43), late(60)],
            [20, 20, 7, 7, 3].map(MS)
        );
    }

    /// A wake-up at the instant itself is not before it.
    #[test]
    fn lateness_includes_the_beat_before_one_at_the_instant() {
        let start = Instant::now() + Duration::from_secs(3_600);
        let pulse = pulse(start, &[(25, 0), (30, 0), (42, 0)]);
        assert_eq!(pulse.latency(start + MS(30)), MS(20));
    }

    /// The clock is that of `/proc/uptime`, which counts suspended time in hundredths of a second.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_boot_clock_is_the_uptime_of_the_machine() {
        let uptime = || {
            let text = std::fs::read_to_string("/proc/uptime").unwrap();
            let seconds = text.split(' ').next().unwrap().parse().unwrap();
            Duration::from_secs_f64(seconds)
        };
        let before = uptime();
        let time = boot_time().unwrap();
        let after = uptime();
        let range = before.saturating_sub(MS(10))..=after + MS(20);
        assert!(range.contains(&time), "{time:?} of {range:?}");
    }

    #[test]
    fn old_beats_and_stalls_are_forgotten() {
        let mut values = VecDeque::new();
        for value in 0..5 {
            keep(&mut values, value, 3);
        }
        assert_eq!(values, [2, 3, 4]);
    }

    #[test]
    fn the_pulse_of_the_host_beats() {
        let pulse = StallMonitor::of_host();
        let from = Instant::now();
        thread::sleep(MS(40));
        assert!(!pulse.state().beats.is_empty());
        assert!(pulse.latency(from) < MS(10_000));
    }
}
