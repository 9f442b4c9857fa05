//! Harness of the search player with an SDRAM: the player and a model of the chip.

use rust_hdl_core::prelude::*;

use super::sdram_chip::SdramChip;
use crate::block::block;
use crate::memory::sdram::controller::SdramController;
use crate::parameters::PlayerParameters;
use crate::search::player::sdram::SdramPlayer;
use crate::search::searcher::ClockedSearchConfig;

block! {
    /// Harness of [`SdramPlayer`] with the ports of a player without an external memory.
    pub struct SdramBoard<const LANES: usize> from SdramBoardParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// High if the chip is missing.
        pub absent: Signal<In, Bit>,
        /// See [`SdramPlayer::reset`].
        pub reset: Signal<In, Bit>,
        /// See [`SdramPlayer::rx`].
        pub rx: Signal<In, Bit>,
        /// See [`SdramPlayer::tx`].
        pub tx: Signal<Out, Bit>,
        /// See [`SdramPlayer::playing`].
        pub playing: Signal<Out, Bit>,
        /// See [`SdramPlayer::thinking`].
        pub thinking: Signal<Out, Bit>,
        /// See [`SdramPlayer::flags`].
        pub flags: Signal<Out, Bits<6>>,
        /// See [`SdramPlayer::think_cycles`].
        pub think_cycles: Signal<Out, Bits<32>>,
        /// See [`SdramPlayer::simulations`].
        pub simulations: Signal<Out, Bits<18>>,
        /// See [`SdramPlayer::pondered`].
        pub pondered: Signal<Out, Bits<18>>,
        /// See [`SdramPlayer::memory_failed`].
        pub memory_failed: Signal<Out, Bit>,
        player: SdramPlayer<LANES> = given,
        chip: SdramChip,
    }
}

impl<const LANES: usize> SdramBoard<LANES> {
    /// Creates a player with its chip.
    ///
    /// # Panics
    /// As [`SdramPlayer::new`].
    pub fn new(
        parameters: &PlayerParameters,
        settings: &ClockedSearchConfig,
        sdram: SdramController,
    ) -> Self {
        Self::from(SdramBoardParts {
            player: SdramPlayer::new(parameters, settings, sdram),
        })
    }
}

impl<const LANES: usize> Logic for SdramBoard<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, player, chip);
        self.player.reset.next = self.reset.val();
        self.player.rx.next = self.rx.val();
        self.tx.next = self.player.tx.val();
        self.playing.next = self.player.playing.val();
        self.thinking.next = self.player.thinking.val();
        self.flags.next = self.player.flags.val();
        self.think_cycles.next = self.player.think_cycles.val();
        self.simulations.next = self.player.simulations.val();
        self.pondered.next = self.player.pondered.val();
        self.memory_failed.next = self.player.memory_failed.val();
        self.chip.absent.next = self.absent.val();
        self.chip.cs_n.next = self.player.sdram_cs_n.val();
        self.chip.ras_n.next = self.player.sdram_ras_n.val();
        self.chip.cas_n.next = self.player.sdram_cas_n.val();
        self.chip.we_n.next = self.player.sdram_we_n.val();
        self.chip.bank.next = self.player.sdram_bank.val();
        self.chip.address.next = self.player.sdram_address.val();
        self.chip.mask.next = self.player.sdram_mask.val();
        self.chip.data_out.next = self.player.sdram_data_out.val();
        self.player.sdram_data_in.next = self.chip.data_in.val();
    }
}
