// The first start bit of every reply leaves within a bound, for everything that the parser, the decoder,
// the encoder and the chooser may do: they are cut off, and their outputs take any value at every cycle. Of
// the parser only this is used, which is proved about it: a code waits until it is taken or forgotten by a
// reset. The transmitter is the real one.
//
// A newer code takes the place of the one before: the bound counts from the moment at which it began to
// wait. One that replaces a code that waits still has what is left of that one's time.
`ifdef FAST
    `define READY 0
`else
    `define READY (10 * `DIVISOR)
`endif
module proof(input wire clock, input wire reset, input wire rx, input wire idle, input wire listed,
    input wire [6:0] listed_orientation, input wire [3:0] listed_x, input wire [3:0] listed_y,
    input wire found, input wire [6:0] best_orientation, input wire [3:0] best_x, input wire [3:0] best_y);
    wire tx, deadline, superseded;
    `BLOCK dut(.clock, .reset, .rx, .idle, .listed, .listed_orientation, .listed_x, .listed_y, .found,
        .best_orientation, .best_x, .best_y, .tx, .deadline, .superseded);

    (* hierconn *) wire \dut.parser$waiting , \dut.parser$take , \dut.parser$reset ;
    (* hierconn *) wire [2:0] \dut.parser$kind ;
    (* hierconn *) wire \dut.uart_tx$ready , \dut.uart_tx$strobe ;
    (* hierconn *) wire [3:0] \dut.state$q ;
    wire waiting = \dut.parser$waiting ;
    wire take = \dut.parser$take && !\dut.parser$reset ;
    wire [2:0] kind = \dut.parser$kind ;
    wire strobe = \dut.uart_tx$strobe && \dut.uart_tx$ready ;
    wire [3:0] state = \dut.state$q ;
    localparam IDLE = 0, READ = 1, CHECK = 2, THINK = 3, SEARCH = 4, FETCH = 5, STAMP = 6, WRITE = 7,
        SEND = 8;

    // Cycles from the limit to the first letter at most: eight letters of an earlier reply and the one on
    // the line, and the steps of the controller.
    localparam [31:0] REST = 9 * `READY + 13;
    localparam [31:0] BOUND = `LIMIT + 2 + REST;

    // The newest code: its age, whether a reply to it is due, whether it has been taken.
    reg waited = 0, was_reset = 0, due = 0, taken = 0, sent = 0;
    reg [31:0] age = 0;
    wire begins = waiting && !waited;
    wire [31:0] age_now = begins ? 0 : age;
    wire due_now = begins || due;
    wire taken_now = taken && !begins;
    always @(posedge clock) begin
        waited <= waiting && !\dut.parser$take ;
        was_reset <= \dut.parser$reset ;
        sent <= strobe;
        if (due_now) begin
            due <= 1;
            taken <= taken_now;
            age <= age_now + 1;
        end
        if (take) begin
            taken <= 1;
            // A `9` gets no reply; nor does a kind of code that does not exist.
            if (kind == 4 || kind > 5) due <= 0;
        end else if (strobe && taken_now) due <= 0;
        if (\dut.parser$reset ) begin
            due <= 0;
            taken <= 0;
        end
    end

    always @(*) begin
        assume (was_reset ? !waiting : !waited || waiting);
`ifdef FAST
        assume (\dut.uart_tx$ready );
`else
        // The start bit is on the line in the cycle after a letter's.
        if (sent) assert (!tx);
`endif
        if (due_now) assert (age_now <= BOUND);
        // The chooser is stopped by the newest code's age alone, and by a code that waits.
        if (state == SEARCH && !\dut.parser$reset ) begin
            if (!begins) assert (deadline == (found && due && age >= `DEADLINE + 2));
            assert (superseded == waiting);
        end
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next: the timer holds the
    // age, and once the limit has passed, what is left goes down with every cycle.
    (* hierconn *) wire [31:0] \dut.reply_timer.count$q ;
    (* hierconn *) wire \dut.reply_timer.waited$q , \dut.reply_timer.past_deadline$q , \dut.reply_timer.past_limit$q ;
    (* hierconn *) wire [2:0] \dut.bytes_left$q ;
    (* hierconn *) wire \dut.opponent_side$q , \dut.second_half_pending$q ;
    (* hierconn *) wire [3:0] \dut.uart_tx.bits_left$q ;
    (* hierconn *) wire [15:0] \dut.uart_tx.cycles_left$q ;
    (* hierconn *) wire [9:0] \dut.uart_tx.frame$q ;
    wire opponent_side = \dut.opponent_side$q ;
    wire [3:0] letters = \dut.bytes_left$q + (\dut.second_half_pending$q ? 4 : 0);
    wire [31:0] bits = \dut.uart_tx.bits_left$q ;
    wire [31:0] busy = bits == 0 ? 0 : (bits - 1) * `DIVISOR + \dut.uart_tx.cycles_left$q + 1;

    // Steps to the first letter of a code that is taken, once the limit has passed.
    function automatic [31:0] steps(input [3:0] where, input opponent_side);
        case (where)
            SEND: steps = 0;
            WRITE: steps = opponent_side ? 2 : 1;
            STAMP: steps = opponent_side ? 3 : 2;
            FETCH: steps = opponent_side ? 4 : 3;
            SEARCH: steps = 4;
            CHECK: steps = 5;
            default: steps = 1;
        endcase
    endfunction

    // Steps to the idle state while a newer code waits, and those of the letters before.
    function automatic [31:0] before(input [3:0] where, input opponent_side, input second_half_pending, input [3:0] letters);
        case (where)
            IDLE: before = 0;
            SEND: before = letters * (`READY + 1) + second_half_pending + 1;
            WRITE: before = opponent_side ? 2 : 4 * (`READY + 1) + 2;
            STAMP: before = opponent_side ? 3 : 4 * (`READY + 1) + 3;
            FETCH: before = opponent_side ? 4 : 4 * (`READY + 1) + 4;
            CHECK: before = 5;
            default: before = 1;
        endcase
    endfunction
    wire [31:0] rest = busy + (taken ? steps(state, opponent_side)
        : 3 + before(state, opponent_side, \dut.second_half_pending$q , letters));

    always @(*) begin
        assert (state <= SEND && \dut.reply_timer.waited$q == waited);
        assert (bits <= 10 && (bits == 0 || \dut.uart_tx.cycles_left$q < `DIVISOR));
        assert (bits == 0 ? \dut.uart_tx.frame$q == 0 || !sent : 1);
        if (sent) assert (bits == 10 && \dut.uart_tx.frame$q [0]);
        assert (\dut.bytes_left$q <= 4);
        if (state >= READ && state <= WRITE) assert (!\dut.second_half_pending$q );
        if (state == CHECK || state == READ) assert (opponent_side);
        if (state == THINK || state == SEARCH) assert (!opponent_side);
        if (state >= FETCH && state <= WRITE && !opponent_side) assert (\dut.bytes_left$q == 4);
        if (state != IDLE && state != SEND) assert (due);
        if (was_reset) assert (state == IDLE && !due);
        else if (waited) assert (due && !taken);
        if (due) begin
            assert (age >= 1);
            assert (\dut.reply_timer.count$q == (age - 1 > `LIMIT ? `LIMIT : age - 1));
            assert (\dut.reply_timer.past_deadline$q == (age >= `DEADLINE + 2));
            assert (\dut.reply_timer.past_limit$q == (age >= `LIMIT + 2));
            assert (age <= BOUND);
            assert (taken || waited);
            if (taken) assert (!waited && state != IDLE && (state != SEND || \dut.bytes_left$q != 0));
            if (age >= `LIMIT + 2) assert (age + rest <= BOUND);
        end
    end
`endif
endmodule
