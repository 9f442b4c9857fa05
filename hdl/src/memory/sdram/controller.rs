//! SDRAM controller: power-up sequence, refresh, and transfer of lines, one word per cycle.
//!
//! Encoding: one state, and one count of the cycles until its next command. So each pair of
//! commands has its distance in one place, and the controller returns to a request from every
//! state. A transfer has a command for each word. That fits every number of words, needs no command
//! to end a burst, and costs nothing, since the pins have no other use meanwhile. A precharge
//! always closes all banks, so only one row is ever open.
//!
//! Power-up: the sequence begins after `hold`. While it is high, the controller sends no command and
//! begins no count, since its clock may not be stable.
//!
//! Refresh: 64 ms / 8192 is the longest time from one refresh to the next, 390 cycles at 50 MHz. A
//! refresh precedes all requests as soon as another line might end too late. A line is never
//! interrupted.
//!
//! Timing, with the chip's clock in phase:
//! - `request` is sampled while `ready` is high; `idle` falls one cycle later;
//! - of a line that is written, the client provides word i in the cycle after `index` was i;
//! - of a line that is read, `store` is high for each word, with its number and the word;
//! - `idle` rises with the last word of a line that is read, and after the last one of a line that
//!   is written.
//!
//! All pins are registered. The chip's command pins are stored inverted: at power-up there is no
//! command. `data_out` drives the pins while `drive` is high. The board's top has the tri-state
//! buffers, and may have registers between the pins and `data_in`.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::timing::{SdramTiming, TimingError};
use super::{ColumnPins, Command, INDEX, LINE, LineNumber, WORD};
use crate::block::block;
use crate::word::ShiftBy;

/// State of the controller.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SdramState {
    /// Waits after power-up, then closes all rows.
    PowerUp,
    /// Refreshes the chip eight times.
    FirstRefreshes,
    /// Sets the mode register.
    SetMode,
    /// No line; refreshes.
    Idle,
    /// Reads or writes the words of a line.
    Transfer,
    /// Closes the row.
    Close,
}

/// Greatest number of the board's registers between the pins and `data_in`.
pub const MAX_INPUT_REGISTERS: usize = 4;

/// Cycles from the issue of a read to its word, without further registers: one for the command's
/// register, two of CAS latency, one for the word's register.
const READ_LATENCY: usize = 4;

block! {
    /// SDRAM controller.
    pub struct SdramController from SdramControllerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// High until the clock is stable: the power-up sequence begins after it.
        pub hold: Signal<In, Bit>,

        // Requests.
        /// Requests the transfer of a line.
        pub request: Signal<In, Bit>,
        /// With `request`: high to write the line, low to read it.
        pub write: Signal<In, Bit>,
        /// With `request`: number of the line, a [`LineNumber`].
        pub line: Signal<In, Bits<LINE>>,
        /// High while a request can be accepted.
        pub ready: Signal<Out, Bit>,
        /// High while no line is transferred. Low until the power-up sequence has ended.
        pub idle: Signal<Out, Bit>,

        // Words to write.
        /// Number of the word to provide in the next cycle.
        pub index: Signal<Out, Bits<INDEX>>,
        /// Word of the `index` of the previous cycle.
        pub word: Signal<In, Bits<WORD>>,
        /// High while `word` is written.
        pub take: Signal<Out, Bit>,

        // Words that were read.
        /// High while `stored_word` is a word of the line.
        pub store: Signal<Out, Bit>,
        /// Number of that word.
        pub store_index: Signal<Out, Bits<INDEX>>,
        /// Word that was read.
        pub stored_word: Signal<Out, Bits<WORD>>,

        // Pins of the chip.
        /// Clock enable.
        pub cke: Signal<Out, Bit>,
        /// Chip select, active low.
        pub cs_n: Signal<Out, Bit>,
        /// Row address strobe, active low.
        pub ras_n: Signal<Out, Bit>,
        /// Column address strobe, active low.
        pub cas_n: Signal<Out, Bit>,
        /// Write enable, active low.
        pub we_n: Signal<Out, Bit>,
        /// Bank.
        pub bank: Signal<Out, Bits<2>>,
        /// Row, column or mode.
        pub address: Signal<Out, Bits<13>>,
        /// Masks of the two bytes, equal: high only until the power-up sequence has ended.
        pub mask: Signal<Out, Bit>,
        /// Data to the chip.
        pub data_out: Signal<Out, Bits<WORD>>,
        /// High while the data pins carry `data_out`.
        pub drive: Signal<Out, Bit>,
        /// Data from the chip.
        pub data_in: Signal<In, Bits<WORD>>,

        // State of the sequence.
        state: DFF<SdramState>,
        // Cycles until the next command of the state.
        left: DFF<Bits<4>>,
        // Cycles since the last refresh, up to the wait after power-up.
        elapsed: DFF<Bits<16>>,
        refreshes: DFF<Bits<3>>,

        // The line.
        writing: DFF<Bit>,
        half: DFF<Bit>,
        next_word: DFF<Bits<INDEX>>,
        // Reads whose word has not been stored, the newest in bit 0.
        reads: DFF<Bits<8>>,
        stored: DFF<Bits<INDEX>>,

        // Registers of the pins.
        started: DFF<Bit>,
        enabled: DFF<Bit>,
        command: DFF<Bits<4>>,
        bank_pins: DFF<Bits<2>>,
        address_pins: DFF<Bits<13>>,
        data_pins: DFF<Bits<WORD>>,
        driving: DFF<Bit>,
        captured: DFF<Bits<WORD>>,

        acts: Signal<Local, Bit>,
        refresh_due: Signal<Local, Bit>,
        reading: Signal<Local, Bit>,
        accepts: Signal<Local, Bit>,
        read_issued: Signal<Local, Bit>,
        following: Signal<Local, Bits<INDEX>>,
        column: Signal<Local, Bits<9>>,
        storing: Signal<Local, Bit>,
        last_word: Constant<Bits<INDEX>> = given,
        power_up: Constant<Bits<16>> = given,
        refresh_after: Constant<Bits<16>> = given,
        open_to_word: Constant<Bits<4>> = given,
        close: Constant<Bits<4>> = given,
        write_to_close: Constant<Bits<4>> = given,
        refresh: Constant<Bits<4>> = given,
        mode: Constant<Bits<4>> = given,
        // Reads that are too new to have their word in this cycle.
        pending: Constant<Bits<8>> = given,
        // Read whose word is in the input register.
        arrived: Constant<Bits<8>> = given,
    }
}

impl SdramController {
    /// Creates a controller of lines of `words` words. `input_registers` is the number of the
    /// board's registers between the data pins and `data_in`, at most [`MAX_INPUT_REGISTERS`].
    ///
    /// # Errors
    /// As [`SdramTiming::refresh_after`].
    ///
    /// # Panics
    /// If there are more input registers.
    pub fn new(
        words: usize,
        timing: &SdramTiming,
        input_registers: usize,
    ) -> Result<Self, TimingError> {
        assert!(input_registers <= MAX_INPUT_REGISTERS);
        let refresh_after = timing.refresh_after(words)?;
        // The command after `cycles` cycles is issued when one fewer has been counted.
        let wait = |cycles: u16| Constant::new((cycles - 1).to_bits());
        let arrived = 1_u64 << (READ_LATENCY - 1 + input_registers);
        Ok(Self::from(SdramControllerParts {
            last_word: Constant::new((words - 1).to_bits()),
            power_up: Constant::new(timing.power_up.to_bits()),
            refresh_after: Constant::new(refresh_after.to_bits()),
            open_to_word: wait(timing.open_to_word),
            close: wait(timing.close),
            write_to_close: wait(timing.write_to_close),
            refresh: wait(timing.refresh),
            mode: wait(timing.mode),
            pending: Constant::new((arrived - 1).to_bits()),
            arrived: Constant::new(arrived.to_bits()),
        }))
    }
}

impl Logic for SdramController {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, state, left, elapsed, refreshes, writing, half, next_word
        );
        dff_setup!(self, clock, reads, stored, started, enabled, command);
        dff_setup!(
            self,
            clock,
            bank_pins,
            address_pins,
            data_pins,
            driving,
            captured
        );

        // Pins.
        self.started.d.next = true;
        self.cke.next = self.started.q.val();
        self.cs_n.next = !self.command.q.val().get_bit(Command::SELECT);
        self.ras_n.next = !self.command.q.val().get_bit(Command::ROW);
        self.cas_n.next = !self.command.q.val().get_bit(Command::COLUMN);
        self.we_n.next = !self.command.q.val().get_bit(Command::WRITE);
        self.bank.next = self.bank_pins.q.val();
        self.address.next = self.address_pins.q.val();
        self.mask.next = !self.enabled.q.val();
        self.data_out.next = self.data_pins.q.val();
        self.drive.next = self.driving.q.val();
        self.command.d.next = bits::<4>(0);
        self.driving.d.next = false;
        self.captured.d.next = self.data_in.val();

        // Words that were read.
        self.storing.next = (self.reads.q.val() & self.arrived.val()).any();
        self.store.next = self.storing.val();
        self.store_index.next = self.stored.q.val();
        self.stored_word.next = self.captured.q.val();
        if self.storing.val() {
            self.stored.d.next = self.stored.q.val() + 1;
        }
        self.reading.next = (self.reads.q.val() & self.pending.val()).any();

        // Counts.
        self.acts.next = !self.left.q.val().any();
        if !self.acts.val() {
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.elapsed.q.val() < self.power_up.val() {
            self.elapsed.d.next = self.elapsed.q.val() + 1;
        }
        self.refresh_due.next = self.elapsed.q.val() >= self.refresh_after.val();
        self.idle.next = (self.state.q.val() == SdramState::Idle) & (!self.reading.val());
        self.accepts.next = (self.state.q.val() == SdramState::Idle)
            & (!self.reading.val())
            & self.acts.val()
            & (!self.refresh_due.val());
        self.ready.next = self.accepts.val();

        self.take.next = false;
        self.read_issued.next = false;
        self.following.next = self.next_word.q.val();
        self.column.next = bit_cast::<9, 8>(self.next_word.q.val());
        if self.half.q.val() {
            self.column.next = bit_cast::<9, 8>(self.next_word.q.val()) | bits::<9>(0x100);
        }

        match self.state.q.val() {
            SdramState::PowerUp => {
                self.enabled.d.next = false;
                self.refreshes.d.next = bits::<3>(0);
                if self.elapsed.q.val() >= self.power_up.val() {
                    self.command.d.next = bits::<4>(Command::CLOSE_ROW);
                    self.address_pins.d.next = bits::<13>(ColumnPins::ALL_BANKS);
                    self.left.d.next = self.close.val();
                    self.state.d.next = SdramState::FirstRefreshes;
                }
            }
            SdramState::FirstRefreshes => {
                if self.acts.val() {
                    self.command.d.next = bits::<4>(Command::REFRESH);
                    self.elapsed.d.next = bits::<16>(0);
                    self.left.d.next = self.refresh.val();
                    self.refreshes.d.next = self.refreshes.q.val() + 1;
                    if self.refreshes.q.val().all() {
                        self.state.d.next = SdramState::SetMode;
                    }
                }
            }
            SdramState::SetMode => {
                if self.acts.val() {
                    self.command.d.next = bits::<4>(Command::SET_MODE);
                    self.address_pins.d.next = bits::<13>(ColumnPins::MODE);
                    self.bank_pins.d.next = bits::<2>(0);
                    self.left.d.next = self.mode.val();
                    self.enabled.d.next = true;
                    self.state.d.next = SdramState::Idle;
                }
            }
            SdramState::Idle => {
                self.following.next = bits::<8>(0);
                if self.acts.val() & self.refresh_due.val() {
                    self.command.d.next = bits::<4>(Command::REFRESH);
                    self.elapsed.d.next = bits::<16>(0);
                    self.left.d.next = self.refresh.val();
                }
                if self.accepts.val() & self.request.val() {
                    self.command.d.next = bits::<4>(Command::OPEN_ROW);
                    self.address_pins.d.next = self.line.val().get_bits::<13>(LineNumber::ROW);
                    self.bank_pins.d.next = self.line.val().get_bits::<2>(LineNumber::BANK);
                    self.half.d.next = self.line.val().get_bit(LineNumber::HALF);
                    self.writing.d.next = self.write.val();
                    self.stored.d.next = bits::<8>(0);
                    self.left.d.next = self.open_to_word.val();
                    self.state.d.next = SdramState::Transfer;
                }
            }
            SdramState::Transfer => {
                if self.acts.val() {
                    self.command.d.next = bits::<4>(Command::READ_WORD);
                    self.address_pins.d.next =
                        bit_cast::<13, 9>(self.column.val()) << ColumnPins::WORD.val();
                    self.following.next = self.next_word.q.val() + 1;
                    self.read_issued.next = true;
                    if self.writing.q.val() {
                        self.command.d.next = bits::<4>(Command::WRITE_WORD);
                        self.data_pins.d.next = self.word.val();
                        self.driving.d.next = true;
                        self.take.next = true;
                        self.read_issued.next = false;
                    }
                    if self.next_word.q.val() == self.last_word.val() {
                        if self.writing.q.val() {
                            self.left.d.next = self.write_to_close.val();
                        }
                        self.state.d.next = SdramState::Close;
                    }
                }
            }
            SdramState::Close => {
                if self.acts.val() {
                    self.command.d.next = bits::<4>(Command::CLOSE_ROW);
                    self.address_pins.d.next = bits::<13>(ColumnPins::ALL_BANKS);
                    self.left.d.next = self.close.val();
                    self.state.d.next = SdramState::Idle;
                }
            }
            _ => {
                self.state.d.next = SdramState::PowerUp;
            }
        }
        if self.hold.val() {
            self.command.d.next = bits::<4>(0);
            self.driving.d.next = false;
            self.elapsed.d.next = bits::<16>(0);
            self.state.d.next = SdramState::PowerUp;
        }
        self.index.next = self.following.val();
        self.next_word.d.next = self.following.val();
        self.reads.d.next = self.reads.q.val() << 1;
        if self.read_issued.val() {
            self.reads.d.next = (self.reads.q.val() << 1) | bits::<8>(1);
        }
    }
}

/// Commands of a line without a refresh, each with its cycle after the request: the twin function
/// of this block. The word of a read is stored four cycles after its command was issued.
pub fn twin(words: usize, timing: &SdramTiming, write: bool) -> Vec<(u16, LineCommand)> {
    let first = timing.open_to_word;
    let last = first + words as u16 - 1;
    let mut commands = vec![(0, LineCommand::Open)];
    commands.extend((first..=last).map(|cycle| (cycle, LineCommand::Word(cycle - first))));
    let close = last + if write { timing.write_to_close } else { 1 };
    commands.push((close, LineCommand::Close));
    commands
}

/// Command of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineCommand {
    /// Opens the row.
    Open,
    /// Reads or writes the word of this number.
    Word(u16),
    /// Closes the row.
    Close,
}
