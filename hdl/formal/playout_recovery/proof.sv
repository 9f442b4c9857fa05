// From every state of a lane's registers and memories its playout ends, whatever the placement draw draws: a count
// of what is left goes down with every cycle. A check of one cycle from any state is enough, so
// next states are read at the registers' inputs. The list is not emptied meanwhile.
module proof(input wire clock, input wire restart, input wire start_is_a, input wire selected,
    input wire start, input wire take, input wire finish, input wire append, input wire [51:0] step,
    input wire [83:0] incoming, input wire [20:0] side_0_used, input wire [20:0] side_1_used,
    input wire [5:0] index);
    wire ready;
    wire [5:0] count;
    lane dut(.clock, .restart, .start_is_a, .selected, .start, .take, .finish, .append, .clear(1'b0), .step,
        .incoming, .side_0_used, .side_1_used, .index, .ready, .count);

    (* hierconn *) wire \dut.core.playing$d , \dut.core.playing$q , \dut.core.over$d , \dut.core.over$q ;
    (* hierconn *) wire \dut.core.all_tiles$d , \dut.core.all_tiles$q , \dut.core.mover$d , \dut.core.mover$q ;
    (* hierconn *) wire \dut.core.passed$0$d , \dut.core.passed$0$q ;
    (* hierconn *) wire \dut.core.passed$1$d , \dut.core.passed$1$q ;
    (* hierconn *) wire \dut.core.out_valid$d , \dut.core.out_valid$q , \dut.core$start ;
    (* hierconn *) wire [4:0] \dut.core.tile_index$d , \dut.core.tile_index$q ;
    (* hierconn *) wire [5:0] \dut.placement_list.length$d , \dut.placement_list.length$q ;
    (* hierconn *) wire \dut.core.position_ring.preparing$d , \dut.core.position_ring.preparing$q ;
    (* hierconn *) wire \dut.core.position_ring.running$d , \dut.core.position_ring.running$q ;
    (* hierconn *) wire [3:0] \dut.core.position_ring.step$d , \dut.core.position_ring.step$q ;

    // Placements for which the list has room, and sides that are not known to be stuck, the one to move
    // among them. A placement that was drawn reaches the list two cycles later.
    function automatic [6:0] room(input [5:0] length, input coming);
        room = length >= 48 ? 0 : 7'd49 - length - coming;
    endfunction
    function automatic [1:0] sides(input mover, input one, input two);
        sides = (mover ? one : two) ? 1 : 2;
    endfunction
    function automatic [5:0] ring(input preparing, input running, input [3:0] step);
        ring = (preparing ? 17 : 0) + (!running ? 0 : step <= 13 ? 14 - step : 30 - step);
    endfunction

    wire [6:0] room_now = room(\dut.placement_list.length$q , \dut.core.out_valid$q );
    wire [6:0] room_next = room(\dut.placement_list.length$d , \dut.core.out_valid$d );
    wire [1:0] sides_now = sides(\dut.core.mover$q , \dut.core.passed$0$q , \dut.core.passed$1$q );
    wire [1:0] sides_next = sides(\dut.core.mover$d , \dut.core.passed$0$d , \dut.core.passed$1$d );
    // Moves that are left, whether the move may have a second revolution, and cycles of the revolution.
    wire [6:0] turns_now = room_now + sides_now, turns_next = room_next + sides_next;
    wire [4:0] clocks_now = 5'd30 - \dut.core.tile_index$q , clocks_next = 5'd30 - \dut.core.tile_index$d ;
    wire [12:0] now = {turns_now, !\dut.core.all_tiles$q , clocks_now};
    wire [12:0] next = {turns_next, !\dut.core.all_tiles$d , clocks_next};
    wire [5:0] ring_now = ring(\dut.core.position_ring.preparing$q , \dut.core.position_ring.running$q ,
        \dut.core.position_ring.step$q );
    wire [5:0] ring_next = ring(\dut.core.position_ring.preparing$d , \dut.core.position_ring.running$d ,
        \dut.core.position_ring.step$d );
    wire starts = start && selected && ready;

    always @(*) begin
        // 51 moves at most, of two revolutions of 32 cycles at most; then the position ring's last one.
        assert (turns_now <= 51);
        if (\dut.core.playing$q ) begin
            assert (!\dut.core.playing$d || next < now && turns_next <= turns_now);
            if (count >= 48) assert (!\dut.core.playing$d );
        end
        if (ring_now != 0) assert (ring_next < ring_now);
        else assert (ring_next <= 17 && (ring_next == 0 || \dut.core.playing$q || starts));
        // Ready is what the others wait for: no playout, and no revolution. Only a start ends it.
        assert (ready == (!\dut.core.playing$q && ring_now == 0));
        if (!\dut.core.playing$q ) assert (\dut.core.playing$d == (starts && finish));
        // A playout that ends reports so, until the next start.
        if (\dut.core.playing$q && !\dut.core.playing$d ) assert (\dut.core.over$d );
        if (\dut.core.over$q && !starts) assert (\dut.core.over$d );
    end
endmodule
