// From every state of the controller's registers, and whatever its parts and the chooser do, the
// controller comes back to its idle state when no code waits: a count of what is left goes down with
// every cycle in which it does not wait for something that is proved to come. One cycle from any
// state is all that has to be checked, so next states are read at the registers' inputs.
//
// It waits for two things only: for the chooser to be at rest, while it asks nothing new of it, or for the
// limit, which comes because the timer counts up to it from every state; and for the transmitter to be
// ready (uart_recovery). Their outputs, the decoder's and the parser's take any value.
module proof(input wire clock, input wire reset, input wire rx, input wire idle, input wire listed,
    input wire [6:0] listed_orientation, input wire [3:0] listed_x, input wire [3:0] listed_y,
    input wire found, input wire [6:0] best_orientation, input wire [3:0] best_x, input wire [3:0] best_y);
    wire list, think, place;
    controller_small dut(.clock, .reset, .rx, .idle, .listed, .listed_orientation, .listed_x, .listed_y, .found,
        .best_orientation, .best_x, .best_y, .list, .think, .place);

    (* hierconn *) wire \dut.parser$waiting , \dut.parser$take ;
    (* hierconn *) wire [2:0] \dut.parser$kind ;
    (* hierconn *) wire \dut.uart_tx$ready , \dut.uart_tx$strobe ;
    (* hierconn *) wire [7:0] \dut.uart_tx$data ;
    (* hierconn *) wire \dut.reset_sampled$d , \dut.reset_sampled$q , \dut.reset_held$d , \dut.reset_held$q ;
    (* hierconn *) wire [3:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire \dut.opponent_side$d , \dut.opponent_side$q , \dut.second_half_pending$d , \dut.second_half_pending$q ;
    (* hierconn *) wire [2:0] \dut.bytes_left$d , \dut.bytes_left$q ;
    (* hierconn *) wire [31:0] \dut.reply$d , \dut.reply$q ;
    (* hierconn *) wire [31:0] \dut.reply_timer.count$d , \dut.reply_timer.count$q ;
    (* hierconn *) wire \dut.reply_timer.past_limit$d , \dut.reply_timer.past_limit$q ;
    (* hierconn *) wire \dut.reply_timer.waited$d , \dut.reply_timer.waited$q ;

    localparam IDLE = 0, READ = 1, CHECK = 2, THINK = 3, SEARCH = 4, FETCH = 5, STAMP = 6, WRITE = 7,
        SEND = 8;
    wire [3:0] state = \dut.state$q ;
    wire waiting = \dut.parser$waiting ;

    // States that are left, those of the opponent's move first, and below them the letters.
    function automatic [7:0] left(input [3:0] where, input opponent_side, input second_half_pending, input [2:0] letters);
        case (where)
            IDLE: left = 0;
            SEND: left = 1 + letters + (second_half_pending ? 8 : 0);
            WRITE: left = opponent_side ? 31 : 20;
            STAMP: left = opponent_side ? 32 : 21;
            FETCH: left = opponent_side ? 33 : 22;
            SEARCH: left = opponent_side ? 34 : 23;
            THINK: left = opponent_side ? 35 : 30;
            CHECK: left = 36;
            READ: left = 37;
            default: left = 38;
        endcase
    endfunction
    wire [7:0] now = left(state, \dut.opponent_side$q , \dut.second_half_pending$q , \dut.bytes_left$q );
    wire [7:0] next = left(\dut.state$d , \dut.opponent_side$d , \dut.second_half_pending$d , \dut.bytes_left$d );

    (* hierconn *) wire \dut.clearing$d , \dut.clearing$q ;
    wire expired = \dut.reply_timer.past_limit$q ;
    wire counts = \dut.reply_timer.waited$q == waiting && (waiting || state != IDLE);
    wire free = idle && !\dut.clearing$q ;
    wire waits = (state == CHECK || state == SEARCH || state == WRITE) && !idle && !expired
        || (state == READ || state == THINK) && !free && !expired
        || state == SEND && \dut.bytes_left$q != 0 && !\dut.uart_tx$ready ;

    always @(*) begin
        if (state != IDLE && !\dut.reset_held$q ) begin
            if (waits) begin
                assert (next == now && \dut.state$d == state);
                // Nothing new is asked for meanwhile.
                assert (!list && !think && !place && !\dut.uart_tx$strobe );
            end else assert (next < now);
        end
        if (state == IDLE && !waiting) assert (\dut.state$d == IDLE);
        // A clearing lasts until the chooser is at rest, and no longer.
        if (idle) assert (!\dut.clearing$d );
        // While no code begins to wait, the timer continues to the limit, also from beyond it, and a passed
        // limit ends every wait for the chooser.
        assert (\dut.reply_timer.waited$d == (waiting && !\dut.parser$take ));
        if (counts) begin
            if (\dut.reply_timer.count$q < 500) assert (\dut.reply_timer.count$d == \dut.reply_timer.count$q + 1);
            else assert (\dut.reply_timer.count$d == \dut.reply_timer.count$q && \dut.reply_timer.past_limit$d );
        end

        // A reset ends when all is at rest, and leads to the idle state at once.
        assert (\dut.reset_sampled$d == reset);
        if (\dut.reset_held$q ) begin
            assert (\dut.state$d == IDLE);
            if (idle && !\dut.reset_sampled$q ) assert (!\dut.reset_held$d );
            if (!idle) assert (\dut.reset_held$d );
        end

        // A `0` that waits in the idle state is answered by three letters, whatever the other
        // registers hold.
        if (state == IDLE && waiting && (free || expired) && \dut.parser$kind == 0
            && !\dut.reset_held$q ) begin
            assert (\dut.parser$take && \dut.state$d == SEND);
            assert (\dut.reply$d == "\000FD1" && \dut.bytes_left$d == 3 && !\dut.second_half_pending$d );
        end
        if (state == SEND && \dut.bytes_left$q != 0 && \dut.uart_tx$ready ) begin
            assert (\dut.uart_tx$strobe && \dut.uart_tx$data == \dut.reply$q [7:0]);
            assert (\dut.reply$d == \dut.reply$q >> 8 && \dut.bytes_left$d == \dut.bytes_left$q - 3'd1);
        end
    end
endmodule
