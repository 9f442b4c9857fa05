// The tree's nodes are never numbered past the last one that it has room for, no node gets more than 32
// children, and a link names only a node that was made, or the end of the game.
//
// The expander is left out. What is assumed of it: entries come only between a request for them and its
// end, 32 at most, not with the end itself; and it does not rest in between. Jobs come from outside only
// while the search is idle, and one at a time.
module proof(input wire clock, input wire clear, input wire start_is_a, input wire side,
    input wire place, input wire [14:0] placement, input wire list, input wire think, input wire ponder,
    input wire stop);
    wire idle;
    `SEARCHER dut(.clock, .clear, .start_is_a, .side, .place, .placement, .list, .think, .ponder, .stop, .idle);

    (* hierconn *) wire [3:0] \dut.scheduler.state$q ;
    (* hierconn *) wire [5:0] \dut.scheduler.children$q , \dut.scheduler.read_index$q ;
    (* hierconn *) wire [2:0] \dut.descent.state$q , \dut.node_builder.state$q ;
    (* hierconn *) wire [5:0] \dut.node_builder.children$q , \dut.tree.node_allocator.child_count$q ;
    (* hierconn *) wire [13:0] \dut.node_builder.node$q , \dut.tree$link_to ;
    (* hierconn *) wire [1:0] \dut.node_loader.state$q ;
    (* hierconn *) wire \dut.node_loader.linking$q ;
    (* hierconn *) wire [13:0] \dut.node_loader.job_link_to$q ;
    (* hierconn *) wire \dut.node_builder.delayed$q , \dut.node_builder.list_only$q ;
    (* hierconn *) wire [13:0] \dut.tree.node_allocator.count$q , \dut.tree.node_allocator.open_node$q ;
    (* hierconn *) wire \dut.tree$add , \dut.tree$entry , \dut.tree$link , \dut.tree$full , \dut.tree$limited , \dut.tree$clear ;
    (* hierconn *) wire \dut.expander$score , \dut.expander$idle , \dut.expander$entry , \dut.expander$done ;
    wire [3:0] scheduler = \dut.scheduler.state$q ;
    wire [2:0] descent = \dut.descent.state$q , node_builder = \dut.node_builder.state$q ;
    wire [5:0] children = \dut.node_builder.children$q , entries = \dut.tree.node_allocator.child_count$q ;
    wire [13:0] node = \dut.node_builder.node$q , link_to = \dut.tree$link_to ;
    wire delayed = \dut.node_builder.delayed$q , list_only = \dut.node_builder.list_only$q ;
    wire [13:0] count = \dut.tree.node_allocator.count$q , open = \dut.tree.node_allocator.open_node$q ;

    // With an SDRAM, a link waits in the node loader until its node is in block RAM.
    wire [1:0] loader = \dut.node_loader.state$q ;
    wire waiting = loader != 0 && \dut.node_loader.linking$q ;
    wire [13:0] waiting_link = \dut.node_loader.job_link_to$q ;

    // A request for entries is in progress, and how many have come.
    reg asked = 0;
    reg [5:0] come = 0;
    always @(posedge clock) begin
        if (\dut.expander$done ) asked <= 0;
        if (\dut.expander$entry ) come <= come + 1;
        if (\dut.expander$score ) begin
            asked <= 1;
            come <= 0;
        end
    end

    always @(*) begin
        // It begins at power-up, or, to save a counterexample the time, with any number of nodes.
        if ($initstate) assume (count <= `NODES);
        assume (idle || !think && !ponder && !list);
        assume (think + ponder + list <= 2'd1);
        if (\dut.expander$entry ) assume (asked && come < 32 && !\dut.expander$done );
        if (\dut.expander$idle ) assume (!asked);

        // What is claimed.
        assert (count <= `NODES);
        assert (\dut.tree$full == (count == `NODES || \dut.tree$limited && count >= `LINES));
        if (\dut.tree$add ) assert (count < `NODES && !\dut.tree$clear );
        if (\dut.tree$entry ) assert (entries < 32 && open < count);
        if (\dut.tree$link ) assert (link_to == 14'h3fff || link_to < count);
        if (waiting) assert (waiting_link == 14'h3fff || waiting_link < count);
        if (scheduler == 2) assert (!waiting);
        if (`LINES == `NODES) assert (loader == 0);
        // A simulation finds the root.
        if (descent != 0) assert (count != 0);

        // Which part works when.
        assert (scheduler <= 14 && descent <= 6 && node_builder <= 5);
        if (descent != 0) assert (scheduler == 7);
        if (node_builder != 0) assert (descent == 4 || descent == 0 && (scheduler == 3 || scheduler == 0));
        if (node_builder != 0 && scheduler != 0) assert (!list_only);
        if (node_builder != 0 && scheduler == 0) assert (list_only);
        if (scheduler >= 4 && scheduler != 11) assert (count != 0);
        // The children of the tree's first node, among which a reply is looked for.
        if (scheduler != 3 && \dut.scheduler.children$q != 0) assert (count != 0);
        if (scheduler == 11) assert (\dut.scheduler.read_index$q <= \dut.scheduler.children$q );
        if (scheduler == 12) assert (\dut.scheduler.read_index$q < \dut.scheduler.children$q );
        // What the node builder has.
        if (asked) assert (node_builder == 4 && !list_only && come == children);
        if (node_builder != 0 && (node_builder != 4 || list_only)) assert (children == 0);
        if (node_builder != 0 && !list_only && children == 0) assert (count < `NODES);
        if (node_builder == 4) assert (children <= 32);
        if (delayed) assert (node_builder == 4 && children != 0);
        if (node_builder == 4 && children != 0) assert (open < count && entries + delayed == children);
        if (node_builder != 0) assert (node == 14'h3fff || node < count);
        if (descent == 4 || descent == 5) assert (node == 14'h3fff || node < count);
        if (scheduler == 3 && node_builder == 0 && children != 0) assert (count != 0);
    end
endmodule
