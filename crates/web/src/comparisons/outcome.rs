//! Outcomes of comparisons, as clients see them.

use super::{HardwareOutcome, HardwarePlayer, Mismatch};
use crate::dto::{Comparison, DecisionView, DifferenceView, JobStatus};

/// Comparison of the choice of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeviceChoice {
    /// Compared: the search is as long as that of the device.
    Compared,
    /// Compared if the search ends before its limit, which is below that of the device.
    IfSolved,
    /// Not compared: the device has an opening book or searches in the opponent's time.
    Ignored,
}

impl DeviceChoice {
    /// Returns the comparison for a device with this player, by a search of this number of
    /// simulations.
    pub(super) fn of(player: &HardwarePlayer, simulations: Option<u32>) -> Self {
        if !player.searches_alone {
            Self::Ignored
        } else if simulations == player.simulations {
            Self::Compared
        } else {
            Self::IfSolved
        }
    }
}

/// Writes the outcome of a comparison.
pub(super) fn finish(
    view: &mut Comparison,
    outcome: Result<HardwareOutcome, String>,
    device_choice: DeviceChoice,
) {
    view.status = JobStatus::Done;
    match outcome {
        Ok(HardwareOutcome::Compared {
            twin,
            hardware,
            mismatch,
        }) => {
            view.differences.extend(mismatch.map(difference));
            compare_device(view, &twin.reply, &hardware.reply);
            view.twin = Some(DecisionView::new(&twin, &hardware));
            view.hardware = Some(DecisionView::new(&hardware, &twin));
        }
        Ok(HardwareOutcome::Searched {
            twin,
            hardware,
            mismatch,
        }) => {
            view.differences.extend(mismatch.map(difference));
            let limit = view.simulations.map_or(0, u64::from);
            let is_compared = match device_choice {
                DeviceChoice::Compared => true,
                DeviceChoice::IfSolved => twin.simulations < limit,
                DeviceChoice::Ignored => false,
            };
            if is_compared {
                compare_device(view, &twin.reply, &hardware.reply);
            }
            view.twin = Some(DecisionView::searched(&twin, &hardware));
            view.hardware = Some(DecisionView::searched(&hardware, &twin));
        }
        Ok(HardwareOutcome::Deviated { ply, chosen }) => view.differences.push(DifferenceView {
            ply,
            what: "the choice of the player".to_owned(),
            twin: chosen.clone(),
            hardware: chosen,
            device: None,
        }),
        Ok(HardwareOutcome::Mismatched(mismatch)) => view.differences.push(difference(mismatch)),
        Ok(HardwareOutcome::Stopped) => view.status = JobStatus::Cancelled,
        Err(reason) => {
            view.status = JobStatus::Failed;
            view.reason = Some(reason);
        }
    }
}

/// Adds the difference of the device's choice, if there is one.
fn compare_device(view: &mut Comparison, twin: &str, hardware: &str) {
    let reply = view.device.as_ref().map(|device| device.reply.clone());
    if reply.as_deref().is_some_and(|reply| reply != hardware) {
        view.differences.push(DifferenceView {
            ply: view.ply,
            what: "the choice of the device".to_owned(),
            twin: twin.to_owned(),
            hardware: hardware.to_owned(),
            device: reply,
        });
    }
}

fn difference(mismatch: Mismatch) -> DifferenceView {
    DifferenceView {
        ply: mismatch.ply,
        what: mismatch.what,
        twin: mismatch.twin,
        hardware: mismatch.hardware,
        device: None,
    }
}
