//! Logic of the controller: one cycle.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::Controller;
use super::state::ControllerState;
use crate::line::parser::HostCodeKind;

impl Logic for Controller {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            reset_sampled,
            reset_held,
            clearing,
            state,
            in_game,
            game_start_is_a,
            opponent_side
        );
        dff_setup!(
            self,
            clock,
            opponent_code,
            opponent_legal,
            decision_age,
            listed_count,
            decision_count
        );
        dff_setup!(
            self,
            clock,
            sticky_flags,
            reply,
            bytes_left,
            second_half_pending
        );
        clock!(self, clock, uart_rx, parser, reply_timer, uart_tx);
        self.reset_sampled.d.next = self.reset.val();

        // UART and parser.
        self.uart_rx.rx.next = self.rx.val();
        self.parser.strobe.next = self.uart_rx.strobe.val();
        self.parser.data.next = self.uart_rx.data.val();
        self.parser.framing.next = self.uart_rx.framing.val();
        self.parser.receiving.next = self.uart_rx.busy.val();
        self.parser.reset.next = self.reset_held.q.val();
        self.parser.take.next = false;
        self.tx.next = self.uart_tx.tx.val();

        // A reset lasts until no job is in progress that could write to the cleared board.
        self.reset_held.d.next =
            self.reset_sampled.q.val() | (self.reset_held.q.val() & (!self.idle.val()));
        self.abort.next = self.reset_held.q.val();
        self.deadline_reached.next = self.reply_timer.late.val()
            & self.found.val()
            & (self.state.q.val() == ControllerState::Search);
        self.deadline.next = self.deadline_reached.val();
        self.superseded.next = (self.parser.waiting.val()
            & (self.state.q.val() == ControllerState::Search))
            | (self.state.q.val() == ControllerState::Idle);

        // Current placement: the opponent's from the code, or the chooser's best one.
        self.decoder.code.next = self.opponent_code.q.val();
        if self.opponent_side.q.val() {
            self.orientation.next = self.decoder.orientation.val();
            self.x.next = self.decoder.x.val();
            self.y.next = self.decoder.y.val();
        } else {
            self.orientation.next = self.best_orientation.val();
            self.x.next = self.best_x.val();
            self.y.next = self.best_y.val();
        }
        self.encoder.orientation.next = self.orientation.val();
        self.encoder.x.next = self.x.val();
        self.encoder.y.next = self.y.val();
        self.tile.next = self.encoder.tile.val();
        self.start_is_a.next = self.game_start_is_a.q.val();
        self.side.next = self.opponent_side.q.val();
        self.list.next = false;
        self.think.next = false;
        self.fetch.next = false;
        self.place.next = false;

        self.chooser_ready.next = self.idle.val() & (!self.clearing.q.val());
        self.clear.next = self.reset_held.q.val() | self.clearing.q.val();
        self.new_flags.next = bits::<6>(0);
        self.kept_flags.next = self.sticky_flags.q.val();
        self.uart_tx.strobe.next = false;
        self.uart_tx.data.next = self.reply.q.val().get_bits::<8>(0);
        if self.listed.val() {
            self.listed_count.d.next = self.listed_count.q.val() + 1;
        }

        self.limit_reached.next = false;

        match self.state.q.val() {
            ControllerState::Idle => {
                self.opponent_side.d.next = false;
                self.second_half_pending.d.next = false;
                self.opponent_code.d.next = self.parser.code.val();
                if self.parser.waiting.val()
                    & (self.chooser_ready.val() | self.reply_timer.expired.val())
                {
                    self.parser.take.next = true;
                    match self.parser.kind.val() {
                        HostCodeKind::Hello => {
                            self.clear.next = true;
                            self.in_game.d.next = false;
                            self.kept_flags.next = bits::<6>(0);
                            self.reply.d.next = self.handshake_reply.val();
                            self.bytes_left.d.next = bits::<3>(3);
                            self.state.d.next = ControllerState::Send;
                        }
                        HostCodeKind::First => {
                            self.clear.next = true;
                            self.in_game.d.next = true;
                            self.game_start_is_a.d.next = self.parser.start_is_a.val();
                            self.state.d.next = ControllerState::Think;
                        }
                        HostCodeKind::Second => {
                            self.clear.next = true;
                            self.in_game.d.next = true;
                            self.game_start_is_a.d.next = self.parser.start_is_a.val();
                            self.opponent_side.d.next = true;
                            self.state.d.next = ControllerState::Read;
                        }
                        HostCodeKind::Turn => {
                            if self.in_game.q.val() {
                                self.opponent_side.d.next = true;
                                self.state.d.next = ControllerState::Read;
                            } else {
                                self.reply.d.next = bits::<32>(0x3030_3030);
                                self.bytes_left.d.next = bits::<3>(4);
                                self.state.d.next = ControllerState::Send;
                            }
                        }
                        HostCodeKind::Identify => {
                            self.reply.d.next = self.build_digits[0].val();
                            self.bytes_left.d.next = bits::<3>(4);
                            self.second_half_pending.d.next = true;
                            self.state.d.next = ControllerState::Send;
                        }
                        // `9` and undefined kinds.
                        _ => {
                            self.clear.next = true;
                            self.in_game.d.next = false;
                        }
                    }
                }
            }
            ControllerState::Read => {
                self.opponent_legal.d.next = false;
                if self.reply_timer.expired.val() {
                    self.limit_reached.next = true;
                    self.in_game.d.next = false;
                } else if self.chooser_ready.val() {
                    if self.decoder.valid.val() {
                        self.list.next = true;
                        self.state.d.next = ControllerState::Check;
                    } else {
                        self.opponent_side.d.next = false;
                        self.state.d.next = ControllerState::Think;
                        if !self.decoder.pass.val() {
                            self.new_flags.next = bits::<6>(1);
                        }
                    }
                }
            }
            ControllerState::Check => {
                if self.listed.val()
                    & (self.listed_orientation.val() == self.decoder.orientation.val())
                    & (self.listed_x.val() == self.decoder.x.val())
                    & (self.listed_y.val() == self.decoder.y.val())
                {
                    self.opponent_legal.d.next = true;
                }
                if self.idle.val() {
                    if self.opponent_legal.q.val() {
                        self.state.d.next = ControllerState::Fetch;
                    } else {
                        self.new_flags.next = bits::<6>(2);
                        self.opponent_side.d.next = false;
                        self.state.d.next = ControllerState::Think;
                    }
                } else if self.reply_timer.expired.val() {
                    self.limit_reached.next = true;
                    self.in_game.d.next = false;
                }
            }
            ControllerState::Think => {
                self.listed_count.d.next = bits::<11>(0);
                if self.reply_timer.expired.val() {
                    self.limit_reached.next = true;
                } else if self.chooser_ready.val() {
                    self.think.next = true;
                    self.state.d.next = ControllerState::Search;
                }
            }
            ControllerState::Search => {
                if self.deadline_reached.val() {
                    self.new_flags.next = bits::<6>(16);
                }
                if self.idle.val() {
                    self.decision_age.d.next = self.reply_timer.age.val();
                    self.decision_count.d.next = self.listed_count.q.val();
                    if self.parser.waiting.val() {
                        self.new_flags.next = bits::<6>(32);
                        self.state.d.next = ControllerState::Idle;
                    } else if self.found.val() {
                        self.reply.d.next = self.encoder.code.val();
                        self.bytes_left.d.next = bits::<3>(4);
                        self.state.d.next = ControllerState::Fetch;
                    } else {
                        self.reply.d.next = bits::<32>(0x3030_3030);
                        self.bytes_left.d.next = bits::<3>(4);
                        self.state.d.next = ControllerState::Send;
                    }
                } else if self.reply_timer.expired.val() {
                    self.limit_reached.next = true;
                }
            }
            ControllerState::Fetch => {
                self.fetch.next = true;
                self.state.d.next = ControllerState::Stamp;
            }
            ControllerState::Stamp => {
                self.place.next = true;
                self.state.d.next = ControllerState::Write;
            }
            ControllerState::Write => {
                if self.idle.val() {
                    self.opponent_side.d.next = false;
                    if self.opponent_side.q.val() {
                        self.state.d.next = ControllerState::Think;
                    } else {
                        self.state.d.next = ControllerState::Send;
                    }
                } else if self.reply_timer.expired.val() {
                    if self.opponent_side.q.val() {
                        self.limit_reached.next = true;
                    } else {
                        self.state.d.next = ControllerState::Send;
                    }
                }
            }
            ControllerState::Send => {
                if !self.bytes_left.q.val().any() {
                    if self.second_half_pending.q.val() {
                        self.reply.d.next = self.build_digits[1].val();
                        self.bytes_left.d.next = bits::<3>(4);
                        self.second_half_pending.d.next = false;
                    } else {
                        self.state.d.next = ControllerState::Idle;
                    }
                } else if self.uart_tx.ready.val() {
                    self.uart_tx.strobe.next = true;
                    self.reply.d.next = self.reply.q.val() >> 8;
                    self.bytes_left.d.next = self.bytes_left.q.val() - 1;
                }
            }
            _ => {
                self.state.d.next = ControllerState::Idle;
            }
        }
        // A clear during a job lasts until the job ends.
        self.clearing.d.next = self.clear.val() & (!self.idle.val());

        // The timer comes after every assignment of `line.take`: the Verilog reads the values
        // assigned above.
        self.reply_timer.waiting.next = self.parser.waiting.val();
        self.reply_timer.take.next = self.parser.take.val();
        self.reply_timer.idle.next = self.state.q.val() == ControllerState::Idle;

        // The limit has passed without a decision. If the opponent's placement is not on the board yet,
        // the game is over: on a wrong board, a later placement could be illegal.
        if self.limit_reached.val() {
            self.opponent_side.d.next = false;
            if self.parser.waiting.val() {
                self.new_flags.next = bits::<6>(32);
                self.state.d.next = ControllerState::Idle;
            } else {
                self.new_flags.next = bits::<6>(16);
                self.reply.d.next = bits::<32>(0x3030_3030);
                self.bytes_left.d.next = bits::<3>(4);
                self.state.d.next = ControllerState::Send;
            }
        }
        if self.reset_held.q.val() {
            self.in_game.d.next = false;
            self.list.next = false;
            self.think.next = false;
            self.place.next = false;
            self.state.d.next = ControllerState::Idle;
        }

        // Status.
        if self.uart_rx.framing.val() {
            self.new_flags.next = self.new_flags.val() | bits::<6>(4);
        }
        if self.parser.garbage.val() {
            self.new_flags.next = self.new_flags.val() | bits::<6>(8);
        }
        self.sticky_flags.d.next = self.kept_flags.val() | self.new_flags.val();
        if self.reset_held.q.val() {
            self.sticky_flags.d.next = bits::<6>(0);
        }
        self.playing.next = self.in_game.q.val();
        self.thinking.next = self.state.q.val() != ControllerState::Idle;
        self.flags.next = self.sticky_flags.q.val();
        self.think_cycles.next = self.decision_age.q.val();
        self.legal_count.next = self.decision_count.q.val();
    }
}
