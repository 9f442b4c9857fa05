//! The whole player: serial line in, serial line out.
//!
//! The controller takes one host code after another. A rival's move is looked up in the rival's own
//! legal set, made by the same move generator that makes ours, so that it is checked to the cell
//! before it touches the board; a broken or illegal one is ignored as if the rival had passed, and
//! a flag says so. Then our legal set is streamed through the scorer, the best placement is written
//! into the board, and its code is sent. A request that a newer host code overtakes gets no answer.
//!
//! Encoding: states in binary with the idle state first, because registers power up to zero.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::{
    block::block,
    decoder::Decoder,
    encoder::Encoder,
    generator::Generator,
    line::{Kind, Line},
    scan::Scan,
    scorer::Scorer,
    state::State,
    uart_rx::UartRx,
    uart_tx::UartTx,
};

pub use crate::parameters::Parameters;

/// The player.
#[derive(LogicBlock)]
pub struct Player {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// From outside: while high, forgets everything.
    pub reset: Signal<In, Bit>,
    /// From outside: the serial line from the host.
    pub rx: Signal<In, Bit>,
    /// The serial line to the host.
    pub tx: Signal<Out, Bit>,
    /// Status: a game is on, that is, the start cell is known.
    pub playing: Signal<Out, Bit>,
    /// Status: a request is being worked on.
    pub thinking: Signal<Out, Bit>,
    /// Status: what went wrong since the last `0`: bit 0 broken move, 1 illegal move, 2 framing
    /// error, 3 bytes outside any code, 4 answer cut short by the guard, 5 request overtaken.
    pub flags: Signal<Out, Bits<6>>,
    /// Status: clocks from the last request to the decision about it.
    pub think_clocks: Signal<Out, Bits<32>>,
    /// Status: placements that were legal at the last decision.
    pub legal_count: Signal<Out, Bits<11>>,
    /// Trace: the scan has found a legal placement of `trace_side`.
    pub trace_valid: Signal<Out, Bit>,
    /// Trace: 0 mine, 1 the rival's.
    pub trace_side: Signal<Out, Bit>,
    /// Trace: its orientation.
    pub trace_orientation: Signal<Out, Bits<7>>,
    /// Trace: its anchor's column.
    pub trace_x: Signal<Out, Bits<4>>,
    /// Trace: its anchor's row.
    pub trace_y: Signal<Out, Bits<4>>,
    /// Trace: a placement has been scored.
    pub score_valid: Signal<Out, Bit>,
    /// Trace: its score.
    pub score: Signal<Out, Bits<11>>,
    receiver: UartRx,
    line: Line,
    decoder: Decoder,
    generator: Generator,
    scan: Scan,
    scorer: Scorer,
    encoder: Encoder,
    sender: UartTx,
    reset_one: DFF<Bit>,
    reset_two: DFF<Bit>,
    state: DFF<State>,
    known: DFF<Bit>,
    start_is_a: DFF<Bit>,
    side: DFF<Bit>,
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
    clear: Signal<Local, Bit>,
    cut: Signal<Local, Bit>,
    drained: Signal<Local, Bit>,
    orientation: Signal<Local, Bits<7>>,
    x: Signal<Local, Bits<4>>,
    y: Signal<Local, Bits<4>>,
    flag: Signal<Local, Bits<6>>,
    hello: Constant<Bits<32>>,
    build: [Constant<Bits<32>>; 2],
    guard: Constant<Bits<32>>,
}

impl Player {
    /// A player with the given parameters.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 clocks.
    pub fn new(parameters: &Parameters) -> Self {
        let divisor = parameters.divisor();
        block!(Self {
            receiver: UartRx::new(divisor),
            line: Line::new(parameters.gap),
            scorer: Scorer::new(&parameters.policy),
            sender: UartTx::new(divisor),
            hello: Constant::new(parameters.hello().to_bits()),
            build: parameters.build_digits().map(|digits| Constant::new(digits.to_bits())),
            guard: Constant::new(parameters.guard.to_bits()),
        } default
            clock reset rx tx playing thinking flags think_clocks legal_count trace_valid
            trace_side trace_orientation trace_x trace_y score_valid score decoder generator
            scan encoder reset_one reset_two state known start_is_a side rival legal timer late
            spent count counted trouble answer left more clear cut drained orientation x y flag
        )
    }
}

impl Logic for Player {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, reset_one, reset_two, state, known, start_is_a, side
        );
        dff_setup!(
            self, clock, rival, legal, timer, late, spent, count, counted
        );
        dff_setup!(self, clock, trouble, answer, left, more);
        clock!(self, clock, receiver, line, generator, scan, scorer, sender);
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

        // From the generator through the scan to the scorer.
        for i in 0..91 {
            self.scan.legal[i].next = self.generator.legal[i].val();
        }
        for i in 0..5 {
            self.scan.window[i].next = self.generator.window[i].val();
            self.scorer.patch[i].next = self.scan.patch[i].val();
        }
        self.scan.load.next = self.generator.load.val();
        self.scan.row.next = self.generator.row.val();
        // Written once and not overridden below: in an interpreter a pulse without length would run in
        // circles through the scan's `ready`.
        self.cut.next =
            self.late.q.val() & self.scorer.found.val() & (self.state.q.val() == State::Search);
        self.scan.flush.next = self.reset_two.q.val() | self.cut.val();
        self.generator.ready.next = self.scan.ready.val();
        self.scorer.valid.next = self.scan.valid.val();
        self.scorer.orientation.next = self.scan.orientation.val();
        self.scorer.x.next = self.scan.x.val();
        self.scorer.y.next = self.scan.y.val();
        self.scorer.restart.next = false;
        self.drained.next =
            self.generator.idle.val() & self.scan.idle.val() & self.scorer.idle.val();
        // A reset lasts until nothing is under way that could reach the cleared board.
        self.reset_two.d.next =
            self.reset_one.q.val() | (self.reset_two.q.val() & (!self.drained.val()));

        // The placement in question: the rival's, or our best.
        self.decoder.code.next = self.rival.q.val();
        if self.side.q.val() {
            self.orientation.next = self.decoder.orientation.val();
            self.x.next = self.decoder.x.val();
            self.y.next = self.decoder.y.val();
        } else {
            self.orientation.next = self.scorer.best_orientation.val();
            self.x.next = self.scorer.best_x.val();
            self.y.next = self.scorer.best_y.val();
        }
        self.encoder.orientation.next = self.orientation.val();
        self.encoder.x.next = self.x.val();
        self.encoder.y.next = self.y.val();
        self.generator.start_is_a.next = self.start_is_a.q.val();
        self.generator.side.next = self.side.q.val();
        self.generator.stream.next = false;
        self.generator.place.next = false;
        self.generator.footprint.next = self.scorer.cells_of.val();
        self.generator.tile.next = self.encoder.tile.val();
        self.generator.x.next = self.x.val();
        self.generator.y.next = self.y.val();

        self.clear.next = self.reset_two.q.val();
        self.flag.next = bits::<6>(0);
        self.sender.strobe.next = false;
        self.sender.data.next = self.answer.q.val().get_bits::<8>(0);
        if self.scan.valid.val() {
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
                self.side.d.next = false;
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
                            self.start_is_a.d.next = self.line.start_is_a.val();
                            self.state.d.next = State::Think;
                        }
                        Kind::Second => {
                            self.clear.next = true;
                            self.known.d.next = true;
                            self.start_is_a.d.next = self.line.start_is_a.val();
                            self.side.d.next = true;
                            self.state.d.next = State::Read;
                        }
                        Kind::Turn => {
                            if self.known.q.val() {
                                self.side.d.next = true;
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
                    self.generator.stream.next = true;
                    self.state.d.next = State::Check;
                } else {
                    self.side.d.next = false;
                    self.state.d.next = State::Think;
                    if !self.decoder.pass.val() {
                        self.flag.next = bits::<6>(1);
                    }
                }
            }
            State::Check => {
                if self.scan.valid.val()
                    & (self.scan.orientation.val() == self.decoder.orientation.val())
                    & (self.scan.x.val() == self.decoder.x.val())
                    & (self.scan.y.val() == self.decoder.y.val())
                {
                    self.legal.d.next = true;
                }
                if self.drained.val() {
                    if self.legal.q.val() {
                        self.state.d.next = State::Fetch;
                    } else {
                        self.flag.next = bits::<6>(2);
                        self.side.d.next = false;
                        self.state.d.next = State::Think;
                    }
                }
            }
            State::Think => {
                self.count.d.next = bits::<11>(0);
                self.scorer.restart.next = true;
                self.generator.stream.next = true;
                self.state.d.next = State::Search;
            }
            State::Search => {
                if self.cut.val() {
                    self.flag.next = bits::<6>(16);
                }
                if self.drained.val() {
                    self.spent.d.next = self.timer.q.val();
                    self.counted.d.next = self.count.q.val();
                    if self.line.waiting.val() {
                        self.flag.next = bits::<6>(32);
                        self.state.d.next = State::Idle;
                    } else if self.scorer.found.val() {
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
                self.scorer.orientation.next = self.orientation.val();
                self.state.d.next = State::Stamp;
            }
            State::Stamp => {
                self.generator.place.next = true;
                self.state.d.next = State::Settle;
            }
            State::Settle => {
                if self.generator.idle.val() {
                    self.side.d.next = false;
                    if self.side.q.val() {
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
        if self.reset_two.q.val() {
            self.known.d.next = false;
            self.state.d.next = State::Idle;
        }
        self.generator.clear.next = self.clear.val();

        // Status and trace.
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
        self.trace_valid.next = self.scan.valid.val();
        self.trace_side.next = self.side.q.val();
        self.trace_orientation.next = self.scan.orientation.val();
        self.trace_x.next = self.scan.x.val();
        self.trace_y.next = self.scan.y.val();
        self.score_valid.next = self.scorer.scored.val();
        self.score.next = self.scorer.score.val();
    }
}

crate::ported!(Player;
    in reset rx;
    out tx playing thinking flags think_clocks legal_count trace_valid trace_side trace_orientation
        trace_x trace_y score_valid score
);
