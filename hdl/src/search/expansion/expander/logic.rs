//! Logic of the expander: a request's state machine, and the connections of the parts.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::{Expander, ExpanderState};
use crate::search::position_ring::Rows;
use crate::word::{PlacementWord, ShiftBy};

impl Logic for Expander {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            step,
            request_side,
            request_value,
            list_only
        );
        dff_setup!(
            self,
            clock,
            all_tiles,
            legal_counter,
            list_done,
            entries_start
        );
        clock!(
            self,
            clock,
            position_ring,
            tile_filter,
            prior_maps,
            placement_scan,
            prior_scorer,
            network,
            score_patches,
            network_scorer,
            ranking,
            priors
        );

        // Tile filter.
        for i in 0..2 {
            self.tile_filter.used[i].next = self.position_ring.used[i].val();
        }
        self.tile_filter.side.next = self.request_side.q.val();
        self.tile_filter.all.next = self.all_tiles.q.val();

        // Row stream: the 14 rows of the position ring, then empty ones. The windows cover anchor
        // row 0 once eight rows have been pushed.
        self.next_step.next = self.step.q.val() + 1;
        self.row_available.next = self.position_ring.valid.val() | self.position_ring.idle.val();
        self.windows_filled.next = self.step.q.val() >= bits::<5>(8);
        self.placement_scan.load.next = (self.state.q.val() == ExpanderState::Rows)
            & self.row_available.val()
            & self.windows_filled.val()
            & self.placement_scan.ready.val();
        self.push.next = (self.state.q.val() == ExpanderState::Rows)
            & self.row_available.val()
            & ((!self.windows_filled.val()) | self.placement_scan.ready.val());

        // The network takes the rows of the maps, which follow two steps later, and two empty rows.
        self.network_fed.next = self.step.q.val() >= bits::<5>(18);
        self.network.load.next = (self.state.q.val() == ExpanderState::Network)
            & self.row_available.val()
            & (self.step.q.val() >= bits::<5>(2))
            & (!self.network_fed.val())
            & self.network.ready.val();
        self.advance.next = self.push.val()
            | self.network.load.val()
            | ((self.state.q.val() == ExpanderState::Network)
                & self.row_available.val()
                & (self.step.q.val() < bits::<5>(2)));
        self.idle.next = (self.state.q.val() == ExpanderState::Idle)
            & self.position_ring.idle.val()
            & (!self.list_done.q.val());
        self.scan_start.next = false;
        self.entries_start.d.next = false;
        self.list_done.d.next = false;
        self.network.start.next = false;
        self.coming_step.next = self.step.q.val();
        self.scorers_idle.next = self.prior_scorer.idle.val() & self.network_scorer.idle.val();
        match self.state.q.val() {
            ExpanderState::Idle => {
                self.coming_step.next = bits::<5>(0);
                if self.idle.val() & (self.score.val() | self.list.val()) {
                    self.scan_start.next = true;
                    self.request_side.d.next = self.side.val();
                    self.request_value.d.next = self.value.val();
                    if self.side.val() {
                        self.request_value.d.next = !self.value.val();
                    }
                    self.list_only.d.next = self.list.val();
                    self.all_tiles.d.next = self.list.val();
                    self.state.d.next = ExpanderState::Rows;
                    if self.network.exists.val() & self.score.val() {
                        self.network.start.next = true;
                        self.state.d.next = ExpanderState::Network;
                    }
                }
            }
            ExpanderState::Network => {
                if self.advance.val() {
                    self.coming_step.next = self.next_step.val();
                }
                if self.network_fed.val() & self.network.ready.val() {
                    self.coming_step.next = bits::<5>(0);
                    self.scan_start.next = true;
                    self.state.d.next = ExpanderState::Rows;
                }
            }
            ExpanderState::Rows => {
                if self.advance.val() {
                    self.coming_step.next = self.next_step.val();
                    if self.step.q.val() == bits::<5>(21) {
                        self.coming_step.next = bits::<5>(0);
                        self.state.d.next = ExpanderState::Finish;
                    }
                }
            }
            ExpanderState::Finish => {
                if self.placement_scan.idle.val() & self.scorers_idle.val() {
                    if self.list_only.q.val() {
                        self.list_done.d.next = true;
                        self.state.d.next = ExpanderState::Idle;
                    } else if (!self.ranking.any.val())
                        & (!self.all_tiles.q.val())
                        & self.tile_filter.others.val()
                    {
                        self.scan_start.next = true;
                        self.all_tiles.d.next = true;
                        self.state.d.next = ExpanderState::Rows;
                    } else {
                        self.entries_start.d.next = true;
                        self.state.d.next = ExpanderState::Entries;
                    }
                }
            }
            ExpanderState::Entries => {
                if self.priors.idle.val() & (!self.entries_start.q.val()) {
                    self.state.d.next = ExpanderState::Idle;
                }
            }
            _ => {
                self.state.d.next = ExpanderState::Idle;
            }
        }
        self.step.d.next = self.coming_step.val();
        self.done.next = self.list_done.q.val() | self.priors.done.val();

        // Position ring.
        self.position_ring.start.next =
            self.scan_start.val() | (self.start.val() & self.idle.val());
        self.position_ring.take.next = self.take.val() & (!self.scan_start.val());
        self.position_ring.stamp.next = self.stamp.val() & (!self.scan_start.val());
        self.position_ring.side.next = self.side.val();
        self.position_ring.placement.next = self.stamped.val();
        self.position_ring.advance.next =
            self.advance.val() | (self.state.q.val() == ExpanderState::Idle);
        self.position_ring.incoming.next = self.incoming.val();
        for i in 0..2 {
            self.position_ring.incoming_used[i].next = self.incoming_used[i].val();
        }

        // Prior maps, from the side to move and its opponent.
        self.prior_maps.advance.next = self.advance.val();
        self.on_board.next = self.step.q.val() < bits::<5>(14);
        self.prior_maps.on_board.next = self.on_board.val();
        self.own_start_is_a.next = self.start_is_a.val() ^ self.request_side.q.val();
        self.prior_maps.start[0].next = bits::<14>(0);
        self.prior_maps.start[1].next = bits::<14>(0);
        if self.step.q.val() == self.start_step[0].val() {
            if self.own_start_is_a.val() {
                self.prior_maps.start[1].next = self.start_cell[0].val();
            } else {
                self.prior_maps.start[0].next = self.start_cell[0].val();
            }
        }
        if self.step.q.val() == self.start_step[1].val() {
            if self.own_start_is_a.val() {
                self.prior_maps.start[0].next = self.start_cell[1].val();
            } else {
                self.prior_maps.start[1].next = self.start_cell[1].val();
            }
        }
        if self.request_side.q.val() {
            self.prior_maps.cells[0].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_1);
            self.prior_maps.cells[1].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_0);
        } else {
            self.prior_maps.cells[0].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_0);
            self.prior_maps.cells[1].next = self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::CELLS_1);
        }

        // Network. Its scores belong to the rows that the maps output, two before the incoming one.
        self.network.phase.next = self.tile_filter.phase.val();
        self.network.advance.next = self.advance.val();
        self.network.on_board.next = self.on_board.val();
        self.recent_0.next = (self
            .position_ring
            .passing
            .val()
            .get_bits::<14>(Rows::LAST_0))
            | (self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::BEFORE_0));
        self.recent_1.next = (self
            .position_ring
            .passing
            .val()
            .get_bits::<14>(Rows::LAST_1))
            | (self
                .position_ring
                .passing
                .val()
                .get_bits::<14>(Rows::BEFORE_1));
        self.network.recent[0].next = self.recent_0.val();
        self.network.recent[1].next = self.recent_1.val();
        self.is_new[0].next = !self.position_ring.used[0].val().any();
        self.is_new[1].next = !self.position_ring.used[1].val().any();
        if self.request_side.q.val() {
            self.network.recent[0].next = self.recent_1.val();
            self.network.recent[1].next = self.recent_0.val();
            self.is_new[0].next = !self.position_ring.used[1].val().any();
            self.is_new[1].next = !self.position_ring.used[0].val().any();
        }
        for i in 0..2 {
            self.network.start_cell[i].next = bits::<14>(0);
            if self.is_new[i].val() {
                self.network.start_cell[i].next = self.prior_maps.start[i].val();
            }
        }
        self.network.occupied.next = self.prior_maps.occupied.val();
        self.network.opponent_allowed.next = self.prior_maps.opponent_allowed.val();
        self.network.load_number.next = bit_cast::<4, 5>(self.step.q.val()) - bits::<4>(2);
        self.network.number.next = bit_cast::<4, 5>(self.coming_step.val()) - bits::<4>(2);
        self.has_scores.next = self.network.exists.val()
            & (self.step.q.val() >= bits::<5>(2))
            & (self.step.q.val() < bits::<5>(16));
        for i in 0..18 {
            self.score_windows[i].clock.next = self.clock.val();
            self.score_windows[i].push.next = self.push.val();
            self.score_windows[i].row.next = bits::<14>(0);
            if self.has_scores.val() {
                self.score_windows[i].row.next = self.network.row[i].val();
            }
            self.score_patches.window[i].next = self.score_windows[i].view.val();
            self.network_scorer.patch[i].next = self.score_patches.patch[i].val();
        }
        self.score_patches.load.next = self.placement_scan.load.val();
        self.score_patches.slide.next = self.placement_scan.slide.val();
        self.score_patches.settle.next = self.placement_scan.settle.val();

        // Windows, placement scan and scorers, of which one takes the placements.
        self.placement_scan.row.next = bit_cast::<4, 5>(self.step.q.val()) - bits::<4>(8);
        self.placement_scan.tiles.next = self.tile_filter.wanted.val();
        self.prior_scorer.phase.next = self.tile_filter.phase.val();
        self.prior_scorer.valid.next = self.placement_scan.valid.val()
            & (!self.list_only.q.val())
            & (!self.network.exists.val());
        self.network_scorer.phase.next = self.tile_filter.phase.val();
        self.network_scorer.orientation.next = self.placement_scan.orientation.val();
        self.network_scorer.x.next = self.placement_scan.x.val();
        self.network_scorer.y.next = self.placement_scan.y.val();
        self.network_scorer.valid.next =
            self.placement_scan.valid.val() & (!self.list_only.q.val()) & self.network.exists.val();
        self.prior_scorer.orientation.next = self.placement_scan.orientation.val();
        self.prior_scorer.x.next = self.placement_scan.x.val();
        self.prior_scorer.y.next = self.placement_scan.y.val();
        for i in 0..6 {
            self.windows[i].clock.next = self.clock.val();
            self.windows[i].push.next = self.push.val();
            self.network.maps[i].next = self.prior_maps.row[i].val();
            self.windows[i].row.next = self.prior_maps.row[i].val();
            self.placement_scan.window[i].next = self.windows[i].view.val();
            self.prior_scorer.patch[i].next = self.placement_scan.patch[i].val();
        }
        self.legal.next = self.placement_scan.valid.val();
        self.legal_placement.next = bit_cast::<15, 7>(self.placement_scan.orientation.val())
            | (bit_cast::<15, 4>(self.placement_scan.x.val()) << PlacementWord::X.val())
            | (bit_cast::<15, 4>(self.placement_scan.y.val()) << PlacementWord::Y.val());
        if self.placement_scan.valid.val() {
            self.legal_counter.d.next = self.legal_counter.q.val() + 1;
        }
        if self.scan_start.val() {
            self.legal_counter.d.next = bits::<14>(0);
        }
        self.legal_count.next = self.legal_counter.q.val();

        // Ranking and priors.
        self.ranking.insert.next = self.prior_scorer.scored.val();
        self.ranking.score.next = self.prior_scorer.score.val();
        self.ranking.placement.next = self.prior_scorer.placement.val();
        if self.network.exists.val() {
            self.ranking.insert.next = self.network_scorer.scored.val();
            self.ranking.score.next = self.network_scorer.score.val();
            self.ranking.placement.next = self.network_scorer.placement.val();
        }
        self.ranking.drain.next = self.priors.drain.val();
        self.priors.start.next = self.entries_start.q.val();
        self.priors.value.next = self.request_value.q.val();
        self.priors.best.next = self.ranking.best.val();
        self.priors.last.next = self.ranking.last.val();
        self.priors.last_score.next = self.ranking.last_score.val();
        self.priors.last_placement.next = self.ranking.last_placement.val();
        self.entry.next = self.priors.entry.val();
        self.placement.next = self.priors.placement.val();
        self.prior.next = self.priors.prior.val();
        self.mean.next = self.priors.mean.val();
        self.count.next = self.priors.count.val();
    }
}
