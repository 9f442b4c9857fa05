//! Logic of a bank: one child per cycle, by the stages of its timing table.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::{Bank, Count, Fixed, Link, Mean, PriorParts};
use crate::word::ShiftBy;

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self, clock, fixed, links, visited, counts, means, reciprocal
        );
        clock!(self, clock, scaled_prior, exploration, mean_update);
        dff_setup!(
            self,
            clock,
            divisor,
            scored,
            fixed_read,
            links_read,
            visited_read
        );
        dff_setup!(self, clock, counts_read, means_read);
        self.fixed_read.d.next = self.fixed.data.val();
        self.links_read.d.next = self.links.data.val();
        self.visited_read.d.next = self.visited.data.val();
        self.counts_read.d.next = self.counts.data.val();
        self.means_read.d.next = self.means.data.val();

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
        for i in 0..7 {
            self.prior_parts[i].clock.next = self.clock.val();
        }
        for i in 0..6 {
            self.prior_parts[i + 1].d.next = self.prior_parts[i].q.val();
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
        self.fixed.address.next = self.address.val();
        self.links.address.next = self.address.val();
        self.visited.address.next = self.address.val();
        self.counts.address.next = self.address.val();
        self.means.address.next = self.address.val();
        self.placement_1.next = self.fixed_read.q.val().get_bits::<15>(Fixed::PLACEMENT);
        self.placements[0].d.next = self.fixed_read.q.val().get_bits::<15>(Fixed::PLACEMENT);
        self.next_nodes[0].d.next = self.links_read.q.val().get_bits::<10>(Link::NEXT);
        self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited_read.q.val());
        if self.add_visit_1.val() {
            self.visit_counts[0].d.next = bit_cast::<19, 18>(self.visited_read.q.val()) + 1;
        }
        self.whole_count.next = self.counts_read.q.val().get_bits::<18>(Count::WHOLE);
        self.capped_count.next = self.whole_count.val();
        if self.whole_count.val() > self.value_count_cap.val() {
            self.capped_count.next = self.value_count_cap.val();
        }
        self.divisor.d.next = bit_cast::<22, 18>(self.visited_read.q.val())
            + bit_cast::<22, 18>(self.capped_count.val());
        if self.value_count_divisor.val() {
            self.divisor.d.next = self.counts_read.q.val().get_bits::<22>(Count::FRACTION);
        }
        self.count[1].d.next = self.count[0].q.val();
        self.count[0].d.next = self.counts_read.q.val().get_bits::<22>(Count::FRACTION);
        self.mean[0].d.next = self.means_read.q.val().get_bits::<24>(Mean::MEAN);
        self.prior_parts[0].d.next =
            bit_cast::<5, 3>(self.means_read.q.val().get_bits::<3>(Mean::PRIOR))
                | (bit_cast::<5, 2>(self.counts_read.q.val().get_bits::<2>(Count::PRIOR))
                    << PriorParts::IN_COUNT.val());
        self.prior[0].d.next =
            bit_cast::<16, 3>(self.means_read.q.val().get_bits::<3>(Mean::PRIOR))
                | (bit_cast::<16, 2>(self.counts_read.q.val().get_bits::<2>(Count::PRIOR))
                    << PriorParts::IN_COUNT.val())
                | (bit_cast::<16, 8>(self.links_read.q.val().get_bits::<8>(Link::PRIOR))
                    << PriorParts::IN_LINK.val())
                | (bit_cast::<16, 3>(self.fixed_read.q.val().get_bits::<3>(Fixed::PRIOR))
                    << PriorParts::IN_FIXED.val());

        // Cycle 2 (selection) or 4 (backup): reciprocal. The normaliser has 19 bits; a large number
        // has bits to drop.
        self.number.next = self.divisor.q.val();
        if self.updating.val() {
            self.number.next = self.mean_update.count_4.val();
        }
        self.is_large.next = self.number.val().get_bits::<3>(19).any();
        self.normaliser.number.next = self.number.val().get_bits::<19>(0);
        self.exponent.next = self.normaliser.exponent.val();
        if self.is_large.val() {
            self.normaliser.number.next = self.number.val().get_bits::<19>(3);
            self.exponent.next = self.normaliser.exponent.val() + bits::<5>(3);
        }
        self.reciprocal.address.next = self.normaliser.mantissa.val();
        self.exponents[0].d.next = self.exponent.val() - self.fraction.val();
        if self.updating.val() {
            self.exponents[0].d.next = self.exponent.val();
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
        self.count_word.next = bit_cast::<24, 22>(self.mean_update.count_7.val())
            | (bit_cast::<24, 2>(
                self.prior_parts[5]
                    .q
                    .val()
                    .get_bits::<2>(PriorParts::IN_COUNT),
            ) << Count::PRIOR.val());
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
        self.fixed.write_address.next = self.write_address.val();
        self.links.write_address.next = self.write_address.val();
        self.visited.write_address.next = self.write_address.val();
        self.counts.write_address.next = self.write_address.val();
        self.means.write_address.next = self.write_address.val();
        self.own_prior.next = self.new_prior.val();
        self.fixed.write.next = self.enter.val();
        self.fixed.word.next = bit_cast::<18, 15>(self.new_placement.val())
            | (bit_cast::<18, 3>(self.own_prior.val().get_bits::<3>(PriorParts::IN_FIXED))
                << Fixed::PRIOR.val());
        self.links.write.next = self.enter.val() | self.link.val();
        self.links.word.next =
            bit_cast::<18, 8>(self.own_prior.val().get_bits::<8>(PriorParts::IN_LINK))
                << Link::PRIOR.val();
        if self.link.val() {
            self.links.word.next = bit_cast::<18, 10>(self.new_next_node.val())
                | (bit_cast::<18, 8>(self.links_read.q.val().get_bits::<8>(Link::PRIOR))
                    << Link::PRIOR.val());
        }
        self.visited.write.next = self.enter.val() | self.visit.val();
        self.visited.word.next = bits::<18>(0);
        if self.visit.val() {
            self.visited.word.next = self.new_visits.val();
        }
        self.counts.write.next = self.mean_update.changes_8.val();
        self.counts.word.next = bit_cast::<24, 22>(self.mean_update.count_8.val())
            | (bit_cast::<24, 2>(
                self.prior_parts[6]
                    .q
                    .val()
                    .get_bits::<2>(PriorParts::IN_COUNT),
            ) << Count::PRIOR.val());
        if self.visit.val() & self.new_count_valid.val() & self.value_count_divisor.val() {
            self.counts.write.next = true;
            self.counts.word.next = self.new_count.val();
        }
        self.means.write.next = self.mean_update.changes_8.val();
        self.means.word.next = bit_cast::<27, 24>(self.mean_update.mean_8.val())
            | (bit_cast::<27, 3>(
                self.prior_parts[6]
                    .q
                    .val()
                    .get_bits::<3>(PriorParts::IN_MEAN),
            ) << Mean::PRIOR.val());
        if self.enter.val() {
            self.counts.write.next = true;
            self.counts.word.next = self.initial_count.val()
                | (bit_cast::<24, 2>(self.own_prior.val().get_bits::<2>(PriorParts::IN_COUNT))
                    << Count::PRIOR.val());
            self.means.write.next = true;
            self.means.word.next = bit_cast::<27, 24>(self.new_mean.val())
                | (bit_cast::<27, 3>(self.own_prior.val().get_bits::<3>(PriorParts::IN_MEAN))
                    << Mean::PRIOR.val());
        }
    }
}
