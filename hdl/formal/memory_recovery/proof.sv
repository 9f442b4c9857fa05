// From every state of their registers, self-test and node cache come to rest: a count of what is left goes
// down with every clock in which they do not wait for the controller of the SDRAM, which becomes ready and idle
// by sdram_recovery. One clock from any state is all that has to be looked at, so next states are read at
// the registers' inputs.

`ifdef SELF_TEST
module self_test_recovery(input wire clock, input wire client_request, input wire client_write,
    input wire [15:0] client_line, input wire [15:0] client_word, input wire ready, input wire idle,
    input wire take, input wire store, input wire [15:0] stored_word);
    wire finished, failed, client_ready, request, write;
    wire [15:0] line, word;
    self_test dut(.clock, .finished, .failed, .client_request, .client_write, .client_line, .client_word,
        .client_ready, .request, .write, .line, .word, .ready, .idle, .take, .store, .stored_word);

    (* hierconn *) wire [1:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire \dut.busy$d , \dut.busy$q , \dut.differs$d , \dut.differs$q ;
    (* hierconn *) wire [15:0] \dut.tested_line$d , \dut.tested_line$q ;
    localparam WRITE = 0, READ = 1, FINISHED = 2;

    // Lines that are left: the number is shifted until its highest bit is high.
    function automatic [7:0] lines(input [15:0] number);
        integer i;
        begin
            lines = 17;
            for (i = 0; i < 16; i = i + 1)
                if (number[i]) lines = 16 - i;
        end
    endfunction
    function automatic [7:0] rest(input [1:0] state, input busy, input [15:0] number);
        case (state)
            WRITE: rest = 100 + 2 * lines(number) + !busy;
            READ: rest = 2 * lines(number) + !busy;
            FINISHED: rest = 0;
            default: rest = 1;
        endcase
    endfunction
    wire [7:0] now = rest(\dut.state$q , \dut.busy$q , \dut.tested_line$q );
    wire [7:0] next = rest(\dut.state$d , \dut.busy$d , \dut.tested_line$d );
    wire waits = \dut.state$q < FINISHED && (\dut.busy$q ? !idle : !ready);

    always @(*) begin
        assert (finished == (now == 0) && failed == \dut.differs$q );
        if (finished || waits) assert (next == now && \dut.state$d == \dut.state$q );
        else assert (next < now);
        // The client reaches the controller after the test, and not before.
        assert (client_ready == (finished && ready));
        if (finished) assert ({request, write, line, word} == {client_request, client_write, client_line, client_word});
        // A failure lasts, and a state without a meaning is one.
        if (failed || \dut.state$q > FINISHED) assert (\dut.differs$d );
    end
endmodule
`endif

`ifdef NODE_CACHE
module node_cache_recovery(input wire clock, input wire is_new, input wire write, input wire [15:0] node,
    input wire [15:0] word, input wire line_ready, input wire line_idle, input wire [7:0] line_index,
    input wire line_store, input wire [7:0] line_store_index);
    wire ready;
    node_cache_512 dut(.clock, .clear(1'b0), .request(1'b0), .node, .is_new, .write, .ready, .word, .line_ready,
        .line_idle, .line_index, .line_store, .line_store_index);

    (* hierconn *) wire [2:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire \dut.transferring$d , \dut.transferring$q ;
    (* hierconn *) wire [15:0] \dut.cleared$d , \dut.cleared$q ;
    localparam CLEAR = 0, IDLE = 1, COMPARE = 2, WRITE_BACK = 3, FILL = 4;
    function automatic [16:0] rest(input [2:0] state, input transferring, input [15:0] cleared);
        case (state)
            IDLE: rest = 0;
            FILL: rest = 1 + !transferring;
            WRITE_BACK: rest = 3 + !transferring;
            COMPARE: rest = 5;
            CLEAR: rest = 6 + (cleared < 511 ? 511 - cleared : 0);
            default: rest = 518;
        endcase
    endfunction
    wire [16:0] now = rest(\dut.state$q , \dut.transferring$q , \dut.cleared$q );
    wire [16:0] next = rest(\dut.state$d , \dut.transferring$d , \dut.cleared$d );
    wire waits = (\dut.state$q == FILL || \dut.state$q == WRITE_BACK)
        && (\dut.transferring$q ? !line_idle : !line_ready);

    always @(*) begin
        assert (ready == (now == 0) && now <= 518);
        if (ready || waits) assert (next == now && \dut.state$d == \dut.state$q );
        else assert (next < now);
    end
endmodule
`endif
