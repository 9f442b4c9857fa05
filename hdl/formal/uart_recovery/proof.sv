// From every state that the registers can hold, with a quiet line and nothing to send, receiver and
// transmitter come to rest: a count of the cycles that are left goes down with every cycle. One cycle
// from any state is all that has to be checked, so next states are read at the registers' inputs.

`ifdef RECEIVER
module receiver_recovery(input wire clock, input wire rx);
    localparam LATE = (`DIVISOR - 1) / 2 + `DIVISOR / 8;
    (* hierconn *) wire \dut.sync_one$d , \dut.sync_two$d , \dut.sync_one$q , \dut.sync_two$q ;
    (* hierconn *) wire [1:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire [15:0] \dut.elapsed$d , \dut.elapsed$q ;
    (* hierconn *) wire [3:0] \dut.index$d , \dut.index$q ;
    `RECEIVER dut(.clock, .rx);

    // Cycles from a place in the frame to the verdict, once around all sixteen values of the index.
    function automatic [19:0] to_verdict(input [19:0] place);
        to_verdict = place <= 9 * `DIVISOR + LATE ? 9 * `DIVISOR + LATE - place
            : 25 * `DIVISOR + LATE - place;
    endfunction

    // Two cycles for a break that the stale looks of a frame may end with.
    function automatic [19:0] left(input [1:0] state, input [15:0] elapsed, input [3:0] index);
        if (state == 0) left = 0;
        else if (state != 1) left = 1;
        else if (elapsed < `DIVISOR) left = 2 + to_verdict(index * `DIVISOR + elapsed);
        else left = 2 + 65536 - elapsed + to_verdict(index * `DIVISOR);
    endfunction
    wire [19:0] now = left(\dut.state$q , \dut.elapsed$q , \dut.index$q );
    wire [19:0] next = left(\dut.state$d , \dut.elapsed$d , \dut.index$d );

    always @(*) begin
        assume (rx);
        // The synchroniser is quiet after two cycles,
        assert (!\dut.sync_one$d && \dut.sync_two$d == \dut.sync_one$q );
        // and from then on it takes at most this long: for states that the receiver gets into by
        // itself a frame, and for all others a turn of the counter more.
        if (!\dut.sync_one$q && !\dut.sync_two$q ) assert (now == 0 ? next == 0 : next < now);
        assert (now <= 65536 + 16 * `DIVISOR);
        if (\dut.elapsed$q < `DIVISOR && \dut.index$q < 9) assert (now <= 10 * `DIVISOR);
    end
endmodule
`endif

`ifdef TRANSMITTER
module transmitter_recovery(input wire clock, input wire strobe, input wire [7:0] data);
    (* hierconn *) wire [9:0] \dut.frame$d , \dut.frame$q ;
    (* hierconn *) wire [3:0] \dut.bits_left$d , \dut.bits_left$q ;
    (* hierconn *) wire [15:0] \dut.cycles_left$d , \dut.cycles_left$q ;
    wire ready, tx;
    `TRANSMITTER dut(.clock, .strobe, .data, .ready, .tx);

    function automatic [19:0] left(input [3:0] bits, input [15:0] hold);
        left = bits == 0 ? 0 : (bits - 1) * `DIVISOR + hold + 1;
    endfunction
    wire [19:0] now = left(\dut.bits_left$q , \dut.cycles_left$q );
    wire [19:0] next = left(\dut.bits_left$d , \dut.cycles_left$d );

    always @(*) begin
        assert (ready == (now == 0));
        assert (tx == !\dut.frame$q [0]);
        if (!strobe) begin
            assert (now == 0 ? next == 0 : next == now - 1);
            // At rest the line is high from the next cycle on.
            if (now == 0) assert (\dut.frame$d == 0);
        end
        assert (now <= 65536 + 14 * `DIVISOR);
        if (\dut.cycles_left$q < `DIVISOR && \dut.bits_left$q <= 10) assert (now <= 10 * `DIVISOR);
        // Every byte taken starts a whole frame, whatever was there before.
        if (ready && strobe) begin
            assert (\dut.frame$d == ({~data, 1'b1} & 10'h1ff));
            assert (\dut.bits_left$d == 10 && \dut.cycles_left$d == `DIVISOR - 1);
        end
    end
endmodule
`endif
