//! Logic of the scheduler: end of a search, and one action per state.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::{Scheduler, SchedulerState};

impl Logic for Scheduler {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, multiplier);
        dff_setup!(
            self,
            clock,
            state,
            has_best,
            best_placement,
            unproven_found,
            unproven_visits,
            unproven_value,
            proven_found
        );
        dff_setup!(
            self,
            clock,
            proven_value,
            proven_placement,
            children,
            read_index,
            child_addressed,
            started
        );
        dff_setup!(
            self,
            clock,
            weighed_value,
            weighed_placement,
            unproven_product
        );
        dff_setup!(
            self,
            clock,
            in_flight,
            addressed_lane,
            next_lane,
            oldest_lane,
            timer,
            end_requested
        );
        dff_setup!(
            self,
            clock,
            reported,
            pondered_before,
            pondering,
            usable,
            reply_known,
            reply_placement,
            root
        );
        self.busy.next = self.state.q.val() != SchedulerState::Idle;
        self.found.next = self.has_best.q.val();
        self.best.next = self.best_placement.q.val();
        self.simulations.next = self.reported.q.val();
        self.pondered.next = self.pondered_before.q.val();
        self.root_node.next = self.root.q.val();
        self.root_side.next = self.pondering.q.val();
        self.expand.next = false;
        self.simulate.next = false;
        self.backup.next = false;
        self.lane.next = self.addressed_lane.q.val();
        self.clear.next = false;
        self.read.next = false;
        self.child_addressed.d.next = (self.state.q.val() == SchedulerState::Read)
            | (self.state.q.val() == SchedulerState::Find)
            | (self.state.q.val() == SchedulerState::Enter);
        self.is_link.next =
            self.next_node.val().any() & (self.next_node.val() != self.game_end.val());
        self.reading.next = self.child_addressed.q.val();
        self.child.next = self.read_index.q.val().get_bits::<5>(0);
        self.after_next_lane.next = self.next_lane.q.val() + 1;
        if self.next_lane.q.val() == self.last_lane.val() {
            self.after_next_lane.next = bits::<3>(0);
        }
        self.after_oldest_lane.next = self.oldest_lane.q.val() + 1;
        if self.oldest_lane.q.val() == self.last_lane.val() {
            self.after_oldest_lane.next = bits::<3>(0);
        }

        self.multiplier.a.next = self.visits.val();
        self.multiplier.b.next = self.value.val();
        self.weighed_value.d.next = self.value.val();
        self.weighed_placement.d.next = self.placement.val();

        // Termination.
        if self.timer.q.val() == self.deadline_cycles.val() {
            self.end_requested.d.next = true;
        } else {
            self.timer.d.next = self.timer.q.val() + 1;
        }
        if self.stop.val() {
            self.end_requested.d.next = true;
        }
        self.ending.next =
            self.end_requested.q.val() | (self.started.q.val() == self.simulation_limit.val());

        match self.state.q.val() {
            SchedulerState::Idle => {
                self.timer.d.next = bits::<32>(0);
                self.end_requested.d.next = false;
                if self.replied.val() {
                    self.reply_known.d.next = true;
                    self.usable.d.next = self.usable.q.val() & (!self.reply_known.q.val());
                    self.reply_placement.d.next = self.reply.val();
                }
                if self.think.val() | self.ponder.val() {
                    self.has_best.d.next = false;
                    self.unproven_found.d.next = false;
                    self.proven_found.d.next = false;
                    self.read_index.d.next = bits::<6>(0);
                    self.started.d.next = bits::<18>(0);
                    self.in_flight.d.next = bits::<4>(0);
                    self.addressed_lane.d.next = bits::<3>(0);
                    self.next_lane.d.next = bits::<3>(0);
                    self.oldest_lane.d.next = bits::<3>(0);
                    self.pondering.d.next = self.ponder.val();
                    self.usable.d.next = self.ponder.val();
                    self.reply_known.d.next = false;
                    self.root.d.next = bits::<14>(0);
                    self.state.d.next = SchedulerState::Begin;
                }
                if self.think.val() {
                    self.pondered_before.d.next = bits::<18>(0);
                    if self.usable.q.val() {
                        self.pondered_before.d.next = self.started.q.val();
                        if self.reply_known.q.val() {
                            self.state.d.next = SchedulerState::Find;
                        }
                    }
                }
            }
            SchedulerState::Begin => {
                if self.tree_idle.val() {
                    self.state.d.next = SchedulerState::Clear;
                }
            }
            SchedulerState::Clear => {
                self.clear.next = true;
                self.expand.next = true;
                self.state.d.next = SchedulerState::Root;
            }
            SchedulerState::Root => {
                if !self.builder_busy.val() {
                    self.has_best.d.next = self.child_count.val().any();
                    self.best_placement.d.next = self.first_placement.val();
                    self.children.d.next = self.child_count.val();
                    if self.child_count.val() > bits::<6>(1) {
                        self.state.d.next = SchedulerState::Choose;
                    } else {
                        self.state.d.next = SchedulerState::Idle;
                    }
                }
            }
            SchedulerState::Choose => {
                if (self.in_flight.q.val() == self.lanes.val())
                    | (self.ending.val() & self.in_flight.q.val().any())
                {
                    self.addressed_lane.d.next = self.oldest_lane.q.val();
                    self.state.d.next = SchedulerState::Await;
                } else if self.ending.val() {
                    self.state.d.next = SchedulerState::Read;
                    if self.pondering.q.val() {
                        self.state.d.next = SchedulerState::Idle;
                    }
                } else {
                    self.simulate.next = true;
                    self.state.d.next = SchedulerState::Simulate;
                }
            }
            SchedulerState::Await => {
                if self.finished.val() {
                    self.backup.next = true;
                    self.state.d.next = SchedulerState::Backup;
                }
            }
            SchedulerState::Backup => {
                if !self.backup_busy.val() {
                    self.in_flight.d.next = self.in_flight.q.val() - 1;
                    self.oldest_lane.d.next = self.after_oldest_lane.val();
                    self.addressed_lane.d.next = self.next_lane.q.val();
                    self.state.d.next = SchedulerState::Choose;
                }
            }
            SchedulerState::Simulate => {
                if !self.descent_busy.val() {
                    if self.root_solved.val() {
                        self.end_requested.d.next = true;
                    }
                    self.started.d.next = self.started.q.val() + 1;
                    self.in_flight.d.next = self.in_flight.q.val() + 1;
                    self.next_lane.d.next = self.after_next_lane.val();
                    self.addressed_lane.d.next = self.after_next_lane.val();
                    self.state.d.next = SchedulerState::Choose;
                }
            }
            SchedulerState::Read => {
                if self.read_index.q.val() == self.children.q.val() {
                    if self.proven_found.q.val()
                        & ((!self.unproven_found.q.val())
                            | (self.proven_value.q.val() >= self.unproven_value.q.val()))
                    {
                        self.best_placement.d.next = self.proven_placement.q.val();
                    }
                    self.state.d.next = SchedulerState::Idle;
                } else if self.tree_idle.val() & self.child_addressed.q.val() {
                    self.read.next = true;
                    self.state.d.next = SchedulerState::Compare;
                }
            }
            SchedulerState::Compare => {
                if self.was_read.val() {
                    // The first of equal children counts.
                    self.read_index.d.next = self.read_index.q.val() + 1;
                    self.state.d.next = SchedulerState::Read;
                    if self.proven.val() {
                        if (!self.proven_found.q.val())
                            | (self.value.val() > self.proven_value.q.val())
                        {
                            self.proven_found.d.next = true;
                            self.proven_value.d.next = self.value.val();
                            self.proven_placement.d.next = self.placement.val();
                        }
                    } else if self.final_wins.val() {
                        self.state.d.next = SchedulerState::Weigh;
                    } else if (!self.unproven_found.q.val())
                        | (self.visits.val() > self.unproven_visits.q.val())
                    {
                        self.unproven_found.d.next = true;
                        self.unproven_visits.d.next = self.visits.val();
                        self.unproven_value.d.next = self.value.val();
                        self.best_placement.d.next = self.placement.val();
                    }
                } else if self.tree_idle.val() {
                    self.state.d.next = SchedulerState::Idle;
                }
            }
            SchedulerState::Weigh => {
                self.state.d.next = SchedulerState::Idle;
                if self.final_wins.val() {
                    if (!self.unproven_found.q.val())
                        | (self.multiplier.product.val() > self.unproven_product.q.val())
                    {
                        self.unproven_found.d.next = true;
                        self.unproven_product.d.next = self.multiplier.product.val();
                        self.unproven_value.d.next = self.weighed_value.q.val();
                        self.best_placement.d.next = self.weighed_placement.q.val();
                    }
                    self.state.d.next = SchedulerState::Read;
                }
            }
            SchedulerState::Find => {
                if self.read_index.q.val() == self.children.q.val() {
                    self.read_index.d.next = bits::<6>(0);
                    self.state.d.next = SchedulerState::Begin;
                } else if self.tree_idle.val() & self.child_addressed.q.val() {
                    self.read.next = true;
                    self.state.d.next = SchedulerState::Match;
                }
            }
            SchedulerState::Match => {
                if self.was_read.val() {
                    self.read_index.d.next = self.read_index.q.val() + 1;
                    self.state.d.next = SchedulerState::Find;
                    if self.placement.val() == self.reply_placement.q.val() {
                        self.read_index.d.next = bits::<6>(0);
                        self.state.d.next = SchedulerState::Begin;
                        if self.is_link.val() {
                            self.root.d.next = self.next_node.val();
                            self.state.d.next = SchedulerState::Enter;
                        }
                    }
                } else if self.tree_idle.val() {
                    self.state.d.next = SchedulerState::Idle;
                }
            }
            SchedulerState::Enter => {
                if self.tree_idle.val() & self.child_addressed.q.val() {
                    self.read.next = true;
                    self.state.d.next = SchedulerState::Continue;
                }
            }
            SchedulerState::Continue => {
                if self.was_read.val() {
                    if self.node_side.val() {
                        // The opponent has to move again.
                        self.root.d.next = bits::<14>(0);
                        self.state.d.next = SchedulerState::Begin;
                    } else {
                        self.has_best.d.next = true;
                        self.best_placement.d.next = self.placement.val();
                        self.children.d.next = self.node_children.val();
                        self.state.d.next = SchedulerState::Idle;
                        if self.node_children.val() > bits::<6>(1) {
                            self.state.d.next = SchedulerState::Choose;
                        }
                    }
                } else if self.tree_idle.val() {
                    self.state.d.next = SchedulerState::Idle;
                }
            }
            _ => {
                self.state.d.next = SchedulerState::Idle;
            }
        }
        if !self.pondering.q.val() {
            self.reported.d.next = self.started.q.val();
        }
        if self.renew.val() {
            self.usable.d.next = false;
        }
    }
}
