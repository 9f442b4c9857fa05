// From the placement scan to the end of the ranking: what is taken from the ranking is a placement that the placement
// scan reported as legal since the entries were asked for. Had a placement not been reported, it could be neither in
// a scorer nor in the ranking. The placement is `SOME`, or any where that is not defined.
//
// The placement scan and the scores take any value, but a placement scan that is idle hands nothing out until it is
// loaded, and begins so (expander_recovery). Whether there is a network is any, in every cycle. Of the second pass is
// read when it drains the ranking.
module ranked(input wire clock, input wire start_is_a, input wire start, input wire take,
    input wire stamp, input wire side, input wire [14:0] stamped, input wire [83:0] incoming,
    input wire [20:0] used_0, input wire [20:0] used_1, input wire score, input wire [15:0] value,
    input wire list);
`ifdef SOME
    wire [14:0] some = `SOME;
`else
    (* anyconst *) reg [14:0] some;
`endif
    wire idle, done, legal, entry;
    wire [14:0] legal_placement, placement;
    expander dut(.clock, .start_is_a, .start, .take, .stamp, .side, .stamped, .incoming,
        .incoming_used$0(used_0), .incoming_used$1(used_1), .score, .value, .list, .idle, .done, .legal,
        .legal_placement, .entry, .placement);

    (* hierconn *) wire [2:0] \dut.state$q ;
    (* hierconn *) wire [1:0] \dut.priors.state$q ;
    (* hierconn *) wire \dut.list_done$q , \dut.list_only$q , \dut.ranking$last , \dut.ranking$drain ;
    (* hierconn *) wire [14:0] \dut.ranking$last_placement , \dut.priors$last_placement , \dut.priors$placement ;
    (* hierconn *) wire \dut.priors$last , \dut.priors$entry , \dut.priors$start , \dut.priors$done ;
    (* hierconn *) wire \dut.priors.done_next$q , \dut.placement_scan$idle , \dut.placement_scan$load , \dut.placement_scan$valid ;
    (* hierconn *) wire [5:0] \dut.priors.step$q ;
    (* hierconn *) wire \dut.priors.stage_valid$0$q , \dut.priors.stage_valid$1$q , \dut.priors.stage_valid$2$q , \dut.priors.stage_valid$3$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$0$q , \dut.prior_scorer.stage_valid$1$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$2$q , \dut.prior_scorer.stage_valid$3$q ;
    (* hierconn *) wire \dut.prior_scorer.stage_valid$4$q ;
    (* hierconn *) wire [14:0] \dut.prior_scorer.staged$0$q , \dut.prior_scorer.staged$1$q ;
    (* hierconn *) wire [14:0] \dut.prior_scorer.staged$2$q , \dut.prior_scorer.staged$3$q ;
    (* hierconn *) wire [14:0] \dut.prior_scorer.staged$4$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$0$q , \dut.network_scorer.stage_valid$1$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$2$q , \dut.network_scorer.stage_valid$3$q ;
    (* hierconn *) wire \dut.network_scorer.stage_valid$4$q ;
    (* hierconn *) wire [14:0] \dut.network_scorer.staged$0$q , \dut.network_scorer.staged$1$q ;
    (* hierconn *) wire [14:0] \dut.network_scorer.staged$2$q , \dut.network_scorer.staged$3$q ;
    (* hierconn *) wire [14:0] \dut.network_scorer.staged$4$q ;
    (* hierconn *) wire \dut.ranking.occupied$0$q , \dut.ranking.occupied$1$q , \dut.ranking.occupied$2$q , \dut.ranking.occupied$3$q ;
    (* hierconn *) wire \dut.ranking.occupied$4$q , \dut.ranking.occupied$5$q , \dut.ranking.occupied$6$q , \dut.ranking.occupied$7$q ;
    (* hierconn *) wire \dut.ranking.occupied$8$q , \dut.ranking.occupied$9$q , \dut.ranking.occupied$10$q , \dut.ranking.occupied$11$q ;
    (* hierconn *) wire \dut.ranking.occupied$12$q , \dut.ranking.occupied$13$q , \dut.ranking.occupied$14$q , \dut.ranking.occupied$15$q ;
    (* hierconn *) wire \dut.ranking.occupied$16$q , \dut.ranking.occupied$17$q , \dut.ranking.occupied$18$q , \dut.ranking.occupied$19$q ;
    (* hierconn *) wire \dut.ranking.occupied$20$q , \dut.ranking.occupied$21$q , \dut.ranking.occupied$22$q , \dut.ranking.occupied$23$q ;
    (* hierconn *) wire \dut.ranking.occupied$24$q , \dut.ranking.occupied$25$q , \dut.ranking.occupied$26$q , \dut.ranking.occupied$27$q ;
    (* hierconn *) wire \dut.ranking.occupied$28$q , \dut.ranking.occupied$29$q , \dut.ranking.occupied$30$q , \dut.ranking.occupied$31$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$0$q , \dut.ranking.placements$1$q , \dut.ranking.placements$2$q , \dut.ranking.placements$3$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$4$q , \dut.ranking.placements$5$q , \dut.ranking.placements$6$q , \dut.ranking.placements$7$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$8$q , \dut.ranking.placements$9$q , \dut.ranking.placements$10$q , \dut.ranking.placements$11$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$12$q , \dut.ranking.placements$13$q , \dut.ranking.placements$14$q , \dut.ranking.placements$15$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$16$q , \dut.ranking.placements$17$q , \dut.ranking.placements$18$q , \dut.ranking.placements$19$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$20$q , \dut.ranking.placements$21$q , \dut.ranking.placements$22$q , \dut.ranking.placements$23$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$24$q , \dut.ranking.placements$25$q , \dut.ranking.placements$26$q , \dut.ranking.placements$27$q ;
    (* hierconn *) wire [14:0] \dut.ranking.placements$28$q , \dut.ranking.placements$29$q , \dut.ranking.placements$30$q , \dut.ranking.placements$31$q ;
    localparam IDLE = 0, ROWS = 1, FINISH = 2, ENTRIES = 3, NETWORK = 4, DRAIN = 1, EMIT = 3;
    wire [2:0] work = \dut.state$q ;
    wire [1:0] pass = \dut.priors.state$q ;
    wire [5:0] step = \dut.priors.step$q ;
    wire drain = \dut.ranking$drain , last = \dut.ranking$last ;
    wire scan_empty = \dut.placement_scan$idle ;
    // Of both scorers, the prior's first.
    wire [9:0] scoring = {\dut.network_scorer.stage_valid$4$q , \dut.network_scorer.stage_valid$3$q ,
        \dut.network_scorer.stage_valid$2$q , \dut.network_scorer.stage_valid$1$q ,
        \dut.network_scorer.stage_valid$0$q , \dut.prior_scorer.stage_valid$4$q ,
        \dut.prior_scorer.stage_valid$3$q , \dut.prior_scorer.stage_valid$2$q ,
        \dut.prior_scorer.stage_valid$1$q , \dut.prior_scorer.stage_valid$0$q };
    wire [10*15-1:0] scored = {\dut.network_scorer.staged$4$q , \dut.network_scorer.staged$3$q ,
        \dut.network_scorer.staged$2$q , \dut.network_scorer.staged$1$q ,
        \dut.network_scorer.staged$0$q , \dut.prior_scorer.staged$4$q ,
        \dut.prior_scorer.staged$3$q , \dut.prior_scorer.staged$2$q ,
        \dut.prior_scorer.staged$1$q , \dut.prior_scorer.staged$0$q };
    wire [31:0] ranked = {\dut.ranking.occupied$31$q , \dut.ranking.occupied$30$q , \dut.ranking.occupied$29$q , \dut.ranking.occupied$28$q ,
        \dut.ranking.occupied$27$q , \dut.ranking.occupied$26$q , \dut.ranking.occupied$25$q , \dut.ranking.occupied$24$q ,
        \dut.ranking.occupied$23$q , \dut.ranking.occupied$22$q , \dut.ranking.occupied$21$q , \dut.ranking.occupied$20$q ,
        \dut.ranking.occupied$19$q , \dut.ranking.occupied$18$q , \dut.ranking.occupied$17$q , \dut.ranking.occupied$16$q ,
        \dut.ranking.occupied$15$q , \dut.ranking.occupied$14$q , \dut.ranking.occupied$13$q , \dut.ranking.occupied$12$q ,
        \dut.ranking.occupied$11$q , \dut.ranking.occupied$10$q , \dut.ranking.occupied$9$q , \dut.ranking.occupied$8$q ,
        \dut.ranking.occupied$7$q , \dut.ranking.occupied$6$q , \dut.ranking.occupied$5$q , \dut.ranking.occupied$4$q ,
        \dut.ranking.occupied$3$q , \dut.ranking.occupied$2$q , \dut.ranking.occupied$1$q , \dut.ranking.occupied$0$q };
    wire [32*15-1:0] ranks = {\dut.ranking.placements$31$q , \dut.ranking.placements$30$q , \dut.ranking.placements$29$q , \dut.ranking.placements$28$q ,
        \dut.ranking.placements$27$q , \dut.ranking.placements$26$q , \dut.ranking.placements$25$q , \dut.ranking.placements$24$q ,
        \dut.ranking.placements$23$q , \dut.ranking.placements$22$q , \dut.ranking.placements$21$q , \dut.ranking.placements$20$q ,
        \dut.ranking.placements$19$q , \dut.ranking.placements$18$q , \dut.ranking.placements$17$q , \dut.ranking.placements$16$q ,
        \dut.ranking.placements$15$q , \dut.ranking.placements$14$q , \dut.ranking.placements$13$q , \dut.ranking.placements$12$q ,
        \dut.ranking.placements$11$q , \dut.ranking.placements$10$q , \dut.ranking.placements$9$q , \dut.ranking.placements$8$q ,
        \dut.ranking.placements$7$q , \dut.ranking.placements$6$q , \dut.ranking.placements$5$q , \dut.ranking.placements$4$q ,
        \dut.ranking.placements$3$q , \dut.ranking.placements$2$q , \dut.ranking.placements$1$q , \dut.ranking.placements$0$q };
    wire leaving = \dut.priors.stage_valid$0$q || \dut.priors.stage_valid$1$q || \dut.priors.stage_valid$2$q
        || \dut.priors.stage_valid$3$q ;

    // The placement has been reported since the last request, which has not ended.
    reg reported = 0, asked = 0;
    // The ranking's last place was taken in this drain.
    reg begun = 0;
    // The placement scan was idle and was not loaded.
    reg rested = 1;
    always @(posedge clock) begin
        if (legal && legal_placement == some) reported <= 1;
        if (done) asked <= 0;
        if (idle && (score || list)) begin
            reported <= 0;
            asked <= 1;
        end
        if (drain && last) begun <= 1;
        rested <= scan_empty && !\dut.placement_scan$load ;
        if (\dut.priors$start ) begun <= 0;
    end

    integer i;
    always @(*) begin
        if (rested) assume (scan_empty);
        if (scan_empty) assume (!\dut.placement_scan$valid );

`ifndef CONTROL
        // What is claimed. What is scored, what the ranking holds, and so what is taken from it, was reported.
        for (i = 0; i < 10; i = i + 1)
            if (scoring[i] && scored[15 * i +: 15] == some) assert (reported);
        for (i = 0; i < 32; i = i + 1)
            if (ranked[i] && ranks[15 * i +: 15] == some) assert (reported);
        if (drain && last && \dut.ranking$last_placement == some) assert (reported);
        // The second pass takes what the ranking outputs, and what it outputs is the entry.
        assert (\dut.priors$last == last && \dut.priors$last_placement == \dut.ranking$last_placement );
        assert (entry == \dut.priors$entry && placement == \dut.priors$placement );
`endif
`ifndef PLACES
        // The ranking has no gaps.
        if (drain && begun) assert (last);
        // Placements are reported, the second pass works and entries come between a request and its end only.
        if (legal || entry || drain) assert (asked && !done);
        if (idle) assert (!asked && pass == 0);
`endif
        // A request finds placement scan, scorers and ranking empty.
`ifdef PLACES
        if (idle) assume (scan_empty && scoring == 0 && ranked == 0);
`else
        if (idle) assert (scan_empty && scoring == 0 && ranked == 0);
`endif
    end

`ifdef CONTROL
    // What holds in every state that can be reached, so that one cycle proves the next.
    always @(*) begin
        // Which parts work, and which are empty.
        if (work != IDLE) assert (asked);
        if (asked) assert (work != IDLE || \dut.list_done$q );
        if (\dut.list_done$q ) assert (work == IDLE);
        if (work == IDLE || work == ENTRIES || work == NETWORK) assert (scan_empty && scoring == 0);
        if (work == IDLE || work == NETWORK) assert (ranked == 0);
        assert (work <= NETWORK);
        if ((work == ROWS || work == FINISH) && \dut.list_only$q ) assert (scoring == 0 && ranked == 0);
        if (work == ENTRIES) assert (pass != 0 || \dut.priors.done_next$q || \dut.priors$start );
        if (\dut.priors$start ) assert (work == ENTRIES && pass == 0 && !\dut.priors.done_next$q );
        if (pass != 0) assert (work == ENTRIES && !\dut.priors.done_next$q );
        if (\dut.priors.done_next$q ) assert (work == ENTRIES && pass == 0);
        if (pass != EMIT) assert (!leaving);
        // The ranking is full from its first place on, but for what was drained.
        if (work != ENTRIES || \dut.priors$start ) for (i = 1; i < 32; i = i + 1) if (ranked[i]) assert (ranked[i - 1]);
        if (pass == DRAIN) begin
            assert (step <= 33);
            for (i = 0; i < 32; i = i + 1) if (i < step) assert (!ranked[i]);
            for (i = 1; i < 32; i = i + 1) if (i > step && ranked[i]) assert (ranked[i - 1]);
            if (begun && step < 32) assert (ranked[31]);
        end
        if (work == ENTRIES && pass != DRAIN && !\dut.priors$start ) assert (ranked == 0);
    end
`endif
endmodule
