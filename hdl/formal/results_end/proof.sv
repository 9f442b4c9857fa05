// From every state of its registers, the block of the running statistics counts down to idle. One clock from
// any state is all that has to be looked at, so next states are read at the registers' inputs.

module results_end(input wire clock, input wire clear, input wire start, input wire [7:0] margin,
    input wire [5:0] length);
    wire busy, ready;
    wire [15:0] value, mean;
    results dut(.clock, .clear, .start, .margin, .length, .busy, .ready, .value, .mean);

    (* hierconn *) wire [3:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire [1:0] \dut.cycle$d , \dut.cycle$q ;
    localparam IDLE = 0, END = 11;

    // Cycles that are left. A step has three; the end comes in the second cycle of its state.
    function automatic [6:0] rest(input [3:0] state, input [1:0] cycle);
        if (state == IDLE) rest = 0;
        else if (state == END) rest = cycle == 3 ? 3 : cycle == 2 ? 3 : 2 - cycle;
        else if (state < END) rest = 3 * (END - state) + 2 + (cycle == 3 ? 1 : 0) - (cycle == 3 ? 0 : cycle);
        else rest = 1;
    endfunction
    wire [6:0] now = rest(\dut.state$q , \dut.cycle$q );
    wire [6:0] next = rest(\dut.state$d , \dut.cycle$d );

    always @(*) begin
        assert (now <= 33 && busy == (now != 0));
        // The value is valid in the last five cycles, or six from a cycle of a step that does not exist.
        if (!busy) assert (ready);
        if (ready) assert (now <= 6);
        if (\dut.cycle$q != 3 && now >= 2) assert (ready == (now <= 5));
        if (clear) assert (next == 0);
        else if (busy) assert (next == now - 1);
        else assert (next == (start ? 32 : 0));
    end
endmodule
