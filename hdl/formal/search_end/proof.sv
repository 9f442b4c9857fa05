// A search that has been told to end comes to rest, from every state that its registers and memories can
// hold. Scheduler, descent, backup and node builder have a count of what is left each, which goes down with
// every cycle in which they do not wait. A check of one cycle from any state is enough, so
// next states are read at the registers' inputs.
//
// They wait for each other in one order, so that one of them always proceeds: the scheduler for the other
// three, the descent for the node builder, and each of them for tree, expander, lanes and root, which are at
// rest after this number of cycles in which no new job comes: see tree_recovery, expander_recovery and
// playout_recovery, and node_loader for a tree in an SDRAM. `node_loader` is what the search sees of the tree. These parts are left out here, and their outputs take any value. With a bonus, the backup
// also waits for a result, which is ready after 33 cycles: see results_end.
//
// Cycles until all rest, from any state, at most:
//   2,127,500  52 nodes are made: 50 by the descent, one by the scheduler, one that is in progress. Each takes
//              64 placements of 36 cycles, and two requests to the expander of 19,300
//      20,000  what the expander is at, which may be one pass more than after its own request
//      35,700  jobs of the tree of 27 cycles: 100 of the descent, 129 of the scheduler, which take a cycle
//              more, 17 * 64 of the backup
//       8,200  the marks are emptied after power-up
//       6,600  the backup's 17 results of 384 cycles
//       2,200  50 levels of the tree, each with a revolution of a core's ring and of the root's, and steps
//     3,282    for each lane, and once more for the playout that begins last
// With a bonus and final_wins, 700 more: 17 results of 33 cycles, and one more cycle for each child of the root.
// With a tree in an SDRAM, 628,000 more: each of the 1,317 jobs of the tree waits up to 468 cycles for its node, and
// the controller needs 11,001 from any state.
module proof(input wire clock, input wire start_is_a, input wire side, input wire stop,
    input wire [14:0] placement);
    wire idle;
    `SEARCHER dut(.clock, .clear(1'b0), .start_is_a, .side, .place(1'b0), .placement, .list(1'b0),
        .think(1'b0), .ponder(1'b0), .stop, .idle);

    (* hierconn *) wire [3:0] \dut.scheduler.state$d , \dut.scheduler.state$q ;
    (* hierconn *) wire [5:0] \dut.scheduler.read_index$d , \dut.scheduler.read_index$q ;
    (* hierconn *) wire \dut.scheduler.child_addressed$d , \dut.scheduler.child_addressed$q ;
    (* hierconn *) wire [5:0] \dut.scheduler.children$d , \dut.scheduler.children$q ;
    (* hierconn *) wire [3:0] \dut.scheduler.in_flight$d , \dut.scheduler.in_flight$q ;
    (* hierconn *) wire [31:0] \dut.scheduler.timer$q ;
    (* hierconn *) wire \dut.scheduler.end_requested$d , \dut.scheduler.end_requested$q ;
    (* hierconn *) wire \dut.scheduler$simulate , \dut.scheduler$backup , \dut.scheduler$expand ;
    (* hierconn *) wire [2:0] \dut.descent.state$d , \dut.descent.state$q ;
    (* hierconn *) wire [5:0] \dut.descent.path_length$d , \dut.descent.path_length$q ;
    (* hierconn *) wire \dut.descent.last_step$d , \dut.descent.last_step$q , \dut.descent.first_step$q ;
    (* hierconn *) wire \dut.descent$expand , \dut.descent$start , \dut.descent$take ;
    (* hierconn *) wire [2:0] \dut.backup.state$d , \dut.backup.state$q ;
    (* hierconn *) wire [5:0] \dut.backup.next_index$d , \dut.backup.next_index$q , \dut.lanes$count ;
    (* hierconn *) wire \dut.backup.word_valid$d , \dut.backup.word_valid$q ;
    (* hierconn *) wire \dut.result_ready , \dut.results$start ;
    (* hierconn *) wire [2:0] \dut.node_builder.state$d , \dut.node_builder.state$q ;
    (* hierconn *) wire [5:0] \dut.node_builder.next_index$d , \dut.node_builder.next_index$q ;
    (* hierconn *) wire \dut.node_builder.list_only$q ;
    (* hierconn *) wire \dut.node_builder.last_side$d , \dut.node_builder.last_side$q , \dut.node_builder$start , \dut.node_builder$take ;
    (* hierconn *) wire \dut.clearing$d , \dut.clearing$q ;
    (* hierconn *) wire \dut.root$idle , \dut.root$start ;
    (* hierconn *) wire \dut.root.preparing$d , \dut.root.preparing$q ;
    (* hierconn *) wire \dut.root.running$d , \dut.root.running$q ;
    (* hierconn *) wire [3:0] \dut.root.step$d , \dut.root.step$q ;
    (* hierconn *) wire \dut.node_loader$idle , \dut.node_loader$ready , \dut.tree$selected ;
    (* hierconn *) wire \dut.node_loader$select , \dut.node_loader$update , \dut.node_loader$read , \dut.node_loader$link ;
    (* hierconn *) wire \dut.expander$idle , \dut.expander$done , \dut.lanes$ready , \dut.lanes$start ;
    (* hierconn *) wire \dut.expander$start , \dut.expander$score , \dut.expander$list ;

    // The root's ring: cycles of a revolution that are left. A step past the last one continues through 15
    // and zero.
    function automatic [5:0] ring(input preparing, input running, input [3:0] step);
        ring = (preparing ? 17 : 0) + (!running ? 0 : step <= 13 ? 14 - step : 30 - step);
    endfunction
    wire [5:0] root_now = ring(\dut.root.preparing$q , \dut.root.running$q , \dut.root.step$q );
    wire [5:0] root_next = ring(\dut.root.preparing$d , \dut.root.running$d , \dut.root.step$d );

    // The node builder: placements of the list that are left, then the requests for one side or two. A place in
    // the list past 62 continues through zero.
    function automatic [9:0] growing(input [2:0] state, input [5:0] at, input second);
        reg [6:0] left;
        begin
            left = at == 63 ? 64 : 63 - at;
            case (state)
                0: growing = 0;
                1: growing = {left, 3'd6};
                2: growing = {left, 3'd5};
                3: growing = {7'd0, second ? 3'd2 : 3'd4};
                4: growing = {7'd0, second ? 3'd1 : 3'd3};
                5: growing = {left, 3'd7};
                default: growing = 1;
            endcase
        end
    endfunction
    wire [2:0] node_builder = \dut.node_builder.state$q ;
    wire [9:0] grower_now = growing(node_builder, \dut.node_builder.next_index$q , \dut.node_builder.last_side$q );
    wire [9:0] grower_next = growing(\dut.node_builder.state$d , \dut.node_builder.next_index$d , \dut.node_builder.last_side$d );
    wire grower_waits = node_builder == 2
            && !(\dut.expander$idle && (\dut.root$idle && !\dut.clearing$q || \dut.node_builder.next_index$q != 0))
        || node_builder == 3 && !(\dut.expander$idle && (\dut.node_loader$idle || \dut.node_builder.list_only$q ))
        || node_builder == 5 && !\dut.node_loader$idle || node_builder == 4 && !\dut.expander$idle && !\dut.expander$done ;

    // The descent: levels of the tree that are left, and what is left of a level.
    function automatic [9:0] descending(input [2:0] state, input [5:0] steps, input last);
        reg [5:0] here, below;
        begin
            here = steps >= 48 ? 1 : 49 - steps;
            below = steps >= 48 ? 0 : here;
            case (state)
                0: descending = 0;
                1: descending = {here, 4'd7};
                2: descending = {here, 4'd6};
                3: descending = {here, 4'd5};
                4: descending = {below + 6'd1, 4'd4};
                5: descending = {below + 6'd1, 4'd3};
                6: descending = {(last ? 6'd0 : here) + 6'd1, 4'd2};
                default: descending = 1;
            endcase
        end
    endfunction
    wire [2:0] descent = \dut.descent.state$q ;
    wire [9:0] descent_now = descending(descent, \dut.descent.path_length$q , \dut.descent.last_step$q );
    wire [9:0] descent_next = descending(\dut.descent.state$d , \dut.descent.path_length$d , \dut.descent.last_step$d );
    wire descent_waits = (descent == 1 || descent == 5) && !\dut.node_loader$idle
        || descent == 2 && !\dut.tree$selected && !\dut.node_loader$idle || descent == 4 && node_builder != 0
        || descent == 6 && !(\dut.lanes$ready && (\dut.root$idle || !\dut.descent.first_step$q ));

    // The backup: words that are left to be marked, steps to be learned, and marks to be taken back.
    function automatic [9:0] ascending(input [2:0] state, input [5:0] at, input valid);
        reg [7:0] words;
        begin
            words = 2 * (63 - at) + valid + 1;
            case (state)
                0: ascending = 0;
                1: ascending = {2'd3, words};
                2: ascending = {2'd2, 1'b0, at, 1'b1};
                3: ascending = {2'd2, 1'b0, at, 1'b0};
                4: ascending = {2'd1, words};
                default: ascending = 1;
            endcase
        end
    endfunction
    wire [2:0] backup = \dut.backup.state$q ;
    wire [9:0] ascent_now = ascending(backup, \dut.backup.next_index$q , \dut.backup.word_valid$q );
    wire [9:0] ascent_next = ascending(\dut.backup.state$d , \dut.backup.next_index$d , \dut.backup.word_valid$d );
    wire ascent_waits = (backup == 3 || backup == 4 && \dut.backup.next_index$q < \dut.lanes$count )
            && !\dut.node_loader$ready
        || backup == 1 && \dut.backup.next_index$q >= \dut.lanes$count && !\dut.backup.word_valid$q
            && !\dut.result_ready ;

    // The scheduler: the root's children in which a reply is looked for, simulations whose results are to be taken
    // up, then the root's children. Counts continue from zero through their highest number.
    function automatic [11:0] scheduling(input [3:0] state, input [3:0] away, input [5:0] at,
        input [5:0] children, input addressed);
        reg [3:0] less;
        reg [5:0] left, after;
        begin
            less = away - 1;
            left = children - at;
            after = left - 1;
            case (state)
                0: scheduling = 0;
                1: scheduling = {3'd7, 9'd0};
                2: scheduling = {3'd6, 9'd0};
                3: scheduling = {3'd5, 9'd0};
                4: scheduling = {3'd3, 2'b0, away, 3'd2};
                5: scheduling = {3'd3, 2'b0 + less + 6'd1, 3'd1};
                6: scheduling = {3'd3, 2'b0 + less + 6'd1, 3'd0};
                7: scheduling = {3'd4, 9'd0};
                8: scheduling = {3'd2, 1'b0, left, addressed ? 2'd1 : 2'd2};
                9: scheduling = {3'd2, after + 7'd1, 2'd0};
                10: scheduling = {3'd2, 1'b0, left, 2'd3};
                11: scheduling = {3'd7, 9'd4 + {1'b0, left, 2'd0} + (addressed ? 9'd1 : 9'd2)};
                12: scheduling = {3'd7, 9'd4 + {after + 7'd1, 2'd0}};
                13: scheduling = {3'd7, addressed ? 9'd2 : 9'd3};
                14: scheduling = {3'd7, 9'd1};
                default: scheduling = 1;
            endcase
        end
    endfunction
    wire [3:0] scheduler = \dut.scheduler.state$q ;
    wire [11:0] scheduler_now = scheduling(scheduler, \dut.scheduler.in_flight$q , \dut.scheduler.read_index$q ,
        \dut.scheduler.children$q , \dut.scheduler.child_addressed$q );
    wire [11:0] scheduler_next = scheduling(\dut.scheduler.state$d , \dut.scheduler.in_flight$d ,
        \dut.scheduler.read_index$d , \dut.scheduler.children$d , \dut.scheduler.child_addressed$d );
    wire scheduler_waits = (scheduler == 1
            || (scheduler == 8 || scheduler == 11) && \dut.scheduler.child_addressed$q
                && \dut.scheduler.read_index$q != \dut.scheduler.children$q
            || scheduler == 13 && \dut.scheduler.child_addressed$q ) && !\dut.node_loader$idle
        || scheduler == 3 && node_builder != 0 || scheduler == 5 && !\dut.lanes$ready
        || scheduler == 6 && backup != 0 || scheduler == 7 && descent != 0
        || (scheduler == 9 || scheduler == 12 || scheduler == 14) && !\dut.tree$selected
            && !\dut.node_loader$idle ;

    wire over = \dut.scheduler.end_requested$q || scheduler == 0;

    always @(*) begin
        // The search is to end: by `stop` in any cycle, or by its deadline; then it stays so.
        if (scheduler != 0) begin
            if (stop || \dut.scheduler.timer$q == `DEADLINE) assert (\dut.scheduler.end_requested$d );
            if (\dut.scheduler.end_requested$q ) assert (\dut.scheduler.end_requested$d );
        end else assert (\dut.scheduler.state$d == 0);
        // Then no simulation begins, and no list is emptied.
        if (over) assert (!\dut.scheduler$simulate );

        // Each part proceeds, or waits and asks for nothing.
        if (over) assert (scheduler_waits || scheduler == 0 ? scheduler_next == scheduler_now
            && !\dut.node_loader$read && !\dut.scheduler$backup && !\dut.scheduler$expand
            : scheduler_next < scheduler_now);
        if (descent_waits || descent == 0 && over) assert (descent_next == descent_now
            && !\dut.node_loader$select && !\dut.node_loader$link && !\dut.lanes$start && !\dut.descent$expand );
        if (!descent_waits && descent != 0) assert (descent_next < descent_now);
        if (ascent_waits || backup == 0 && !\dut.scheduler$backup )
            assert (ascent_next <= ascent_now && !\dut.node_loader$update );
        if (!ascent_waits && backup != 0) assert (ascent_next < ascent_now);
        if (grower_waits || node_builder == 0 && !\dut.scheduler$expand && !\dut.descent$expand )
            assert (grower_next == grower_now && !\dut.expander$start && !\dut.expander$score
                && !\dut.expander$list );
        if (!grower_waits && node_builder != 0) assert (grower_next < grower_now);
        if (\dut.root$start && \dut.root$idle ) assert (root_next <= 17);
        else assert (root_now == 0 ? root_next == 0 : root_next < root_now);
        assert (\dut.root$idle == (root_now == 0));
        if (\dut.root$idle ) assert (!\dut.clearing$d );
        // Only a clearing, or the part that takes the root over, starts its position ring.
        if (!\dut.clearing$q && \dut.root$start )
            assert (\dut.descent$start && \dut.descent$take || \dut.node_builder$start && \dut.node_builder$take );

        // Only the start of a backup makes a result late.
        if (\dut.results$start ) assert (\dut.scheduler$backup );

        // Where all parts rest, a part waits only for one that does not wait.
        if (\dut.node_loader$idle && \dut.node_loader$ready && \dut.expander$idle && \dut.lanes$ready && \dut.root$idle
            && \dut.result_ready && !\dut.clearing$q ) begin
            assert (!grower_waits && !ascent_waits && (!descent_waits || node_builder != 0)
                && (!scheduler_waits || node_builder != 0 || backup != 0 || descent != 0));
            if (scheduler == 0 && node_builder == 0) assert (idle);
        end

        // From any state: 50 levels of the tree, 64 placements of a list, 64 words, 15 results, 64 children.
        assert (descent_now[9:4] <= 50 && grower_now[9:3] <= 64 && scheduler_now <= {3'd7, 9'd260});
        if (scheduler == 4 || scheduler == 5 || scheduler == 6) assert (scheduler_now[8:3] <= 16);
    end
endmodule
