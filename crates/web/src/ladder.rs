//! Ladders over the journals that the service follows. A ladder is computed when a client asks for
//! it, and again only if a journal has a further result.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use duoforge_journal::History;
use duoforge_rules::GameVariant;
use duoforge_tournament::{Ladder, LadderUnit, games_by_variant};

use crate::dto::{LadderUnitView, LadderView};
use crate::feed::{Feed, ResultCounts};
use crate::position::shown;
use crate::problem::Problem;

/// Ladders of the service.
pub struct Ladders {
    feed: Arc<Feed>,
    kept: Mutex<Kept>,
}

/// Results so far, and the ladders that were computed of them.
#[derive(Default)]
struct Kept {
    counts: Option<ResultCounts>,
    histories: Vec<History>,
    /// Number of finished games by variant.
    games: BTreeMap<String, u64>,
    /// Ladders as JSON by variant and unit.
    texts: BTreeMap<(String, LadderUnitView), Bytes>,
}

impl Ladders {
    /// Creates the ladders of a feed; none is computed yet.
    pub fn new(feed: Arc<Feed>) -> Self {
        let kept = Mutex::default();
        Self { feed, kept }
    }

    /// Returns a ladder as JSON. Requests at the same time share one computation.
    pub fn text(&self, variant: &str, unit: LadderUnitView) -> Result<Bytes, Problem> {
        self.with_kept(|kept| {
            kept.check(variant)?;
            let key = (variant.to_owned(), unit);
            if let Some(text) = kept.texts.get(&key) {
                return Ok(text.clone());
            }
            let own = match unit {
                LadderUnitView::Version => LadderUnit::Version,
                LadderUnitView::Player => LadderUnit::Player,
            };
            let ladder = Ladder::new(&kept.histories, variant, own);
            let view = LadderView::new(ladder, unit, &kept.games);
            let text = serde_json::to_vec(&view).expect("ladders are made of texts and numbers");
            let text = Bytes::from(text);
            kept.texts.insert(key, text.clone());
            Ok(text)
        })
    }

    /// Checks that a variant is built in, or that a rated journal has games of it.
    pub fn check(&self, variant: &str) -> Result<(), Problem> {
        self.with_kept(|kept| kept.check(variant))
    }

    fn with_kept<T>(&self, action: impl FnOnce(&mut Kept) -> T) -> T {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((counts, histories)) = self.feed.rated(kept.counts.as_ref()) {
            *kept = Kept {
                counts: Some(counts),
                games: games_by_variant(&histories),
                histories,
                texts: BTreeMap::new(),
            };
        }
        action(&mut kept)
    }
}

impl Kept {
    fn check(&self, variant: &str) -> Result<(), Problem> {
        if self.games.contains_key(variant) || GameVariant::named(variant).is_some() {
            return Ok(());
        }
        let name = shown(variant);
        Err(
            Problem::request(format!("no game of a variant '{name}' is rated"))
                .help("GET /api/v1/variants lists the built-in variants"),
        )
    }
}

#[cfg(test)]
mod tests {
    use duoforge_journal::{Begun, Ended, GameResult, Header, Journal, Kind, Record, now_ms};

    use super::*;

    fn ended(game: u32) -> Record {
        Record::Ended(Ended {
            game,
            attempt: 1,
            result: GameResult::One,
            ending: "both-passed".to_owned(),
            detail: "both passed".to_owned(),
            score: [3, 0],
            cells_placed: [3, 0],
            teams: [None, None],
            plies: 0,
            evidence: None,
            at_ms: now_ms(),
        })
    }

    /// The same bytes at the same place are the same computation.
    #[test]
    fn a_ladder_is_computed_once_for_each_result() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cup.journal");
        let header = Header::new(Kind::Match, "Cup", "[]");
        let journal = Journal::create(&path, header).unwrap();
        let games = directory.path().join("games");
        let feed = Arc::new(Feed::new(vec![path.clone()], games));
        feed.poll();
        let ladders = Ladders::new(Arc::clone(&feed));
        let append = |record| {
            journal.append(&record).unwrap();
            feed.refresh(&path);
        };
        let text = |unit| ladders.text("duo", unit).unwrap();
        let empty = text(LadderUnitView::Version);
        append(Record::Begun(Begun::new(1, 1, ["A", "B"])));
        assert_eq!(empty.as_ptr(), text(LadderUnitView::Version).as_ptr());
        append(ended(1));
        let one = text(LadderUnitView::Version);
        assert_ne!(empty, one);
        assert_ne!(one, text(LadderUnitView::Player));
        assert_eq!(one.as_ptr(), text(LadderUnitView::Version).as_ptr());
        append(Record::Begun(Begun::new(2, 1, ["A", "B"])));
        assert_eq!(one.as_ptr(), text(LadderUnitView::Version).as_ptr());
        append(ended(2));
        assert_ne!(one, text(LadderUnitView::Version));
        assert!(ladders.text("chess", LadderUnitView::Version).is_err());
        assert!(ladders.text("classic", LadderUnitView::Version).is_ok());
    }
}
