//! Logic of the controller: one cycle.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::Controller;
use super::state::State;
use crate::line::parser::Kind;

impl Logic for Controller {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, reset_one, reset_two, clearing, state, known, first_cell, rivals
        );
        dff_setup!(self, clock, rival, legal, spent, count, counted);
        dff_setup!(self, clock, trouble, answer, left, more);
        clock!(self, clock, receiver, line, timer, sender);
        self.reset_one.d.next = self.reset.val();

        // UART and parser.
        self.receiver.rx.next = self.rx.val();
        self.line.strobe.next = self.receiver.strobe.val();
        self.line.data.next = self.receiver.data.val();
        self.line.framing.next = self.receiver.framing.val();
        self.line.receiving.next = self.receiver.busy.val();
        self.line.reset.next = self.reset_two.q.val();
        self.line.take.next = false;
        self.tx.next = self.sender.tx.val();

        // A reset lasts until no job is in progress that could write to the cleared board.
        self.reset_two.d.next =
            self.reset_one.q.val() | (self.reset_two.q.val() & (!self.settled.val()));
        self.drop.next = self.reset_two.q.val();
        self.cutting.next =
            self.timer.late.val() & self.found.val() & (self.state.q.val() == State::Search);
        self.cut.next = self.cutting.val();
        self.overtaken.next = (self.line.waiting.val() & (self.state.q.val() == State::Search))
            | (self.state.q.val() == State::Idle);

        // Current placement: the opponent's from the code, or the chooser's best one.
        self.decoder.code.next = self.rival.q.val();
        if self.rivals.q.val() {
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
        self.start_is_a.next = self.first_cell.q.val();
        self.side.next = self.rivals.q.val();
        self.list.next = false;
        self.think.next = false;
        self.fetch.next = false;
        self.place.next = false;

        self.free.next = self.settled.val() & (!self.clearing.q.val());
        self.clear.next = self.reset_two.q.val() | self.clearing.q.val();
        self.flag.next = bits::<6>(0);
        self.sender.strobe.next = false;
        self.sender.data.next = self.answer.q.val().get_bits::<8>(0);
        if self.listed.val() {
            self.count.d.next = self.count.q.val() + 1;
        }

        self.giving_up.next = false;

        match self.state.q.val() {
            State::Idle => {
                self.rivals.d.next = false;
                self.more.d.next = false;
                self.rival.d.next = self.line.code.val();
                if self.line.waiting.val() & (self.free.val() | self.timer.expired.val()) {
                    self.line.take.next = true;
                    match self.line.kind.val() {
                        Kind::Hello => {
                            self.clear.next = true;
                            self.known.d.next = false;
                            self.trouble.d.next = bits::<6>(0);
                            self.answer.d.next = self.hello.val();
                            self.left.d.next = bits::<3>(3);
                            self.state.d.next = State::Send;
                        }
                        Kind::First => {
                            self.clear.next = true;
                            self.known.d.next = true;
                            self.first_cell.d.next = self.line.start_is_a.val();
                            self.state.d.next = State::Think;
                        }
                        Kind::Second => {
                            self.clear.next = true;
                            self.known.d.next = true;
                            self.first_cell.d.next = self.line.start_is_a.val();
                            self.rivals.d.next = true;
                            self.state.d.next = State::Read;
                        }
                        Kind::Turn => {
                            if self.known.q.val() {
                                self.rivals.d.next = true;
                                self.state.d.next = State::Read;
                            } else {
                                self.answer.d.next = bits::<32>(0x3030_3030);
                                self.left.d.next = bits::<3>(4);
                                self.state.d.next = State::Send;
                            }
                        }
                        Kind::Identify => {
                            self.answer.d.next = self.build[0].val();
                            self.left.d.next = bits::<3>(4);
                            self.more.d.next = true;
                            self.state.d.next = State::Send;
                        }
                        // `9` and undefined kinds.
                        _ => {
                            self.clear.next = true;
                            self.known.d.next = false;
                        }
                    }
                }
            }
            State::Read => {
                self.legal.d.next = false;
                if self.timer.expired.val() {
                    self.giving_up.next = true;
                } else if self.free.val() {
                    if self.decoder.valid.val() {
                        self.list.next = true;
                        self.state.d.next = State::Check;
                    } else {
                        self.rivals.d.next = false;
                        self.state.d.next = State::Think;
                        if !self.decoder.pass.val() {
                            self.flag.next = bits::<6>(1);
                        }
                    }
                }
            }
            State::Check => {
                if self.listed.val()
                    & (self.listed_orientation.val() == self.decoder.orientation.val())
                    & (self.listed_x.val() == self.decoder.x.val())
                    & (self.listed_y.val() == self.decoder.y.val())
                {
                    self.legal.d.next = true;
                }
                if self.settled.val() {
                    if self.legal.q.val() {
                        self.state.d.next = State::Fetch;
                    } else {
                        self.flag.next = bits::<6>(2);
                        self.rivals.d.next = false;
                        self.state.d.next = State::Think;
                    }
                } else if self.timer.expired.val() {
                    self.giving_up.next = true;
                }
            }
            State::Think => {
                self.count.d.next = bits::<11>(0);
                if self.timer.expired.val() {
                    self.giving_up.next = true;
                } else if self.free.val() {
                    self.think.next = true;
                    self.state.d.next = State::Search;
                }
            }
            State::Search => {
                if self.cutting.val() {
                    self.flag.next = bits::<6>(16);
                }
                if self.settled.val() {
                    self.spent.d.next = self.timer.age.val();
                    self.counted.d.next = self.count.q.val();
                    if self.line.waiting.val() {
                        self.flag.next = bits::<6>(32);
                        self.state.d.next = State::Idle;
                    } else if self.found.val() {
                        self.answer.d.next = self.encoder.code.val();
                        self.left.d.next = bits::<3>(4);
                        self.state.d.next = State::Fetch;
                    } else {
                        self.answer.d.next = bits::<32>(0x3030_3030);
                        self.left.d.next = bits::<3>(4);
                        self.state.d.next = State::Send;
                    }
                } else if self.timer.expired.val() {
                    self.giving_up.next = true;
                }
            }
            State::Fetch => {
                self.fetch.next = true;
                self.state.d.next = State::Stamp;
            }
            State::Stamp => {
                self.place.next = true;
                self.state.d.next = State::Settle;
            }
            State::Settle => {
                if self.settled.val() {
                    self.rivals.d.next = false;
                    if self.rivals.q.val() {
                        self.state.d.next = State::Think;
                    } else {
                        self.state.d.next = State::Send;
                    }
                } else if self.timer.expired.val() {
                    if self.rivals.q.val() {
                        self.giving_up.next = true;
                    } else {
                        self.state.d.next = State::Send;
                    }
                }
            }
            State::Send => {
                if !self.left.q.val().any() {
                    if self.more.q.val() {
                        self.answer.d.next = self.build[1].val();
                        self.left.d.next = bits::<3>(4);
                        self.more.d.next = false;
                    } else {
                        self.state.d.next = State::Idle;
                    }
                } else if self.sender.ready.val() {
                    self.sender.strobe.next = true;
                    self.answer.d.next = self.answer.q.val() >> 8;
                    self.left.d.next = self.left.q.val() - 1;
                }
            }
            _ => {
                self.state.d.next = State::Idle;
            }
        }
        // A clear during a job lasts until the job ends.
        self.clearing.d.next = self.clear.val() & (!self.settled.val());

        // The timer comes after every assignment of `line.take`: the Verilog reads the values
        // assigned above.
        self.timer.waiting.next = self.line.waiting.val();
        self.timer.take.next = self.line.take.val();
        self.timer.idle.next = self.state.q.val() == State::Idle;

        // The limit has passed without a decision.
        if self.giving_up.val() {
            self.rivals.d.next = false;
            if self.line.waiting.val() {
                self.flag.next = bits::<6>(32);
                self.state.d.next = State::Idle;
            } else {
                self.flag.next = bits::<6>(16);
                self.answer.d.next = bits::<32>(0x3030_3030);
                self.left.d.next = bits::<3>(4);
                self.state.d.next = State::Send;
            }
        }
        if self.reset_two.q.val() {
            self.known.d.next = false;
            self.list.next = false;
            self.think.next = false;
            self.place.next = false;
            self.state.d.next = State::Idle;
        }

        // Status.
        if self.receiver.framing.val() {
            self.flag.next = self.flag.val() | bits::<6>(4);
        }
        if self.line.garbage.val() {
            self.flag.next = self.flag.val() | bits::<6>(8);
        }
        if self.flag.val().any() {
            self.trouble.d.next = self.trouble.q.val() | self.flag.val();
        }
        if self.reset_two.q.val() {
            self.trouble.d.next = bits::<6>(0);
        }
        self.playing.next = self.known.q.val();
        self.thinking.next = self.state.q.val() != State::Idle;
        self.flags.next = self.trouble.q.val();
        self.think_clocks.next = self.spent.q.val();
        self.legal_count.next = self.counted.q.val();
    }
}
