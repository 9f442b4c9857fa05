// From the end of the ranking to the entries: each entry has a placement that was taken from the ranking
// since the second pass began. The placement is any, and so is a place of the memory in between, which stands for
// all: what is written there is followed, and what is read there continues with a tag.
//
// - What is taken from the ranking was reported, and the ranking has no gaps (ranked.sv).
// - The memory has at an address what was written there last.
module handed_out(input wire clock, input wire start, input wire [15:0] value, input wire [12:0] best,
    input wire last, input wire [12:0] last_score, input wire [14:0] last_placement, input wire reporting);
    (* anyconst *) reg [14:0] some;
    (* anyconst *) reg [4:0] place;
    wire drain, idle, entry;
    wire [14:0] placement;
    priors dut(.clock, .start, .value, .best, .last, .last_score, .last_placement, .drain, .idle, .entry,
        .placement);

    (* hierconn *) wire [1:0] \dut.state$q ;
    (* hierconn *) wire [5:0] \dut.step$q , \dut.kept_count$q ;
    (* hierconn *) wire \dut.taken$q , \dut.added$q , \dut.kept$write ;
    (* hierconn *) wire [14:0] \dut.taken_placement$q , \dut.staged$0$q , \dut.staged$1$q , \dut.staged$2$q ;
    (* hierconn *) wire [4:0] \dut.taken_index$q , \dut.kept$write_address , \dut.kept$address ;
    (* hierconn *) wire [22:0] \dut.kept$word , \dut.kept$data ;
    (* hierconn *) wire \dut.stage_valid$0$q , \dut.stage_valid$1$q , \dut.stage_valid$2$q , \dut.stage_valid$3$q ;
    localparam DRAIN = 1, DIVIDE = 2, EMIT = 3;
    wire [1:0] pass = \dut.state$q ;
    wire [5:0] step = \dut.step$q , total = \dut.kept_count$q ;
    wire taken = \dut.taken$q , added = \dut.added$q ;
    wire [3:0] leaving = {\dut.stage_valid$3$q , \dut.stage_valid$2$q , \dut.stage_valid$1$q , \dut.stage_valid$0$q };
    wire [59:0] ways = {\dut.staged$2$q , \dut.staged$1$q , \dut.staged$0$q , \dut.kept$data [14:0]};
    wire begins = start && idle;

    // The placement was reported, which may be from the beginning on or later, or never.
    reg reported = 0;
    // The ranking's last place was taken in this drain.
    reg begun = 0;
    // The place has been written since the beginning, and holds the placement; so it was a cycle ago.
    reg written = 0, holds = 0, read_written = 0, read_holds = 0;
    // What leaves the memory was read from the place.
    reg [3:0] tags = 0;
    always @(posedge clock) begin
        if (drain && last) begun <= 1;
        if (reporting) reported <= 1;
        if (\dut.kept$write && \dut.kept$write_address == place) begin
            written <= 1;
            holds <= \dut.kept$word [14:0] == some;
        end
        if (begins) begin
            written <= 0;
            begun <= 0;
            reported <= reporting;
        end
        tags <= {tags[2:0], \dut.kept$address == place};
        read_written <= written;
        read_holds <= holds;
    end
    wire [5:0] found = total + taken + added;
    wire [5:0] drained = step > 32 ? 6'd32 : step;
    wire [5:0] lowest = 6'd32 - drained;
    integer i;
    always @(*) begin
        if (drain && last && last_placement == some) assume (reported);
        if (drain && begun) assume (last);
        if (tags[0] && read_written) assume ((\dut.kept$data [14:0] == some) == read_holds);

        // What is claimed of an entry that was read from this place, whichever it is.
        if (entry && placement == some && tags[3]) assert (reported);

`ifdef INVARIANT
        // What holds in every state that can be reached, so that one cycle proves the next.
        if (taken && \dut.taken_placement$q == some) assert (reported);
        if (pass != 0 && written && holds) assert (reported);
        if (leaving[0] && tags[0]) assert (read_written);
        if (leaving[0]) assert (read_written == written && read_holds == holds);
        for (i = 0; i < 4; i = i + 1)
            if (leaving[i] && tags[i] && ways[15 * i +: 15] == some) assert (reported);
        if (pass == 0) assert (!taken && !added);
        if (pass != EMIT) assert (leaving[2:0] == 0);
        if (pass != EMIT && pass != 0) assert (leaving[3] == 0);
        // What was taken lies side by side, and is written or about to be.
        if (pass == DRAIN) begin
            assert (step <= 33 && found <= drained && (step < 33 || !taken));
            assert (begun == (found != 0));
            if (place >= lowest && place < lowest + found) assert (written || taken && \dut.taken_index$q == place);
            if (taken) assert (\dut.taken_index$q == lowest);
        end
        if (pass == DIVIDE) assert (step <= 1);
        if (pass == DIVIDE || pass == EMIT) begin
            assert (!taken && !added && total <= 32);
            if (place < total) assert (written);
        end
        if (pass == EMIT) assert (step <= total);
`endif
    end
endmodule
