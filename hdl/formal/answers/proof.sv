// What the controller sends and what it has written, for everything that its parts and the chooser may
// do to it: the parser, the decoder, the encoder and the transmitter are cut off, and their outputs and the
// chooser's take any value at every cycle, but for this:
// - A code waits until it is taken or forgotten by a reset (parser).
// - The chooser lists nothing more once it is at rest, and the best placement holds still from the end of
//   a list or search to the beginning of the next (jobs).
// - Decoder and encoder are functions: for one code and one placement, whichever they are, the same comes
//   out of them whenever the same goes in. What is shown for these holds for all. Which functions they are
//   is encoder_decoder's claim.
module proof(input wire clock, input wire reset, input wire rx, input wire idle, input wire listed,
    input wire [6:0] listed_orientation, input wire [3:0] listed_x, input wire [3:0] listed_y,
    input wire found, input wire [6:0] best_orientation, input wire [3:0] best_x, input wire [3:0] best_y);
    wire playing, list, think, place, side;
    wire [6:0] orientation;
    wire [4:0] tile;
    wire [3:0] x, y;
    `CONTROLLER dut(.clock, .reset, .rx, .idle, .listed, .listed_orientation, .listed_x, .listed_y, .found,
        .best_orientation, .best_x, .best_y, .playing, .list, .think, .place, .side, .orientation, .tile, .x, .y);

    (* hierconn *) wire \dut.parser$waiting , \dut.parser$take , \dut.parser$reset ;
    (* hierconn *) wire [2:0] \dut.parser$kind ;
    (* hierconn *) wire [31:0] \dut.parser$code ;
    (* hierconn *) wire \dut.uart_tx$ready , \dut.uart_tx$strobe ;
    (* hierconn *) wire [7:0] \dut.uart_tx$data ;
    wire waiting = \dut.parser$waiting ;
    wire take = \dut.parser$take && !\dut.parser$reset ;
    wire [2:0] kind = \dut.parser$kind ;
    wire ready = \dut.uart_tx$ready ;
    wire strobe = \dut.uart_tx$strobe ;
    wire [7:0] letter = \dut.uart_tx$data ;
    wire resets = \dut.parser$reset ;
    // The reply limit passes without a decision.
    (* hierconn *) wire \dut.limit_reached ;
    wire limit = \dut.limit_reached ;

    // What is owed: nothing, three letters of the greeting, four of a move, eight of the build.
    localparam NOTHING = 0, GREETING = 1, MOVE = 2, BUILD = 3;
    reg [1:0] owed = NOTHING;
    reg [2:0] sent = 0;
    reg game = 0;
    wire [3:0] length = owed == GREETING ? 3 : owed == MOVE ? 4 : 8;
    wire [7:0] greeting = sent == 0 ? "1" : sent == 1 ? "D" : "F";
    wire [63:0] build = "fedcba98";
    reg waited = 0;

    // Any code, and what the decoder makes of it; any placement, and its code.
    (* anyconst *) reg [31:0] some_code, some_placement_code;
    (* anyconst *) reg some_valid;
    (* anyconst *) reg [14:0] some_decoded, some_placement;
    (* hierconn *) wire [31:0] \dut.decoder$code , \dut.encoder$code ;
    (* hierconn *) wire \dut.decoder$valid ;
    (* hierconn *) wire [6:0] \dut.decoder$orientation ;
    (* hierconn *) wire [3:0] \dut.decoder$x , \dut.decoder$y ;
    wire [14:0] placement = {orientation, x, y};
    wire [14:0] decoded = {\dut.decoder$orientation , \dut.decoder$x , \dut.decoder$y };
    always @(*) begin
        if (\dut.decoder$code == some_code) assume (\dut.decoder$valid == some_valid && decoded == some_decoded);
        if (placement == some_placement) assume (\dut.encoder$code == some_placement_code);
    end

    // The request brings an opponent's move; it is that code.
    reg given = 0, is_some = 0;
    // Its legal set has been asked for, is being listed, held it; it has been written.
    reg looked_up = 0, listing = 0, is_legal = 0, given_written = 0;

    // The placement of the own side that has been written.
    reg own_written = 0;
    reg [14:0] own = 0;
    wire is_some_own = own_written && own == some_placement;

    // A list or a search has been asked for and has not come to rest since.
    reg searching = 0, past_searching = 0, past_asked = 0, later = 0;
    wire searching_now = searching && !idle;
    wire [15:0] best = {found, best_orientation, best_x, best_y};
    reg [15:0] past_best = 0;

    always @(posedge clock) begin
        waited <= waiting && !\dut.parser$take && !resets;
        later <= 1;
        searching <= list || think || searching_now;
        past_searching <= searching_now;
        past_asked <= list || think;
        past_best <= best;
        if (strobe) begin
            sent <= sent + 1;
            if (sent + 1 == length) begin
                owed <= NOTHING;
                sent <= 0;
            end
        end
        if (list) looked_up <= 1;
        listing <= list || listing && !idle;
        if (listing && listed && {listed_orientation, listed_x, listed_y} == some_decoded) is_legal <= 1;
        if (place && side) given_written <= 1;
        // The limit ends the game if the opponent's placement is neither written nor judged.
        if (limit && side && !given_written) game <= 0;
        if (place && !side) begin
            own_written <= 1;
            own <= placement;
        end
        if (take) begin
            case (kind)
                0: begin owed <= GREETING; game <= 0; end
                1, 2: begin owed <= MOVE; game <= 1; end
                3: owed <= MOVE;
                5: owed <= BUILD;
                default: begin owed <= NOTHING; game <= 0; end
            endcase
            given <= kind == 2 || kind == 3 && game;
            is_some <= \dut.parser$code == some_code;
            looked_up <= 0;
            listing <= 0;
            is_legal <= 0;
            given_written <= 0;
            own_written <= 0;
        end
        if (resets) begin
            owed <= NOTHING;
            sent <= 0;
            game <= 0;
        end
    end

    always @(*) begin
        assume (!waited || waiting);
        assume (!(listed && idle));
        assume (!later || past_searching || past_asked || best == past_best);
        if (!resets) begin
            // Only a code that waits is taken, and never in the middle of an answer, so that no answer
            // is cut off or mixed with another one.
            if (take) assert (waiting && sent == 0);
            if (strobe) begin
                // No letter without a request, none twice, none too many, none before its time.
                assert (owed != NOTHING && ready);
                if (owed == GREETING) assert (letter == greeting);
                if (owed == BUILD) assert (letter == build[8 * sent +: 8]);
                // The letters of a move are the code of the placement that has been written, the first
                // one lowest, or a pass.
                if (owed == MOVE && !own_written) assert (letter == "0");
                if (owed == MOVE && is_some_own) assert (letter == some_placement_code[8 * sent +: 8]);
            end
            assert (playing == game);
            // A list is the opponent's, a search one's own, and both come once a request.
            if (list) assert (game && side && given && !looked_up);
            if (list && is_some) assert (some_valid);
            if (think) assert (game && !side && owed == MOVE && sent == 0);
            // The opponent's placement is written exactly if it is legal, before the search.
            if (think && given && is_some) assert (given_written == (some_valid && is_legal));
            if (think && !given) assert (!given_written);
            // So it is in every game when the reply is sent, and when the next code is taken.
            if ((strobe || take) && game && given && is_some)
                assert (given_written == (some_valid && is_legal));
        end
        if (place) assert (!resets && game && owed == MOVE && sent == 0 && !own_written);
        if (place && side) assert (given && looked_up && !given_written);
        if (place && side && is_some) assert (some_valid && is_legal && placement == some_decoded);
        // What is written of one's own is the best placement.
        if (place && !side) assert (found && placement == best[14:0]);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    (* hierconn *) wire [3:0] \dut.state$q ;
    (* hierconn *) wire [2:0] \dut.bytes_left$q ;
    (* hierconn *) wire \dut.second_half_pending$q , \dut.opponent_side$q , \dut.opponent_legal$q ;
    (* hierconn *) wire [31:0] \dut.reply$q , \dut.opponent_code$q ;
    wire [3:0] state = \dut.state$q ;
    wire [2:0] bytes_left = \dut.bytes_left$q ;
    wire second_half_pending = \dut.second_half_pending$q ;
    wire [31:0] reply = \dut.reply$q ;
    wire [23:0] greeting_rest = "FD1" >> (8 * sent);
    wire [31:0] half_rest = (second_half_pending ? build[31:0] : build[63:32]) >> (8 * (sent & 3));
    integer i;
    always @(*) begin
        assert (playing == game);
        assert (sent == 0 || state == 8 && owed != NOTHING);
        if (state == 0) assert (owed == NOTHING || waited);
        if (state >= 1 && state <= 7) assert (owed == MOVE && !second_half_pending && game);
        // The opponent's move.
        if (state == 1 || state == 2) assert (side && given && !given_written && !own_written);
        if (state == 1) assert (!looked_up && !listing && !is_legal);
        if (state >= 3 && state <= 7) assert (!listing);
        if (state == 2) assert (looked_up && listing);
        if (state == 2 && is_some) assert (some_valid && \dut.opponent_legal$q == is_legal);
        if ((state == 1 || state == 2 || (state == 5 || state == 6) && side) && is_some)
            assert (\dut.opponent_code$q == some_code);
        if ((state == 5 || state == 6) && side) assert (given && looked_up && !given_written);
        if (state >= 5 && state <= 7 && side && is_some) assert (some_valid && is_legal);
        if (state == 7 && side) assert (given && given_written);
        if ((state == 0 || state == 8) && game && given) assert (!listing);
        if ((state == 0 || state == 4 || state >= 5 && state <= 7 && !side || state == 8) && game && given && is_some)
            assert (given_written == (some_valid && is_legal));
        // The placement of the own side.
        if (state == 3 || state == 4) assert (!side && !own_written);
        if (state == 3) assert (given ? !is_some || given_written == (some_valid && is_legal) : !given_written);
        if (state >= 5 && state <= 7) assert (!searching_now && own_written == (state == 7 && !side));
        if ((state == 5 || state == 6) && !side) assert (found && bytes_left == 4);
        if ((state == 5 || state == 6) && !side && best[14:0] == some_placement)
            assert (reply == some_placement_code);
        if (state == 7 && !side) assert (bytes_left == 4);
        if (state == 7 && is_some_own) assert (reply == some_placement_code);
        if (state == 8) begin
            if (owed == NOTHING) assert (bytes_left == 0 && !second_half_pending);
            if (owed == GREETING) assert (sent < 3 && bytes_left == 3 - sent && !second_half_pending && reply == greeting_rest);
            if (owed == MOVE) assert (sent < 4 && bytes_left == 4 - sent && !second_half_pending);
            if (owed == MOVE)
                for (i = 0; i < 4; i = i + 1)
                    if (i < bytes_left) begin
                        if (!own_written) assert (reply[8 * i +: 8] == "0");
                        if (is_some_own) assert (reply[8 * i +: 8] == some_placement_code[8 * (sent + i) +: 8]);
                    end
            if (owed == BUILD) begin
                assert (bytes_left == (second_half_pending || sent == 0 ? 4 : 8) - sent);
                assert (second_half_pending ? sent <= 4 : sent >= 4);
                if (bytes_left != 0) assert (reply == half_rest);
            end
        end
        assert (state <= 8);
    end
`endif
endmodule
