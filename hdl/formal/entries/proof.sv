// The expander's list of entries: at most 32 come, only between a request and its end, and each is read
// from a place that was written in this request.
//
// The ranking hands its places out from its end, the empty ones first. One place is any, and stands for
// all.
module proof(input wire clock, input wire start_is_a, input wire start, input wire take,
    input wire stamp, input wire side, input wire [14:0] stamped, input wire [83:0] incoming,
    input wire [20:0] used_0, input wire [20:0] used_1, input wire score, input wire [15:0] value,
    input wire list);
    (* anyconst *) reg [4:0] place;
    wire idle, done, entry;
    expander dut(.clock, .start_is_a, .start, .take, .stamp, .side, .stamped, .incoming,
        .incoming_used$0(used_0), .incoming_used$1(used_1), .score, .value, .list, .idle, .done, .entry);

    (* hierconn *) wire [2:0] \dut.state$q ;
    (* hierconn *) wire [1:0] \dut.priors.state$q ;
    (* hierconn *) wire \dut.list_done$q , \dut.list_only$q , \dut.ranking$last , \dut.ranking$drain ;
    (* hierconn *) wire [5:0] \dut.priors.step$q , \dut.priors.kept_count$q ;
    (* hierconn *) wire \dut.priors.taken$q , \dut.priors.added$q , \dut.priors.done_next$q , \dut.priors$start ;
    (* hierconn *) wire \dut.priors.stage_valid$0$q , \dut.priors.stage_valid$1$q ;
    (* hierconn *) wire \dut.priors.stage_valid$2$q , \dut.priors.stage_valid$3$q ;
    (* hierconn *) wire \dut.priors.kept$write ;
    (* hierconn *) wire [4:0] \dut.priors.kept$write_address , \dut.priors.kept$address , \dut.priors.taken_index$q ;
    localparam DRAIN = 1, DIVIDE = 2, EMIT = 3;
    wire [2:0] work = \dut.state$q ;
    wire [1:0] pass = \dut.priors.state$q ;
    wire [5:0] step = \dut.priors.step$q , total = \dut.priors.kept_count$q ;
    wire taken = \dut.priors.taken$q , added = \dut.priors.added$q ;
    wire [5:0] passing = \dut.priors.stage_valid$0$q + \dut.priors.stage_valid$1$q + \dut.priors.stage_valid$2$q
        + \dut.priors.stage_valid$3$q ;

    reg asked = 0, written = 0, begun = 0;
    reg [5:0] come = 0;
    always @(posedge clock) begin
        if (done) asked <= 0;
        if (entry) come <= come + 1;
        if (score && idle) begin
            asked <= 1;
            come <= 0;
        end
        if (\dut.ranking$drain && \dut.ranking$last ) begun <= 1;
        if (\dut.priors.kept$write && \dut.priors.kept$write_address == place) written <= 1;
        if (\dut.priors$start ) begin
            written <= 0;
            begun <= 0;
        end
    end
    // Places that were taken from the ranking, all of them below this one in the drain's order.
    wire [5:0] found = total + taken + added;
    wire [5:0] drained = step > 32 ? 6'd32 : step;
    wire [5:0] lowest = 6'd32 - drained;

    always @(*) begin
        assume (!(score && list));
        // The ranking has no gaps.
        if (\dut.ranking$drain && begun) assume (\dut.ranking$last );

        // What is claimed.
        if (entry) assert (asked && come < 32 && !done);
        if (idle) assert (!asked);
        if (pass == EMIT && step < total && \dut.priors.kept$address == place) assert (written);
        assert (total <= 32);

        // How it comes about.
        if (asked) assert (work != 0 && !\dut.list_only$q );
        if (asked && work != 3) assert (come == 0);
        if (work != 0) assert (asked || \dut.list_only$q );
        if (pass != 0) assert (work == 3 && asked && !\dut.priors.done_next$q );
        if (work == 3) assert (asked && (pass != 0 || \dut.priors.done_next$q || \dut.priors$start ));
        if (\dut.priors$start ) assert (work == 3 && pass == 0 && come == 0 && !\dut.priors.done_next$q );
        if (\dut.priors.done_next$q ) assert (work == 3 && pass == 0);
        if (\dut.list_done$q ) assert (work == 0 && !asked);
        if (pass != EMIT) assert (passing == 0);
        if (pass != 0 && pass != EMIT) assert (come == 0);
        if (pass == EMIT) assert (step <= total && 7'd0 + come + passing == step);
        if (pass == 0 && work != 3) assert (!taken && !added);
        if (pass == 0) assert (!taken && !added);
        if (pass == DRAIN) begin
            assert (step <= 33 && found <= drained && (step < 33 || !taken));
            if (begun) assert (found != 0);
            else assert (found == 0);
            // What was taken lies side by side, and is written or about to be.
            if (place >= lowest && place < lowest + found)
                assert (written || taken && \dut.priors.taken_index$q == place);
            if (taken) assert (\dut.priors.taken_index$q == lowest);
        end
        if (pass == DIVIDE) assert (step <= 1);
        if (pass == DIVIDE || pass == EMIT) begin
            assert (!taken && !added);
            if (place < total) assert (written);
        end
    end
endmodule
