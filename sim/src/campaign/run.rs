//! Games of a campaign, spread over simulators.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use super::{Campaign, GAMES_PER_RESET, GameReport, Report};
use crate::device::SimDevice;
use crate::error::Result;

/// Result of a game with its number.
type Numbered = (u64, Result<GameReport>);

/// State that the workers share.
struct Work<'a> {
    campaign: &'a Campaign,
    /// Numbers of the games of each block; a reset precedes a block.
    blocks: &'a [&'a [u64]],
    /// Next block to play.
    next: AtomicUsize,
    /// True after an error.
    stop: AtomicBool,
}

impl Campaign {
    /// Plays all games and calls `progress` after each one. A game ends at its first mismatch.
    ///
    /// # Errors
    /// Errors of building and running the model. A mismatch is not an error; the report lists it.
    pub fn run(&self, progress: impl FnMut(u64, &GameReport)) -> Result<Report> {
        let all: Vec<u64> = (0..self.games).collect();
        self.run_games(&all, progress)
    }

    /// Plays some of the games, given by their numbers in ascending order, and calls `progress`
    /// with the number and the report of each one that ends. A game is the same in every selection.
    ///
    /// # Errors
    /// As [`run`](Self::run): the error of the first game that has one.
    pub fn run_games(
        &self,
        numbers: &[u64],
        mut progress: impl FnMut(u64, &GameReport),
    ) -> Result<Report> {
        let blocks = numbers.chunk_by(|a, b| a / GAMES_PER_RESET == b / GAMES_PER_RESET);
        let blocks: Vec<_> = blocks.collect();
        let jobs = usize::from(self.jobs).clamp(1, blocks.len().max(1));
        // The first worker's device: its model is built before the others search for it.
        let mut first = match blocks.is_empty() {
            true => None,
            false => Some(self.open(&self.options)?),
        };
        let started = Instant::now();
        let work = Work {
            campaign: self,
            blocks: &blocks,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        };
        let mut games = BTreeMap::new();
        let mut failed = BTreeMap::new();
        thread::scope(|scope| {
            let (sender, results) = channel();
            for _ in 0..jobs {
                let (device, sender, work) = (first.take(), sender.clone(), &work);
                scope.spawn(move || work.run(device, &sender));
            }
            drop(sender);
            for (number, result) in results {
                match result {
                    Ok(report) => {
                        progress(number, &report);
                        games.insert(number, report);
                    }
                    Err(error) => drop(failed.insert(number, error)),
                }
            }
        });
        match failed.pop_first() {
            Some((_, error)) => Err(error),
            None => Ok(Report {
                backend: self.backend,
                games: games.into_values().collect(),
                wall: started.elapsed(),
            }),
        }
    }
}

impl Work<'_> {
    /// Plays blocks until none is left.
    fn run(&self, mut device: Option<SimDevice>, results: &Sender<Numbered>) {
        while !self.stop.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = self.blocks.get(place) else {
                return;
            };
            if let Err(error) = self.play(&mut device, block, results) {
                self.stop.store(true, Ordering::Relaxed);
                // The receiver outlives the workers.
                let _ = results.send((block[0], Err(error)));
            }
        }
    }

    fn play(
        &self,
        device: &mut Option<SimDevice>,
        block: &[u64],
        results: &Sender<Numbered>,
    ) -> Result<()> {
        let campaign = self.campaign;
        if device.is_none() {
            *device = Some(campaign.open(&campaign.options)?);
        }
        let Some(device) = device else { return Ok(()) };
        let (first, last) = (
            block[0] - block[0] % GAMES_PER_RESET,
            block[block.len() - 1],
        );
        // Game 0 follows the power-up.
        if first > 0 {
            device.reset()?;
        }
        for number in first..=last {
            let mut report = campaign.pair(device).play(campaign.seed_of(number))?;
            if !block.contains(&number) {
                continue;
            }
            if let (Some(_), Some(waves)) = (&report.mismatch, &campaign.waves) {
                report.wave = Some(campaign.record(waves, number, &report)?);
            }
            let _ = results.send((number, Ok(report)));
        }
        Ok(())
    }
}
