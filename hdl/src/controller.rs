//! The player's controller: serial line in, serial line out, and what is to be done about it.
//!
//! It takes one host code after another. A rival's move is looked up in the rival's own legal set,
//! made by the same move generator that makes ours, so that it is checked to the cell before it
//! touches the board; a broken or illegal one is ignored as if the rival had passed, and a flag says
//! so. Then it has our placement chosen, has it written into the board, and sends its code. A request
//! that a newer host code overtakes gets no answer.
//!
//! What has a board and chooses (the chooser) hangs on the ports from `clear` to `best`. It takes one
//! job at a time and says with `settled` that it has none.
//!
//! Encoding: states in binary with the idle state first, because registers power up to zero.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::{
    block::block,
    decoder::Decoder,
    encoder::Encoder,
    line::{Kind, Line},
    parameters::Parameters,
    state::State,
    uart_rx::UartRx,
    uart_tx::UartTx,
};

/// The controller.
#[derive(LogicBlock)]
pub struct Controller {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// From outside: while high, forgets everything.
    pub reset: Signal<In, Bit>,
    /// From outside: the serial line from the host.
    pub rx: Signal<In, Bit>,
    /// The serial line to the host.
    pub tx: Signal<Out, Bit>,
    /// To the chooser: empty the board and give all tiles back.
    pub clear: Signal<Out, Bit>,
    /// To the chooser: drop what is under way, because of a reset.
    pub drop: Signal<Out, Bit>,
    /// To the chooser: play the best placement so far, because it is late.
    pub cut: Signal<Out, Bit>,
    /// To the chooser: a newer host code waits, so that no placement will be needed.
    pub overtaken: Signal<Out, Bit>,
    /// To the chooser: my start cell is (a,a) and not (5,5).
    pub start_is_a: Signal<Out, Bit>,
    /// To the chooser: whose job: 0 mine, 1 the rival's.
    pub side: Signal<Out, Bit>,
    /// To the chooser: list the legal set of `side`.
    pub list: Signal<Out, Bit>,
    /// To the chooser: choose a placement of mine.
    pub think: Signal<Out, Bit>,
    /// To the chooser: the placement below will be written with the next clock.
    pub fetch: Signal<Out, Bit>,
    /// To the chooser: write the placement below into the board of `side`.
    pub place: Signal<Out, Bit>,
    /// Its orientation.
    pub orientation: Signal<Out, Bits<7>>,
    /// Its tile.
    pub tile: Signal<Out, Bits<5>>,
    /// Its anchor's column.
    pub x: Signal<Out, Bits<4>>,
    /// Its anchor's row.
    pub y: Signal<Out, Bits<4>>,
    /// From the chooser: no job is under way.
    pub settled: Signal<In, Bit>,
    /// From the chooser: the placement below is in the legal set that is listed.
    pub listed: Signal<In, Bit>,
    /// Its orientation.
    pub listed_orientation: Signal<In, Bits<7>>,
    /// Its anchor's column.
    pub listed_x: Signal<In, Bits<4>>,
    /// Its anchor's row.
    pub listed_y: Signal<In, Bits<4>>,
    /// From the chooser: the placement below is the best one so far.
    pub found: Signal<In, Bit>,
    /// Its orientation.
    pub best_orientation: Signal<In, Bits<7>>,
    /// Its anchor's column.
    pub best_x: Signal<In, Bits<4>>,
    /// Its anchor's row.
    pub best_y: Signal<In, Bits<4>>,
    /// Status: a game is on, that is, the start cell is known.
    pub playing: Signal<Out, Bit>,
    /// Status: a request is being worked on.
    pub thinking: Signal<Out, Bit>,
    /// Status: what went wrong since the last `0`: bit 0 broken move, 1 illegal move, 2 framing
    /// error, 3 bytes outside any code, 4 answer cut short by the guard, 5 request overtaken.
    pub flags: Signal<Out, Bits<6>>,
    /// Status: clocks from the last request to the decision about it.
    pub think_clocks: Signal<Out, Bits<32>>,
    /// Status: placements that were listed for the last decision.
    pub legal_count: Signal<Out, Bits<11>>,
    receiver: UartRx,
    line: Line,
    decoder: Decoder,
    encoder: Encoder,
    sender: UartTx,
    reset_one: DFF<Bit>,
    reset_two: DFF<Bit>,
    state: DFF<State>,
    known: DFF<Bit>,
    first_cell: DFF<Bit>,
    rivals: DFF<Bit>,
    rival: DFF<Bits<32>>,
    legal: DFF<Bit>,
    timer: DFF<Bits<32>>,
    late: DFF<Bit>,
    spent: DFF<Bits<32>>,
    count: DFF<Bits<11>>,
    counted: DFF<Bits<11>>,
    trouble: DFF<Bits<6>>,
    answer: DFF<Bits<32>>,
    left: DFF<Bits<3>>,
    more: DFF<Bit>,
    cutting: Signal<Local, Bit>,
    flag: Signal<Local, Bits<6>>,
    hello: Constant<Bits<32>>,
    build: [Constant<Bits<32>>; 2],
    guard: Constant<Bits<32>>,
}

impl Controller {
    /// A controller with the given parameters.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 clocks.
    pub fn new(parameters: &Parameters) -> Self {
        let divisor = parameters.divisor();
        block!(Self {
            receiver: UartRx::new(divisor),
            line: Line::new(parameters.gap),
            sender: UartTx::new(divisor),
            hello: Constant::new(parameters.hello().to_bits()),
            build: parameters.build_digits().map(|digits| Constant::new(digits.to_bits())),
            guard: Constant::new(parameters.guard.to_bits()),
        } default
            clock reset rx tx clear drop cut overtaken start_is_a side list think fetch place
            orientation tile x y settled listed listed_orientation listed_x listed_y found
            best_orientation best_x best_y playing thinking flags think_clocks legal_count decoder
            encoder reset_one reset_two state known first_cell rivals rival legal timer late spent
            count counted trouble answer left more cutting flag
        )
    }
}

impl Logic for Controller {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, reset_one, reset_two, state, known, first_cell, rivals
        );
        dff_setup!(
            self, clock, rival, legal, timer, late, spent, count, counted
        );
        dff_setup!(self, clock, trouble, answer, left, more);
        clock!(self, clock, receiver, line, sender);
        self.reset_one.d.next = self.reset.val();

        // The line.
        self.receiver.rx.next = self.rx.val();
        self.line.strobe.next = self.receiver.strobe.val();
        self.line.data.next = self.receiver.data.val();
        self.line.framing.next = self.receiver.framing.val();
        self.line.receiving.next = self.receiver.busy.val();
        self.line.reset.next = self.reset_two.q.val();
        self.line.take.next = false;
        self.tx.next = self.sender.tx.val();

        // A reset lasts until nothing is under way that could reach the cleared board.
        self.reset_two.d.next =
            self.reset_one.q.val() | (self.reset_two.q.val() & (!self.settled.val()));
        self.drop.next = self.reset_two.q.val();
        self.cutting.next =
            self.late.q.val() & self.found.val() & (self.state.q.val() == State::Search);
        self.cut.next = self.cutting.val();
        self.overtaken.next = self.line.waiting.val() & (self.state.q.val() == State::Search);

        // The placement in question: the rival's, or our best.
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

        self.clear.next = self.reset_two.q.val();
        self.flag.next = bits::<6>(0);
        self.sender.strobe.next = false;
        self.sender.data.next = self.answer.q.val().get_bits::<8>(0);
        if self.listed.val() {
            self.count.d.next = self.count.q.val() + 1;
        }

        // The guard.
        if self.timer.q.val() == self.guard.val() {
            self.late.d.next = true;
        } else {
            self.timer.d.next = self.timer.q.val() + 1;
        }

        match self.state.q.val() {
            State::Idle => {
                self.rivals.d.next = false;
                self.timer.d.next = bits::<32>(0);
                self.late.d.next = false;
                self.more.d.next = false;
                self.rival.d.next = self.line.code.val();
                if self.line.waiting.val() {
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
                        // `9`, and kinds that do not exist.
                        _ => {
                            self.clear.next = true;
                            self.known.d.next = false;
                        }
                    }
                }
            }
            State::Read => {
                self.legal.d.next = false;
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
                }
            }
            State::Think => {
                self.count.d.next = bits::<11>(0);
                self.think.next = true;
                self.state.d.next = State::Search;
            }
            State::Search => {
                if self.cutting.val() {
                    self.flag.next = bits::<6>(16);
                }
                if self.settled.val() {
                    self.spent.d.next = self.timer.q.val();
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
        // A job that began with the reset would outlast it.
        if self.reset_two.q.val() {
            self.list.next = false;
            self.think.next = false;
            self.place.next = false;
            self.known.d.next = false;
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

crate::ported!(Controller;
    in reset rx settled listed listed_orientation listed_x listed_y found best_orientation best_x best_y;
    out tx clear drop cut overtaken start_is_a side list think fetch place orientation tile x y playing
        thinking flags think_clocks legal_count
);
