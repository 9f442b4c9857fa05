//! Search player of a board without an external memory: the whole tree is in block RAM.

use rust_hdl_core::prelude::*;

use super::SearchPlayer;
use crate::block::block;
use crate::parameters::PlayerParameters;
use crate::search::searcher::ClockedSearchConfig;

block! {
    /// Search player with `LANES` playout cores.
    pub struct BlockRamPlayer<const LANES: usize> from BlockRamPlayerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Pins.
        /// Discards everything while high.
        pub reset: Signal<In, Bit>,
        /// Serial line from the host.
        pub rx: Signal<In, Bit>,
        /// Serial line to the host.
        pub tx: Signal<Out, Bit>,

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
        player: SearchPlayer<LANES> = given,
    }
}

impl<const LANES: usize> BlockRamPlayer<LANES> {
    /// Creates a player with the given parameters; their policy is not used.
    ///
    /// # Panics
    /// As [`SearchPlayer::new`], or if the settings name lines of an external memory.
    pub fn new(parameters: &PlayerParameters, settings: &ClockedSearchConfig) -> Self {
        assert_eq!(settings.lines, None, "the tree has no external memory");
        Self::from(BlockRamPlayerParts {
            player: SearchPlayer::new(parameters, settings),
        })
    }
}

impl<const LANES: usize> Logic for BlockRamPlayer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, player);
        self.player.reset.next = self.reset.val();
        self.player.rx.next = self.rx.val();
        self.tx.next = self.player.tx.val();
        self.playing.next = self.player.playing.val();
        self.thinking.next = self.player.thinking.val();
        self.flags.next = self.player.flags.val();
        self.think_cycles.next = self.player.think_cycles.val();
        self.simulations.next = self.player.simulations.val();
        self.pondered.next = self.player.pondered.val();

        // The tree has no external memory.
        self.player.memory_works.next = false;
        self.player.line_ready.next = false;
        self.player.line_idle.next = true;
        self.player.line_index.next = bits::<8>(0);
        self.player.line_store.next = false;
        self.player.line_store_index.next = bits::<8>(0);
        self.player.line_stored_word.next = bits::<16>(0);
    }
}
