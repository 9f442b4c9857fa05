//! The player's controller: serial line in, serial line out, and what is to be done about it.
//!
//! It takes one host code after another. A rival's move is looked up in the rival's own legal set,
//! made by the same move generator that makes ours, so that it is checked to the cell before it
//! touches the board; a broken or illegal one is ignored as if the rival had passed, and a flag says
//! so. Then it has our placement chosen, has it written into the board, and sends its code. A request
//! that a newer host code overtakes gets no answer.
//!
//! What has a board and chooses (the chooser) hangs on the ports from `clear` to `best`. It takes one
//! job at a time and says with `settled` that it has none; it is given a job only while it has none.
//!
//! The timer holds the age of the newest complete host code. At the guard the chooser is told to stop, and
//! the best placement so far is played. At the limit the controller stops waiting for the chooser,
//! whatever that does: it sends the placement that is decided on, or `0000`. So every request is answered
//! in time even if the chooser never settles; `hdl/formal/reply_in_time` proves it for the clocks of all targets.
//!
//! Encoding: states in binary with the idle state first, because registers power up to zero.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

mod update;

use crate::{
    block::block, decoder::Decoder, encoder::Encoder, line::Line, parameters::Parameters,
    reply_timer::ReplyTimer, state::State, uart_rx::UartRx, uart_tx::UartTx,
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
    // The chooser was not settled when it was cleared.
    clearing: DFF<Bit>,
    state: DFF<State>,
    known: DFF<Bit>,
    first_cell: DFF<Bit>,
    rivals: DFF<Bit>,
    rival: DFF<Bits<32>>,
    legal: DFF<Bit>,
    timer: ReplyTimer,
    spent: DFF<Bits<32>>,
    count: DFF<Bits<11>>,
    counted: DFF<Bits<11>>,
    trouble: DFF<Bits<6>>,
    answer: DFF<Bits<32>>,
    left: DFF<Bits<3>>,
    more: DFF<Bit>,
    cutting: Signal<Local, Bit>,
    giving_up: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    flag: Signal<Local, Bits<6>>,
    hello: Constant<Bits<32>>,
    build: [Constant<Bits<32>>; 2],
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
            timer: ReplyTimer::new(parameters.guard, parameters.limit),
        } default
            clock reset rx tx clear drop cut overtaken start_is_a side list think fetch place
            orientation tile x y settled listed listed_orientation listed_x listed_y found
            best_orientation best_x best_y playing thinking flags think_clocks legal_count decoder
            encoder reset_one reset_two clearing state known first_cell rivals rival legal
            spent count counted trouble answer left more cutting giving_up free flag
        )
    }
}

crate::ported!(Controller;
    in reset rx settled listed listed_orientation listed_x listed_y found best_orientation best_x best_y;
    out tx clear drop cut overtaken start_is_a side list think fetch place orientation tile x y playing
        thinking flags think_clocks legal_count
);
