// From every state that the parser's registers can hold, a silent line leads to a state between codes:
// a count of the cycles that are left goes down with every cycle, and a `0` is then a `0`. One cycle
// from any state is all that has to be checked, so next states are read at the registers' inputs.
module proof(
    input wire clock,
    input wire reset,
    input wire strobe,
    input wire [7:0] data,
    input wire framing,
    input wire receiving,
    input wire take
);
    (* hierconn *) wire [1:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire [31:0] \dut.silence$d , \dut.silence$q ;
    (* hierconn *) wire \dut.complete$d ;
    (* hierconn *) wire [2:0] \dut.complete_kind$d ;
    `BLOCK dut(.clock, .reset, .strobe, .data, .framing, .receiving, .take);

    function automatic [32:0] left(input [1:0] state, input [31:0] silence);
        left = state == 0 ? 0 : silence <= `TIMEOUT ? 1 + `TIMEOUT - silence : 1;
    endfunction
    wire [32:0] now = left(\dut.state$q , \dut.silence$q );
    wire [32:0] next = left(\dut.state$d , \dut.silence$d );

    always @(*) begin
        if (!strobe && !receiving) assert (now == 0 ? next == 0 : next < now);
        assert (now <= `TIMEOUT + 1);
        // Between codes, and with the receiver's promise that a lost byte is none:
        if (now == 0 && strobe && !framing && !reset) begin
            if (data == "0") assert (\dut.complete$d && \dut.complete_kind$d == 0 && next == 0);
            if (data == "9") assert (\dut.complete$d && \dut.complete_kind$d == 4 && next == 0);
        end
        // A break and the reset lead there at once.
        if (framing || reset) assert (next == 0);
        if (reset) assert (!\dut.complete$d );
    end
endmodule
