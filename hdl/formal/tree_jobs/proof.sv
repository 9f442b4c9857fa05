// The search gives the tree its jobs one at a time: a new node, a child, a selection, a reading, a link or a
// clearing while the tree is idle, a result or an AMAF entry while it is ready, one of them a cycle. So it does with
// the expander: a revolution, a request for entries or one for the legal set, while that is idle. A part
// that lists the legal set of a position gets no placement once the search is at rest.
//
// The expander, the lanes, the root's ring and the tree's memories and arithmetic are left out, and take any
// value but for this:
// - Placements are reported and entries come only between a request and its end, 32 entries at most, not with the
//   end itself; and the expander does not rest in between (reported_entries, entries).
// - The root's ring rests until it is started (search_end).
// - A selection reports a child before the tree rests again (visits).
// - The list of a simulation whose result is taken up is not empty: its first placement is appended, which is
//   claimed here, and a lane only adds to its list.
// - Jobs come from outside only while the search is idle, and one at a time (jobs, search_register).
module proof(input wire clock, input wire clear, input wire start_is_a, input wire side,
    input wire place, input wire [14:0] placement, input wire list, input wire think, input wire ponder,
    input wire stop);
    wire idle, listed;
    searcher_4 dut(.clock, .clear, .start_is_a, .side, .place, .placement, .list, .think, .ponder, .stop, .idle,
        .listed);

    (* hierconn *) wire [3:0] \dut.scheduler.state$q ;
    (* hierconn *) wire \dut.scheduler.child_addressed$q , \dut.scheduler.usable$q ;
    (* hierconn *) wire [2:0] \dut.descent.state$q , \dut.node_builder.state$q , \dut.backup.state$q ;
    (* hierconn *) wire \dut.node_builder.delayed$q , \dut.node_builder.list_only$q , \dut.backup.word_valid$q ;
    (* hierconn *) wire [5:0] \dut.node_builder.children$q , \dut.backup.next_index$q , \dut.lanes$count ;
    (* hierconn *) wire \dut.tree$clear , \dut.tree$add , \dut.tree$entry , \dut.tree$select , \dut.tree$read ;
    (* hierconn *) wire \dut.tree$link , \dut.tree$update , \dut.tree$amaf_enter , \dut.tree$amaf_remove , \dut.tree$single ;
    (* hierconn *) wire \dut.tree$idle , \dut.tree$ready , \dut.tree$selected ;
    (* hierconn *) wire \dut.tree.busy$q , \dut.tree.streaming$q , \dut.tree.linking$q , \dut.tree.delayed_linking$q ;
    (* hierconn *) wire \dut.tree.selecting$q , \dut.tree.updating$q , \dut.tree.reading$q ;
    (* hierconn *) wire \dut.tree.pair_pipeline$any , \dut.tree.pair_pipeline$valid_8 , \dut.tree.amaf_table$cleared ;
    (* hierconn *) wire [12:0] \dut.tree.amaf_table.clear_address$q ;
    (* hierconn *) wire \dut.expander$start , \dut.expander$score , \dut.expander$list , \dut.expander$idle ;
    (* hierconn *) wire \dut.expander$entry , \dut.expander$done , \dut.expander$legal ;
    (* hierconn *) wire \dut.root$idle , \dut.root$start , \dut.lanes$append , \dut.lanes$start , \dut.scheduler$simulate ;
    localparam CLEAR = 2, ROOT = 3, BACKUP = 6, SIMULATE = 7, READ = 8, COMPARE = 9, FIND = 11,
        LAST = 14;
    localparam SELECT = 1, WAIT = 2, EVALUATE = 3, EXPAND = 4, LINK = 5, PLACE = 6, ENTER = 1, REMOVE = 4;
    wire [3:0] scheduler = \dut.scheduler.state$q ;
    wire [2:0] descent = \dut.descent.state$q , node_builder = \dut.node_builder.state$q , backup = \dut.backup.state$q ;
    wire [5:0] children = \dut.node_builder.children$q ;
    wire list_only = \dut.node_builder.list_only$q , delayed = \dut.node_builder.delayed$q ;
    wire busy = \dut.tree.busy$q , linking = \dut.tree.linking$q , delayed_linking = \dut.tree.delayed_linking$q ;
    wire cleared = \dut.tree.amaf_table$cleared ;
    wire free = cleared && !busy;
    wire ready = free || busy && \dut.tree.updating$q && !\dut.tree.streaming$q && cleared;
    wire [3:0] exclusive_jobs = \dut.tree$clear + \dut.tree$add + \dut.tree$entry + \dut.tree$select + \dut.tree$read
        + \dut.tree$link ;
    wire [3:0] pipelined_jobs = \dut.tree$update + \dut.tree$amaf_enter + \dut.tree$amaf_remove ;
    wire [1:0] requests = \dut.expander$start + \dut.expander$score + \dut.expander$list ;

    // A request to the expander is in progress, for entries or for the legal set; this number of entries have come.
    reg asked = 0, listing = 0;
    reg [5:0] come = 0;
    // The simulation's list has a placement.
    reg appended = 0;
    // The search was at rest and was asked for nothing; the root's ring was.
    reg rested = 0, root_rested = 0;
    always @(posedge clock) begin
        if (\dut.expander$done ) begin
            asked <= 0;
            listing <= 0;
        end
        if (\dut.expander$entry ) come <= come + 1;
        if (\dut.expander$score ) begin
            asked <= 1;
            come <= 0;
        end
        if (\dut.expander$list ) listing <= 1;
        if (\dut.lanes$append ) appended <= 1;
        if (\dut.scheduler$simulate ) appended <= 0;
        rested <= idle && !(list || think || ponder || place || clear);
        root_rested <= \dut.root$idle && !\dut.root$start ;
    end

    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, when all entries are known.
        if ($initstate) assume (\dut.tree.amaf_table.clear_address$q == 0 || \dut.tree.amaf_table.clear_address$q == 5888);
        assume (idle || !think && !ponder && !list);
        assume (think + ponder + list <= 2'd1);
        if (\dut.expander$entry ) assume (asked && come < 32 && !\dut.expander$done );
        if (\dut.expander$legal ) assume ((asked || listing) && !\dut.expander$done );
        if (\dut.expander$idle ) assume (!asked && !listing);
        if (root_rested) assume (\dut.root$idle );
        if (descent == WAIT && \dut.tree$idle ) assume (\dut.tree$selected );
        if (backup == REMOVE && \dut.backup.next_index$q == 0) assume (\dut.lanes$count != 0);

        // What is claimed of the tree's jobs.
        assert (exclusive_jobs + pipelined_jobs <= 1);
        if (exclusive_jobs != 0) assert (\dut.tree$idle );
        if (pipelined_jobs != 0) assert (\dut.tree$ready );
        if (\dut.tree$read || \dut.tree$link ) assert (\dut.tree$single );
        if (\dut.tree$select || \dut.tree$update ) assert (!\dut.tree$single );
        // Of the expander's.
        assert (requests <= 1);
        if (requests != 0) assert (\dut.expander$idle );
        // Of a simulation: what a core begins with lies in its list.
        if (\dut.lanes$start || scheduler == SIMULATE && descent == 0) assert (appended);
        // Of the list: nothing comes at rest.
        if (listed) assert (!idle);
        // It rests until a job or a clearing comes.
        if (rested) assert (idle);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    always @(*) begin
        assert ((scheduler <= COMPARE || scheduler >= FIND && scheduler <= LAST) && descent <= 6 && node_builder <= 5 && backup <= 4);
        if (descent != 0) assert (scheduler == SIMULATE);
        if (\dut.scheduler.child_addressed$q ) assert (scheduler <= 1 || scheduler == READ || scheduler == COMPARE
            || scheduler >= FIND);
        if (backup != 0) assert (scheduler == BACKUP);
        if (node_builder != 0) assert (descent == EXPAND || descent == 0 && (scheduler == ROOT || scheduler == 0));
        if (node_builder != 0) assert (list_only == (scheduler == 0));
        if (delayed) assert (node_builder == 4 && children != 0);
        if (node_builder != 0 && (node_builder != 4 || list_only)) assert (children == 0);
        if (asked) assert (node_builder == 4 && !list_only && come == children);
        if (listing) assert (node_builder == 4 && list_only);
        if (node_builder == 4) assert (children <= 32);
        // The tree's own: tree_ports.
        if (\dut.tree.pair_pipeline$any || \dut.tree.pair_pipeline$valid_8 || \dut.tree.streaming$q || linking) assert (busy);
        if (delayed_linking) assert (linking);
        if (linking) assert (!\dut.tree.pair_pipeline$any && !\dut.tree.pair_pipeline$valid_8 && !\dut.tree.streaming$q );
        if (busy) assert (\dut.tree.selecting$q + \dut.tree.updating$q + \dut.tree.reading$q + linking == 3'd1);
        assert (!cleared || \dut.tree.amaf_table.clear_address$q == 5888);
        if (busy) assert (cleared);
        // When it rests.
        if (scheduler >= CLEAR || scheduler == 0 && \dut.scheduler.usable$q ) assert (cleared);
        if (scheduler == CLEAR || scheduler == ROOT) assert (free);
        if (descent == WAIT) assert (!linking && (busy || \dut.tree$idle ));
        if (descent == EVALUATE || descent == EXPAND) assert (free);
        if (descent == PLACE) assert (free || linking);
        if (linking && !delayed_linking) assert (descent == PLACE);
        if (linking && delayed_linking) assert (descent == PLACE || descent == SELECT || descent == 0 && scheduler == SIMULATE);
        if (scheduler == SIMULATE && descent == 0) assert (ready || linking);
        if (scheduler == 4 || scheduler == 5) assert (ready);
        if (scheduler == BACKUP && (backup == 0 || backup == ENTER || \dut.backup.word_valid$q )) assert (ready);
        if (backup == REMOVE && \dut.backup.next_index$q != 0) assert (ready);
        if (backup != ENTER && backup != REMOVE) assert (!\dut.backup.word_valid$q );
        if (descent != 0 && descent != SELECT && descent != WAIT && descent != EVALUATE) assert (appended);
        if (scheduler == SIMULATE && descent == 0) assert (appended);
    end
`endif
endmodule
