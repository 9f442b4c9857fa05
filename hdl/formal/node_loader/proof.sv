// The node loader hands each job of the search to the tree once, unchanged, while the tree can take it, and
// only after the cache has reported that the job's node is present. It transfers words only while the tree is idle.
// Without an external memory it changes nothing.

`ifdef JOBS
module jobs(input wire clock, input wire clear, input wire prepare, input wire select, input wire read,
    input wire link, input wire update, input wire single, input wire [13:0] node, input wire [4:0] child,
    input wire [13:0] link_to, input wire [15:0] value, input wire prove, input wire [5:0] ply,
    input wire tree_idle, input wire tree_ready, input wire [13:0] following, input wire [15:0] transferred_word,
    input wire memory_works, input wire line_ready, input wire line_idle, input wire [7:0] line_index,
    input wire line_store, input wire [7:0] line_store_index);
    wire idle, ready, tree_select, tree_read, tree_link, tree_update, tree_single, tree_prove, limited, transfer;
    wire store, line_request, line_write;
    wire [13:0] tree_node, tree_link_to;
    wire [4:0] tree_child;
    wire [15:0] tree_value, line, line_word;
    wire [5:0] tree_ply;
    wire [9:0] transfer_line;
    wire [7:0] transfer_index, store_index;
    node_loader_512 dut(.clock, .clear, .prepare, .select, .read, .link, .update, .single, .node, .child, .link_to,
        .value, .prove, .ply, .idle, .ready, .tree_idle, .tree_ready, .following, .tree_select, .tree_read,
        .tree_link, .tree_update, .tree_single, .tree_node, .tree_child, .tree_link_to, .tree_value, .tree_prove,
        .tree_ply, .limited, .transfer, .transfer_line, .transfer_index, .transferred_word, .store, .store_index,
        .memory_works, .line_request, .line_write, .line, .line_word, .line_ready, .line_idle, .line_index,
        .line_store, .line_store_index);

    (* hierconn *) wire \dut.cache$request , \dut.cache$is_new , \dut.cache$write , \dut.cache$present ;
    (* hierconn *) wire \dut.cache$ready ;
    (* hierconn *) wire [15:0] \dut.cache$node ;
    (* hierconn *) wire [1:0] \dut.state$q ;
    (* hierconn *) wire [2:0] \dut.cache.state$q ;
    (* hierconn *) wire [15:0] \dut.cache.requested$q ;
    (* hierconn *) wire \dut.cache.transferring$q ;
    wire [1:0] state = \dut.state$q ;
    wire present = \dut.cache$present ;
    wire [4:0] jobs = {prepare, select, read, link, update};
    wire [3:0] issued = {tree_select, tree_read, tree_link, tree_update};

    // The job that was accepted, until the tree has it; whether its node was present since.
    reg open = 0, loaded = 0, last_single = 0;
    reg [4:0] kind = 0;
    reg [13:0] job_node = 0, job_link_to = 0;
    reg [4:0] job_child = 0;
    reg [15:0] job_value = 0;
    reg job_prove = 0;
    reg [5:0] job_ply = 0;
    // A line is transferred; the tree was idle or ready, and got nothing.
    reg moving = 0, was_idle = 0, was_ready = 0, begun = 0;
    always @(posedge clock) begin
        begun <= 1;
        if (jobs != 0) begin
            open <= 1;
            loaded <= 0;
            kind <= jobs;
            job_node <= prepare ? following : node;
            job_child <= child;
            job_link_to <= link_to;
            job_value <= value;
            job_prove <= prove;
            job_ply <= ply;
        end else if (issued != 0 || kind[4] && present) open <= 0;
        if (jobs == 0 && present) loaded <= 1;
        if (line_request && line_ready) moving <= 1;
        else if (line_idle) moving <= 0;
        was_idle <= tree_idle && issued == 0;
        was_ready <= tree_ready && issued == 0;
    end

    always @(*) begin
        // [tree_jobs: one job at a time, while it can be taken]
        assume (jobs + clear == 0 || (jobs & (jobs - 5'd1)) == 0 && !(clear && jobs != 0));
        assume (idle || !(clear || prepare || select || read || link));
        assume (ready || !update);
        assume (single == (read || link));
        // [the tree stays idle or ready until a job comes, and is ready if it is idle]
        assume (!was_idle || tree_idle);
        assume (!was_ready || tree_ready);
        assume (!tree_idle || tree_ready);
        // [sdram_controller: words come during a transfer only]
        assume (!line_store || moving);

        // The cache gets the request of each job, and no other.
        assert (\dut.cache$request == (jobs != 0));
        if (jobs != 0) assert (\dut.cache$ready && \dut.cache$node == (prepare ? following : node)
            && \dut.cache$is_new == prepare && \dut.cache$write == (select || link || update));
        // The tree gets each job once, unchanged, with its node.
        assert ((issued & (issued - 4'd1)) == 0);
        if (issued != 0) begin
            assert (open && loaded && kind == {1'b0, issued});
            assert (tree_node == job_node && tree_child == job_child && tree_link_to == job_link_to);
            assert (tree_value == job_value && tree_prove == job_prove && tree_ply == job_ply);
            assert (tree_single == (tree_read || tree_link));
            // As its timing asks for, also for `single`, which comes a cycle earlier.
            assert (tree_idle || tree_update && tree_ready);
            assert (last_single == tree_single);
        end
        // No further job comes meanwhile.
        if (open) assert (!idle && !ready);
        if (idle) assert (tree_idle && ready);
        if (ready) assert (tree_ready && tree_ply == ply);
        // Words are transferred while the tree has nothing to do, from and to the line of the job's node.
        if (transfer || store || line_request || moving) assert (tree_idle && issued == 0 && open);
        if (transfer || store) assert (transfer_line == job_node[9:0]);
        if (store) assert (store_index == line_store_index);
        if (line_request && !line_write) assert (line == job_node);
        if (transfer && \dut.cache.state$q >= 3) assert (transfer_index == line_index && line_word == transferred_word);
        assert (limited == !memory_works);

`ifdef INVARIANT
        assert (state <= 2 && open == (state != 0));
        if (open) assert (loaded == (state == 2));
        if (open) assert ((kind & (kind - 5'd1)) == 0 && kind != 0);
        if (state == 2) assert (!kind[4] && \dut.cache.state$q == 1);
        if (state == 1) assert (\dut.cache.state$q >= 2 && \dut.cache.state$q <= 4 && \dut.cache.requested$q == job_node);
        if (state == 0) assert (\dut.cache.state$q <= 1);
        if (open) assert (\dut.cache.requested$q == job_node);
        if (open && kind != 5'd1) assert (was_idle);
        if (open) assert (was_ready);
        assert (moving == \dut.cache.transferring$q );
        if (moving) assert (was_idle && state == 1 && \dut.cache.state$q >= 3);
        if (open) assert ({\dut.selecting$q , \dut.reading$q , \dut.linking$q , \dut.updating$q } == kind[3:0]);
        if (open) assert (\dut.preparing$q == kind[4]);
        if (open && !kind[4]) assert (\dut.job_node$q == job_node);
        if (open) assert (\dut.job_child$q == job_child && \dut.job_link_to$q == job_link_to
            && \dut.job_value$q == job_value && \dut.job_prove$q == job_prove && \dut.job_ply$q == job_ply);
        if (state == 2) assert (last_single == (kind[2] || kind[1]));
`endif
    end
    always @(posedge clock) last_single <= tree_single;
    (* hierconn *) wire \dut.selecting$q , \dut.reading$q , \dut.linking$q , \dut.updating$q , \dut.preparing$q ;
    (* hierconn *) wire [13:0] \dut.job_node$q , \dut.job_link_to$q ;
    (* hierconn *) wire [4:0] \dut.job_child$q ;
    (* hierconn *) wire [15:0] \dut.job_value$q ;
    (* hierconn *) wire \dut.job_prove$q ;
    (* hierconn *) wire [5:0] \dut.job_ply$q ;
endmodule
`endif

// From every state the loader becomes idle without a job: a count of what is left goes down with every cycle
// in which it waits neither for the cache, which becomes ready by memory_recovery, nor for the tree.
`ifdef RECOVERY
module recovery(input wire clock, input wire tree_idle, input wire tree_ready, input wire line_ready,
    input wire line_idle, input wire [13:0] node);
    wire idle, tree_select, tree_read, tree_link, tree_update;
    node_loader_512 dut(.clock, .clear(1'b0), .prepare(1'b0), .select(1'b0), .read(1'b0), .link(1'b0),
        .update(1'b0), .node, .tree_idle, .tree_ready, .line_ready, .line_idle, .idle, .tree_select, .tree_read,
        .tree_link, .tree_update);
    (* hierconn *) wire [1:0] \dut.state$d , \dut.state$q ;
    (* hierconn *) wire \dut.cache$ready , \dut.cache$present , \dut.cache$request ;
    wire [1:0] now = \dut.state$q == 0 ? 0 : \dut.state$q == 1 ? 3 : \dut.state$q == 2 ? 2 : 1;
    wire [1:0] next = \dut.state$d == 0 ? 0 : \dut.state$d == 1 ? 3 : \dut.state$d == 2 ? 2 : 1;
    wire waits = \dut.state$q == 1 && !\dut.cache$ready && !\dut.cache$present
        || \dut.state$q == 2 && !tree_idle && !tree_ready;
    always @(*) begin
        assume (!tree_idle || tree_ready);
        assert (!\dut.cache$request );
        if (now == 0 || waits) assert (next == now && !(tree_select || tree_read || tree_link || tree_update));
        // While only an update can be taken, another job waits for the tree to become idle.
        else assert (next < now || \dut.state$q == 2 && !tree_idle);
        assert (idle == (now == 0 && \dut.cache$ready && tree_idle));
    end
endmodule
`endif

// A tree without an external memory.
`ifdef DIRECT
module direct(input wire clock, input wire clear, input wire prepare, input wire select, input wire read,
    input wire link, input wire update, input wire single, input wire [13:0] node, input wire [4:0] child,
    input wire [13:0] link_to, input wire [15:0] value, input wire prove, input wire [5:0] ply,
    input wire tree_idle, input wire tree_ready, input wire [13:0] following, input wire line_ready,
    input wire line_idle, input wire line_store);
    wire idle, ready, tree_select, tree_read, tree_link, tree_update, tree_single, tree_prove, limited, transfer;
    wire store, line_request;
    wire [13:0] tree_node, tree_link_to;
    wire [4:0] tree_child;
    wire [15:0] tree_value;
    wire [5:0] tree_ply;
    node_loader dut(.clock, .clear, .prepare, .select, .read, .link, .update, .single, .node, .child, .link_to,
        .value, .prove, .ply, .idle, .ready, .tree_idle, .tree_ready, .following, .tree_select, .tree_read,
        .tree_link, .tree_update, .tree_single, .tree_node, .tree_child, .tree_link_to, .tree_value, .tree_prove,
        .tree_ply, .limited, .transfer, .store, .line_request, .line_ready, .line_idle, .line_store);
    always @(*) begin
        assert ({tree_select, tree_read, tree_link, tree_update, tree_single} == {select, read, link, update, single});
        assert ({tree_node, tree_child, tree_link_to, tree_value, tree_prove, tree_ply}
            == {node, child, link_to, value, prove, ply});
        assert (idle == tree_idle && ready == tree_ready);
        assert (!limited && !transfer && !store && !line_request);
    end
endmodule
`endif
