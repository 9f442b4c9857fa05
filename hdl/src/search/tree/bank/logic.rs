//! Logic of a bank: one child per cycle, by the stages of its timing table.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::{Bank, Count, CountParts, Link, Mean, Placed, Top, Visits};
use crate::word::ShiftBy;

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self, clock, placed, priors, links, visited, counts, means, tops, reciprocal
        );
        clock!(self, clock, scaled_prior, exploration, mean_update);
        dff_setup!(self, clock, divisor, scored);
        dff_setup!(
            self,
            clock,
            placed_read,
            priors_read,
            links_read,
            visited_read,
            counts_read,
            means_read,
            tops_read
        );
        self.placed_read.d.next = self.placed.data.val();
        self.priors_read.d.next = self.priors.data.val();
        self.links_read.d.next = self.links.data.val();
        self.visited_read.d.next = self.visited.data.val();
        self.counts_read.d.next = self.counts.data.val();
        self.means_read.d.next = self.means.data.val();
        self.tops_read.d.next = self.tops.data.val();

        // Delay registers.
        for i in 0..6 {
            self.placements[i].clock.next = self.clock.val();
            self.next_nodes[i].clock.next = self.clock.val();
            self.visit_counts[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.placements[i + 1].d.next = self.placements[i].q.val();
            self.next_nodes[i + 1].d.next = self.next_nodes[i].q.val();
            self.visit_counts[i + 1].d.next = self.visit_counts[i].q.val();
        }
        for i in 0..6 {
            self.mean[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.mean[i + 1].d.next = self.mean[i].q.val();
        }
        for i in 0..2 {
            self.count[i].clock.next = self.clock.val();
            self.factors[i].clock.next = self.clock.val();
            self.prior[i + 1].d.next = self.prior[i].q.val();
        }
        for i in 0..3 {
            self.prior[i].clock.next = self.clock.val();
            self.exponents[i + 1].d.next = self.exponents[i].q.val();
        }
        for i in 0..4 {
            self.exponents[i].clock.next = self.clock.val();
            self.proven_stages[i].clock.next = self.clock.val();
        }
        for i in 0..3 {
            self.proven_stages[i + 1].d.next = self.proven_stages[i].q.val();
        }

        // Cycle 1.
        self.placed.address.next = self.address.val();
        self.priors.address.next = self.address.val();
        self.links.address.next = self.address.val();
        self.visited.address.next = self.address.val();
        self.counts.address.next = self.address.val();
        self.means.address.next = self.address.val();
        self.tops.address.next = self.address.val();
        self.placement_1.next = self.placed_read.q.val().get_bits::<15>(Placed::PLACEMENT);
        self.placements[0].d.next = self.placed_read.q.val().get_bits::<15>(Placed::PLACEMENT);
        self.prior[0].d.next = self.priors_read.q.val();
        self.next_nodes[0].d.next = self.links_read.q.val().get_bits::<14>(Link::NEXT);
        self.visits_1.next = bit_cast::<18, 16>(self.visited_read.q.val())
            | (bit_cast::<18, 2>(self.links_read.q.val().get_bits::<2>(Link::VISITS))
                << Visits::HIGH.val());
        self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visits_1.val());
        if self.add_visit_1.val() {
            self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visits_1.val()) + 1;
        }
        self.count_1.next = bit_cast::<22, 16>(self.counts_read.q.val())
            | (bit_cast::<22, 6>(self.tops_read.q.val().get_bits::<6>(Top::COUNT))
                << CountParts::HIGH.val());
        self.whole_count.next = self.count_1.val().get_bits::<18>(Count::WHOLE);
        self.capped_count.next = self.whole_count.val();
        if self.whole_count.val() > self.value_count_cap.val() {
            self.capped_count.next = self.value_count_cap.val();
        }
        self.divisor.d.next =
            bit_cast::<22, 18>(self.visits_1.val()) + bit_cast::<22, 18>(self.capped_count.val());
        if self.value_count_divisor.val() {
            self.divisor.d.next = self.count_1.val();
        }
        self.count[1].d.next = self.count[0].q.val();
        self.count[0].d.next = self.count_1.val();
        self.mean[0].d.next = bit_cast::<24, 16>(self.means_read.q.val())
            | (bit_cast::<24, 8>(self.tops_read.q.val().get_bits::<8>(Top::MEAN))
                << Mean::HIGH.val());

        // Cycle 2 (selection) or 4 (backup): reciprocal.
        self.number.next = self.divisor.q.val();
        if self.updating.val() {
            self.number.next = self.mean_update.count_4.val();
        }
        self.normaliser.number.next = bit_cast::<25, 22>(self.number.val());
        self.reciprocal.address.next = self.normaliser.mantissa.val();
        self.exponents[0].d.next = self.normaliser.exponent.val() - self.fraction.val();
        if self.updating.val() {
            self.exponents[0].d.next = self.normaliser.exponent.val();
        }

        // Cycle 3.
        self.proven_stages[0].d.next = self.mean_update.proven_3.val();

        // Selection, cycles 4 and 5: units of 2^-12, then of 2^-16.
        self.scaled_prior.a.next = self.scale_4.val();
        self.scaled_prior.b.next = self.prior[2].q.val();
        self.factors[0].d.next = self.reciprocal.data.val();
        self.factors[1].d.next = self.factors[0].q.val();
        self.exploration.a.next = self.scaled_prior.product.val();
        self.exploration.b.next = self.factors[1].q.val();
        // Cycle 6: the product has lost twelve bits.
        self.shifted.next = self.exploration.product.val() >> self.exponents[3].q.val();
        self.overflow.next = self.shifted.val().get_bits::<11>(20);
        self.exploration_term.next = self.shifted.val().get_bits::<20>(0);
        if self.overflow.val().any() {
            self.exploration_term.next = self.max_exploration.val();
        }
        if self.proven_stages[2].q.val() {
            self.exploration_term.next = bits::<20>(0);
        }
        self.scored.d.next = bit_cast::<21, 20>(self.exploration_term.val())
            + bit_cast::<21, 16>(self.mean[4].q.val().get_bits::<16>(8));
        self.score.next = self.scored.q.val();
        self.proven.next = self.proven_stages[3].q.val();
        self.placement.next = self.placements[5].q.val();
        self.visits.next = self.visit_counts[5].q.val().get_bits::<18>(0);
        self.grown_count.next = self.mean_update.count_7.val();
        self.value.next = self.mean[5].q.val().get_bits::<16>(8);
        self.next_node.next = self.next_nodes[5].q.val();

        // Backup.
        self.mean_update.updating.next = self.updating.val();
        self.mean_update.chosen_3.next = self.chosen_3.val();
        self.mean_update.sibling_3.next = self.sibling_3.val();
        self.mean_update.prove_3.next = self.prove_3.val();
        if self.mean_update.prove_4.val() {
            self.mean[3].d.next = bit_cast::<24, 16>(self.result_4.val()) << 8;
        }
        self.mean_update.side_3.next = self.side_3.val();
        self.mean_update.ply_3.next = self.ply_3.val();
        self.mean_update.amaf_entry_3.next = self.amaf_entry_3.val();
        self.mean_update.count_3.next = self.count[1].q.val();
        self.mean_update.mean_4.next = self.mean[2].q.val();
        self.mean_update.result_4.next = self.result_4.val();
        self.mean_update.factor_5.next = self.reciprocal.data.val();
        self.mean_update.mean_7.next = self.mean[5].q.val();
        self.mean_update.exponent_7.next = self.exponents[2].q.val();

        // Writes.
        self.placed.write_address.next = self.write_address.val();
        self.priors.write_address.next = self.write_address.val();
        self.links.write_address.next = self.write_address.val();
        self.visited.write_address.next = self.write_address.val();
        self.counts.write_address.next = self.write_address.val();
        self.means.write_address.next = self.write_address.val();
        self.tops.write_address.next = self.write_address.val();
        self.placed.write.next = self.enter.val();
        self.placed.word.next = bit_cast::<16, 15>(self.new_placement.val());
        self.priors.write.next = self.enter.val();
        self.priors.word.next = self.new_prior.val();
        self.links.write.next = self.enter.val() | self.link.val() | self.visit.val();
        self.links.word.next = bits::<16>(0);
        if self.link.val() {
            self.links.word.next = bit_cast::<16, 14>(self.new_next_node.val())
                | (bit_cast::<16, 2>(self.links_read.q.val().get_bits::<2>(Link::VISITS))
                    << Link::VISITS.val());
        }
        self.visited.write.next = self.enter.val() | self.visit.val();
        self.visited.word.next = bits::<16>(0);
        self.counts.write.next = self.mean_update.changes_8.val();
        self.counts.word.next = self
            .mean_update
            .count_8
            .val()
            .get_bits::<16>(CountParts::LOW);
        self.means.write.next = self.mean_update.changes_8.val();
        self.means.word.next = self.mean_update.mean_8.val().get_bits::<16>(Mean::LOW);
        self.tops.write.next = self.mean_update.changes_8.val();
        self.tops.word.next =
            bit_cast::<16, 8>(self.mean_update.mean_8.val().get_bits::<8>(Mean::HIGH))
                | (bit_cast::<16, 6>(
                    self.mean_update
                        .count_8
                        .val()
                        .get_bits::<6>(CountParts::HIGH),
                ) << Top::COUNT.val());
        if self.visit.val() {
            self.links.word.next = bit_cast::<16, 14>(self.new_next_node.val())
                | (bit_cast::<16, 2>(self.new_visits.val().get_bits::<2>(Visits::HIGH))
                    << Link::VISITS.val());
            self.visited.word.next = self.new_visits.val().get_bits::<16>(Visits::LOW);
            if self.new_count_valid.val() & self.value_count_divisor.val() {
                self.counts.write.next = true;
                self.counts.word.next = self.new_count.val().get_bits::<16>(CountParts::LOW);
                self.tops.write.next = true;
                // The upper bits of the mean are those of the value.
                self.tops.word.next = bit_cast::<16, 8>(self.new_value.val().get_bits::<8>(8))
                    | (bit_cast::<16, 6>(self.new_count.val().get_bits::<6>(CountParts::HIGH))
                        << Top::COUNT.val());
            }
        }
        if self.enter.val() {
            self.counts.write.next = true;
            self.counts.word.next = self.initial_count.val();
            self.means.write.next = true;
            self.means.word.next = self.new_mean.val().get_bits::<16>(Mean::LOW);
            self.tops.write.next = true;
            self.tops.word.next = bit_cast::<16, 8>(self.new_mean.val().get_bits::<8>(Mean::HIGH));
        }

        // Transfer. The output changes once: Icarus never comes to rest if values that change on
        // the way go in a circle between two blocks.
        self.word_now.next = bits::<16>(0);
        if self.memory.val().get_bit(0) {
            self.word_now.next = self.placed.data.val();
        }
        if self.memory.val().get_bit(1) {
            self.word_now.next = self.word_now.val() | self.priors.data.val();
        }
        if self.memory.val().get_bit(2) {
            self.word_now.next = self.word_now.val() | self.links.data.val();
        }
        if self.memory.val().get_bit(3) {
            self.word_now.next = self.word_now.val() | self.visited.data.val();
        }
        if self.memory.val().get_bit(4) {
            self.word_now.next = self.word_now.val() | self.counts.data.val();
        }
        if self.memory.val().get_bit(5) {
            self.word_now.next = self.word_now.val() | self.means.data.val();
        }
        if self.memory.val().get_bit(6) {
            self.word_now.next = self.word_now.val() | self.tops.data.val();
        }
        self.transferred_word.next = self.word_now.val();
        if self.store.val().get_bit(0) {
            self.placed.write.next = true;
            self.placed.word.next = self.stored_word.val();
        }
        if self.store.val().get_bit(1) {
            self.priors.write.next = true;
            self.priors.word.next = self.stored_word.val();
        }
        if self.store.val().get_bit(2) {
            self.links.write.next = true;
            self.links.word.next = self.stored_word.val();
        }
        if self.store.val().get_bit(3) {
            self.visited.write.next = true;
            self.visited.word.next = self.stored_word.val();
        }
        if self.store.val().get_bit(4) {
            self.counts.write.next = true;
            self.counts.word.next = self.stored_word.val();
        }
        if self.store.val().get_bit(5) {
            self.means.write.next = true;
            self.means.word.next = self.stored_word.val();
        }
        if self.store.val().get_bit(6) {
            self.tops.write.next = true;
            self.tops.word.next = self.stored_word.val();
        }
    }
}
