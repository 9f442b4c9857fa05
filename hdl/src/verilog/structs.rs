//! Facts on rust-hdl's structs that `docs/hardware.md` states.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::modules;
use crate::memory::Memory;

#[derive(Copy, Clone, Debug, PartialEq, Default, LogicStruct)]
struct Placement {
    orientation: Bits<7>,
    x: Bits<4>,
    y: Bits<4>,
}

#[derive(Copy, Clone, Debug, PartialEq, Default, LogicStruct)]
struct Step {
    placement: Placement,
    side: Bit,
}

/// Struct as port, register and memory word.
#[derive(LogicBlock, Default)]
struct Flat {
    pub clock: Signal<In, Clock>,
    pub placement: Signal<In, Placement>,
    pub side: Signal<In, Bit>,
    pub x: Signal<Out, Bits<4>>,
    pub last: Signal<Out, Bit>,
    pub read: Signal<Out, Bits<15>>,
    step: DFF<Step>,
    memory: Memory<15, 1>,
}

impl Logic for Flat {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step);
        clock!(self, clock, memory);
        self.memory.write.next = true;
        self.memory.write_address.next = bits::<1>(0);
        self.memory.address.next = bits::<1>(0);
        self.memory.word.next = self.placement.val().into();
        self.read.next = self.memory.data.val();
        self.step.d.next.placement = self.placement.val();
        self.step.d.next.side = self.side.val();
        self.x.next = self.placement.val().x;
        self.last.next = self.step.q.val().side;
    }
}

/// Field of a field.
#[derive(LogicBlock, Default)]
struct Nested {
    pub step: Signal<In, Step>,
    pub x: Signal<Out, Bits<4>>,
}

impl Logic for Nested {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = self.step.val().placement.x;
    }
}

/// Requester's side of an interface.
#[derive(Clone, Debug, Default, LogicInterface)]
#[join = "Answerer"]
struct Asker {
    pub what: Signal<Out, Placement>,
    pub reply: Signal<In, Bit>,
}

/// Server's side of an interface.
#[derive(Clone, Debug, Default, LogicInterface)]
#[join = "Asker"]
struct Answerer {
    pub what: Signal<In, Placement>,
    pub reply: Signal<Out, Bit>,
}

#[derive(LogicBlock, Default)]
struct Front {
    pub x: Signal<In, Bits<4>>,
    pub port: Asker,
    pub got: Signal<Out, Bit>,
}

impl Logic for Front {
    #[hdl_gen]
    fn update(&mut self) {
        self.port.what.next.orientation = bits::<7>(0);
        self.port.what.next.x = self.x.val();
        self.port.what.next.y = bits::<4>(0);
        self.got.next = self.port.reply.val();
    }
}

#[derive(LogicBlock, Default)]
struct Back {
    pub port: Answerer,
}

impl Logic for Back {
    #[hdl_gen]
    fn update(&mut self) {
        self.port.reply.next = self.port.what.val().x.any();
    }
}

#[derive(LogicBlock, Default)]
struct Joined {
    pub x: Signal<In, Bits<4>>,
    pub got: Signal<Out, Bit>,
    front: Front,
    back: Back,
}

impl Logic for Joined {
    #[hdl_gen]
    fn update(&mut self) {
        self.front.x.next = self.x.val();
        Asker::join(&mut self.front.port, &mut self.back.port);
        self.got.next = self.front.got.val();
    }
}

/// Returns the top module of a block, which rust-hdl's checks accept.
fn text(mut block: impl Block) -> String {
    block.connect_all();
    modules(&block, "block").expect("it is emitted")[0]
        .text
        .clone()
}

#[test]
fn the_first_field_takes_the_lowest_bits() {
    let placement = Placement {
        orientation: bits::<7>(90),
        x: bits::<4>(3),
        y: bits::<4>(11),
    };
    let packed: Bits<15> = placement.into();
    assert_eq!(packed.to_u64(), 90 | 3 << 7 | 11 << 11);
    assert_eq!(Step::BITS, 16);
}

#[test]
fn fields_are_part_selects_of_vectors() {
    let text = text(Flat::default());
    for line in [
        "input wire  [14:0] placement;",
        "reg  [15:0] step$d;",
        "step$d[(64'h0)+:(15)] = placement;",
        "step$d[(64'hf)+:(1)] = side;",
        "x = placement[(64'h7)+:(4)];",
        "last = step$q[(64'hf)+:(1)];",
        "memory$word = placement;",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn a_field_of_a_field_is_emitted_wrong() {
    let text = text(Nested::default());
    assert!(text.contains("x = step$val()$placement$x;"), "{text}");
}

#[test]
fn joined_interfaces_are_one_block_for_each_signal() {
    let text = text(Joined::default());
    for line in [
        ".port$what(front$port$what)",
        "always @(*) back$port$what = front$port$what;",
        "always @(*) front$port$reply = back$port$reply;",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}
