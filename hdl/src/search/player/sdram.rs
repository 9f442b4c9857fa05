//! Search player with the pins of an SDRAM, which has the nodes that are not in block RAM.
//!
//! The chip is initialised and tested after the first time that `reset` is low, since a board keeps it
//! high until the clock is stable; a later reset repeats neither. Until the test has ended, and for
//! good if the test fails, the tree has the nodes in block RAM only.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::SearchPlayer;
use crate::block::block;
use crate::memory::sdram::WORD;
use crate::memory::sdram::controller::SdramController;
use crate::memory::sdram::self_test::SelfTest;
use crate::memory::sdram::timing::{SdramTiming, TimingError};
use crate::parameters::PlayerParameters;
use crate::search::searcher::ClockedSearchConfig;
use crate::search::tree::LINE_WORDS;

block! {
    /// Search player with `LANES` playout cores and an SDRAM.
    pub struct SdramPlayer<const LANES: usize> from SdramPlayerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Pins.
        /// Discards everything while high.
        pub reset: Signal<In, Bit>,
        /// Serial line from the host.
        pub rx: Signal<In, Bit>,
        /// Serial line to the host.
        pub tx: Signal<Out, Bit>,

        // Pins of the SDRAM. Its clock is the player's, in phase at the chip.
        /// See [`SdramController::cke`].
        pub sdram_cke: Signal<Out, Bit>,
        /// See [`SdramController::cs_n`].
        pub sdram_cs_n: Signal<Out, Bit>,
        /// See [`SdramController::ras_n`].
        pub sdram_ras_n: Signal<Out, Bit>,
        /// See [`SdramController::cas_n`].
        pub sdram_cas_n: Signal<Out, Bit>,
        /// See [`SdramController::we_n`].
        pub sdram_we_n: Signal<Out, Bit>,
        /// See [`SdramController::bank`].
        pub sdram_bank: Signal<Out, Bits<2>>,
        /// See [`SdramController::address`].
        pub sdram_address: Signal<Out, Bits<13>>,
        /// See [`SdramController::mask`].
        pub sdram_mask: Signal<Out, Bit>,
        /// See [`SdramController::data_out`].
        pub sdram_data_out: Signal<Out, Bits<WORD>>,
        /// See [`SdramController::drive`].
        pub sdram_drive: Signal<Out, Bit>,
        /// See [`SdramController::data_in`].
        pub sdram_data_in: Signal<In, Bits<WORD>>,

        // Status outputs.
        /// See [`SearchPlayer::playing`].
        pub playing: Signal<Out, Bit>,
        /// See [`SearchPlayer::thinking`].
        pub thinking: Signal<Out, Bit>,
        /// See [`SearchPlayer::flags`].
        pub flags: Signal<Out, Bits<6>>,
        /// See [`SearchPlayer::think_cycles`].
        pub think_cycles: Signal<Out, Bits<32>>,
        /// See [`SearchPlayer::simulations`].
        pub simulations: Signal<Out, Bits<18>>,
        /// See [`SearchPlayer::pondered`].
        pub pondered: Signal<Out, Bits<18>>,
        /// High once the self-test of the SDRAM has failed.
        pub memory_failed: Signal<Out, Bit>,
        player: SearchPlayer<LANES> = given,
        self_test: SelfTest,
        sdram: SdramController = given,
        // `reset` in two registers, inverted since they power up low, and high from its end on.
        released: DFF<Bit>,
        released_now: DFF<Bit>,
        stable: DFF<Bit>,
    }
}

/// Creates the controller of the SDRAM for a player's clock.
///
/// # Errors
/// [`TimingError`] if the clock is too fast or too slow for the SDRAM.
pub fn controller(clock_hz: u32) -> Result<SdramController, TimingError> {
    SdramController::new(LINE_WORDS, &SdramTiming::at(clock_hz)?, 0)
}

impl<const LANES: usize> SdramPlayer<LANES> {
    /// Creates a player with the given parameters, whose policy is not used, and the controller of
    /// [`controller`].
    ///
    /// # Panics
    /// As [`SearchPlayer::new`], or if the settings name no lines.
    pub fn new(
        parameters: &PlayerParameters,
        settings: &ClockedSearchConfig,
        sdram: SdramController,
    ) -> Self {
        assert_ne!(settings.lines, None, "a line of the memory is a node");
        Self::from(SdramPlayerParts {
            player: SearchPlayer::new(parameters, settings),
            sdram,
        })
    }
}

impl<const LANES: usize> Logic for SdramPlayer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, player, self_test, sdram);
        dff_setup!(self, clock, released, released_now, stable);
        self.player.reset.next = self.reset.val();
        self.player.rx.next = self.rx.val();
        self.tx.next = self.player.tx.val();
        self.playing.next = self.player.playing.val();
        self.thinking.next = self.player.thinking.val();
        self.flags.next = self.player.flags.val();
        self.think_cycles.next = self.player.think_cycles.val();
        self.simulations.next = self.player.simulations.val();
        self.pondered.next = self.player.pondered.val();
        self.memory_failed.next = self.self_test.failed.val();

        // The memory waits for a stable clock.
        self.released.d.next = !self.reset.val();
        self.released_now.d.next = self.released.q.val();
        self.stable.d.next = self.stable.q.val() | self.released_now.q.val();
        self.sdram.hold.next = !self.stable.q.val();

        // The self-test stands between player and controller.
        self.player.memory_works.next =
            self.self_test.finished.val() & (!self.self_test.failed.val());
        self.self_test.client_request.next = self.player.line_request.val();
        self.self_test.client_write.next = self.player.line_write.val();
        self.self_test.client_line.next = self.player.line.val();
        self.self_test.client_word.next = self.player.line_word.val();
        self.player.line_ready.next = self.self_test.client_ready.val();
        self.player.line_idle.next = self.sdram.idle.val();
        self.player.line_index.next = self.sdram.index.val();
        self.player.line_store.next = self.sdram.store.val();
        self.player.line_store_index.next = self.sdram.store_index.val();
        self.player.line_stored_word.next = self.sdram.stored_word.val();
        self.sdram.request.next = self.self_test.request.val();
        self.sdram.write.next = self.self_test.write.val();
        self.sdram.line.next = self.self_test.line.val();
        self.sdram.word.next = self.self_test.word.val();
        self.self_test.ready.next = self.sdram.ready.val();
        self.self_test.idle.next = self.sdram.idle.val();
        self.self_test.take.next = self.sdram.take.val();
        self.self_test.store.next = self.sdram.store.val();
        self.self_test.stored_word.next = self.sdram.stored_word.val();

        // Pins of the SDRAM.
        self.sdram_cke.next = self.sdram.cke.val();
        self.sdram_cs_n.next = self.sdram.cs_n.val();
        self.sdram_ras_n.next = self.sdram.ras_n.val();
        self.sdram_cas_n.next = self.sdram.cas_n.val();
        self.sdram_we_n.next = self.sdram.we_n.val();
        self.sdram_bank.next = self.sdram.bank.val();
        self.sdram_address.next = self.sdram.address.val();
        self.sdram_mask.next = self.sdram.mask.val();
        self.sdram_data_out.next = self.sdram.data_out.val();
        self.sdram_drive.next = self.sdram.drive.val();
        self.sdram.data_in.next = self.sdram_data_in.val();
    }
}
