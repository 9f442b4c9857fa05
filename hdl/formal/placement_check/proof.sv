// The check of a placement before it is played: after each request, what it returns was in the legal set that it had
// listed, it is the proposed placement if that was, and it is none only if the set was empty.
//
// The legal set is what is listed from the request of the check to the next cycle in which the search is idle.
module proof(input wire clock, input wire clear, input wire think, input wire idle, input wire search_found,
    input wire [14:0] proposed, input wire listed, input wire [14:0] listed_placement);
    wire busy, list, found;
    wire [14:0] placement;
    placement_check dut(.clock, .clear, .think, .idle, .search_found, .proposed, .listed, .listed_placement,
        .busy, .list, .found, .placement);

    (* hierconn *) wire \dut.waiting$q , \dut.listing$q , \dut.any$q ;
    (* hierconn *) wire [14:0] \dut.chosen$q ;

    (* anyconst *) wire [14:0] followed;

    // The check waits for the search, or has the legal set listed.
    reg waiting = 0, listing = 0;
    // Something was listed since, the followed placement was, and a proposed one was; the first of them, and the
    // proposed one.
    reg any = 0, followed_listed = 0, proposed_listed = 0;
    reg [14:0] first = 0, last_proposed = 0;

    always @(posedge clock) begin
        if (clear) begin
            waiting <= 0;
            listing <= 0;
            any <= 0;
        end else if (think) waiting <= 1;
        else if (waiting && idle) begin
            waiting <= 0;
            listing <= 1;
            any <= 0;
            followed_listed <= 0;
            proposed_listed <= 0;
        end else if (listing) begin
            if (listed) begin
                any <= 1;
                if (!any) first <= listed_placement;
                if (listed_placement == followed) followed_listed <= 1;
                if (listed_placement == proposed) begin
                    proposed_listed <= 1;
                    last_proposed <= proposed;
                end
            end
            if (idle) listing <= 0;
        end
    end

    always @(*) begin
        // A request comes at rest.
        if (think) assume (!waiting && !listing && !clear);

        assert (busy == (waiting || listing));
        // The legal set is requested once, as soon as the search is idle.
        assert (list == (waiting && idle && !clear));
        if (waiting) assert (found == search_found);
        else if (listing) assert (!found);
        else begin
            assert (found == any);
            if (found && proposed_listed) assert (placement == last_proposed);
            if (found && !proposed_listed) assert (placement == first);
            if (found && placement == followed) assert (followed_listed);
        end

        // What holds of the registers in every state that can be reached.
        assert (\dut.waiting$q == waiting && \dut.listing$q == listing && !(waiting && listing));
        assert (\dut.any$q == any);
        if (any) assert (\dut.chosen$q == (proposed_listed ? last_proposed : first));
        if (any && first == followed) assert (followed_listed);
        if (any && proposed_listed && last_proposed == followed) assert (followed_listed);
        if (listing && !any) assert (!proposed_listed && !followed_listed);
    end
endmodule
