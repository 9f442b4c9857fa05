// What the controller sends, for everything that its parts and the chooser may do to it: the parser, the
// decoder, the encoder and the transmitter are cut off, and their outputs and the chooser's take any value
// at every clock. Of the parser only this is used, which is proved about it: a code
// waits until it is taken or forgotten by a reset.
module proof(input wire clock, input wire reset, input wire rx, input wire settled, input wire listed,
    input wire [6:0] listed_orientation, input wire [3:0] listed_x, input wire [3:0] listed_y,
    input wire found, input wire [6:0] best_orientation, input wire [3:0] best_x, input wire [3:0] best_y);
    wire playing;
    controller_small dut(.clock, .reset, .rx, .settled, .listed, .listed_orientation, .listed_x, .listed_y, .found,
        .best_orientation, .best_x, .best_y, .playing);

    (* hierconn *) wire \dut.line$waiting , \dut.line$take , \dut.line$reset ;
    (* hierconn *) wire [2:0] \dut.line$kind ;
    (* hierconn *) wire \dut.sender$ready , \dut.sender$strobe ;
    (* hierconn *) wire [7:0] \dut.sender$data ;
    wire waiting = \dut.line$waiting ;
    wire take = \dut.line$take && !\dut.line$reset ;
    wire [2:0] kind = \dut.line$kind ;
    wire ready = \dut.sender$ready ;
    wire strobe = \dut.sender$strobe ;
    wire [7:0] letter = \dut.sender$data ;

    // What is owed: nothing, three letters of the greeting, four of a move, eight of the build.
    localparam NOTHING = 0, GREETING = 1, MOVE = 2, BUILD = 3;
    reg [1:0] owed = NOTHING;
    reg [2:0] sent = 0;
    reg game = 0;
    wire [3:0] length = owed == GREETING ? 3 : owed == MOVE ? 4 : 8;
    wire [7:0] greeting = sent == 0 ? "1" : sent == 1 ? "D" : "F";
    wire [63:0] build = "fedcba98";
    reg waited = 0;

    always @(posedge clock) begin
        waited <= waiting && !\dut.line$take && !\dut.line$reset ;
        if (strobe) begin
            sent <= sent + 1;
            if (sent + 1 == length) begin
                owed <= NOTHING;
                sent <= 0;
            end
        end
        if (take) case (kind)
            0: begin owed <= GREETING; game <= 0; end
            1, 2: begin owed <= MOVE; game <= 1; end
            3: owed <= MOVE;
            5: owed <= BUILD;
            default: begin owed <= NOTHING; game <= 0; end
        endcase
        if (\dut.line$reset ) begin
            owed <= NOTHING;
            sent <= 0;
            game <= 0;
        end
    end

    always @(*) begin
        assume (!waited || waiting);
        if (!\dut.line$reset ) begin
            // Only a code that waits is taken, and never in the middle of an answer, so that no answer
            // is cut off or mixed with another one.
            if (take) assert (waiting && sent == 0);
            if (strobe) begin
                // No letter without a request, none twice, none too many, none before its time.
                assert (owed != NOTHING && ready);
                if (owed == GREETING) assert (letter == greeting);
                if (owed == BUILD) assert (letter == build[8 * sent +: 8]);
                if (owed == MOVE && !game) assert (letter == "0");
            end
            assert (playing == game);
        end
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one clock proves the next.
    (* hierconn *) wire [3:0] \dut.state$q ;
    (* hierconn *) wire [2:0] \dut.left$q ;
    (* hierconn *) wire \dut.more$q , \dut.rivals$q ;
    (* hierconn *) wire [31:0] \dut.answer$q ;
    wire [3:0] state = \dut.state$q ;
    wire [2:0] left = \dut.left$q ;
    wire more = \dut.more$q ;
    wire side = \dut.rivals$q ;
    wire [31:0] answer = \dut.answer$q ;
    wire [23:0] greeting_rest = "FD1" >> (8 * sent);
    wire [31:0] half_rest = (more ? build[31:0] : build[63:32]) >> (8 * (sent & 3));
    integer i;
    always @(*) begin
        assert (playing == game);
        assert (sent == 0 || state == 8 && owed != NOTHING);
        if (state == 0) assert (owed == NOTHING || waited);
        if (state >= 1 && state <= 7) assert (owed == MOVE && !more);
        if (state == 1 || state == 2) assert (game && side);
        if (state == 3 || state == 4) assert (game && !side);
        if (state >= 5 && state <= 7) assert (game && (side || left == 4));
        if (state == 8) begin
            if (owed == NOTHING) assert (left == 0 && !more);
            if (owed == GREETING) assert (sent < 3 && left == 3 - sent && !more && answer == greeting_rest);
            if (owed == MOVE) assert (sent < 4 && left == 4 - sent && !more);
            if (owed == MOVE && !game)
                for (i = 0; i < 4; i = i + 1)
                    if (i < left) assert (answer[8 * i +: 8] == "0");
            if (owed == BUILD) begin
                assert (left == (more || sent == 0 ? 4 : 8) - sent);
                assert (more ? sent <= 4 : sent >= 4);
                if (left != 0) assert (answer == half_rest);
            end
        end
        assert (state <= 8);
    end
`endif
endmodule
