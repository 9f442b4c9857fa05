// The opening book: a request is complete once all entries were read; it has a reply if one of them has the key of the
// position, and then the reply of such an entry.
//
// The memory of the entries is left out. Each address has some word; the proof follows those of one address.
module proof(input wire clock, input wire clear, input wire place, input wire side, input wire [14:0] placement,
    input wire think, input wire start_is_a);
    wire ready, found;
    wire [14:0] reply;
    opening_book_small dut(.clock, .clear, .place, .side, .placement, .think, .start_is_a, .ready, .found, .reply);

    (* hierconn *) wire [10:0] \dut.entries$address ;
    (* hierconn *) wire [63:0] \dut.entries$data ;
    (* hierconn *) wire [44:0] \dut.placements$q ;
    (* hierconn *) wire [1:0] \dut.count$q ;
    (* hierconn *) wire [10:0] \dut.number$q ;
    (* hierconn *) wire \dut.last_side$q , \dut.outside$q , \dut.reading$q , \dut.comparing$q , \dut.complete$q ;
    (* hierconn *) wire \dut.has_reply$q ;
    (* hierconn *) wire [14:0] \dut.reply_placement$q ;

    // Number of the last entry.
    localparam [10:0] LAST = 13;
    (* anyconst *) wire [10:0] followed;
    (* anyconst *) wire [63:0] followed_word;

    // The game: its placements, the last one first, and whether each side placed in turn.
    reg [2:0] count = 0;
    reg [44:0] placements = 0;
    reg in_turn = 1, last_side = 0;
    // The word of the key was read since the request, and its reply; the followed address was.
    reg seen = 0, followed_seen = 0;
    reg [14:0] seen_reply = 0;
    reg [10:0] past_address = 0;
    reg past_think = 0, past_ready = 0, past_start = 0;
    wire in_book = in_turn && count <= 3 && (count == 0 || last_side);
    wire [48:0] key = {1'b1, start_is_a, count[1:0], placements};
    // Number of entries that were compared since the request.
    wire [10:0] compared = \dut.number$q - \dut.comparing$q ;
    wire equal = \dut.entries$data [48:0] == key;

    always @(posedge clock) begin
        if (clear) begin
            count <= 0;
            placements <= 0;
            in_turn <= 1;
        end else if (place) begin
            count <= count == 4 ? 4 : count + 1;
            placements <= {placements[29:0], placement};
            in_turn <= in_turn && (count == 0 || side != last_side);
        end
        if (place) last_side <= side;
        past_address <= \dut.entries$address ;
        past_think <= think;
        past_ready <= ready;
        past_start <= start_is_a;
        if (\dut.comparing$q ) begin
            if (equal) begin
                seen <= 1;
                seen_reply <= \dut.entries$data [63:49];
            end
            if (past_address == followed) followed_seen <= 1;
        end
        if (!think || !past_think) begin
            seen <= 0;
            followed_seen <= 0;
        end
    end

    always @(*) begin
        if (past_address == followed) assume (\dut.entries$data == followed_word);
        // A request lasts until it is complete, for one position.
        if (past_think && !past_ready) assume (think);
        if (think) assume (!place && !clear);
        if (think && past_think) assume (start_is_a == past_start);

        if (ready && think) begin
            assert (!found || in_book && seen && reply == seen_reply);
            assert (found || !in_book || !seen);
            // No entry is missed.
            if (followed <= LAST && followed_word[48:0] == key && in_book) assert (found);
        end

        // What holds of the registers in every state that can be reached.
        assert (count <= 4 && \dut.placements$q == placements && \dut.last_side$q == last_side);
        assert (\dut.outside$q == (count == 4 || !in_turn));
        if (count < 4) assert (\dut.count$q == count[1:0]);
        if (past_think && think) assert (\dut.reading$q || \dut.comparing$q || \dut.complete$q );
        if (!past_think) assert (!\dut.reading$q && !\dut.comparing$q && !\dut.complete$q );
        if (past_think && think) begin
            assert (\dut.has_reply$q == (seen && in_book));
            if (seen && in_book) assert (\dut.reply_placement$q == seen_reply);
            assert (followed_seen == (followed < compared));
            if (followed_seen && followed_word[48:0] == key) assert (seen);
            assert (compared <= LAST + 1);
            if (\dut.reading$q ) assert (\dut.number$q <= LAST && \dut.comparing$q == (\dut.number$q != 0));
            if (\dut.comparing$q ) assert (past_address == compared);
            if (\dut.complete$q ) assert (!\dut.reading$q && !\dut.comparing$q );
            if (!\dut.reading$q ) assert (\dut.number$q == LAST + 1);
        end
    end
endmodule
