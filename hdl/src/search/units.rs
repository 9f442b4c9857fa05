//! Parts of the search with narrow ports, as units that a simulator can drive by themselves.

use rust_hdl_core::prelude::*;

use super::field::{Field, MAPS, PLACEMENT};

/// A field whose maps come and go one by one.
#[derive(LogicBlock, Default)]
pub struct FieldUnit {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// See [`Field::start`].
    pub start: Signal<In, Bit>,
    /// See [`Field::take`].
    pub take: Signal<In, Bit>,
    /// See [`Field::stamp`].
    pub stamp: Signal<In, Bit>,
    /// See [`Field::side`].
    pub side: Signal<In, Bit>,
    /// See [`Field::placement`].
    pub placement: Signal<In, Bits<PLACEMENT>>,
    /// See [`Field::advance`].
    pub advance: Signal<In, Bit>,
    /// The maps of [`Field::incoming`].
    pub incoming: [Signal<In, Bits<14>>; MAPS],
    /// See [`Field::incoming_used`].
    pub incoming_used: [Signal<In, Bits<21>>; 2],
    /// See [`Field::idle`].
    pub idle: Signal<Out, Bit>,
    /// See [`Field::valid`].
    pub valid: Signal<Out, Bit>,
    /// See [`Field::row`].
    pub row: Signal<Out, Bits<4>>,
    /// The maps of [`Field::passing`].
    pub passing: [Signal<Out, Bits<14>>; MAPS],
    /// See [`Field::used`].
    pub used: [Signal<Out, Bits<21>>; 2],
    field: Field,
}

impl Logic for FieldUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, field);
        self.field.start.next = self.start.val();
        self.field.take.next = self.take.val();
        self.field.stamp.next = self.stamp.val();
        self.field.side.next = self.side.val();
        self.field.placement.next = self.placement.val();
        self.field.advance.next = self.advance.val();
        self.field.incoming.next = bit_cast::<84, 14>(self.incoming[0].val())
            | (bit_cast::<84, 14>(self.incoming[1].val()) << 14)
            | (bit_cast::<84, 14>(self.incoming[2].val()) << 28)
            | (bit_cast::<84, 14>(self.incoming[3].val()) << 42)
            | (bit_cast::<84, 14>(self.incoming[4].val()) << 56)
            | (bit_cast::<84, 14>(self.incoming[5].val()) << 70);
        self.idle.next = self.field.idle.val();
        self.valid.next = self.field.valid.val();
        self.row.next = self.field.row.val();
        for i in 0..6 {
            self.passing[i].next = self.field.passing.val().get_bits::<14>(14 * i);
        }
        for i in 0..2 {
            self.field.incoming_used[i].next = self.incoming_used[i].val();
            self.used[i].next = self.field.used[i].val();
        }
    }
}

crate::ported!(FieldUnit;
    in start take stamp side placement advance [incoming incoming_used];
    out idle valid row [passing used]);
