//! Protocol FSM: executes host codes from the UART and sends the replies.
//!
//! The controller takes one host code at a time and runs these steps:
//!
//! 1. Check the opponent's placement against the opponent's legal set, which the player's own move
//!    generator lists. A broken code or an illegal placement counts as a pass and sets a bit of
//!    `flags`.
//! 2. Have the chooser pick a placement.
//! 3. Write the placement into the board and send its code.
//!
//! A prompt that a newer host code supersedes before the decision gets no reply.
//!
//! The chooser holds the board and picks placements; it is connected to the ports from `clear` to
//! `best_y`. It runs one job at a time and drives `idle` high when it is idle. The controller
//! starts a job only while `idle` is high.
//!
//! The reply timer counts the age of the host code. At the deadline (`deadline_cycles`) the
//! controller raises `deadline` and plays the best placement so far. At the limit it stops waiting
//! for the chooser and sends the placement that is already decided, else `0000`. Every prompt is
//! therefore answered in time even if `idle` never rises. `hdl/formal/reply_in_time` proves this
//! for the clock frequencies of all targets.
//!
//! Encoding: binary states, the idle state first, because registers power up to zero.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use self::reply_timer::ReplyTimer;
use self::state::ControllerState;
use crate::block::block;
use crate::line::decoder::Decoder;
use crate::line::encoder::Encoder;
use crate::line::parser::HostCodeParser;
use crate::line::uart_rx::UartRx;
use crate::line::uart_tx::UartTx;
use crate::parameters::PlayerParameters;

pub mod reply_timer;
pub mod state;
mod update;

block! {
    /// Protocol controller of the hardware player.
    pub struct Controller from ControllerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// External reset: while high, empties the board and discards host codes and jobs.
        pub reset: Signal<In, Bit>,
        /// External serial input from the host.
        pub rx: Signal<In, Bit>,
        /// Serial output to the host.
        pub tx: Signal<Out, Bit>,
        /// To the chooser: empties the board and returns all tiles.
        pub clear: Signal<Out, Bit>,
        /// To the chooser: drops the job in progress because of a reset.
        pub abort: Signal<Out, Bit>,
        /// To the chooser: ends the search at the deadline; the best placement so far is played.
        pub deadline: Signal<Out, Bit>,
        /// To the chooser: the placement is not needed. High while a newer host code waits during a
        /// search, and while the controller is idle.
        pub superseded: Signal<Out, Bit>,
        /// To the chooser: start cell of this player, high for (a,a), low for (5,5).
        pub start_is_a: Signal<Out, Bit>,
        /// To the chooser: side of the job, 0 for this player, 1 for the opponent.
        pub side: Signal<Out, Bit>,
        /// To the chooser: starts to list the legal set of `side`.
        pub list: Signal<Out, Bit>,
        /// To the chooser: starts to choose a placement for this player.
        pub think: Signal<Out, Bit>,
        /// To the chooser: announces that `place` writes the placement below in the next cycle.
        pub fetch: Signal<Out, Bit>,
        /// To the chooser: starts to write the placement below into the board of `side`.
        pub place: Signal<Out, Bit>,
        /// Orientation of the placement to write.
        pub orientation: Signal<Out, Bits<7>>,
        /// Tile of the placement to write.
        pub tile: Signal<Out, Bits<5>>,
        /// Column of the anchor of the placement to write.
        pub x: Signal<Out, Bits<4>>,
        /// Row of the anchor of the placement to write.
        pub y: Signal<Out, Bits<4>>,
        /// From the chooser: high if no job is in progress.
        pub idle: Signal<In, Bit>,
        /// From the chooser: high if the placement below belongs to the legal set being listed.
        pub listed: Signal<In, Bit>,
        /// Orientation of the listed placement.
        pub listed_orientation: Signal<In, Bits<7>>,
        /// Column of the anchor of the listed placement.
        pub listed_x: Signal<In, Bits<4>>,
        /// Row of the anchor of the listed placement.
        pub listed_y: Signal<In, Bits<4>>,
        /// From the chooser: high if the placement below is the best one so far.
        pub found: Signal<In, Bit>,
        /// Orientation of the best placement.
        pub best_orientation: Signal<In, Bits<7>>,
        /// Column of the anchor of the best placement.
        pub best_x: Signal<In, Bits<4>>,
        /// Row of the anchor of the best placement.
        pub best_y: Signal<In, Bits<4>>,
        /// Status: high during a game, that is, while the start cell is known.
        pub playing: Signal<Out, Bit>,
        /// Status: high while a host code is executed.
        pub thinking: Signal<Out, Bit>,
        /// Status: faults since the last `0`, one bit each:
        ///
        /// - bit 0: broken code,
        /// - bit 1: illegal placement,
        /// - bit 2: framing error,
        /// - bit 3: bytes outside any code,
        /// - bit 4: reply cut short by the deadline or the limit, or the deadline passed while a search
        ///   player checked its placement,
        /// - bit 5: prompt superseded.
        pub flags: Signal<Out, Bits<6>>,
        /// Status: cycles from the last complete prompt to the decision on the reply. Not updated
        /// if the limit passes first.
        pub think_cycles: Signal<Out, Bits<32>>,
        /// Status: placements that were listed for the last decision.
        pub legal_count: Signal<Out, Bits<11>>,
        uart_rx: UartRx = given,
        parser: HostCodeParser = given,
        decoder: Decoder,
        encoder: Encoder,
        uart_tx: UartTx = given,
        reset_sampled: DFF<Bit>,
        reset_held: DFF<Bit>,
        // High while a clear waits for the job that was in progress.
        clearing: DFF<Bit>,
        state: DFF<ControllerState>,
        in_game: DFF<Bit>,
        game_start_is_a: DFF<Bit>,
        opponent_side: DFF<Bit>,
        opponent_code: DFF<Bits<32>>,
        opponent_legal: DFF<Bit>,
        reply_timer: ReplyTimer = given,
        decision_age: DFF<Bits<32>>,
        listed_count: DFF<Bits<11>>,
        decision_count: DFF<Bits<11>>,
        sticky_flags: DFF<Bits<6>>,
        reply: DFF<Bits<32>>,
        bytes_left: DFF<Bits<3>>,
        second_half_pending: DFF<Bit>,
        deadline_reached: Signal<Local, Bit>,
        limit_reached: Signal<Local, Bit>,
        chooser_ready: Signal<Local, Bit>,
        new_flags: Signal<Local, Bits<6>>,
        // Flags of earlier cycles; none in the cycle that takes a `0`.
        kept_flags: Signal<Local, Bits<6>>,
        handshake_reply: Constant<Bits<32>> = given,
        build_digits: [Constant<Bits<32>>; 2] = given,
    }
}

impl Controller {
    /// Creates a controller with these parameters.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 cycles.
    pub fn new(parameters: &PlayerParameters) -> Self {
        let divisor = parameters.divisor();
        Self::from(ControllerParts {
            uart_rx: UartRx::new(divisor),
            parser: HostCodeParser::new(parameters.inter_byte_timeout_cycles),
            uart_tx: UartTx::new(divisor),
            handshake_reply: Constant::new(parameters.handshake_reply().to_bits()),
            build_digits: parameters
                .build_digits()
                .map(|digits| Constant::new(digits.to_bits())),
            reply_timer: ReplyTimer::new(parameters.deadline_cycles, parameters.reply_limit_cycles),
        })
    }
}
