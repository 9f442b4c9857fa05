// From every state of the controller's registers, and whatever its parts and the chooser do, the
// controller comes back to its idle state when no code waits: a count of what is left goes down with
// every clock in which it does not wait for something that is proved to come. One clock from any
// state is all that has to be looked at, so next states are read at the registers' inputs.
//
// It waits for two things only: for the chooser to be at rest, while it asks nothing new of it, or for the
// limit, which comes because the timer counts up to it from every state; and for the transmitter to be
// ready (uart_recovery). Their outputs, the decoder's and the parser's take any value.
module proof(input wire clock, input wire reset, input wire rx, input wire settled, input wire listed,
    input wire [6:0] listed_orientation, input wire [3:0] listed_x, input wire [3:0] listed_y,
    input wire found, input wire [6:0] best_orientation, input wire [3:0] best_x, input wire [3:0] best_y);
    wire list, think, place;
    controller_small dut(.clock, .reset, .rx, .settled, .listed, .listed_orientation, .listed_x, .listed_y, .found,
        .best_orientation, .best_x, .best_y, .list, .think, .place);

    (* hierconn *) wire \dut.line$waiting , \dut.line$take ;
    (* hierconn *) wire [2:0] \dut.line$kind ;
    (* hierconn *) wire \dut.sender$ready , \dut.sender$strobe ;
    (* hierconn *) wire [7:0] \dut.sender$data ;
    (* hierconn *) wire \dut.reset_one$d , \dut.reset_one$q , \dut.reset_two$d , \dut.reset_two$q ;
    (* hierconn *) wire [3:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire \dut.rivals$d , \dut.rivals$q , \dut.more$d , \dut.more$q ;
    (* hierconn *) wire [2:0] \dut.left$d , \dut.left$q ;
    (* hierconn *) wire [31:0] \dut.answer$d , \dut.answer$q ;
    (* hierconn *) wire [31:0] \dut.timer.count$d , \dut.timer.count$q ;
    (* hierconn *) wire \dut.timer.past_limit$d , \dut.timer.past_limit$q ;
    (* hierconn *) wire \dut.timer.waited$d , \dut.timer.waited$q ;

    localparam IDLE = 0, READ = 1, CHECK = 2, THINK = 3, SEARCH = 4, FETCH = 5, STAMP = 6, SETTLE = 7,
        SEND = 8;
    wire [3:0] state = \dut.state$q ;
    wire waiting = \dut.line$waiting ;

    // States that are left, those of the rival's move first, and below them the letters.
    function automatic [7:0] left(input [3:0] where, input theirs, input more, input [2:0] letters);
        case (where)
            IDLE: left = 0;
            SEND: left = 1 + letters + (more ? 8 : 0);
            SETTLE: left = theirs ? 31 : 20;
            STAMP: left = theirs ? 32 : 21;
            FETCH: left = theirs ? 33 : 22;
            SEARCH: left = theirs ? 34 : 23;
            THINK: left = theirs ? 35 : 30;
            CHECK: left = 36;
            READ: left = 37;
            default: left = 38;
        endcase
    endfunction
    wire [7:0] now = left(state, \dut.rivals$q , \dut.more$q , \dut.left$q );
    wire [7:0] next = left(\dut.state$d , \dut.rivals$d , \dut.more$d , \dut.left$d );

    (* hierconn *) wire \dut.clearing$d , \dut.clearing$q ;
    wire expired = \dut.timer.past_limit$q ;
    wire counts = \dut.timer.waited$q == waiting && (waiting || state != IDLE);
    wire free = settled && !\dut.clearing$q ;
    wire waits = (state == CHECK || state == SEARCH || state == SETTLE) && !settled && !expired
        || (state == READ || state == THINK) && !free && !expired
        || state == SEND && \dut.left$q != 0 && !\dut.sender$ready ;

    always @(*) begin
        if (state != IDLE && !\dut.reset_two$q ) begin
            if (waits) begin
                assert (next == now && \dut.state$d == state);
                // Nothing new is asked for meanwhile.
                assert (!list && !think && !place && !\dut.sender$strobe );
            end else assert (next < now);
        end
        if (state == IDLE && !waiting) assert (\dut.state$d == IDLE);
        // A clearing lasts until the chooser is at rest, and no longer.
        if (settled) assert (!\dut.clearing$d );
        // While no code begins to wait, the timer goes on to the limit, also from beyond it, and a passed
        // limit ends every wait for the chooser.
        assert (\dut.timer.waited$d == (waiting && !\dut.line$take ));
        if (counts) begin
            if (\dut.timer.count$q < 500) assert (\dut.timer.count$d == \dut.timer.count$q + 1);
            else assert (\dut.timer.count$d == \dut.timer.count$q && \dut.timer.past_limit$d );
        end

        // A reset ends when all is at rest, and leads to the idle state at once.
        assert (\dut.reset_one$d == reset);
        if (\dut.reset_two$q ) begin
            assert (\dut.state$d == IDLE);
            if (settled && !\dut.reset_one$q ) assert (!\dut.reset_two$d );
            if (!settled) assert (\dut.reset_two$d );
        end

        // A `0` that waits in the idle state is answered by three letters, whatever the other
        // registers hold.
        if (state == IDLE && waiting && (free || expired) && \dut.line$kind == 0
            && !\dut.reset_two$q ) begin
            assert (\dut.line$take && \dut.state$d == SEND);
            assert (\dut.answer$d == "\000FD1" && \dut.left$d == 3 && !\dut.more$d );
        end
        if (state == SEND && \dut.left$q != 0 && \dut.sender$ready ) begin
            assert (\dut.sender$strobe && \dut.sender$data == \dut.answer$q [7:0]);
            assert (\dut.answer$d == \dut.answer$q >> 8 && \dut.left$d == \dut.left$q - 3'd1);
        end
    end
endmodule
