// The search's best placement is one that the expander output as an entry of the root in this search; and
// there is one exactly if it output any. The placement is any: had it not been an entry of the root, it
// could be neither the node builder's first one, nor a child of the root, nor what the scheduler keeps.
//
// The expander, the lanes, the root's ring and the tree's memories are left out, and take any value but for this:
// - Entries come only between a request for them and its end, 32 at most, not with the end itself; and the
//   expander does not rest in between (entries).
// - What a reading reports of a child of the root is the placement that was written there last (told.sv).
// - No search in the opponent's time comes, so that each search begins with an empty tree.
// - Jobs come from outside only while the search is idle, and one at a time (jobs, search_register).
module search(input wire clock, input wire clear, input wire start_is_a, input wire side,
    input wire place, input wire [14:0] placement, input wire list, input wire think, input wire stop);
    (* anyconst *) reg [14:0] some;
    wire idle, found, listed;
    wire [14:0] best;
    searcher_4 dut(.clock, .clear, .start_is_a, .side, .place, .placement, .list, .think, .ponder(1'b0), .stop, .idle,
        .found, .best, .listed);

    (* hierconn *) wire [3:0] \dut.scheduler.state$q ;
    (* hierconn *) wire \dut.scheduler.usable$q , \dut.scheduler.pondering$q ;
    (* hierconn *) wire [13:0] \dut.scheduler.root$q ;
    (* hierconn *) wire [5:0] \dut.scheduler.children$q , \dut.scheduler.read_index$q ;
    (* hierconn *) wire [14:0] \dut.scheduler.best_placement$q , \dut.scheduler.proven_placement$q ;
    (* hierconn *) wire \dut.scheduler.has_best$q , \dut.scheduler.proven_found$q , \dut.scheduler$read ;
    (* hierconn *) wire [2:0] \dut.descent.state$q , \dut.node_builder.state$q , \dut.backup.state$q ;
    (* hierconn *) wire [5:0] \dut.node_builder.children$q , \dut.tree.node_allocator.child_count$q , \dut.node_builder.next_index$q ;
    (* hierconn *) wire [14:0] \dut.node_builder.best_placement$q , \dut.node_builder.delayed_placement$q ;
    (* hierconn *) wire \dut.node_builder.delayed$q , \dut.node_builder.list_only$q , \dut.node_builder.last_side$q , \dut.node_builder.current_side$q ;
    (* hierconn *) wire [13:0] \dut.tree.node_allocator.count$q , \dut.tree.node_allocator.open_node$q ;
    (* hierconn *) wire \dut.tree$clear , \dut.tree$entry , \dut.tree$add , \dut.tree$selected , \dut.tree$read ;
    (* hierconn *) wire [14:0] \dut.tree$entry_placement , \dut.tree$selected_placement ;
    (* hierconn *) wire [13:0] \dut.tree$node ;
    (* hierconn *) wire [4:0] \dut.tree$child ;
    (* hierconn *) wire \dut.expander$score , \dut.expander$list , \dut.expander$idle , \dut.expander$entry ;
    (* hierconn *) wire \dut.expander$done , \dut.expander$start , \dut.expander$take , \dut.expander$stamp ;
    (* hierconn *) wire \dut.expander$side , \dut.root$start , \dut.root$take , \dut.root$stamp ;
    (* hierconn *) wire [14:0] \dut.expander$placement ;
    localparam CLEAR = 2, ROOT = 3, CHOOSE = 4, READ = 8, COMPARE = 9;
    wire [3:0] scheduler = \dut.scheduler.state$q ;
    wire [2:0] descent = \dut.descent.state$q , node_builder = \dut.node_builder.state$q , backup = \dut.backup.state$q ;
    wire [5:0] children = \dut.node_builder.children$q , entries = \dut.tree.node_allocator.child_count$q ;
    wire delayed = \dut.node_builder.delayed$q , list_only = \dut.node_builder.list_only$q ;
    wire [13:0] count = \dut.tree.node_allocator.count$q , open = \dut.tree.node_allocator.open_node$q ;

    // A request for entries is in progress, and how many have come.
    reg asked = 0;
    reg [5:0] come = 0;
    // The placement was an entry of the root since the tree was cleared; there was any.
    reg offered = 0, any = 0;
    // The root has been made.
    reg made = 0;
    // The root's children: which have been written since, and which of them are the placement.
    reg [31:0] written = 0, is_some = 0;
    // The child that is read.
    reg [4:0] asked_child;
    reg [15:0] past = 0;
    reg rested = 0;
    always @(posedge clock) begin
        if (\dut.expander$done ) asked <= 0;
        if (\dut.expander$entry ) begin
            come <= come + 1;
            if (scheduler == ROOT) begin
                any <= 1;
                if (\dut.expander$placement == some) offered <= 1;
            end
        end
        if (\dut.expander$score ) begin
            asked <= 1;
            come <= 0;
        end
        if (\dut.tree$entry && open == 0) begin
            written[entries[4:0]] <= 1;
            is_some[entries[4:0]] <= \dut.tree$entry_placement == some;
        end
        if (\dut.tree$clear ) begin
            offered <= 0;
            any <= 0;
            written <= 0;
        end
        if (\dut.tree$read ) asked_child <= \dut.tree$child ;
        if (think) made <= 0;
        if (scheduler == ROOT && node_builder == 0) made <= 1;
        past <= {found, best};
        rested <= idle && !think;
    end
    wire told = scheduler == COMPARE && \dut.tree$selected ;

    integer i;
    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, with any number of nodes.
        if ($initstate) assume (count <= 511);
        assume (idle || !think && !list);
        assume (!(think && list));
        if (\dut.expander$entry ) assume (asked && come < 32 && !\dut.expander$done );
        if (\dut.expander$idle ) assume (!asked);
        if (told && written[asked_child])
            assume ((\dut.tree$selected_placement == some) == is_some[asked_child]);

        // What is claimed of the best placement, also while the search continues.
        if (found && best == some) assert (offered);
        if (found) assert (made && any);
        if (made) assert (found == any);
        if (rested) assert ({found, best} == past);
        // The root's entries are asked for once, of side 0, in the position that the root's ring outputs with
        // nothing stamped.
        if (scheduler == ROOT && \dut.expander$start )
            assert (\dut.expander$take && !\dut.expander$stamp && \dut.root$start );
        if (scheduler == ROOT && \dut.expander$score ) assert (!\dut.expander$side && !any && children == 0);
        if (scheduler == ROOT) assert (!\dut.expander$list );
        // The children that are read are the root's, and it has them.
        if (\dut.tree$read ) assert (\dut.tree$node == 0 && written[\dut.tree$child ]);
    end

`ifdef INVARIANT
    // What holds in every state that can be reached, so that one cycle proves the next.
    always @(*) begin
        // As in allocation.
        assert (count <= 511 && scheduler <= 9 && descent <= 6 && node_builder <= 5);
        assert (!\dut.scheduler.usable$q && !\dut.scheduler.pondering$q && \dut.scheduler.root$q == 0);
        if (descent != 0) assert (scheduler == 7 && count != 0);
        if (backup != 0) assert (scheduler == 6);
        if (node_builder != 0) assert (descent == 4 || descent == 0 && (scheduler == ROOT || scheduler == 0));
        if (node_builder != 0) assert (list_only == (scheduler == 0));
        if (scheduler >= CHOOSE) assert (count != 0);
        if (asked) assert (node_builder == 4 && !list_only && come == children);
        if (node_builder != 0 && (node_builder != 4 || list_only)) assert (children == 0);
        if (node_builder != 0 && !list_only && children == 0) assert (count < 511);
        if (node_builder == 4) assert (children <= 32);
        if (delayed) assert (node_builder == 4 && children != 0);
        if (node_builder == 4 && children != 0) assert (open < count && entries + delayed == children);
        if (scheduler == ROOT && node_builder == 0) assert (children <= 32 && (children == 0 || count == 1));
        // The root's expansion has the first node, and others do not.
        if (scheduler == ROOT && node_builder != 0) begin
            assert (\dut.node_builder.last_side$q && !\dut.node_builder.current_side$q && !made);
            assert (children == 0 ? count == 0 : count == 1 && open == 0);
            if (node_builder < 3 || node_builder == 5) assert (\dut.node_builder.next_index$q == 0);
        end
        if (scheduler == ROOT) begin
            assert (any == (children != 0));
            if (children == 0) assert (written == 0);
            else if (\dut.node_builder.best_placement$q == some) assert (offered);
            if (delayed && \dut.node_builder.delayed_placement$q == some) assert (offered);
            for (i = 0; i < 32; i = i + 1)
                if (children != 0) assert (written[i] == (i < (node_builder == 0 ? children : entries)));
        end
        if (scheduler != ROOT && node_builder == 4 && children != 0) assert (open != 0);
        for (i = 0; i < 32; i = i + 1) if (written[i] && is_some[i]) assert (offered);
        // What the scheduler has of it.
        if (scheduler >= 1 && scheduler <= ROOT) assert (!\dut.scheduler.has_best$q && !\dut.scheduler.proven_found$q && !made);
        if (scheduler >= 1 && scheduler <= ROOT) assert (\dut.scheduler.read_index$q == 0);
        if (scheduler >= CHOOSE) begin
            assert (made && any && \dut.scheduler.children$q <= 32);
            for (i = 0; i < 32; i = i + 1) if (i < \dut.scheduler.children$q ) assert (written[i]);
            assert (\dut.scheduler.read_index$q <= \dut.scheduler.children$q );
        end
        if (scheduler == COMPARE)
            assert (\dut.scheduler.read_index$q < \dut.scheduler.children$q && asked_child == \dut.scheduler.read_index$q [4:0]);
        if (\dut.scheduler.proven_found$q && \dut.scheduler.proven_placement$q == some) assert (offered);
        if (made && scheduler == 0) assert (\dut.scheduler.has_best$q == any);
        if (\dut.scheduler.has_best$q ) assert (made && any);
    end
`endif
endmodule
